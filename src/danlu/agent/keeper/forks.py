"""What a fork of the keeper's does first: it becomes a process of its own."""

from __future__ import annotations

import os
import socket

_CONNECTION = 3


def leave_keeper(connection: socket.socket) -> socket.socket:
    """Let go of all that is the keeper's but the connection to it, which is returned anew."""
    os.dup2(connection.detach(), _CONNECTION, inheritable=False)
    # The keeper's lock is among these: held open here, it would keep the next keeper out.
    os.closerange(_CONNECTION + 1, os.sysconf("SC_OPEN_MAX"))
    os.setsid()
    return socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, _CONNECTION)
