"""The socket that the server listens on."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

USUAL_PORT = 8642


def listen(host: str, port: int | None) -> socket.socket:
    """A listening socket on the port asked for; else on the usual one, else on any free one."""
    family, _, _, _, address = socket.getaddrinfo(
        host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    wanted = [port] if port is not None else [USUAL_PORT, 0]
    for number in wanted:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6 and is_any(str(address[0])):
            # "All addresses" means those of IPv4 as well.
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        try:
            listener.bind((address[0], number))
            listener.listen(1024)
        except OSError:
            listener.close()
            if number == wanted[-1]:
                raise
        else:
            return listener
    raise OSError


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach that address."""
    return ipaddress.ip_address(address).is_loopback


def is_local_url(url: str) -> bool:
    """Whether what it means depends on the machine where it is used."""
    host = urlsplit(url).hostname or ""
    try:
        return is_loopback(host)
    except ValueError:
        return host == "localhost"


def is_any(address: str) -> bool:
    return ipaddress.ip_address(address).is_unspecified
