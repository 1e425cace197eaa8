"""Ports that a test gives to what it starts, where that cannot choose one itself."""

from __future__ import annotations

import os
import socket

FIRST, AFTER_LAST = 12_000, 32_000
"""Below those that the kernel hands out to connections and to programs that ask for any."""
_held: list[socket.socket] = []


def free_port() -> int:
    """A port that nothing listens on, and that no other test of this machine gets while this process lives.

    An abstract socket of its number stands for it: the kernel lets one process have that, and frees it.
    """
    span = AFTER_LAST - FIRST
    begin = os.getpid() * 64 + len(_held)
    for port in (FIRST + (begin + step) % span for step in range(span)):
        token = socket.socket(socket.AF_UNIX)
        try:
            token.bind(f"\0danlu-tests-port-{port}")
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            token.close()
            continue
        _held.append(token)
        return port
    raise AssertionError(f"no free port from {FIRST} to {AFTER_LAST}")
