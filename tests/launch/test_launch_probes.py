"""`/health` and `/ready` say what is so, to every client."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from danlu.launch.serve import probes
from danlu.launch.serve.probes import Probes, Readiness
from danlu.settings import Settings
from danlu.store.engine.database import Database
from danlu.store.engine.migrate import migrate


class Installed:
    """What readiness is about: a database and the disk that it is on."""

    def __init__(self, data: Path) -> None:
        self.settings = Settings(data=data, starter="li")
        migrate(self.settings.database)
        self.database = Database(self.settings.database, lambda: 1_000.0)
        self.database.start()
        self.stopping = False
        self.readiness: Readiness | None = Readiness(self)  # type: ignore[arg-type]

    async def ask(self, path: str = "/ready", method: str = "GET", **options: Any) -> httpx.Response:
        door = Probes(options.pop("app", nothing_there), lambda: self.readiness, lambda: self.stopping)
        transport = httpx.ASGITransport(door)
        async with httpx.AsyncClient(transport=transport, base_url="http://gpu.lab") as client:
            return await client.request(method, path, **options)

    async def why_not(self, **options: Any) -> str:
        answer = await self.ask(**options)
        assert answer.status_code == 503, answer.text
        assert answer.headers["Retry-After"]
        told = answer.json()
        assert told["message"]
        return str(told["code"])


async def nothing_there(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b""})


async def no_server_leads(scope: Scope, receive: Receive, send: Send) -> None:
    await asyncio.sleep(3600)


@pytest.fixture
async def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Installed]:
    monkeypatch.setattr(probes, "FRESH_S", 0.0)
    found = Installed(tmp_path)
    yield found
    await found.database.close()


async def test_a_server_that_can_read_and_write_is_ready(installed: Installed) -> None:
    for _ in range(2):
        answer = await installed.ask()
        assert (answer.status_code, answer.json()) == (200, {"status": "ready"})
    assert (await installed.ask("/health")).json() == {"status": "ok"}
    assert (await installed.ask("/ready", "HEAD")).status_code == 200


async def test_only_just_those_two_are_answered(installed: Installed) -> None:
    for path in ("/ready/", "/health/x", "/readyz", "/"):
        assert (await installed.ask(path)).status_code == 404
    refused = await installed.ask("/ready", "POST")
    assert (refused.status_code, refused.json()["code"]) == (405, "wrong_method")


async def test_a_database_that_cannot_be_written_is_told(installed: Installed) -> None:
    assert (await installed.ask()).status_code == 200
    installed.database.give_up()
    assert await installed.why_not() == "not_leading"
    assert (await installed.ask("/health")).status_code == 200, "the process itself is well"


async def test_a_database_that_is_broken_is_told(installed: Installed) -> None:
    def spoil(tx: Any) -> None:
        tx.connection.exec_driver_sql("ALTER TABLE counters RENAME TO lost")

    await installed.database.write(spoil)
    assert await installed.why_not() == "storage_failed"


async def test_a_database_that_says_nothing_is_told(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes, "LOOK_S", 0.3)
    release = threading.Event()
    stuck = asyncio.create_task(installed.database.write(lambda _: release.wait(30)))
    try:
        assert await installed.why_not() == "database_silent"
    finally:
        release.set()
        await stuck


async def test_a_full_disk_is_told(installed: Installed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probes, "LEAST_FREE", 1 << 62)
    assert await installed.why_not() == "disk_full"


async def test_a_server_that_stops_is_not_ready_and_still_healthy(installed: Installed) -> None:
    installed.stopping = True
    assert await installed.why_not() == "stopping"
    assert (await installed.ask("/health")).status_code == 200


async def test_a_standby_is_as_ready_as_its_leader(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes, "LOOK_S", 0.3)
    leader = Probes(nothing_there, lambda: installed_readiness, lambda: False)
    installed_readiness, installed.readiness = installed.readiness, None
    assert (await installed.ask(app=leader)).json() == {"status": "ready"}
    assert await installed.why_not(app=no_server_leads) == "no_leader"
    assert (await installed.ask("/health", app=no_server_leads)).status_code == 200


async def test_a_crowd_that_asks_costs_one_look(
    installed: Installed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes, "FRESH_S", 60.0)
    looks = 0
    look = Readiness._look

    async def counted(self: Readiness) -> Any:
        nonlocal looks
        looks += 1
        return await look(self)

    monkeypatch.setattr(Readiness, "_look", counted)
    answers = await asyncio.gather(*(installed.ask() for _ in range(50)))
    assert {answer.status_code for answer in answers} == {200}
    assert looks == 1
