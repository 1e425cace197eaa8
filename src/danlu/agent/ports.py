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
