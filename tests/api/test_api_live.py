"""One connection for all that a browser follows: channels that come, go, take turns and are refused alone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from danlu.core.user import Role
from danlu.store.users import add_user
from danlu.wire.live import MOST_CHANNELS
from tests.api.test_api_silence import Served, served
from tests.cluster.story import eventually

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]

LARGE = 64 << 20
"""More than fits into the sockets between the two sides, many times."""


class Records:
    """What a stream tells, record by record."""

    def __init__(self, reply: httpx.Response) -> None:
        self._pieces = reply.aiter_raw()
        self._bytes = b""

    async def next(self) -> dict[str, Any]:
        while b"\n" not in self._bytes:
            self._bytes += await anext(self._pieces)
        line, _, self._bytes = self._bytes.partition(b"\n")
        told = json.loads(line)
        if told["event"] == "chunk":
            pieces = [self._bytes]
            while sum(map(len, pieces)) < told["length"]:
                pieces.append(await anext(self._pieces))
            data = b"".join(pieces)
            told["bytes"], self._bytes = data[: told["length"]], data[told["length"] :]
        return told

    async def until(self, event: str, channel: int | None = None) -> dict[str, Any]:
        while True:
            told = await self.next()
            if told["event"] == event and (channel is None or told["channel"] == channel):
                return told


@contextlib.asynccontextmanager
async def live(client: httpx.AsyncClient, *channels: dict[str, Any]) -> AsyncIterator[tuple[str, Records]]:
    """An open stream: its name, and what it tells."""
    async with (
        asyncio.timeout(60),
        client.stream("POST", "/live", json={"channels": channels}) as reply,
    ):
        assert reply.status_code == 200, await reply.aread()
        records = Records(reply)
        first = await records.next()
        assert first["event"] == "stream"
        yield first["stream"], records


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def here(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    async with served(tmp_path_factory.mktemp("live") / "danlu", heartbeat_s=3600.0) as running:
        logging.getLogger().addHandler(running.control.server_log)
        yield running
        logging.getLogger().removeHandler(running.control.server_log)


async def person(here: Served, name: str) -> httpx.AsyncClient:
    user = await here.control.database.write(lambda tx: add_user(tx, name, Role.MEMBER, password_hash=None))
    _, secret = await here.access.make_token(user, "laptop", None)
    headers = {"Authorization": f"Bearer {secret}"}
    return httpx.AsyncClient(base_url=here.client.base_url, headers=headers, timeout=60)


async def submit(here: Served, command: str) -> int:
    fields = {"command": command, "directory": "/tmp"}
    return (await here.client.post("/jobs", json=fields)).json()["id"]  # type: ignore[no-any-return]


async def path_of(here: Served, job: int) -> Path:
    async with asyncio.timeout(60):
        while True:
            info = (await here.client.get(f"/jobs/{job}/log/info")).json()
            if info["size"]:
                return Path(info["path"])
            await asyncio.sleep(0.05)


async def test_events_readings_and_logs_come_in_one_answer(here: Served) -> None:
    job = await submit(here, "echo one; sleep 3600")
    wanted = [{"id": 1, "kind": "events"}, {"id": 2, "kind": "readings"}, {"id": 3, "kind": "server_log"}]
    async with live(here.client, *wanted) as (name, records):
        assert (await records.until("hello", 1))["reset"] is False
        assert (await records.until("readings", 2))["readings"]["nodes"]
        change = {"open": [{"id": 4, "kind": "log", "job": str(job)}]}
        assert (await here.client.post(f"/live/{name}/channels", json=change)).status_code == 204
        chunk = await records.until("chunk", 4)
        assert (chunk["offset"], chunk["bytes"]) == (0, b"one\n")
        await here.client.post(f"/jobs/{job}/cancel")
        assert (await records.until("end", 4))["state"] == "cancelled"
        assert (await here.client.post("/auth/link", json={"code": "nothing"})).status_code == 401
        told = await records.until("entries", 3)
        assert told["entries"][-1]["level"] == "warning"


async def test_a_flood_holds_up_nothing_and_is_not_kept_in_memory(here: Served) -> None:
    """The client does not read while the flood comes; then the event is not behind it."""
    job = await submit(here, "echo begun; sleep 3600")
    log = await path_of(here, job)
    await asyncio.to_thread(log.write_bytes, os.urandom(LARGE))
    floods = [{"id": 2 + n, "kind": "log", "job": str(job)} for n in range(3)]
    async with live(here.client, {"id": 1, "kind": "events"}, *floods) as (name, records):
        await records.until("chunk", 4)
        stream = here.app.state.live_streams._open[name]
        marker = await submit(here, "true")
        before = 0
        while True:
            told = await records.next()
            before += told.get("length", 0)
            if any(event["job"] == marker for event in told.get("events", [])):
                break
        # No more than what was in the sockets already.
        assert before < LARGE / 2
        assert len(stream._pending) <= 4


async def test_a_closed_channel_is_silent_and_the_others_go_on(here: Served) -> None:
    job = await submit(here, "echo begun; sleep 3600")
    log = await path_of(here, job)
    wanted = [{"id": 1, "kind": "events"}, {"id": 2, "kind": "log", "job": str(job)}]
    async with live(here.client, *wanted) as (name, records):
        await records.until("chunk", 2)
        assert (await here.client.post(f"/live/{name}/channels", json={"close": [2, 77]})).status_code == 204
        with log.open("ab") as file:
            file.write(b"after it was closed\n")
        # One that is opened behind the line has it; by then the closed one would have told it as well.
        again = {"open": [{"id": 3, "kind": "log", "job": str(job), "offset": len("begun\n")}]}
        await here.client.post(f"/live/{name}/channels", json=again)
        heard: list[int] = []
        while (told := await records.next())["event"] != "chunk":
            heard.append(told["channel"])
        assert (told["channel"], told["bytes"]) == (3, b"after it was closed\n")
        assert 2 not in heard


async def test_a_channel_is_refused_alone_and_in_words(here: Served) -> None:
    theirs = await submit(here, "sleep 3600")
    async with await person(here, "mo") as mo:
        wanted = [
            {"id": 1, "kind": "log", "job": "4000"},
            {"id": 2, "kind": "log", "job": str(theirs)},
            {"id": 3, "kind": "log", "job": "no job"},
            {"id": 4, "kind": "log"},
            {"id": 5, "kind": "server_log"},
            {"id": 6, "kind": "events"},
        ]
        mo.headers["Accept-Language"] = "zh"
        async with live(mo, *wanted) as (_, records):
            refused: dict[int, tuple[int, str]] = {}
            has_events = False
            while len(refused) < 5 or not has_events:
                told = await records.next()
                has_events = has_events or (told["event"], told["channel"]) == ("hello", 6)
                if told["event"] == "refused":
                    refused[told["channel"]] = told["status"], told["problem"]["code"]
                    assert not told["problem"]["message"].isascii()
    assert refused == {
        1: (404, "no_such_job"),
        2: (403, "not_yours"),
        3: (422, "bad_job_id"),
        4: (422, "bad_job_id"),
        5: (403, "server_log_closed"),
    }


async def test_only_the_session_that_opened_it_may_change_it(here: Served) -> None:
    opening = {"open": [{"id": 9, "kind": "events"}]}
    async with await person(here, "eve") as eve, live(here.client) as (name, _):
        for client, stream in ((here.client, "no-such"), (eve, name)):
            refused = await client.post(f"/live/{stream}/channels", json=opening)
            assert (refused.status_code, refused.json()["code"]) == (404, "no_such_stream")
        assert (await here.client.post(f"/live/{name}/channels", json=opening)).status_code == 204
    await eventually(lambda: not here.app.state.live_streams._open)
    assert (await here.client.post(f"/live/{name}/channels", json={})).status_code == 404


async def test_a_stream_has_so_many_channels_and_a_refused_change_changes_nothing(here: Served) -> None:
    full = [{"id": n, "kind": "events"} for n in range(1, MOST_CHANNELS + 1)]
    async with live(here.client, *full) as (name, records):
        for change, code in (
            ({"open": [{"id": 100, "kind": "events"}]}, "too_many_channels"),
            ({"close": [1, 2], "open": [{"id": 3, "kind": "events"}]}, "channel_used"),
        ):
            refused = await here.client.post(f"/live/{name}/channels", json=change)
            assert (refused.status_code, refused.json()["code"]) == (409, code)
        swap = {"close": [64], "open": [{"id": 100, "kind": "readings"}]}
        assert (await here.client.post(f"/live/{name}/channels", json=swap)).status_code == 204
        assert await records.until("readings", 100)


async def test_what_was_missed_is_told_first(here: Served) -> None:
    async with live(here.client, {"id": 1, "kind": "events"}) as (_, records):
        after = (await records.until("hello"))["after"]
    job = await submit(here, "true")
    async with live(here.client, {"id": 1, "kind": "events", "after": after}) as (_, records):
        assert (await records.until("happened"))["events"][0]["job"] == job
