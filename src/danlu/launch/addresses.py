"""What this machine is called, and at which addresses others can reach it."""

from __future__ import annotations

import ipaddress
import socket
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooSlow
from itertools import pairwise
from pathlib import Path

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

NAME_SERVICE_S = 2.0
_SOMEWHERE = ("192.0.2.1", "2001:db8::1")
"""Addresses kept for documentation: good to ask the kernel for a way out, and nothing is sent there."""


def own_names() -> list[str]:
    """The host name, short and whole."""
    name = socket.gethostname()
    asking = ThreadPoolExecutor(1, "host name")
    # A name service that does not answer must not keep a server from starting.
    try:
        whole = asking.submit(socket.getfqdn, name).result(NAME_SERVICE_S)
    except TooSlow:
        whole = name
    asking.shutdown(wait=False)
    found = [name, name.partition(".")[0], whole]
    return sorted({each.lower() for each in found if each} - {"localhost"})


def own_addresses() -> list[Address]:
    """All addresses of this machine that others may use: neither loopback nor link-local."""
    found: list[Address] = [
        *_of_fib_trie(_read("/proc/net/fib_trie")),
        *_of_if_inet6(_read("/proc/net/if_inet6")),
    ]
    return [address for address in dict.fromkeys(found) if not (address.is_loopback or address.is_link_local)]


def usual_address() -> Address | None:
    """The address with which this machine goes out, which is most likely the one others reach it by."""
    for family, somewhere in zip((socket.AF_INET, socket.AF_INET6), _SOMEWHERE, strict=True):
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((somewhere, 9))
                found = ipaddress.ip_address(probe.getsockname()[0])
            except (OSError, ValueError):
                continue
        if not found.is_loopback:
            return found
    return next(iter(own_addresses()), None)


def in_url(host: str) -> str:
    """A host as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def _of_fib_trie(text: str) -> list[Address]:
    lines = [line.split() for line in text.splitlines()]
    return [
        ipaddress.ip_address(before[1])
        for before, line in pairwise(lines)
        if line[:3] == ["/32", "host", "LOCAL"] and before[:1] == ["|--"]
    ]


def _of_if_inet6(text: str) -> list[Address]:
    return [ipaddress.IPv6Address(bytes.fromhex(line.split()[0])) for line in text.splitlines() if line]


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
