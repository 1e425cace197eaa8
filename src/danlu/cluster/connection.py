"""A connection to the messages' server that is kept up whatever dies, and never repeats what was said before.

The client library's own reconnecting is not used: it sends again what was meant for an earlier moment, and
waits for a farewell from a server that is cut off. Each connection is a new client; what was under way on the
old one has failed at once, and its caller decides anew.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import itertools
import logging
import random
import secrets
import ssl
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from nats import errors
from nats.aio.client import Client
from nats.aio.msg import Msg

_log = logging.getLogger(__name__)

CONNECT_S = 5.0
SEND_S = 20.0
ASK_ALIVE_S = 2.0
ALIVE_PATIENCE_S = 5.0
_BACKOFF_S = (0.1, 1.0)
_STEADY_S = 5.0
"""A connection that held this long has not failed repeatedly: it is replaced at once."""
_NO_RESPONDERS = "503"
_NO_CHECK_TIME = 0x200000
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME, for which Python has no name."""


def _is_worth_saying(record: logging.LogRecord) -> bool:
    """The client library's way to begin TLS makes asyncio grumble at the end of every connection."""
    return "eof_received() has no effect" not in record.getMessage()


logging.getLogger("asyncio").addFilter(_is_worth_saying)

Handler = Callable[[Msg], Awaitable[None]]


class NoConnection(Exception):
    """There is no connection, or it broke before the answer came."""


class NoListener(NoConnection):
    """No process is there that could answer."""


class NoAnswer(NoConnection):
    """The answer did not come in time."""


class MessageTooLong(Exception):
    """It is more than the messages' server takes, now and always."""


class Connection:
    """One connection, as one user: a machine with its `seed`, or another user by name.

    Answers come below `_INBOX.` and `inbox`; with `asks_each` below the name of who is asked as well, so that
    each may have the right to answer there alone. `subscriptions` hold on every connection; beyond
    `most_waiting` (messages, bytes) of each, what comes is dropped. `on_up` is called when there is a new
    connection; `on_refused` when the server does not know us (any more).
    """

    def __init__(
        self,
        servers: Sequence[str],
        certificate: str,
        *,
        name: str,
        inbox: str,
        seed: str | None = None,
        user: str | None = None,
        asks_each: bool = False,
        subscriptions: Mapping[str, Handler] | None = None,
        most_waiting: tuple[int, int] | None = None,
        on_up: Callable[[], None] | None = None,
        on_refused: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.servers = tuple(servers)
        self.server: str | None = None
        """The one at the other end of the connection; of the last connection, while there is none."""
        self._tls = pinned_context(certificate)
        self._name = name
        self._seed = seed
        self._user = user
        self._subscriptions = dict(subscriptions or {})
        self._on_up = on_up
        self._on_refused = on_refused
        self._limits: dict[str, Any] = {}
        if most_waiting is not None:
            self._limits = {"pending_msgs_limit": most_waiting[0], "pending_bytes_limit": most_waiting[1]}
        self._inbox = f"_INBOX.{inbox}"
        self._asks_each = asks_each
        # Of this very process: an answer to an earlier one is not ours.
        self._session = secrets.token_hex(8)
        self._numbers = itertools.count(1)
        self._answers: dict[str, asyncio.Future[bytes]] = {}
        self._client: Client | None = None
        self._gone = asyncio.Event()
        self._up = asyncio.Event()
        self._tries = random.randrange(1 << 16)  # noqa: S311 - so that not all begin with the same server
        self._upkeep: asyncio.Task[None] | None = None
        self._closing = False
        self._trouble = ""
        self._farewells: set[asyncio.Task[None]] = set()

    @property
    def is_up(self) -> bool:
        return self._up.is_set()

    def start(self) -> None:
        """From now on there is a connection whenever there can be one."""
        self._upkeep = asyncio.create_task(self._keep_up(), name=f"connection of {self._name}")

    async def wait_up(self) -> None:
        await self._up.wait()

    async def close(self) -> None:
        self._closing = True
        self._gone.set()
        if self._upkeep is not None:
            self._upkeep.cancel()
            await asyncio.wait([self._upkeep])
            self._upkeep = None
        if self._farewells:
            await asyncio.wait(self._farewells, timeout=1.0)
        for farewell in tuple(self._farewells):
            farewell.cancel()

    def drop(self) -> None:
        """This connection is no good: get another."""
        self._gone.set()

    async def request(
        self, subject: str, payload: bytes, timeout_s: float, asked: str | None = None
    ) -> bytes:
        """`asked` is who alone may answer. Raises NoConnection, MessageTooLong."""
        place = self._inbox if asked is None else f"{self._inbox}.{asked}"
        reply = f"{place}.{self._session}.{next(self._numbers)}"
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._answers[reply] = answer
        try:
            async with asyncio.timeout(timeout_s):
                await self.publish(subject, payload, reply=reply)
                return await answer
        except TimeoutError:
            raise NoAnswer(f"no answer on {subject} within {timeout_s:g} s") from None
        finally:
            self._answers.pop(reply, None)

    async def publish(self, subject: str, payload: bytes, reply: str = "") -> None:
        """Raises NoConnection, MessageTooLong."""
        if self._client is None:
            raise NoConnection("not connected to the messages' server")
        try:
            # The client library waits for ever for a connection that broke while it had much to send.
            async with asyncio.timeout(SEND_S):
                await self._client.publish(subject, payload, reply=reply)
        except errors.MaxPayloadError as problem:
            raise MessageTooLong(f"{len(payload)} bytes are more than a message may have") from problem
        except TimeoutError:
            raise NoConnection(f"could not send {len(payload)} bytes within {SEND_S:g} s") from None
        except (errors.Error, OSError) as problem:
            raise NoConnection(str(problem)) from problem

    async def _keep_up(self) -> None:
        pause_s, longest_s = _BACKOFF_S
        said = ""
        while not self._closing:
            began = time.monotonic()
            self._trouble = ""
            try:
                await self._hold_connection(self.servers[self._tries % len(self.servers)])
            except (OSError, TimeoutError, errors.Error) as problem:
                # The client library says of most things only that there is no server.
                self._trouble = self._trouble or str(problem) or type(problem).__name__
                if "authorization" in str(problem).lower() and self._on_refused is not None:
                    await self._on_refused()
            if self._closing:
                return
            self._tries += 1
            if time.monotonic() - began > _STEADY_S:
                pause_s, said = _BACKOFF_S[0], ""
            if self._trouble != said:
                said = self._trouble
                _log.warning("%s has no connection to the messages' server: %s", self._name, said)
            # Not all at the same moment, when a server comes back that has lost a thousand.
            await asyncio.sleep(pause_s * random.uniform(0.5, 1.0))  # noqa: S311
            pause_s = min(pause_s * 2, longest_s)

    async def _hold_connection(self, server: str) -> None:
        """Connect, and stay until the connection breaks. Raises what went wrong."""
        gone = self._gone = asyncio.Event()
        client = Client()
        try:
            async with asyncio.timeout(CONNECT_S):
                await self._connect(client, server, gone)
            self._client, self.server = client, server
            self._up.set()
            if self._on_up is not None:
                self._on_up()
            while not gone.is_set():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(ASK_ALIVE_S):
                        await gone.wait()
                        return
                await client.flush(timeout=int(ALIVE_PATIENCE_S))
        finally:
            gone.set()
            self._up.clear()
            self._client = None
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(NoConnection("the connection to the messages' server broke"))
            self._say_farewell(client)

    async def _connect(self, client: Client, server: str, gone: asyncio.Event) -> None:
        async def on_closed() -> None:
            gone.set()

        who: dict[str, Any] = (
            {"nkeys_seed_str": self._seed}
            if self._seed is not None
            else {"user": self._user, "password": self._user}
        )
        await client.connect(
            servers=[server],
            name=self._name,
            tls=self._tls,
            tls_handshake_first=True,
            allow_reconnect=False,
            # Of no meaning but for the first connect: it tries for ever with fewer.
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            connect_timeout=int(CONNECT_S),
            # We ask ourselves whether it is alive.
            ping_interval=3600,
            error_cb=self._note_error,
            disconnected_cb=on_closed,
            closed_cb=on_closed,
            **who,
        )
        await client.subscribe(f"{self._inbox}.{self._session}.*", cb=self._take_answer)
        if self._asks_each:
            await client.subscribe(f"{self._inbox}.*.{self._session}.*", cb=self._take_answer)
        for subject, handler in self._subscriptions.items():
            await client.subscribe(subject, cb=_while_it_holds(gone, handler), **self._limits)
        # Only then is it known that we listen.
        await client.flush(timeout=int(CONNECT_S))

    async def _take_answer(self, message: Msg) -> None:
        answer = self._answers.get(message.subject)
        if answer is None or answer.done():
            return
        if not message.data and message.headers and message.headers.get("Status") == _NO_RESPONDERS:
            answer.set_exception(NoListener("no process listens"))
        else:
            answer.set_result(message.data)

    async def _note_error(self, problem: Exception) -> None:
        if isinstance(problem, (errors.Error, OSError, TimeoutError)):
            self._trouble = str(problem) or type(problem).__name__
        else:
            _log.error("%s could not take a message", self._name, exc_info=problem)

    def _say_farewell(self, client: Client) -> None:
        """Aside: a server that is cut off does not answer it."""
        farewell = asyncio.create_task(_close(client), name=f"farewell of {self._name}")
        self._farewells.add(farewell)
        farewell.add_done_callback(self._farewells.discard)


def _while_it_holds(gone: asyncio.Event, handler: Handler) -> Handler:
    """What still arrives on a connection that was given up is not taken: it could not be answered."""

    async def handle(message: Msg) -> None:
        if not gone.is_set():
            await handler(message)

    return handle


async def _close(client: Client) -> None:
    with contextlib.suppress(Exception):
        await client.close()


def pinned_context(certificate: str) -> ssl.SSLContext:
    """Believes this one certificate (PEM), whatever name the server goes by, and whatever the time is here: a
    machine whose clock is wrong must get in to be told so."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.check_hostname = False
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN | _NO_CHECK_TIME
    context.load_verify_locations(cadata=certificate)
    return context


def fingerprint_of(certificate: str | bytes) -> str:
    """Of a certificate (PEM, or DER), short enough to be part of a token: the SHA-256, url-safe."""
    der = ssl.PEM_cert_to_DER_cert(certificate) if isinstance(certificate, str) else certificate
    return base64.urlsafe_b64encode(hashlib.sha256(der).digest()).decode().rstrip("=")


def pin_of(certificate: str) -> str:
    """What `nats_config.render` takes: the SHA-256 of the certificate's public key."""
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = x509.load_pem_x509_certificate(certificate.encode()).public_key()
    return hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()
