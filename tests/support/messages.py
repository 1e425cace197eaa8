"""A real messages' server for tests: TLS, keys and permissions as in production; killed and started again."""

from __future__ import annotations

import contextlib
import datetime
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from danlu.cluster.keys import make_seed, public_key_of, watch_seed_of
from danlu.cluster.nats_config import render
from danlu.cluster.node.node_identity import NodeIdentity
from danlu.core.nodes.member import Member
from tests.support.installation import wait_until
from tests.support.ports import free_port


@cache
def certificate_and_key() -> tuple[str, str]:
    """Self-signed; one for all tests of a process."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "danlu")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=7300))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return certificate.public_bytes(serialization.Encoding.PEM).decode(), private.decode()


class MessagesServer:
    """`members` may be changed; `reload` makes it known."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.certificate, key = certificate_and_key()
        (folder / "certificate.pem").write_text(self.certificate)
        (folder / "key.pem").write_text(key)
        self.seed = make_seed()
        self.port = free_port()
        self.members: list[Member] = []
        self._seeds: dict[str, str] = {}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"tls://127.0.0.1:{self.port}"

    def add_member(self, node: str) -> NodeIdentity:
        seed = make_seed()
        member = Member(f"m{len(self._seeds)}{node}", node, public_key_of(seed))
        self._seeds[member.id] = seed
        self.members.append(member)
        return NodeIdentity(member.id, node, (self.url,), self.certificate, seed)

    def drop_member(self, node: str) -> None:
        self.members = [member for member in self.members if member.node != node]

    def start(self, **more: object) -> MessagesServer:
        self._write(**more)
        binary = Path(sys.executable).with_name("nats-server")
        self._process = subprocess.Popen(
            [
                str(binary if binary.exists() else shutil.which("nats-server")),
                "-c",
                str(self.folder / "nats.conf"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(self._listens, what="the messages' server listens")
        return self

    def reload(self) -> None:
        """Make the members known, and wait until they are."""
        log = self.folder / "nats.log"
        before = log.read_text().count("Reloaded server configuration")
        self._write()
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)
        wait_until(
            lambda: log.read_text().count("Reloaded server configuration") > before,
            what="it took the members",
        )

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def freeze(self) -> None:
        """It is there, and does nothing: as good as cut off."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGCONT)

    def _write(self, **more: object) -> None:
        (self.folder / "nats.conf").write_text(
            render(
                listen=f"127.0.0.1:{self.port}",
                certificate_file=self.folder / "certificate.pem",
                key_file=self.folder / "key.pem",
                server_key=public_key_of(self.seed),
                watch_key=public_key_of(watch_seed_of(self.seed)),
                members=self.members,
                log_file=self.folder / "nats.log",
                **more,  # type: ignore[arg-type]
            )
        )

    def _listens(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "nats.log").read_text()
        return False


@contextlib.contextmanager
def messages_server(folder: Path, nodes: Sequence[str] = ()) -> Iterator[MessagesServer]:
    server = MessagesServer(folder)
    for node in nodes:
        server.add_member(node)
    server.start()
    try:
        yield server
    finally:
        with contextlib.suppress(AssertionError):
            server.kill()
