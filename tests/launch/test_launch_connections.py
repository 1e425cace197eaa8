"""A crowd of connections that say little: other clients are answered all the same."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import socket
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from danlu.api.sender import note_known
from danlu.launch.door import acceptor, http_protocol
from danlu.launch.door.certificate import OwnCertificate, load_into, make_context
from danlu.launch.door.connections import Connections, Limits, group_of
from danlu.launch.door.http_protocol import PromptHttp
from danlu.launch.door.http_server import HttpServer
from danlu.launch.door.listening import listen
from tests.cluster.story import eventually

UNFINISHED_HEAD = b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "
UNFINISHED_BODY = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nabc"
MEMBER = {"Authorization": "Bearer member"}


async def counting_app(scope: Scope, receive: Receive, send: Send) -> None:
    """Says how long the body was. Knows every client that shows a token; `/stream` never ends."""
    if dict(scope["headers"]).get(b"authorization"):
        note_known(scope)
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/stream":
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass
        return
    body = b"x" * (8 << 20) if scope["path"] == "/large" else str(size).encode()
    await send({"type": "http.response.body", "body": body})


class Served:
    def __init__(self, port: int, server: HttpServer, scheme: str) -> None:
        self.port = port
        self.server = server
        self.url = f"{scheme}://127.0.0.1:{port}"

    async def connect(self, first: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(first)
        return reader, writer

    async def crowd(
        self, number: int, first: bytes
    ) -> list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        return [await self.connect(first) for _ in range(number)]

    async def is_answered(self, **headers: str) -> bool:
        """A new client, with a connection of its own."""
        async with httpx.AsyncClient(base_url=self.url, verify=False, timeout=20) as client:
            return (await client.post("/", content=b"four", headers=headers)).text == "4"


@contextlib.asynccontextmanager
async def serving(limits: Limits, tls: Path | None = None, trusts: bool = False) -> AsyncIterator[Served]:
    listener = listen("127.0.0.1", 0)
    config = uvicorn.Config(
        counting_app, http=PromptHttp, log_config=None, lifespan="off", timeout_graceful_shutdown=1
    )
    if tls is not None:
        context = make_context()
        load_into(context, OwnCertificate(tls, ["one"], []).read(time.time()))
        config.ssl_context_factory = lambda *_: context
    server = HttpServer(config, limits, lambda _: trusts)
    running = asyncio.create_task(server.serve([listener]))
    await server.ready.wait()
    try:
        yield Served(listener.getsockname()[1], server, "https" if tls else "http")
    finally:
        server.should_exit = True
        await running


def close(crowd: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]) -> None:
    for _, writer in crowd:
        writer.transport.abort()


@pytest.mark.parametrize("first", [b"", UNFINISHED_HEAD, UNFINISHED_BODY], ids=["silent", "head", "body"])
async def test_a_crowd_from_one_address_keeps_nobody_out(first: bytes) -> None:
    async with serving(Limits(in_all=400, strangers_per_address=100)) as served:
        crowd = await served.crowd(1200, first)
        assert await served.is_answered()
        assert await served.is_answered(**MEMBER)
        assert len(served.server.seats) <= 101
        close(crowd)


async def test_a_crowd_that_agrees_on_no_key_keeps_nobody_out(tmp_path: Path) -> None:
    async with serving(Limits(in_all=400, strangers_per_address=100), tls=tmp_path) as served:
        crowd = await served.crowd(300, b"")
        assert await served.is_answered()
        assert len(served.server.seats) <= 101
        close(crowd)


async def test_who_is_sent_away_in_the_middle_is_told_why() -> None:
    async with serving(Limits(strangers_per_address=2)) as served:
        crowd = await served.crowd(1, UNFINISHED_BODY)
        crowd += await served.crowd(2, b"")
        answer = await crowd[0][0].read()
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "too_many_connections"
        close(crowd)


async def test_those_who_are_known_keep_their_connections_in_a_crowd() -> None:
    async with (
        serving(Limits(in_all=60, strangers_per_address=50)) as served,
        httpx.AsyncClient(base_url=served.url, headers=MEMBER, timeout=20) as member,
        member.stream("GET", "/stream") as following,
    ):
        pieces = following.aiter_bytes()
        assert await anext(pieces) == b"first"
        crowd = await served.crowd(300, UNFINISHED_BODY)
        assert (await member.post("/", content=b"four")).text == "4"
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await anext(pieces)
        close(crowd)


async def test_a_proxy_of_ours_may_bring_as_many_as_it_likes() -> None:
    async with serving(Limits(strangers_per_address=5), trusts=True) as served:
        crowd = await served.crowd(50, UNFINISHED_BODY)
        assert await served.is_answered()
        assert len(served.server.seats) >= 50
        close(crowd)


@pytest.mark.parametrize(
    ("first", "status"), [(b"", b""), (UNFINISHED_HEAD, b""), (UNFINISHED_BODY, b"HTTP/1.1 408 ")]
)
async def test_what_is_never_finished_ends(
    monkeypatch: pytest.MonkeyPatch, first: bytes, status: bytes
) -> None:
    monkeypatch.setattr(http_protocol, "HEADERS_S", 0.2)
    monkeypatch.setattr(http_protocol, "BODY_CHECK_S", 0.2)
    async with serving(Limits()) as served, asyncio.timeout(20):
        reader, writer = await served.connect(first)
        with contextlib.suppress(ConnectionResetError):
            assert (await reader.read()).startswith(status)
        writer.close()


async def test_an_empty_line_between_requests_does_not_keep_a_connection_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http_protocol, "HEADERS_S", 0.3)
    async with serving(Limits()) as served, asyncio.timeout(20):
        reader, writer = await served.connect(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await reader.readuntil(b"0\r\n\r\n")
        writer.write(b"\r\n")
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()


async def test_the_rest_of_a_body_that_nobody_reads_must_come_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "HEADERS_S", 0.3)
    monkeypatch.setattr(http_protocol, "BODY_CHECK_S", 0.3)
    async with serving(Limits()) as served, asyncio.timeout(20):
        # An answer before the body's end, as a refusal is.
        async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
            await send({"type": "http.response.start", "status": 413, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body", "body": b""})

        served.server.config.loaded_app = refuse
        reader, writer = await served.connect(UNFINISHED_BODY)
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 413 ")
        with contextlib.suppress(ConnectionResetError):
            assert await reader.read() == b""
        writer.close()


async def test_a_slow_body_that_goes_on_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "BODY_CHECK_S", 1.0)
    monkeypatch.setattr(http_protocol, "LEAST_BODY", 10)
    async with serving(Limits()) as served, asyncio.timeout(60):
        reader, writer = await served.connect(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n")
        for _ in range(40):
            writer.write(b"x" * 50)
            await asyncio.sleep(0.08)
        assert b"2000" in await reader.readuntil(b"0\r\n\r\n")
        writer.close()


async def test_headers_without_end_are_refused() -> None:
    async with serving(Limits()) as served, asyncio.timeout(20):
        reader, writer = await served.connect(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ")
        for _ in range(20):
            writer.write(b"y" * 10_000)
        with contextlib.suppress(ConnectionResetError):
            assert (await reader.read()).startswith(b"HTTP/1.1 431 ")
        writer.close()


async def test_a_stranger_who_does_not_read_the_answer_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "STALL_S", 0.2)
    async with serving(Limits()) as served, asyncio.timeout(20):
        quiet = socket.create_connection(("127.0.0.1", served.port))
        quiet.send(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
        await eventually(lambda: len(served.server.seats) == 1)
        await eventually(lambda: not served.server.seats)
        quiet.close()


async def test_without_a_file_descriptor_left_it_waits_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """`accept` fails as it does then; the loop neither spins nor ends."""

    class Full:
        def __init__(self, listener: socket.socket) -> None:
            self._listener = listener
            self.tried = 0
            self.is_full = True

        def accept(self) -> tuple[socket.socket, object]:
            self.tried += 1
            if self.is_full:
                raise OSError(errno.EMFILE, "Too many open files")
            return self._listener.accept()

        def __getattr__(self, name: str) -> object:
            return getattr(self._listener, name)

    monkeypatch.setattr(acceptor, "PAUSE_S", 0.1)
    async with serving(Limits()) as served:
        at_door = served.server._acceptors[0]
        full = Full(at_door._listener)
        at_door._listener = full  # type: ignore[assignment]
        knocking = asyncio.create_task(served.is_answered())
        await eventually(lambda: full.tried >= 3)
        assert not knocking.done()
        full.is_full = False
        assert await knocking
        assert full.tried < 1000


def test_idle_strangers_go_first_and_those_who_are_answered_stay() -> None:
    connections = Connections(Limits(in_all=4, strangers_per_address=10))
    left: list[str] = []
    seats = {}
    for name in ("answered", "slow", "idle", "member"):
        seat = connections.admit("10.0.0.1")
        assert seat is not None
        seat.send_away = lambda name=name: left.append(name)  # type: ignore[misc]
        seats[name] = seat
    seats["answered"].work()
    seats["idle"].rest()
    seats["member"].sign_in()
    seats["member"].rest()
    for _ in range(3):
        fresh = connections.admit("10.0.0.2")
        assert fresh is not None
        fresh.work()
    assert left == ["idle", "slow", "member"]
    assert connections.admit("10.0.0.3") is None
    seats["answered"].leave()
    assert connections.admit("10.0.0.3") is not None


def test_one_machine_is_one_address() -> None:
    assert group_of("::ffff:10.0.0.1") == group_of("10.0.0.1") != group_of("10.0.0.2")
    assert group_of("2001:db8::1") == group_of("2001:db8::ffff:2") != group_of("2001:db8:0:1::1")


def test_the_limits_leave_files_for_everything_else() -> None:
    assert Limits.within(1024).in_all == 512
    assert Limits.within(1 << 20).in_all == Limits().in_all
