"""Which network interface has an address. A host's own name often means the loopback, and a framework that
believes it listens where no other node can reach it."""

from __future__ import annotations

import contextlib
import fcntl
import socket
import struct

_SIOCGIFADDR = 0x8915
_LOOPBACK = 127
_IPV6_INTERFACES = "/proc/net/if_inet6"


def add_interface(variables: dict[str, str], address: str) -> dict[str, str]:
    """Tell gloo and NCCL the interface of this node's address, unless the job's variables do."""
    name = find_interface(address)
    if name is None:
        return variables
    # NCCL takes a name for a beginning, unless it is told otherwise.
    return {"GLOO_SOCKET_IFNAME": name, "NCCL_SOCKET_IFNAME": f"={name}"} | variables


def find_interface(address: str) -> str | None:
    """None when there is none: behind a translation of addresses, for instance."""
    with contextlib.suppress(OSError, ValueError):
        # As bytes: for a text Python would load a codec, which the task's account may not be able to read.
        host = address.encode("ascii")
        for family, _, _, _, place in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM):
            found = _find4(str(place[0])) if family is socket.AF_INET else _find6(str(place[0]))
            if found is not None:
                return found
    return None


def _find4(address: str) -> str | None:
    wanted = socket.inet_aton(address)
    if wanted[0] == _LOOPBACK:
        return "lo"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            # One without an address of this kind says so by an error.
            with contextlib.suppress(OSError):
                answer = fcntl.ioctl(asking, _SIOCGIFADDR, struct.pack("256s", name.encode()))
                if answer[20:24] == wanted:
                    return name
    return None


def _find6(address: str) -> str | None:
    wanted = socket.inet_pton(socket.AF_INET6, address.partition("%")[0]).hex()
    with open(_IPV6_INTERFACES) as file:
        for line in file:
            fields = line.split()
            if fields[0] == wanted:
                return fields[5]
    return None
