"""What a cluster is known by: the certificate of its messages and the key of its servers.

Made once and kept in the database, so that it survives restarts and all servers share it. The certificate
lasts long and is the only one its nodes believe; which host shows it does not matter.
"""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass

from danlu.cluster.connection import fingerprint_of
from danlu.cluster.keys import make_seed, public_key_of, watch_seed_of
from danlu.codec import decode, encode
from danlu.store.engine.database import Database
from danlu.store.secrets import keep_secret

SECRET = "messages"  # noqa: S105 - its name
YEARS = 20


@dataclass(frozen=True, slots=True)
class ClusterIdentity:
    """`certificate` and `key` in PEM; `seed` is that of the servers' NKey."""

    certificate: str
    key: str
    seed: str

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.certificate)

    @property
    def public_key(self) -> str:
        return public_key_of(self.seed)

    @property
    def watch_key(self) -> str:
        return public_key_of(watch_seed_of(self.seed))


async def find_or_make_identity(database: Database) -> ClusterIdentity:
    text = await database.write(lambda tx: keep_secret(tx, SECRET, lambda: _make(tx.now)))
    return read_identity(text)


def read_identity(text: str) -> ClusterIdentity:
    return decode(ClusterIdentity, json.loads(text), trusted=True)


def _make(now: float) -> str:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import ExtendedKeyUsageOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "danlu cluster")])
    begin = datetime.datetime.fromtimestamp(now, datetime.UTC) - datetime.timedelta(days=1)
    usage = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # A little in the past, for machines whose clock is behind.
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=365 * YEARS))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("danlu")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.ExtendedKeyUsage(usage), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    made = ClusterIdentity(
        certificate.public_bytes(serialization.Encoding.PEM).decode(), private.decode(), make_seed()
    )
    return json.dumps(encode(made))
