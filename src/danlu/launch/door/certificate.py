"""Certificates: one that Danlu makes itself and renews with the same key, or the site's own files.

`cryptography` is loaded only by a process that serves TLS.
"""

from __future__ import annotations

import datetime
import os
import ssl
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from danlu.launch.addresses import Address
from danlu.launch.locations import write_private
from danlu.sdk.connecting.pinning import fingerprint_of

if TYPE_CHECKING:
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

DAY_S = 86_400.0
LIFETIME_S = 820 * DAY_S
"""Browsers refuse certificates that last longer than 825 days."""
RENEW_S = 60 * DAY_S
WARN_S = 30 * DAY_S


class BadCertificate(Exception):
    """Why a certificate cannot be used: `launch.tls.KIND` and its facts."""

    def __init__(self, kind: str, **facts: Any) -> None:
        super().__init__(f"{kind}: {', '.join(str(fact) for fact in facts.values())}")
        self.kind = kind
        self.facts = facts


@dataclass(frozen=True, slots=True)
class Certificate:
    """A chain with its key, ready to be served. `fingerprint` is the key's, `sha256` what browsers show."""

    chain: bytes
    key: bytes
    fingerprint: str
    sha256: str
    expires_at: float
    self_signed: bool


class CertificateSource(Protocol):
    def read(self, now: float) -> Certificate:
        """The certificate to serve now. Raises BadCertificate."""

    def has_changed(self, now: float) -> bool:
        """Whether reading again would give another one."""


class OwnCertificate:
    """Made by Danlu and kept in its data folder. The key stays: people have pinned it."""

    def __init__(self, folder: Path, names: Sequence[str], addresses: Sequence[Address]) -> None:
        self._certificate_file = folder / "certificate.pem"
        self._key_file = folder / "key.pem"
        self._names = ["localhost", *names]
        self._addresses = [ip_address("127.0.0.1"), ip_address("::1"), *addresses]
        self._expires_at = 0.0

    def read(self, now: float) -> Certificate:
        from cryptography.hazmat.primitives.serialization import Encoding

        self._key_file.parent.mkdir(mode=0o700, exist_ok=True)
        key = self._find_or_make_key()
        try:
            chain = self._certificate_file.read_bytes()
            good = self._covers(chain, key, now)
        except (OSError, ValueError):
            good = False
        if not good:
            chain = self._make(key, now).public_bytes(Encoding.PEM)
            write_private(self._certificate_file, chain.decode())
        found = _describe(chain, self._key_file.read_bytes())
        self._expires_at = found.expires_at
        return found

    def has_changed(self, now: float) -> bool:
        return now > self._expires_at - RENEW_S

    def _find_or_make_key(self) -> PrivateKeyTypes:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        try:
            return serialization.load_pem_private_key(self._key_file.read_bytes(), None)
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError) as fault:
            # A new key would break every pin: that is for a person to decide.
            raise BadCertificate("bad_key", path=self._key_file, reason=fault) from fault
        key = ec.generate_private_key(ec.SECP256R1())
        text = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        write_private(self._key_file, text.decode())
        return key

    def _covers(self, chain: bytes, key: PrivateKeyTypes, now: float) -> bool:
        """It is of this key, lasts, and speaks for all our names and addresses of today."""
        from cryptography import x509

        certificate = x509.load_pem_x509_certificate(chain)
        try:
            spoken = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        except x509.ExtensionNotFound:
            return False
        names = set(spoken.get_values_for_type(x509.DNSName))
        addresses = set(spoken.get_values_for_type(x509.IPAddress))
        return (
            certificate.public_key() == key.public_key()
            and certificate.not_valid_before_utc.timestamp() <= now
            and certificate.not_valid_after_utc.timestamp() - RENEW_S > now
            and names >= set(self._names)
            and addresses >= set(self._addresses)
        )

    def _make(self, key: PrivateKeyTypes, now: float) -> x509.Certificate:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes
        from cryptography.x509.oid import ExtendedKeyUsageOID

        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, self._names[-1][:64])])
        spoken: list[x509.GeneralName] = [x509.DNSName(each) for each in dict.fromkeys(self._names)]
        spoken += [x509.IPAddress(each) for each in dict.fromkeys(self._addresses)]
        public: Any = key.public_key()
        builder = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            # A little in the past, for machines whose clock is behind.
            .not_valid_before(_moment(now - DAY_S))
            .not_valid_after(_moment(now - DAY_S + LIFETIME_S))
            .add_extension(x509.SubjectAlternativeName(spoken), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        )
        signing: Any = key
        return builder.sign(signing, hashes.SHA256())


class SiteCertificate:
    """The site's own files. They are read again when they change; a change that is not whole yet waits."""

    def __init__(self, certificate_file: Path, key_file: Path) -> None:
        self._certificate_file = certificate_file
        self._key_file = key_file
        self._seen: tuple[tuple[int, int, int], ...] = ()

    def read(self, now: float) -> Certificate:
        from cryptography.hazmat.primitives import serialization

        seen = self._look()
        chain, key = _read_file(self._certificate_file), _read_file(self._key_file)
        try:
            private = serialization.load_pem_private_key(key, None)
        except (ValueError, TypeError) as fault:
            raise BadCertificate("bad_key", path=self._key_file, reason=fault) from fault
        try:
            found = _describe(chain, key)
            matching = _public_key(chain) == private.public_key()
        except ValueError as fault:
            raise BadCertificate("bad_file", path=self._certificate_file, reason=fault) from fault
        if not matching:
            raise BadCertificate("mismatch", certificate=self._certificate_file, key_file=self._key_file)
        if found.expires_at <= now:
            raise BadCertificate("expired", path=self._certificate_file, date=show_date(found.expires_at))
        self._seen = seen
        return found

    def has_changed(self, now: float) -> bool:  # noqa: ARG002
        return self._look() != self._seen

    def _look(self) -> tuple[tuple[int, int, int], ...]:
        try:
            facts = [path.stat() for path in (self._certificate_file, self._key_file)]
        except OSError:
            # In the middle of being replaced.
            return self._seen
        return tuple((fact.st_ino, fact.st_mtime_ns, fact.st_size) for fact in facts)


def make_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context


def load_into(context: ssl.SSLContext, certificate: Certificate) -> None:
    """New connections are served with this certificate; open ones go on as they are."""
    with ExitStack() as files:
        # Files in memory: what was checked is what is served, whatever happens on the disk meanwhile.
        paths = []
        for name, content in (("certificate", certificate.chain), ("key", certificate.key)):
            descriptor = os.memfd_create(name)
            files.callback(os.close, descriptor)
            os.write(descriptor, content)
            paths.append(f"/proc/self/fd/{descriptor}")
        context.load_cert_chain(*paths)


def show_date(moment_s: float) -> str:
    return _moment(moment_s).strftime("%Y-%m-%d")


def _describe(chain: bytes, key: bytes) -> Certificate:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.serialization import Encoding

    certificate = x509.load_pem_x509_certificate(chain)
    return Certificate(
        chain,
        key,
        fingerprint_of(certificate.public_bytes(Encoding.DER)),
        certificate.fingerprint(hashes.SHA256()).hex(":").upper(),
        certificate.not_valid_after_utc.timestamp(),
        certificate.issuer == certificate.subject,
    )


def _public_key(chain: bytes) -> object:
    from cryptography import x509

    return x509.load_pem_x509_certificate(chain).public_key()


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as fault:
        raise BadCertificate("unreadable", path=path, reason=fault.strerror) from fault


def _moment(seconds: float) -> datetime.datetime:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC)
