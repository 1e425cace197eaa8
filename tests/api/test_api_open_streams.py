"""Who may no longer have what they follow, download or wait for has it no longer: at once, on any route."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from fastapi.responses import StreamingResponse

from danlu.api.app import make_app
from danlu.api.streams import open_streams
from danlu.control.audit.audit_log import AuditLog
from danlu.control.calls.call_results import CallResults, ResultFile
from danlu.control.nodes.installations import Kind, NodeInstallation
from danlu.core.user import Role
from danlu.store.users import add_user, change_user, end_all_access
from tests.api.test_api_silence import Served, served
from tests.cluster.story import eventually

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]

LARGE = 32 << 20
"""More than the sockets between the two sides can hold."""


class Place:
    """A server with something to follow, to download and to wait for."""

    def __init__(self, here: Served, job: int) -> None:
        self.here = here
        self.job = job
        self.clients: list[httpx.AsyncClient] = []

    async def person(self, name: str, role: Role = Role.ADMIN) -> httpx.AsyncClient:
        user = await self.here.control.database.write(lambda tx: add_user(tx, name, role, password_hash=None))
        _, secret = await self.here.access.make_token(user, "laptop", None)
        client = httpx.AsyncClient(
            base_url=self.here.client.base_url, headers={"Authorization": f"Bearer {secret}"}, timeout=60
        )
        self.clients.append(client)
        return client

    async def change(self, name: str, **columns: Any) -> None:
        await self.here.control.database.write(lambda tx: change_user(tx, name, "an-admin", **columns))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def place(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Place]:
    data = tmp_path_factory.mktemp("streams") / "danlu"
    async with served(data, heartbeat_s=3600.0) as here:
        sleeping = {"command": "echo begun; sleep 3600", "directory": "/tmp"}
        job = (await here.client.post("/jobs", json=sleeping)).json()["id"]
        log = Path((await until_there(here, job))["path"])
        await asyncio.to_thread(log.write_bytes, os.urandom(LARGE))
        installation = NodeInstallation(1, Kind.ADD, "gpu1", "ann", 0.0)
        here.control.installations._known[1] = installation
        held = {"name": "held", "holder": "test", "wait_s": 0}
        assert (await here.client.post("/locks/acquire", json=held)).status_code == 200
        found = Place(here, job)
        yield found
        for client in found.clients:
            await client.aclose()


async def until_there(here: Served, job: int) -> dict[str, Any]:
    async with asyncio.timeout(60):
        while True:
            info = (await here.client.get(f"/jobs/{job}/log/info")).json()
            if info["size"]:
                return info  # type: ignore[no-any-return]
            await asyncio.sleep(0.05)


FOLLOWED: dict[str, tuple[str, str, Any]] = {
    "/events": ("GET", "/events", None),
    "/live": ("POST", "/live", {"channels": [{"id": 1, "kind": "server_log"}]}),
    "/jobs/{job_id}/log/follow": ("GET", "/jobs/{job}/log/follow?offset=-1", None),
    "/server/log/follow": ("GET", "/server/log/follow?level=error", None),
    "/nodes/installations/{installation_id}/follow": ("GET", "/nodes/installations/1/follow", None),
}
DOWNLOADED = {
    "/jobs/{job_id}/log/download": ("GET", "/jobs/{job}/log/download", None),
    "/jobs/{job_id}/result": ("GET", "/jobs/{job}/result", None),
    "/backup": ("POST", "/backup", {"with_logs": True}),
    "/audit/export": ("GET", "/audit/export", None),
}
HELD = {"/locks/acquire", "/jobs/{job_id}/log/search"}


async def test_every_route_that_takes_its_time_is_tried_here(place: Place) -> None:
    """Found by what they answer with, and by whether they wait as long as their client does."""
    app = make_app(place.here.control, place.here.access, lambda _: None)
    streaming, waiting = set(), set()
    for route in app.router.routes:
        endpoint: Callable[..., Any] = getattr(route, "endpoint", None)  # type: ignore[assignment]
        path = str(getattr(route, "path", "")).removeprefix("/api/v1")
        kind = getattr(route, "response_class", None)
        if inspect.isclass(kind) and issubclass(kind, StreamingResponse):
            streaming.add(path)
        if endpoint is not None and "while_awaited" in inspect.getsource(endpoint):
            waiting.add(path)
    assert streaming == set(FOLLOWED) | set(DOWNLOADED)
    assert waiting == HELD


@pytest.mark.parametrize("change", ["locked", "demoted", "ended"])
@pytest.mark.parametrize("route", FOLLOWED)
async def test_what_is_followed_ends(place: Place, route: str, change: str) -> None:
    name = f"{change}{sorted(FOLLOWED).index(route)}"
    client = await place.person(name)
    method, url, body = FOLLOWED[route]
    async with asyncio.timeout(60), client.stream(method, url.format(job=place.job), json=body) as reply:
        assert reply.status_code == 200
        pieces = reply.aiter_bytes()
        assert await anext(pieces)
        if change == "locked":
            await place.change(name, locked=True)
        elif change == "demoted":
            await place.change(name, role=Role.MEMBER.value)
        else:
            await place.here.control.database.write(lambda tx: end_all_access(tx, name))
            place.here.access.forget_cached()
        async for _ in pieces:
            pass
    assert place.here.access._watchers == set()


def without_end(walk: Callable[..., AsyncIterator[Any]]) -> Callable[..., AsyncIterator[Any]]:
    """Gives the first piece again and again: as many entries would take their time."""

    async def walk_on(*asked: Any) -> AsyncIterator[Any]:
        async for piece in walk(*asked):
            while True:
                yield piece
                await asyncio.sleep(0)

    return walk_on


@pytest.mark.parametrize("route", DOWNLOADED)
async def test_what_is_downloaded_breaks_off(
    place: Place, route: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = (await until_there(place.here, place.job))["path"]
    node = (await place.here.client.get(f"/jobs/{place.job}")).json()["attempts"][-1]["tasks"][0]["node"]

    async def find(*_: object) -> ResultFile:
        return ResultFile(node, path)

    # A function that gave back so much would take its time.
    monkeypatch.setattr(CallResults, "find", find)
    monkeypatch.setattr(AuditLog, "walk", without_end(AuditLog.walk))
    name = f"down{sorted(DOWNLOADED).index(route)}"
    client = await place.person(name)
    method, url, body = DOWNLOADED[route]
    size = 0
    async with asyncio.timeout(60), client.stream(method, url.format(job=place.job), json=body) as reply:
        assert reply.status_code == 200
        pieces = reply.aiter_raw()
        size += len(await anext(pieces))
        await place.change(name, locked=True)
        try:
            async for piece in pieces:
                size += len(piece)
        except httpx.RemoteProtocolError:
            pass
        else:
            raise AssertionError("it looks as if it were all")
    assert size < LARGE


async def test_who_waits_for_a_lock_waits_no_longer(place: Place) -> None:
    member = await place.person("waits", Role.MEMBER)
    mine = {"name": "mine", "holder": "a", "wait_s": 0}
    assert (await member.post("/locks/acquire", json=mine)).status_code == 200
    waiting = asyncio.create_task(
        member.post("/locks/acquire", json={"name": "mine", "holder": "b", "wait_s": 30})
    )
    await eventually(lambda: place.here.access._watchers)
    await place.change("waits", locked=True)
    async with asyncio.timeout(25):
        answer = await waiting
    assert (answer.status_code, answer.json()["code"]) == (403, "account_locked")


async def test_another_persons_change_disturbs_nobody(place: Place) -> None:
    client = await place.person("stays")
    await place.person("goes")
    async with asyncio.timeout(60), client.stream("GET", "/events") as reply:
        lines = reply.aiter_lines()
        assert await anext(lines)
        await place.change("goes", locked=True)
        async for line in lines:
            if line.startswith("data:") and '"goes"' in line:
                break
        assert place.here.access._watchers


async def test_one_may_have_only_so_many_open(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_streams, "MOST_PER_USER", 2)
    client = await place.person("many")
    async with client.stream("GET", "/events"), client.stream("GET", "/events") as second:
        assert second.status_code == 200
        refused = await client.get("/events")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_streams")
        assert refused.headers["Retry-After"]
        other = await place.person("few")
        async with other.stream("GET", "/events") as reply:
            assert reply.status_code == 200
    await eventually(lambda: not place.here.access._watchers)
    async with client.stream("GET", "/events") as reply:
        assert reply.status_code == 200
