"""How a server that is about to start will be reached: plain or in TLS, by which addresses and names."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from danlu.api.proxy import Front, Network, nowhere
from danlu.launch.addresses import in_url, own_addresses, own_names, usual_address
from danlu.launch.door.certificate import Certificate, CertificateSource, OwnCertificate, SiteCertificate
from danlu.launch.door.listening import is_any, is_loopback

HTTPS_PORT = 443
IPV4 = 4
_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*/?")


class BadAddress(Exception):
    """An option of `danlu up` that makes no sense: `launch.bad.REASON` and its facts."""

    def __init__(self, reason: str, text: str = "") -> None:
        super().__init__(reason, text)
        self.reason = reason
        self.text = text


@dataclass(frozen=True, slots=True)
class ReachOptions:
    """What `danlu up` was told about it."""

    host: str = "127.0.0.1"
    tls_cert: Path | None = None
    tls_key: Path | None = None
    plain_http: bool = False
    url: str | None = None
    root_path: str | None = None
    trusted_proxies: Sequence[str] = ()
    allowed_hosts: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Encryption:
    source: CertificateSource
    certificate: Certificate


@dataclass(frozen=True, slots=True)
class Reachability:
    """`local_url` is for commands on this machine, `shared_url` for all other clients and for links."""

    local_url: str
    shared_url: str
    front: Front
    encryption: Encryption | None
    exposed: bool
    """Others can listen in on the way."""

    def address_for_jobs(self, *, elsewhere: bool) -> str:
        """Where jobs find the server, on other machines too if it is to be so; with the fingerprint of its
        key behind `#` if it has one."""
        url = (self.front.shared_url if elsewhere else None) or self.local_url
        return url if self.encryption is None else f"{url}#{self.encryption.certificate.fingerprint}"


@dataclass(frozen=True, slots=True)
class CheckedOptions:
    public_url: str | None
    root_path: str
    trusted: tuple[Network, ...]
    names: frozenset[str]


def check(options: ReachOptions) -> CheckedOptions:
    """What of it can be checked before anything is touched. Raises BadAddress."""
    if (options.tls_cert is None) != (options.tls_key is None):
        raise BadAddress("half_tls")
    if options.plain_http and options.tls_cert is not None:
        raise BadAddress("plain_and_tls")
    public = _clean_url(options.url) if options.url is not None else None
    said = options.root_path if options.root_path is not None else urlsplit(public or "").path
    if not _PATH.fullmatch(said):
        raise BadAddress("root_path", said)
    names = {name.lower().strip("[].") for name in options.allowed_hosts}
    if public is not None:
        names.add(urlsplit(public).hostname or "")
    trusted = tuple(_network(text) for text in options.trusted_proxies)
    return CheckedOptions(public, said.rstrip("/"), trusted, frozenset(names))


def prepare_reach(
    options: ReachOptions, checked: CheckedOptions, listener: socket.socket, folder: Path, now: float
) -> Reachability:
    """Decide, and make or read the certificate. Raises BadCertificate, OSError."""
    bound, port = listener.getsockname()[:2]
    local_only = is_loopback(bound)
    names = own_names() if not local_only else []
    encryption = _encrypt(options, local_only, names, folder, now)
    scheme = "https" if encryption is not None else "http"
    local = f"{scheme}://{in_url(_local_host(options.host, bound))}:{port}"
    shared = f"{scheme}://{in_url(_shared_host(options.host, bound))}:{port}"
    front = Front(
        public_url=checked.public_url,
        shared_url=None if local_only else shared,
        outside_urls=nowhere if local_only else _Outside(scheme, options.host, bound, port),
        root_path=checked.root_path,
        trusted=checked.trusted,
        names=checked.names | {options.host.lower(), *names},
        beyond_loopback=not local_only,
        strict_transport=encryption is not None and may_be_strict(encryption.certificate, port),
    )
    exposed = not local_only and encryption is None
    return Reachability(local, checked.public_url or shared, front, encryption, exposed)


@dataclass(frozen=True, slots=True)
class _Outside:
    """All addresses at which other machines can reach a server that listens at `bound`, as of now."""

    scheme: str
    host: str
    bound: str
    port: int

    def __call__(self) -> tuple[str, ...]:
        hosts = [_shared_host(self.host, self.bound)]
        if is_any(self.bound):
            both = ":" in self.bound
            hosts += [str(each) for each in own_addresses() if both or each.version == IPV4]
        return tuple(f"{self.scheme}://{in_url(host)}:{self.port}" for host in dict.fromkeys(hosts))


def may_be_strict(certificate: Certificate, port: int) -> bool:
    """Whether browsers may be told never to use plain HTTP here. They take it for all ports of the host, so
    only a server at the usual one may say so; and one without a trusted certificate could not be visited."""
    return not certificate.self_signed and port == HTTPS_PORT


def _encrypt(
    options: ReachOptions, local_only: bool, names: list[str], folder: Path, now: float
) -> Encryption | None:
    if options.tls_cert is not None and options.tls_key is not None:
        site = SiteCertificate(options.tls_cert, options.tls_key)
        return Encryption(site, site.read(now))
    if local_only or options.plain_http:
        return None
    own = OwnCertificate(folder, names, own_addresses())
    return Encryption(own, own.read(now))


def _local_host(host: str, bound: str) -> str:
    if not is_any(bound):
        return host
    return "127.0.0.1" if "." in bound else "::1"


def _shared_host(host: str, bound: str) -> str:
    if not is_any(bound):
        return host
    return str(usual_address() or socket.gethostname())


def _clean_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and parts.hostname and (parts.port or 1)
    except ValueError:
        good = False
    if not good or parts.username or parts.query or parts.fragment or not _PATH.fullmatch(parts.path):
        raise BadAddress("url", text)
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError as fault:
        raise BadAddress("trusted_proxy", text) from fault
