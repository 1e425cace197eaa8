"""A certificate authority of one's own, as labs have them."""

from __future__ import annotations

import datetime
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

NOW = datetime.datetime.now(datetime.UTC)
DAY = datetime.timedelta(days=1)


class Authority:
    """Signs certificates. `file` is what a machine that trusts it has."""

    def __init__(self, folder: Path, name: str = "Lab CA") -> None:
        self._folder = folder
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        self._key = ec.generate_private_key(ec.SECP256R1())
        builder = self._builder(self._name, self._key, NOW + 100 * DAY)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        self.file = folder / f"{name.replace(' ', '-')}.pem"
        self.file.write_bytes(builder.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM))

    def issue(self, *names: str, days: float = 90, key=None, stem: str = "site") -> tuple[Path, Path]:
        """The files of a certificate for these names and addresses, and of its key."""
        key = key or ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0])])
        builder = self._builder(subject, key, NOW + days * DAY)
        builder = builder.add_extension(
            x509.SubjectAlternativeName([_general(name) for name in names]), critical=False
        )
        certificate = builder.sign(self._key, hashes.SHA256())
        files = self._folder / f"{stem}.pem", self._folder / f"{stem}.key"
        files[0].write_bytes(certificate.public_bytes(Encoding.PEM) + self.file.read_bytes())
        files[1].write_bytes(pem_of(key))
        return files

    def _builder(self, subject: x509.Name, key, until: datetime.datetime) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(NOW - 400 * DAY)
            .not_valid_after(until)
        )


def pem_of(key) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _general(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(name))
    except ValueError:
        return x509.DNSName(name)
