"""A server is known by its key, before anything is told to it."""

from __future__ import annotations

import base64
import datetime
import hashlib
import random
import socket
import ssl
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key
from hypothesis import given, settings
from hypothesis import strategies as st

from danlu.sdk.client import Client
from danlu.sdk.connecting import dialing
from danlu.sdk.connecting.pinning import NoFingerprint, fingerprint_of, parse_fingerprint, public_key_of
from danlu.sdk.errors import ChangedKey, NotEncrypted, UnknownCertificate, Unreachable
from tests.support.authority import Authority, pem_of

ANSWER = b'{"name": "danlu", "version": "1", "api": "v1"}'
OTHER = "SHA256:" + "A" * 43


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


class TlsServer:
    """Answers every request alike, and remembers every byte that it was told."""

    def __init__(self, certificate: Path, key: Path) -> None:
        self.told = b""
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def close(self) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            try:
                with self._context.wrap_socket(plain, server_side=True) as connection:
                    while piece := connection.recv(65536):
                        self.told += piece
                        head = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(ANSWER)
                        connection.sendall(head + ANSWER)
            except OSError:
                continue


@contextmanager
def serving(files: tuple[Path, Path]) -> Iterator[TlsServer]:
    server = TlsServer(*files)
    try:
        yield server
    finally:
        server.close()


def key_of(files: tuple[Path, Path]) -> str:
    der = ssl.PEM_cert_to_DER_cert(
        files[0].read_text().split("-----END CERTIFICATE-----")[0] + "-----END CERTIFICATE-----\n"
    )
    return fingerprint_of(der)


@pytest.fixture
def trusting(authority, monkeypatch) -> None:
    """This machine knows the authority."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    dialing._trusting.cache_clear()
    yield
    dialing._trusting.cache_clear()


@pytest.mark.parametrize(
    "key",
    [
        ec.generate_private_key(ec.SECP521R1()),
        rsa.generate_private_key(65537, 3072),
        ed25519.Ed25519PrivateKey.generate(),
    ],
    ids=["ec", "rsa", "ed25519"],
)
def test_a_fingerprint_is_of_the_public_key(authority, key):
    certificate = x509.load_pem_x509_certificate(authority.issue("gpu.lab", key=key)[0].read_bytes())
    spki = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    expected = base64.b64encode(hashlib.sha256(spki).digest()).decode().rstrip("=")
    assert fingerprint_of(certificate.public_bytes(Encoding.DER)) == f"SHA256:{expected}"


MINE, THEIRS = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))


def spki_of(key) -> bytes:
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def pin_of(key) -> str:
    return "SHA256:" + base64.b64encode(hashlib.sha256(spki_of(key)).digest()).decode().rstrip("=")


NAMES = st.lists(
    st.tuples(
        st.sampled_from([x509.NameOID.COMMON_NAME, x509.NameOID.ORGANIZATION_NAME]),
        st.text(min_size=1, max_size=16),
    ),
    max_size=5,
).map(lambda pairs: x509.Name([x509.NameAttribute(oid, text) for oid, text in pairs]))
KEYS = [
    ec.generate_private_key(ec.SECP256R1()),
    ec.generate_private_key(ec.SECP384R1()),
    rsa.generate_private_key(65537, 2048),
    ed25519.Ed25519PrivateKey.generate(),
]


@given(
    NAMES,
    NAMES,
    st.integers(1, 2**159 - 1),
    st.datetimes(datetime.datetime(1950, 1, 1), datetime.datetime(2500, 1, 1)),
    st.sampled_from(KEYS),
    st.one_of(st.none(), st.integers(0, 300), st.integers(65_000, 66_000)),
)
@settings(max_examples=200, deadline=None)
def test_every_certificate_that_can_be_made_is_read(subject, issuer, serial, begin, key, extension):
    builder = (
        x509.CertificateBuilder(issuer, subject, key.public_key(), serial)
        .not_valid_before(begin)
        .not_valid_after(begin + datetime.timedelta(days=20_000))
    )
    if extension is not None:
        oid = x509.ObjectIdentifier("1.3.6.1.4.1.55555.1")
        builder = builder.add_extension(x509.UnrecognizedExtension(oid, bytes(extension)), critical=False)
    certificate = builder.sign(MINE, hashes.SHA256())
    assert fingerprint_of(certificate.public_bytes(Encoding.DER)) == pin_of(key)


def element(tag: int, content: bytes) -> bytes:
    if len(content) < 0x80:
        return bytes([tag, len(content)]) + content
    digits = len(content).to_bytes((len(content).bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(digits)]) + digits + content


def endless(tag: int, content: bytes) -> bytes:
    """As BER allows it: the length is not said, two zeros are the end."""
    return bytes([tag, 0x80]) + content + bytes(2)


def wordy(tag: int, content: bytes) -> bytes:
    return bytes([tag, 0x84]) + len(content).to_bytes(4, "big") + content


def split(data: bytes) -> list[bytes]:
    """The elements in one of DER."""
    found, position = [], 2 + (data[1] & 0x7F if data[1] & 0x80 else 0)
    while position < len(data):
        head, length = 2, data[position + 1]
        if length & 0x80:
            head += length & 0x7F
            length = int.from_bytes(data[position + 2 : position + head], "big")
        found.append(data[position : position + head + length])
        position += head + length
    return found


def content_of(data: bytes) -> bytes:
    return b"".join(split(data))


@pytest.fixture(scope="module")
def theirs(tmp_path_factory) -> bytes:
    """A certificate of the key of an attacker who wants to be taken for the server."""
    folder = tmp_path_factory.mktemp("theirs")
    pem = Authority(folder).issue("127.0.0.1", key=THEIRS)[0].read_bytes()
    return x509.load_pem_x509_certificate(pem).public_bytes(Encoding.DER)


def rebuild(certificate: bytes, change) -> bytes:
    """The certificate with other fields of its body."""
    body, algorithm, signature = split(certificate)
    return element(0x30, element(0x30, b"".join(change(split(body)))) + algorithm + signature)


def smuggle(fields: list[bytes]) -> list[bytes]:
    """Our key where a parser looks for it that takes a length which is not said for none."""
    oid = split(fields[2])[0]
    ours = endless(0x30, oid + endless(0x30, b"\x05\x00" + spki_of(MINE)))
    return [*fields[:2], ours, *fields[3:]]


def test_who_smuggles_our_key_into_a_certificate_is_told_nothing(theirs, tmp_path):
    evil = rebuild(theirs, smuggle)
    files = tmp_path / "evil.pem", tmp_path / "evil.key"
    files[0].write_text(ssl.DER_cert_to_PEM_cert(evil))
    files[1].write_bytes(pem_of(THEIRS))
    with serving(files) as server:
        with pytest.raises(Unreachable, match="no certificate"):
            Client(
                f"https://127.0.0.1:{server.port}", "secret-token", fingerprint=pin_of(MINE)
            ).service.version()
        assert server.told == b""


@pytest.mark.parametrize("spelled", [endless, wordy])
@pytest.mark.parametrize("place", range(7))
def test_a_field_that_is_not_spelled_as_der_is_refused(theirs, spelled, place):
    def change(fields: list[bytes]) -> list[bytes]:
        fields[place] = spelled(fields[place][0], fields[place][-fields[place][1] :])
        return fields

    assert rebuild(theirs, lambda fields: fields) == theirs
    with pytest.raises(NoFingerprint):
        fingerprint_of(rebuild(theirs, change))


def _swap_serial(fields: list[bytes]) -> list[bytes]:
    return [fields[0], element(0x04, fields[1][2:]), *fields[2:]]


@pytest.mark.parametrize(
    "change",
    [
        lambda fields: [*fields, element(0x30, spki_of(MINE))],
        lambda fields: [*fields[:6], spki_of(MINE), *fields[6:]],
        lambda fields: [*fields[:5], *fields[6:]],
        lambda fields: [fields[0], fields[0], *fields[1:]],
        lambda fields: [element(0xA0, fields[0][2:] + spki_of(MINE)), *fields[1:]],
        lambda fields: [b"\x3f\x81\x01" + fields[2][1:] if n == 2 else f for n, f in enumerate(fields)],
        lambda fields: [*fields, fields[7]],
        _swap_serial,
    ],
    ids=["more", "two keys", "no subject", "two versions", "full version", "high tag", "twice", "serial"],
)
def test_a_certificate_of_other_parts_is_refused(theirs, change):
    with pytest.raises(NoFingerprint):
        fingerprint_of(rebuild(theirs, change))


@pytest.mark.parametrize("spelled", [endless, wordy])
def test_what_holds_the_parts_together_is_der_as_well(theirs, spelled):
    body, *rest = split(theirs)
    for other in (
        spelled(0x30, body + b"".join(rest)),
        element(0x30, spelled(0x30, content_of(body)) + b"".join(rest)),
        theirs + b"\x00",
        element(0x30, body + b"".join(rest) + b"\x05\x00"),
        element(0x30, body + rest[0]),
        theirs[:-1],
    ):
        with pytest.raises(NoFingerprint):
            fingerprint_of(other)


def mutate(data: bytes, dice: random.Random) -> bytes:
    """A few bytes changed, left out or put in; now and then our key, or a length that is not said."""
    changed = bytearray(data)
    for _ in range(dice.randint(1, 3)):
        place = (
            dice.randrange(len(changed)) if dice.random() < 0.3 else dice.randrange(min(160, len(changed)))
        )
        match dice.randrange(6):
            case 0:
                changed[place] = dice.randrange(256)
            case 1:
                del changed[place : place + dice.randint(1, 4)]
            case 2:
                changed[place:place] = dice.randbytes(dice.randint(1, 4))
            case 3:
                changed[place] = dice.choice([0x00, 0x02, 0x30, 0x31, 0x80, 0x81, 0x82, 0x84, 0xA0, 0xFF])
            case 4:
                changed[place:place] = spki_of(MINE)
            case _:
                changed[place] = (changed[place] + dice.choice([-2, -1, 1, 2, len(spki_of(MINE))])) % 256
    return bytes(changed)


@pytest.mark.filterwarnings("ignore::cryptography.utils.CryptographyDeprecationWarning")
@given(st.integers(0, 2**64), st.booleans())
@settings(max_examples=2000, deadline=None)
def test_a_changed_certificate_has_the_key_that_others_find_in_it_or_is_refused(theirs, seed, smuggled):
    dice = random.Random(seed)
    changed = mutate(rebuild(theirs, smuggle) if smuggled else theirs, dice)
    try:
        found = public_key_of(changed)
    except NoFingerprint:
        return
    try:
        key = x509.load_der_x509_certificate(changed).public_key()
    except (ValueError, UnsupportedAlgorithm, x509.InvalidVersion):
        # Others refuse the whole of it: then OpenSSL must not take it for the other's either.
        assert not (found == spki_of(MINE) and _openssl_takes(changed))
        return
    assert load_der_public_key(found) == key


def _openssl_takes(certificate: bytes) -> bool:
    """Whether it can be served by who has the other key."""
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder, "certificate.pem"), Path(folder, "key.pem")
        files[0].write_text(ssl.DER_cert_to_PEM_cert(certificate))
        files[1].write_bytes(pem_of(THEIRS))
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*files)
        except ssl.SSLError:
            return False
    return True


@given(st.binary(max_size=300))
def test_what_is_no_certificate_is_refused(data):
    with pytest.raises(NoFingerprint):
        fingerprint_of(b"\x30\x82" + data)


@given(st.binary(min_size=32, max_size=32))
def test_all_spellings_mean_the_same(digest):
    usual = "SHA256:" + base64.b64encode(digest).decode().rstrip("=")
    for text in (
        usual,
        usual + "=",
        usual[7:],
        digest.hex(),
        digest.hex(":").upper(),
        f" sha256:{digest.hex(':')}\n",
    ):
        assert parse_fingerprint(text) == usual


@pytest.mark.parametrize("text", ["", "SHA256:", "SHA256:abc", "MD5:" + "A" * 43, "A" * 42 + "é", "z" * 64])
def test_what_is_no_fingerprint_is_refused(text):
    with pytest.raises(NoFingerprint):
        parse_fingerprint(text)


def test_a_pinned_server_is_talked_to_whatever_its_certificate_says(authority):
    files = authority.issue("another.name", days=-300)
    with serving(files) as server:
        client = Client(
            f"https://127.0.0.1:{server.port}/sub/path/", "secret-token", fingerprint=key_of(files)
        )
        assert client.service.version().version == "1"
        assert b"GET /sub/path/api/v1/version " in server.told
        assert b"secret-token" in server.told


def test_whoever_has_another_key_is_told_nothing(authority):
    with serving(authority.issue("127.0.0.1")) as server:
        client = Client(f"https://127.0.0.1:{server.port}", "secret-token", fingerprint=OTHER)
        with pytest.raises(ChangedKey) as told:
            client.service.version()
        with pytest.raises(ChangedKey):
            next(client.service.events())
        assert told.value.pinned == OTHER
        assert server.told == b""


def test_whoever_nobody_vouches_for_is_told_nothing_and_named_by_their_key(authority):
    files = authority.issue("127.0.0.1")
    with serving(files) as server:
        with pytest.raises(UnknownCertificate) as told:
            Client(f"https://127.0.0.1:{server.port}", "secret-token").service.version()
        assert told.value.fingerprint == key_of(files)
        assert server.told == b""


@pytest.mark.usefixtures("trusting")
def test_a_known_authority_is_enough_for_the_names_it_vouches_for(authority):
    with serving(authority.issue("localhost")) as server:
        assert Client(f"https://localhost:{server.port}").service.version().version == "1"
        server.told = b""
        with pytest.raises(UnknownCertificate, match=r"127\.0\.0\.1"):
            Client(f"https://127.0.0.1:{server.port}", "secret-token").service.version()
        assert server.told == b""


@pytest.mark.usefixtures("trusting")
def test_a_pin_counts_more_than_an_authority(authority):
    with serving(authority.issue("localhost")) as server, pytest.raises(ChangedKey):
        Client(f"https://localhost:{server.port}", fingerprint=OTHER).service.version()


def test_a_plain_server_is_no_tls_server():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_answer_plainly, args=(listener,), daemon=True).start()
        with pytest.raises(Unreachable):
            Client(f"https://127.0.0.1:{listener.getsockname()[1]}", fingerprint=OTHER).service.version()


def test_a_pin_and_a_plain_address_do_not_go_together():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        client = Client(f"{url}/sub", "secret-token", fingerprint=OTHER)
        with pytest.raises(NotEncrypted, match="https://") as told:
            client.service.version()
        with pytest.raises(NotEncrypted):
            next(client.service.events())
        assert (told.value.url, told.value.pinned) == (url, OTHER)
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_no_fingerprint_at_all_is_refused_at_once():
    with pytest.raises(NoFingerprint):
        Client("https://gpu.lab", fingerprint="aa:bb")


def _answer_plainly(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    connection.recv(1000)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    connection.close()
