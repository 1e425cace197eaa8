"""A server is known by its key, before anything is told to it."""

from __future__ import annotations

import base64
import hashlib
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from danlu.sdk import dialing
from danlu.sdk.client import Client
from danlu.sdk.errors import ChangedKey, UnknownCertificate, Unreachable
from danlu.sdk.pinning import NoFingerprint, fingerprint_of, parse_fingerprint
from tests.support.authority import Authority

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


def test_no_fingerprint_at_all_is_refused_at_once():
    with pytest.raises(NoFingerprint):
        Client("https://gpu.lab", fingerprint="aa:bb")


def _answer_plainly(listener: socket.socket) -> None:
    connection, _ = listener.accept()
    connection.recv(1000)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    connection.close()
