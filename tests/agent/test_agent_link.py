"""The connection to the keeper: what is sent again after a break, and in which order."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from danlu.agent.keeper.spec import LONGEST_REQUEST
from danlu.agent.keeper_link import KeeperLink, KeeperRefused, _encode
from danlu.core.task import LaunchOrder, TaskEnding, TaskFact, TaskKey
from tests.agent.story import Node

KEY = TaskKey(1, 1, 0)
ENDED = {
    "key": str(KEY),
    "node": "n",
    "started_at": 1.0,
    "end": {"ending": "exited", "ended_at": 2.0, "wait_status": 0, "problem": None, "detail": ""},
}
ABOUT = {
    "device_guard": "",
    "cpu_guard": "",
    "memory_guard": "",
    **dict.fromkeys(("keeps_leases", "stages", "checks_accounts", "limits_tasks"), True),
}


class InterruptingKeeper:
    """Runs what it is told to launch, and hangs up instead of answering, the first time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._hung_up = False
        self.heard: list[str] = []

    async def __aenter__(self) -> InterruptingKeeper:
        self._server = await asyncio.start_unix_server(self._serve, self._folder / "socket")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            message = json.loads(line)
            self.heard.append(message["op"])
            if message["op"] == "launch" and not self._hung_up:
                self._hung_up = True
                break
            result: Any = [ENDED] if message["op"] == "list" and self._hung_up else []
            if message["op"] == "about":
                result = ABOUT
            writer.write(json.dumps({"id": message["id"], "result": result}).encode() + b"\n")
        writer.close()


async def test_a_task_is_not_forgotten_before_its_launch_was_answered(tmp_path: Path) -> None:
    """The launch is sent again after the break. Were the task forgotten by then, it would run twice."""
    ended: asyncio.Queue[TaskFact] = asyncio.Queue()
    async with InterruptingKeeper(tmp_path) as keeper:
        link = KeeperLink(tmp_path, on_fact=ended.put_nowait)
        await link.start()
        assert link.device_guard == ""
        order = LaunchOrder(KEY, "n", "job", "li", "/tmp", "true", log_path="/tmp/log")
        launching = asyncio.create_task(link.launch(order))
        while (await asyncio.wait_for(ended.get(), 10)).end is None:
            pass
        await link.forget([KEY])
        await launching
        await link.close()
    assert keeper.heard.index("forget") > max(n for n, op in enumerate(keeper.heard) if op == "launch")
    assert keeper.heard.count("launch") == 2


async def test_what_the_keeper_would_not_read_is_refused_and_nothing_breaks(node: Node) -> None:
    keeper, line = node.keeper(), node.link._writer
    order = node.a_task("true", arguments=("x" * LONGEST_REQUEST,))
    with pytest.raises(KeeperRefused, match="bytes"):
        await node.agent.launch(order)
    assert (await node.run()).wait_status == 0
    assert (node.keeper(), node.link._writer) == (keeper, line)


async def test_the_longest_request_is_read(node: Node) -> None:
    empty = len(_encode({"id": 1, "op": "forget", "keys": [""]}))
    # Chinese without escapes: with them this would be twice as long. Ids grow by a digit at most.
    filling = "炉" * ((LONGEST_REQUEST - empty - 1) // 3)
    await node.link._request("forget", keys=[filling])
    assert await node.link.list() == []


async def test_text_that_is_none_passes(node: Node) -> None:
    """A file name need not be UTF-8; Python keeps its bytes as half characters."""
    order = node.a_task("true", arguments=("\udcff", "炉"))
    await node.agent.launch(order)
    assert (await node.end_of(order.key)).ending in (TaskEnding.EXITED, TaskEnding.SETUP_FAILED)


class HastyKeeper(InterruptingKeeper):
    """Its one task ends the moment after it was asked for the list, and says both in one breath."""

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            message = json.loads(line)
            said: list[dict[str, Any]] = [{"id": message["id"], "result": []}]
            if message["op"] == "list":
                said = [{"id": message["id"], "result": [{**ENDED, "end": None}]}, {"fact": ENDED}]
            elif message["op"] == "about":
                said[0]["result"] = {**ABOUT}
            writer.write(b"".join(json.dumps(each).encode() + b"\n" for each in said))
        writer.close()


async def test_an_end_is_not_taken_back_by_an_older_list(tmp_path: Path) -> None:
    heard: list[TaskFact] = []
    async with HastyKeeper(tmp_path):
        link = KeeperLink(tmp_path, on_fact=heard.append)
        await link.start()
        await link.stop(KEY, "n", 0.0)
        await link.close()
    assert heard != []
    assert all(fact.end is not None for fact in heard)
