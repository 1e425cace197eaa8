"""Free ports for the tasks of a job that find each other."""

from __future__ import annotations

import socket

from danlu.core.task import Prepared

LOOPBACK = "127.0.0.1"


def prepare(address: str) -> Prepared:
    """Two ports that are free now. They are chosen by the kernel, which does not choose them again soon."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as first, socket.socket(family) as second:
        for each in (first, second):
            each.bind(("", 0))
        return Prepared(address, first.getsockname()[1], second.getsockname()[1])


def address_towards(host: str, port: int) -> str | None:
    """The address of this machine that faces `host`; None where there is no way there. Nothing is sent."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind, protocol) as towards:
            towards.connect(place)
            return str(towards.getsockname()[0])
    except OSError:
        return None
