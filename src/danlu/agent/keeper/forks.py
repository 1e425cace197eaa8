"""What a fork of the keeper's does first: it becomes a process of its own."""

from __future__ import annotations

import os
import socket

_LINE = 3


def leave_keeper(line: socket.socket) -> socket.socket:
    """Let go of all that is the keeper's but the line to it, which is returned anew."""
    os.dup2(line.detach(), _LINE, inheritable=False)
    # The keeper's lock is among these: held open here, it would keep the next keeper out.
    os.closerange(_LINE + 1, os.sysconf("SC_OPEN_MAX"))
    os.setsid()
    return socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, _LINE)
