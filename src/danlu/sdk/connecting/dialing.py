"""Connections to servers that may be told a password, and to no others."""

from __future__ import annotations

import http.client
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from danlu.sdk.connecting.transport import Broken
from danlu.sdk.errors import ChangedKey, NotEncrypted, UnknownCertificate

if TYPE_CHECKING:
    import ssl

Connection = http.client.HTTPConnection
FAULTS = (OSError, http.client.HTTPException)


def dial(url: str, fingerprint: str | None, timeout_s: float) -> Connection:
    """An open connection. With a fingerprint it is to the holder of that key, whatever the certificate says;
    in TLS without one, to whom an authority known to this machine vouches for. Raises Broken, Distrusted."""
    parts = urlsplit(url)
    try:
        host, port = parts.hostname or "", parts.port
        if parts.scheme != "https":
            if fingerprint is not None:
                raise NotEncrypted(origin_of(url), fingerprint)
            connection = Connection(host, port, timeout=timeout_s)
            connection.connect()
            return connection
        if fingerprint is None:
            return _dial_trusted(url, host, port, timeout_s)
        return _dial_pinned(url, host, port, timeout_s, fingerprint)
    except (*FAULTS, ValueError) as fault:
        raise Broken(reason_of(fault), delivered=False) from fault


def origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def reason_of(fault: Exception) -> str:
    if isinstance(fault, http.client.IncompleteRead | http.client.BadStatusLine):
        return "connection closed"
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault) or type(fault).__name__


def speaks_tls(url: str, timeout_s: float) -> bool:
    """Whether the server there expects TLS. Nothing is told to it, and it is not trusted."""
    parts = urlsplit(url)
    try:
        _open_any(parts.hostname or "", parts.port, timeout_s).close()
    except (*FAULTS, ValueError):
        return False
    return True


def _dial_trusted(url: str, host: str, port: int | None, timeout_s: float) -> Connection:
    import ssl

    connection = http.client.HTTPSConnection(host, port, timeout=timeout_s, context=_trusting())
    try:
        connection.connect()
    except ssl.SSLCertVerificationError as fault:
        connection.close()
        shown = _open_any(host, port, timeout_s)
        try:
            raise UnknownCertificate(origin_of(url), _key_of(shown), fault.verify_message) from fault
        finally:
            shown.close()
    return connection


def _dial_pinned(url: str, host: str, port: int | None, timeout_s: float, pinned: str) -> Connection:
    from danlu.sdk.connecting.pinning import same_fingerprint

    connection = _open_any(host, port, timeout_s)
    try:
        found = _key_of(connection)
        if not same_fingerprint(found, pinned):
            raise ChangedKey(origin_of(url), found, pinned)
    except BaseException:
        connection.close()
        raise
    return connection


def _open_any(host: str, port: int | None, timeout_s: float) -> http.client.HTTPSConnection:
    """A connection to a server with any certificate. The handshake proves that it has its key."""
    connection = http.client.HTTPSConnection(host, port, timeout=timeout_s, context=_unquestioning())
    connection.connect()
    return connection


def _key_of(connection: Connection) -> str:
    from danlu.sdk.connecting.pinning import fingerprint_of

    certificate: bytes = connection.sock.getpeercert(binary_form=True)  # type: ignore[union-attr]
    return fingerprint_of(certificate)


@cache
def _trusting() -> ssl.SSLContext:
    """Reading the authorities of a machine takes a while: once is enough."""
    import ssl

    return ssl.create_default_context()


@cache
def _unquestioning() -> ssl.SSLContext:
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context
