"""How the server is reached from outside: under which names, through which proxies, at which address.

What a proxy says (X-Forwarded-For, -Proto, -Host, -Prefix) counts only when the proxy itself is trusted; who
connects directly cannot say it. The newer `Forwarded` is not read: a proxy that sets one kind of header
passes on the other as its client wrote it, so only one kind may ever be believed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_PREFIX = re.compile(r"(/[A-Za-z0-9._~-]+)+")
_USUAL_PORTS = {"http": ":80", "https": ":443"}


def nowhere() -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Front:
    """`names` are the host names that are answered to, None for any. Beyond loopback every literal address is
    answered to as well: only a name can be made to point elsewhere."""

    public_url: str | None = None
    """What links carry, when the admin said so."""
    shared_url: str | None = None
    """Where other machines find a server that they can reach."""
    outside_urls: Callable[[], tuple[str, ...]] = nowhere
    """All such addresses, the likeliest first. Asked for each time: a laptop goes from network to network."""
    root_path: str = ""
    trusted: tuple[Network, ...] = ()
    names: frozenset[str] | None = None
    beyond_loopback: bool = False
    strict_transport: bool = False

    def answers_to(self, host: str) -> bool:
        """Whether `host` (of a Host header) means this server."""
        if self.names is None:
            return True
        name = _without_port(host)
        address = read_address(name)
        if address is not None:
            return self.beyond_loopback or address.is_loopback or name in self.names
        return name == "localhost" or name.endswith(".localhost") or name in self.names

    def is_own_origin(self, origin: str, scheme: str, host: str) -> bool:
        """Whether a page of this origin is our own page."""
        said = _origin(origin)
        ours = [f"{scheme}://{host}", self.public_url or ""]
        return said is not None and any(said == _origin(each) for each in ours)

    def trusts(self, peer: str) -> bool:
        return bool(self.trusted) and _is_in(peer, self.trusted)

    def link_base(self, base: str) -> str:
        """What a link begins with that a client asked for at the address `base`."""
        if self.public_url is not None:
            return self.public_url
        return self.shared_url if _is_local(base) and self.shared_url is not None else base.rstrip("/")

    def links_elsewhere(self, base: str) -> tuple[str, ...]:
        """What a link may begin with that is for another device, the likeliest first; none where no other
        device can reach this server. It is asked for at the address `base`."""
        if self.public_url is not None:
            return (self.public_url,)
        return self.outside_urls() if _is_local(base) else (base.rstrip("/"),)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A request as its sender sees it. `path` begins with `root_path`."""

    client: str
    scheme: str
    host: str
    root_path: str
    path: str


def arrive(front: Front, peer: str, scheme: str, headers: Mapping[bytes, bytes], path: str) -> Arrival:
    """Who asks for what, with a trusted proxy's word taken into account."""
    host = _text(headers, b"host")
    trusted = front.trusts(peer)
    prefix = front.root_path if trusted or _is_below(path, front.root_path) else ""
    if trusted:
        peer = _sender(front, peer, headers)
        scheme = _last(headers, b"x-forwarded-proto") if _says_scheme(headers) else scheme
        host = _last(headers, b"x-forwarded-host") or host
        said = _last(headers, b"x-forwarded-prefix").rstrip("/")
        if not front.root_path and _PREFIX.fullmatch(said):
            prefix = said
    else:
        peer = _plain(peer)
    inner = path.removeprefix(prefix) if _is_below(path, prefix) else path
    return Arrival(peer, scheme, host, prefix, prefix + inner)


@lru_cache(4096)
def read_address(text: str) -> Address | None:
    """The address that a text is, an IPv4 one also where it came through an IPv6 socket."""
    try:
        found = ip_address(text.strip("[]"))
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


def _sender(front: Front, peer: str, headers: Mapping[bytes, bytes]) -> str:
    """The right-most address that is not a trusted proxy's: any client may have written those left of it."""
    sender = _plain(peer)
    for said in reversed(_text(headers, b"x-forwarded-for").split(",")):
        address = read_address(_without_port(said.strip()))
        if address is None:
            return sender
        sender = str(address)
        if not front.trusts(sender):
            return sender
    return sender


@lru_cache(1024)
def _is_in(peer: str, networks: tuple[Network, ...]) -> bool:
    address = read_address(peer)
    return address is not None and any(address in network for network in networks)


def _plain(peer: str) -> str:
    return str(read_address(peer) or peer)


def _is_below(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith(f"{prefix}/")


def _says_scheme(headers: Mapping[bytes, bytes]) -> bool:
    return _last(headers, b"x-forwarded-proto") in _USUAL_PORTS


def _last(headers: Mapping[bytes, bytes], name: bytes) -> str:
    return _text(headers, name).rpartition(",")[2].strip()


def _text(headers: Mapping[bytes, bytes], name: bytes) -> str:
    return headers.get(name, b"").decode("latin-1")


def _without_port(host: str) -> str:
    """`gpu.lab` of `GPU.lab.:8642`; `::1` of `[::1]:8642` and of `::1`."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    name = host if host.count(":") > 1 else host.partition(":")[0]
    return name.lower().removesuffix(".")


def _is_local(base: str) -> bool:
    """Whether an address leads to the very machine that it is used on."""
    host = _without_port(urlsplit(base).netloc)
    address = read_address(host)
    return address.is_loopback if address is not None else host == "localhost" or host.endswith(".localhost")


def _origin(url: str) -> str | None:
    """Scheme and host in one spelling; None for `null` and what is no URL."""
    parts = urlsplit(url)
    if parts.scheme not in _USUAL_PORTS or not parts.netloc:
        return None
    return f"{parts.scheme}://{parts.netloc.lower().removesuffix(_USUAL_PORTS[parts.scheme])}"
