"""Which addresses of other nodes are taken. They come over the network, from machines that may not be what
they were, and end in variables, host files and command lines."""

from __future__ import annotations

import ipaddress
import re

from danlu.agent.keeper.spec import GangSpec

_LABEL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?", re.ASCII)
_ZONE = re.compile(r"[A-Za-z0-9._-]{1,32}", re.ASCII)
_LONGEST = 253


def check_hosts(gang: GangSpec | None) -> None:
    """Raises ValueError for a member at something that is no address."""
    for member in gang["members"] if gang is not None else ():
        if not is_host(member["address"]):
            raise ValueError(f"{member['address']!r} is neither an IP address nor the name of a host")


def is_host(text: str) -> bool:
    """An IP address, or the name of a host. The same as `danlu.core.bounds` says, which a keeper that depends
    on nothing but Python cannot ask."""
    address, _, zone = text.partition("%")
    try:
        version = ipaddress.ip_address(address).version
    except ValueError:
        labels = text.removesuffix(".").split(".")
        return len(text) <= _LONGEST and all(_LABEL.fullmatch(label) for label in labels)
    return text == address or (version == 6 and _ZONE.fullmatch(zone) is not None)
