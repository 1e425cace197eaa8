"""How a machine that is no member (yet, or any more) speaks with the control side."""

from __future__ import annotations

import asyncio
import errno
import re
import socket
import ssl
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from danlu.cluster.connection import Connection, NoConnection, NoListener, fingerprint_of
from danlu.cluster.messages import pack, unpack
from danlu.cluster.nats_config import JOIN_USER

JOIN_ASK = "join.ask"
JOIN_STANDING = "join.standing"
REACH_S = 5.0
_NO_ROUTE = {errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN}


class ReachTrouble(StrEnum):
    """Why no server can be reached."""

    NO_SUCH_NAME = "no_such_name"
    CLOSED = "closed"
    """The machine is there, and says that no process listens."""
    NO_ROUTE = "no_route"
    SILENT = "silent"
    """Nothing comes back: switched off, or a firewall swallows everything."""
    OTHER_SERVER = "other_server"
    """A server answers that is no cluster of Danlu's."""
    SERVER_AWAY = "server_away"
    """The messages' server is up, but not the server behind it."""
    OTHER = "other"


class CannotReach(Exception):
    """No server answers there, or none that speaks for a cluster."""

    def __init__(self, trouble: ReachTrouble, detail: str = "") -> None:
        super().__init__(detail or trouble.value)
        self.trouble = trouble


class WrongCertificate(Exception):
    """A server answers, but not the cluster that the token is of."""


async def ask_to_join(
    server: str, fingerprint: str, question: Mapping[str, Any], timeout_s: float = 10.0
) -> tuple[dict[str, Any], str]:
    """The control side's answer to `question`, and the certificate to believe from now on.

    Raises CannotReach, WrongCertificate.
    """
    certificate = await fetch_certificate(server)
    if fingerprint_of(certificate) != fingerprint:
        raise WrongCertificate(server)
    return await ask_as_stranger([server], certificate, JOIN_ASK, question, timeout_s), certificate


async def fetch_certificate(server: str) -> str:
    """The certificate (PEM) that is served there, by whomever. Raises CannotReach."""
    where = urlsplit(server if "//" in server else f"//{server}")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    # Nothing is said on this connection; the certificate is compared with what the token says.
    context.verify_mode = ssl.CERT_NONE
    try:
        async with asyncio.timeout(REACH_S):
            _, writer = await asyncio.open_connection(where.hostname, where.port, ssl=context)
    except (OSError, TimeoutError, ValueError) as problem:
        raise CannotReach(_trouble_of(problem), str(problem)) from problem
    served = writer.get_extra_info("ssl_object")
    der = served.getpeercert(binary_form=True)
    writer.transport.abort()
    if der is None:
        raise CannotReach(ReachTrouble.OTHER_SERVER, "it shows no certificate")
    return ssl.DER_cert_to_PEM_cert(der)


async def ask_as_stranger(
    servers: Sequence[str], certificate: str, subject: str, question: Mapping[str, Any], timeout_s: float
) -> dict[str, Any]:
    """Raises CannotReach."""
    connection = Connection(servers, certificate, name="stranger", inbox=JOIN_USER, user=JOIN_USER)
    connection.start()
    try:
        async with asyncio.timeout(timeout_s):
            await connection.wait_up()
        answer, _ = unpack(await connection.request(subject, pack(question), timeout_s))
        return answer
    except NoListener as problem:
        raise CannotReach(ReachTrouble.SERVER_AWAY, str(problem)) from problem
    except (NoConnection, TimeoutError) as problem:
        raise CannotReach(ReachTrouble.SILENT, str(problem)) from problem
    finally:
        await connection.close()


def _trouble_of(problem: Exception) -> ReachTrouble:
    match problem:
        case socket.gaierror() | UnicodeError():
            return ReachTrouble.NO_SUCH_NAME
        case ssl.SSLError() | ConnectionResetError() | ConnectionAbortedError() | BrokenPipeError():
            return ReachTrouble.OTHER_SERVER
        case TimeoutError():
            return ReachTrouble.SILENT
    # Of a name with several addresses it has only a text, with what each of them came to.
    said = {int(number) for number in re.findall(r"\[Errno (\d+)\]", str(problem))}
    if errno.ECONNREFUSED in said:
        return ReachTrouble.CLOSED
    return ReachTrouble.NO_ROUTE if said & _NO_ROUTE else ReachTrouble.OTHER
