"""The certificate Danlu makes itself, and the site's own."""

from __future__ import annotations

import asyncio
import ssl
import stat
import time
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat

from danlu.launch.door import certificate_renewal
from danlu.launch.door.certificate import (
    DAY_S,
    LIFETIME_S,
    RENEW_S,
    BadCertificate,
    Certificate,
    OwnCertificate,
    SiteCertificate,
    load_into,
    make_context,
)
from danlu.launch.door.reachability import Encryption
from danlu.sdk.connecting.pinning import fingerprint_of
from tests.support.authority import Authority, pem_of

NOW = time.time()
LAN = [ip_address("10.0.0.7"), ip_address("fd00::7")]


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


def spoken(certificate: Certificate) -> set[str]:
    found = x509.load_pem_x509_certificate(certificate.chain)
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {*names.get_values_for_type(x509.DNSName), *map(str, names.get_values_for_type(x509.IPAddress))}


def test_it_speaks_for_all_names_and_addresses_of_the_machine(tmp_path):
    made = OwnCertificate(tmp_path / "tls", ["gpu", "gpu.lab"], LAN).read(NOW)
    assert spoken(made) == {"localhost", "gpu", "gpu.lab", "127.0.0.1", "::1", "10.0.0.7", "fd00::7"}
    assert made.self_signed
    # What browsers accept at most.
    assert made.expires_at - NOW < 825 * DAY_S


def test_its_key_is_readable_by_nobody_else(tmp_path):
    OwnCertificate(tmp_path / "tls", ["gpu"], LAN).read(NOW)
    assert stat.S_IMODE((tmp_path / "tls").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "tls" / "key.pem").stat().st_mode) == 0o600


def test_it_is_the_same_at_the_next_start(tmp_path):
    first = OwnCertificate(tmp_path / "tls", ["gpu"], LAN).read(NOW)
    assert OwnCertificate(tmp_path / "tls", ["gpu"], LAN).read(NOW + DAY_S) == first
    # An address that went away is no reason to bother browsers with a new one.
    assert OwnCertificate(tmp_path / "tls", ["gpu"], LAN[:1]).read(NOW + DAY_S) == first


@pytest.mark.parametrize("change", ["time", "address", "torn", "clock"])
def test_it_is_made_again_with_the_same_key(tmp_path, change):
    own = OwnCertificate(tmp_path / "tls", ["gpu"], LAN)
    first = own.read(NOW)
    assert not own.has_changed(NOW + DAY_S)
    later, addresses = NOW, LAN
    if change == "time":
        later = NOW + LIFETIME_S - RENEW_S
        assert own.has_changed(later)
    elif change == "address":
        addresses = [*LAN, ip_address("10.9.9.9")]
    elif change == "torn":
        (tmp_path / "tls" / "certificate.pem").write_bytes(first.chain[:100])
    else:
        later = NOW - 30 * DAY_S
    again = OwnCertificate(tmp_path / "tls", ["gpu"], addresses).read(later)
    assert again.sha256 != first.sha256
    assert again.fingerprint == first.fingerprint
    assert again.expires_at > later + RENEW_S


def test_a_damaged_key_is_told_and_never_replaced(tmp_path):
    OwnCertificate(tmp_path / "tls", ["gpu"], LAN).read(NOW)
    (tmp_path / "tls" / "key.pem").write_text("damaged")
    with pytest.raises(BadCertificate) as told:
        OwnCertificate(tmp_path / "tls", ["gpu"], LAN).read(NOW)
    assert told.value.kind == "bad_key"
    assert (tmp_path / "tls" / "key.pem").read_text() == "damaged"


@pytest.mark.parametrize(
    "key",
    [
        ec.generate_private_key(ec.SECP384R1()),
        rsa.generate_private_key(65537, 2048),
        ed25519.Ed25519PrivateKey.generate(),
    ],
    ids=["ec", "rsa", "ed25519"],
)
def test_the_sites_own_is_read_with_its_chain(authority, key):
    found = SiteCertificate(*authority.issue("gpu.lab", key=key)).read(NOW)
    assert not found.self_signed
    assert found.chain.count(b"BEGIN CERTIFICATE") == 2
    assert found.key == pem_of(key)
    load_into(make_context(), found)


def test_what_is_wrong_with_the_sites_own_is_named(authority, tmp_path):
    certificate, key = authority.issue("gpu.lab")
    _, other = authority.issue("gpu.lab", stem="other")
    old = authority.issue("gpu.lab", days=-1, stem="old")
    locked = tmp_path / "locked.key"
    locked.write_bytes(
        ec.generate_private_key(ec.SECP256R1()).private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")
        )
    )
    faults = {
        (certificate, tmp_path / "missing"): "unreadable",
        (key, key): "bad_file",
        (certificate, certificate): "bad_key",
        (certificate, locked): "bad_key",
        (certificate, other): "mismatch",
        old: "expired",
    }
    for files, kind in faults.items():
        with pytest.raises(BadCertificate) as told:
            SiteCertificate(*files).read(NOW)
        assert told.value.kind == kind


async def test_changed_files_are_served_to_new_connections_and_torn_ones_are_not(authority, monkeypatch):
    """A real TLS server whose files are replaced, first with a key that does not match yet."""
    monkeypatch.setattr(certificate_renewal, "LOOK_EVERY_S", 0.01)
    certificate, key = authority.issue("gpu.lab")
    source = SiteCertificate(certificate, key)
    first = source.read(time.time())
    context = make_context()
    load_into(context, first)
    changed: asyncio.Queue[Certificate] = asyncio.Queue()
    keeping = asyncio.create_task(
        certificate_renewal.keep_fresh(Encryption(source, first), context, changed.put_nowait)
    )
    server = await asyncio.start_server(_echo, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    open_before = await _connect(port)
    assert _key_of(open_before[1]) == first.fingerprint

    new_certificate, new_key = authority.issue("gpu.lab", stem="new")
    # Written the other way round than read: between the two steps the pair does not fit.
    key.write_bytes(new_key.read_bytes())
    await asyncio.sleep(0.05)
    half_way = await _connect(port)
    assert _key_of(half_way[1]) == first.fingerprint
    certificate.write_bytes(new_certificate.read_bytes())
    fresh = await asyncio.wait_for(changed.get(), 10)
    assert fresh.fingerprint != first.fingerprint
    after = await _connect(port)
    assert _key_of(after[1]) == fresh.fingerprint
    reader, writer = open_before
    writer.write(b"still here\n")
    assert await reader.readline() == b"still here\n"
    keeping.cancel()
    for _, writer in (open_before, half_way, after):
        writer.close()
    server.close()


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(line)
        await writer.drain()
    writer.close()


async def _connect(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return await asyncio.open_connection("127.0.0.1", port, ssl=context)


def _key_of(writer: asyncio.StreamWriter) -> str:
    return fingerprint_of(writer.get_extra_info("ssl_object").getpeercert(binary_form=True))
