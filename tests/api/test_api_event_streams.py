"""Streams of events that are resumed after some of them were removed for their age."""

from __future__ import annotations

import json
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from danlu.control.system.pruning import DAY_S
from danlu.store.pruning import events_known, prune_events
from tests.api.test_api_silence import Served, served

pytestmark = pytest.mark.e2e


async def follow(here: Served, path: str, wanted: int) -> list[tuple[str, dict[str, Any]]]:
    """The first events of a stream."""
    found: list[tuple[str, dict[str, Any]]] = []
    kind = ""
    async with here.client.stream("GET", path) as reply:
        async for line in reply.aiter_lines():
            if line.startswith("event: "):
                kind = line.removeprefix("event: ")
            elif line.startswith("data: "):
                found.append((kind, json.loads(line.removeprefix("data: "))))
                if len(found) == wanted:
                    break
    return found


async def hello(here: Served, after: int) -> dict[str, Any]:
    [(kind, data)] = await follow(here, f"/events?after={after}", 1)
    assert kind == "hello"
    return data


async def test_who_missed_something_that_is_gone_is_told_to_ask_afresh(tmp_path: Path) -> None:
    async with served(tmp_path / "data") as here:
        database = here.control.database
        await here.client.patch("/scheduling", json={"paused": True})
        held = (await here.client.post("/jobs", json={"command": "true"})).json()["id"]
        await here.client.patch("/scheduling", json={"policy": "balance"})
        assert not (await hello(here, 0))["reset"]
        await database.write(partial(prune_events, before=float("inf"), after_id=0))
        newest, pruned = await database.read(events_known)
        # What is left is told all the same.
        [(_, first), (_, second)] = await follow(here, "/events?after=0", 2)
        assert (first["after"], first["reset"]) == (0, True)
        assert second["job"] == held
        assert (await hello(here, pruned - 1))["reset"]
        assert not (await hello(here, pruned))["reset"]
        assert not (await hello(here, newest))["reset"]
        # As after a restore.
        beyond = await hello(here, newest + 1000)
        assert beyond["reset"]
        assert beyond["after"] < newest + 1000


async def test_the_setting_says_how_long_they_are_kept(tmp_path: Path) -> None:
    async with served(tmp_path / "data") as here:
        control = here.control
        assert (await here.client.get("/settings")).json()["events_days"] == 90

        async def pruned_after(days: float) -> bool:
            control.pruning._clock = lambda: time.time() + days * DAY_S
            await control.pruning.prune()
            _, pruned = await control.database.read(events_known)
            return pruned > 0

        assert not await pruned_after(days=89)
        assert (await here.client.patch("/settings", json={"events_days": 0})).status_code == 200
        assert not await pruned_after(days=5000)
        assert (await here.client.patch("/settings", json={"events_days": 30})).status_code == 200
        assert await pruned_after(days=31)
        assert (await here.client.patch("/settings", json={"events_days": -1})).status_code == 422
