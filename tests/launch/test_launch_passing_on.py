"""A server that stands by answers as the leader does, and keeps nothing to itself."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from danlu.core.errors import Unavailable
from danlu.launch.door.certificate import OwnCertificate, load_into, make_context
from danlu.launch.door.forwarded_request import Entrance, ForwardedRequest, Trust, seal, unseal
from danlu.launch.door.http_protocol import PromptHttp
from danlu.launch.door.http_server import HttpServer
from danlu.launch.door.listening import listen
from danlu.launch.standby import leader_proxy
from danlu.launch.standby.leader_proxy import LeaderConnection, LeaderProxy
from danlu.launch.standby.while_leading import WhileLeading
from tests.support.ports import free_port

LOCAL, SECRET = "danlu_local_x", "sealed"


def test_without_a_secret_nobody_is_believed() -> None:
    """Every program could seal with an empty one."""
    passed = ForwardedRequest("10.0.0.9", "https", "h", "", "li")
    said = seal("", passed, "GET", "/x", 1_000.0)
    assert unseal("", said, "GET", "/x", 1_000.0) is None
    said = seal(SECRET, passed, "GET", "/x", 1_000.0)
    assert unseal(SECRET, said, "GET", "/x", 1_000.0) == passed


class LeadingApp:
    """Says what it was asked; has a stream without end, one that it breaks off, and one of records that
    a test has it tell."""

    def __init__(self) -> None:
        self.left = asyncio.Event()
        self.records: asyncio.Queue[bytes] = asyncio.Queue()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"]
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        facts = {"path": path, "query": scope["query_string"].decode(), "client": scope["client"][0]}
        told = {**facts, "scheme": scope["scheme"], "root": scope["root_path"], "size": len(body)}
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x-own", b"1")]})
        if "stream" in path:
            await send({"type": "http.response.body", "body": b"first", "more_body": True})
            if "broken" in path:
                raise RuntimeError("broken off")
            while (await receive())["type"] != "http.disconnect":
                pass
            self.left.set()
            return
        text = json.dumps({**told, "headers": headers}).encode()
        if path.endswith("/live"):
            await send({"type": "http.response.body", "body": body, "more_body": True})
            while text := await self.records.get():
                await send({"type": "http.response.body", "body": text, "more_body": True})
        await send({"type": "http.response.body", "body": text})


class Served:
    def __init__(self, url: str, fingerprint: str | None, app: LeadingApp) -> None:
        self.url = url
        self.fingerprint = fingerprint
        self.app = app
        self.leads = True

    def connection(self, fingerprint: str | None = None) -> LeaderConnection:
        return LeaderConnection(self.url, fingerprint or self.fingerprint, SECRET)


@contextlib.asynccontextmanager
async def serving(folder: Path | None) -> AsyncIterator[Served]:
    listener = listen("127.0.0.1", 0)
    app = LeadingApp()
    scheme, fingerprint = "http", None
    served = Served("", None, app)

    async def vouch(name: str) -> str:
        return f"token of {name}"

    async def door(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("nothing was to come through the front door")

    entrance = Entrance(door, app, lambda: Trust(SECRET, vouch) if served.leads else None, time.time)
    options = {"http": PromptHttp, "log_config": None, "lifespan": "off", "timeout_graceful_shutdown": 1}
    config = uvicorn.Config(entrance, **options)
    if folder is not None:
        certificate = OwnCertificate(folder, ["one"], []).read(time.time())
        context = make_context()
        load_into(context, certificate)
        config.ssl_context_factory = lambda *_: context
        scheme, fingerprint = "https", certificate.fingerprint
    served.url, served.fingerprint = f"{scheme}://127.0.0.1:{listener.getsockname()[1]}", fingerprint
    server = HttpServer(config)
    running = asyncio.create_task(server.serve([listener]))
    await server.ready.wait()
    try:
        yield served
    finally:
        server.should_exit = True
        await running


@pytest.fixture
def standing() -> LeaderProxy:
    return LeaderProxy(LOCAL, "li")


def client_of(app: LeaderProxy, **headers: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, client=("192.0.2.7", 4))
    return httpx.AsyncClient(transport=transport, base_url="https://gpu.lab", headers=headers)


@pytest.mark.parametrize("tls", [False, True])
async def test_a_request_arrives_as_its_sender_sees_it(
    standing: LeaderProxy, tmp_path: Path, tls: bool
) -> None:
    async with serving(tmp_path if tls else None) as leader, client_of(standing) as client:
        standing.lead(leader.connection())
        reply = await client.post(
            "/api/v1/jobs/a%20b%3B%25?x=%2F&y",
            content=b"0123456789",
            headers={"Authorization": "Bearer danlu_x", "Accept-Language": "zh", "Connection": "close, x"},
        )
        told = reply.json()
        assert (told["path"], told["query"], told["size"]) == ("/api/v1/jobs/a b;%", "x=%2F&y", 10)
        assert (told["client"], told["scheme"]) == ("192.0.2.7", "https")
        headers = told["headers"]
        assert headers["host"] == "gpu.lab"
        assert headers["authorization"] == "Bearer danlu_x"
        assert headers["accept-language"] == "zh"
        assert "x-danlu-passed-on" not in headers
        assert reply.headers["x-own"] == "1"


async def test_the_local_token_is_vouched_for(standing: LeaderProxy) -> None:
    async with serving(None) as leader, client_of(standing, Authorization=f"Bearer {LOCAL}") as client:
        standing.lead(leader.connection())
        told = (await client.get("/api/v1/status")).json()
        assert told["headers"]["authorization"] == "Bearer token of li"
        refused = await client.post("/api/v1/server/stop")
        assert (refused.status_code, refused.json()["code"]) == (409, "standing_by")


async def test_a_large_body_is_streamed(standing: LeaderProxy) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b"x" * 100_000

    async with serving(None) as leader, client_of(standing) as client:
        standing.lead(leader.connection())
        headers = {"Content-Length": "4000000"}
        reply = await client.post("/api/v1/calls", content=pieces(), headers=headers)
        assert reply.json()["size"] == 4_000_000


async def test_another_key_at_the_leaders_address_is_told_nothing(
    standing: LeaderProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leader_proxy, "HOLD_S", 0.3)
    async with serving(tmp_path) as leader, client_of(standing) as client:
        standing.lead(leader.connection("SHA256:" + "A" * 43))
        reply = await client.get("/api/v1/status")
        assert (reply.status_code, reply.json()["code"]) == (503, "leader_unreachable")


async def test_a_leader_that_cannot_be_reached_from_here_is_not_said_to_be_missing(
    standing: LeaderProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leader_proxy, "HOLD_S", 0.3)
    url = f"http://127.0.0.1:{free_port()}"
    async with client_of(standing, **{"Accept-Language": "en"}) as client:
        standing.lead(LeaderConnection(url, None, SECRET))
        reply = await client.post("/api/v1/jobs", content=b"body")
        assert (reply.status_code, reply.json()["code"]) == (503, "leader_unreachable")
        assert url in reply.json()["message"]
        assert "--host" in reply.json()["hint"]


async def test_without_a_leader_it_says_so_in_the_one_shape(
    standing: LeaderProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leader_proxy, "HOLD_S", 0.05)
    async with client_of(standing, **{"Accept-Language": "en"}) as client:
        reply = await client.get("/api/v1/status")
        assert reply.status_code == 503
        assert reply.json()["code"] == "no_leader"
        assert reply.json()["hint"]
        assert reply.headers["retry-after"] == "1"


async def test_where_waiting_would_be_in_vain_the_reason_is_said_at_once(standing: LeaderProxy) -> None:
    async with serving(None) as leader, client_of(standing) as client:
        waiting = asyncio.create_task(client.get("/api/v1/status"))
        await asyncio.sleep(0)
        standing.refuse(Unavailable("database_moved", to="postgresql://db.lab/new"))
        for reply in (await waiting, await client.post("/api/v1/jobs", content=b"body")):
            assert (reply.status_code, reply.json()["code"]) == (503, "database_moved")
            assert "postgresql://db.lab/new" in reply.json()["message"]
        standing.lead(leader.connection())
        assert (await client.post("/api/v1/jobs", content=b"body")).json()["size"] == 4


async def held(standing: LeaderProxy) -> None:
    """Until a request waits there: none is under way to a leader that is about to change."""
    async with asyncio.timeout(60):
        while not standing._held:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def test_a_request_waits_for_the_next_leader(standing: LeaderProxy) -> None:
    async with serving(None) as leader, serving(None) as gone, client_of(standing) as client:
        gone.leads = False
        standing.lead(gone.connection())
        asking = asyncio.create_task(client.post("/api/v1/jobs", content=b"body"))
        await held(standing)
        assert not asking.done()
        standing.lead(leader.connection())
        assert (await asking).json()["size"] == 4


async def test_or_for_this_very_server_to_lead(standing: LeaderProxy) -> None:
    async with client_of(standing) as client:
        asking = asyncio.create_task(client.post("/api/v1/jobs", content=b"body"))
        await held(standing)
        standing.lead(None, here=LeadingApp())
        assert (await asking).json()["size"] == 4


@contextlib.asynccontextmanager
async def hanging() -> AsyncIterator[LeaderConnection]:
    """A leader that takes requests in and says nothing."""
    silence = asyncio.Event()

    async def take(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        took.set()
        await silence.wait()
        writer.close()

    took = asyncio.Event()
    server = await asyncio.start_server(take, "127.0.0.1", 0)
    line = LeaderConnection(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", None, SECRET)
    line.took = took  # type: ignore[attr-defined]
    try:
        yield line
    finally:
        silence.set()
        server.close()


@pytest.mark.parametrize(
    ("path", "key", "outcome"),
    [("/api/v1/jobs", "k1", 200), ("/api/v1/jobs", None, 503), ("/api/v1/jobs/7/cancel", "k1", 503)],
)
async def test_what_a_leader_that_hangs_took_in_is_asked_of_the_next_where_a_key_makes_it_safe(
    standing: LeaderProxy, path: str, key: str | None, outcome: int
) -> None:
    async with hanging() as hung, serving(None) as leader, client_of(standing) as client:
        standing.lead(hung)
        headers = {"Idempotency-Key": key} if key else {}
        asking = asyncio.create_task(client.post(path, content=b"body", headers=headers))
        await asyncio.wait_for(hung.took.wait(), 10)  # type: ignore[attr-defined]
        standing.lead(leader.connection())
        reply = await asyncio.wait_for(asking, 10)
        assert reply.status_code == outcome
        assert outcome == 200 or reply.json()["code"] == "leader_lost"


async def test_who_waits_for_an_answer_when_the_leadership_is_lost_is_told_so_at_once() -> None:
    async def hang(_scope: Scope, _receive: Receive, _send: Send) -> None:
        under_way.set()
        await asyncio.Event().wait()

    under_way = asyncio.Event()
    leading = WhileLeading(hang)
    async with client_of(leading) as client:  # type: ignore[arg-type]
        asking = asyncio.create_task(client.post("/api/v1/jobs", content=b"body"))
        await asyncio.wait_for(under_way.wait(), 10)
        leading.lose()
        reply = await asyncio.wait_for(asking, 10)
        assert (reply.status_code, reply.json()["code"]) == (503, "leader_lost")


async def begin_stream(
    standing: LeaderProxy, path: str, method: str = "GET", body: bytes = b""
) -> tuple[asyncio.Task[None], asyncio.Queue[bytes], Callable[[], None]]:
    """A follower of a stream: its task, the pieces that came, and a way to leave."""
    came: asyncio.Queue[bytes] = asyncio.Queue()
    leave = asyncio.Event()
    sent = False

    async def receive() -> dict:
        nonlocal sent
        if not sent:
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}
        await leave.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict) -> None:
        if message.get("body"):
            came.put_nowait(message["body"])

    scope = {"type": "http", "method": method, "path": path, "query_string": b"", "scheme": "http"}
    headers = [(b"host", b"gpu.lab"), (b"content-length", str(len(body)).encode())]
    scope |= {"headers": headers, "client": ("192.0.2.7", 4), "root_path": ""}
    task = asyncio.create_task(standing(scope, receive, send))  # type: ignore[arg-type]
    return task, came, leave.set


async def test_each_record_of_the_live_stream_comes_before_the_next_is_there(
    standing: LeaderProxy,
) -> None:
    async with serving(None) as leader:
        standing.lead(leader.connection())
        wanted = b'{"channels": [{"id": 1, "kind": "events"}]}'
        task, came, leave = await begin_stream(standing, "/api/v1/live", "POST", wanted)
        assert await asyncio.wait_for(came.get(), 10) == wanted
        for number in range(3):
            record = b'{"channel": 1, "event": "happened", "events": [%d]}\n' % number
            leader.app.records.put_nowait(record)
            assert await asyncio.wait_for(came.get(), 10) == record
        leave()
        await asyncio.wait_for(task, 10)


async def test_who_leaves_a_stream_is_not_followed_by_the_leader(standing: LeaderProxy) -> None:
    async with serving(None) as leader:
        standing.lead(leader.connection())
        task, came, leave = await begin_stream(standing, "/stream")
        assert await asyncio.wait_for(came.get(), 10) == b"first"
        leave()
        await asyncio.wait_for(task, 10)
        await asyncio.wait_for(leader.app.left.wait(), 10)


async def test_a_stream_of_an_old_leader_breaks_off(standing: LeaderProxy) -> None:
    async with serving(None) as leader:
        standing.lead(leader.connection())
        task, came, _ = await begin_stream(standing, "/stream")
        assert await asyncio.wait_for(came.get(), 10) == b"first"
        standing.lead(None)
        with pytest.raises(leader_proxy.BrokenOff):
            await asyncio.wait_for(task, 10)


async def test_half_an_answer_does_not_look_whole(standing: LeaderProxy) -> None:
    async with serving(None) as leader:
        standing.lead(leader.connection())
        task, _, _ = await begin_stream(standing, "/stream/broken")
        with pytest.raises(leader_proxy.BrokenOff):
            await asyncio.wait_for(task, 10)


async def test_what_no_server_of_ours_passed_on_is_refused(standing: LeaderProxy) -> None:
    async with serving(None) as leader:
        reply = await httpx.AsyncClient().get(leader.url, headers={"X-Danlu-Passed-On": "e30=.00"})
        assert (reply.status_code, reply.json()["code"]) == (403, "not_passed_on")
