"""The doctor looks when a node comes, again when it did not answer; what is well again is said no more."""

from __future__ import annotations

import asyncio
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from asyncinotify import Inotify, Mask

from danlu.agent.doctor import judge_folder
from danlu.cluster.server.agents import NodeUnreachable
from danlu.control.nodes import doctor_rounds
from danlu.control.nodes.doctor import prove
from danlu.control.nodes.doctor_rounds import AFTER_START_S, EVERY_S, LOOK_AGAIN_S, Rounds
from danlu.core.nodes.doctor import PROOF_FILE, Question, SharedFolder
from danlu.core.nodes.node import Finding, FindingLevel
from danlu.store.nodes.node_rows import get_node, mark_lost
from tests.control.agents import RecordingAgents
from tests.control.conftest import OpenWorld
from tests.control.world import PATIENCE_S, World

MISSING = Finding("folder", FindingLevel.PROBLEM, "missing", {"path": "/data"})


class MuteAgents(RecordingAgents):
    """Does not answer the doctor while it is `mute`; then it says what there is to find."""

    def __init__(self) -> None:
        super().__init__()
        self.mute = True
        self.asked = 0
        self.found: list[Finding] = [MISSING]

    async def diagnose(self, node: str, question: Question) -> list[Finding]:
        self.asked += 1
        if self.mute:
            raise NodeUnreachable(node)
        return self.found


async def findings(world: World) -> list[str]:
    node = await world.control.database.read(lambda connection: get_node(connection, "forge"))
    return [f"{each.check}.{each.code}" for each in node.findings] if node else []


async def until_found(world: World, *wanted: str) -> None:
    async with asyncio.timeout(PATIENCE_S):
        with world.control.bus.subscribe() as news:
            while await findings(world) != list(wanted):
                await news.next()


async def test_who_did_not_answer_is_asked_again_soon(
    open_world: OpenWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_rounds, "LOOK_AGAIN_S", (0.01, 0.05))
    agents = MuteAgents()
    world = await open_world(agents)
    # It is up, so that its state does not show that something is wrong.
    assert await findings(world) == ["node.silent"]
    await world.until_true(lambda: agents.asked > 3)
    agents.mute = False
    await until_found(world, "folder.missing")
    agents.found = []
    await world.control.doctor.examine("forge")
    assert await findings(world) == []
    # A look that was due for the trouble of before may still come; behind it there is none.
    await world.until_true(lambda: world.control.doctor._rounds.next_at() > time.monotonic() + 1)
    await world.settle()
    asked = agents.asked
    await world.settle()
    assert agents.asked == asked


async def test_a_lost_node_is_not_asked_until_it_returns(open_world: OpenWorld) -> None:
    agents = MuteAgents()
    agents.mute = False
    world = await open_world(agents)
    agents.mute = True
    await world.control.database.write(lambda tx: mark_lost(tx, "forge"))
    assert [each.code for each in await world.control.doctor.examine("forge")] == ["silent"]
    assert await findings(world) == ["folder.missing"]
    agents.mute, agents.found = False, [Finding("clock", FindingLevel.OK, "same", {"seconds": 0.0})]
    await world.round()
    await until_found(world, "clock.same")


class TestRounds:
    def test_all_are_due_soon_after_the_start_and_then_every_hour_whoever_comes_in_between(self) -> None:
        rounds = Rounds(0.0)
        assert not rounds.is_time_for_all(AFTER_START_S - 1)
        assert rounds.is_time_for_all(AFTER_START_S)
        for minute in range(1, 60):
            rounds.call_for(["n1"], AFTER_START_S + minute * 60)
            assert not rounds.is_time_for_all(AFTER_START_S + minute * 60)
            assert rounds.take_due(AFTER_START_S + minute * 60) == {"n1"}
        assert rounds.next_at() == AFTER_START_S + EVERY_S

    def test_the_silent_are_asked_ever_more_rarely_but_never_forgotten(self) -> None:
        rounds, now, pauses = Rounds(0.0), 0.0, list[int]()
        for _ in range(40):
            rounds.note_trouble("n1", now)
            pauses.append(next(each for each in range(1000) if rounds.take_due(now + each)))
            now += pauses[-1]
        assert pauses == sorted(pauses)
        assert (pauses[0], pauses[-1]) == LOOK_AGAIN_S
        rounds.note_well("n1")
        rounds.note_trouble("n1", now)
        assert rounds.take_due(now + LOOK_AGAIN_S[0]) == {"n1"}

    def test_who_is_called_for_does_not_wait_for_a_retry(self) -> None:
        rounds = Rounds(0.0)
        for _ in range(9):
            rounds.note_trouble("n1", 0.0)
        rounds.call_for(["n1"], 1.0)
        assert rounds.take_due(1.0) == {"n1"}
        rounds.call_for(["n1"], 2.0)
        rounds.note_trouble("n1", 2.0)
        assert rounds.take_due(2.0) == {"n1"}


def test_all_who_prove_a_folder_at_the_same_time_find_the_same(tmp_path: Path) -> None:
    for number in range(30):
        folder = tmp_path / str(number)
        folder.mkdir()
        with ThreadPoolExecutor(4) as pool:
            found = set(pool.map(lambda _, folder=folder: prove(folder).proof, range(4)))
        assert len(found) == 1
        assert found != {""}
        assert [each.name for each in folder.iterdir()] == [PROOF_FILE], "nothing else is left"


def test_a_proof_that_was_never_finished_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / PROOF_FILE).touch()
    assert prove(tmp_path).proof


@pytest.mark.parametrize("trap", ["fifo", "link"])
def test_what_others_put_in_the_place_of_the_proof_is_not_opened(tmp_path: Path, trap: str) -> None:
    """All users may write in a shared folder, and the server may be root."""
    folder, secret = tmp_path / "shared", tmp_path / "secret"
    folder.mkdir()
    secret.write_text("hush")
    proof = folder / PROOF_FILE
    if trap == "fifo":
        os.mkfifo(proof)
    else:
        proof.symlink_to(secret)
    with Inotify(sync_timeout=0) as opened:
        opened.add_watch(secret, Mask.OPEN)
        opened.add_watch(proof, Mask.OPEN | Mask.DONT_FOLLOW)
        assert prove(folder).proof == ""
        assert judge_folder(SharedFolder(str(folder), "hush")).code == "different"
        assert opened.sync_get() is None
    assert [each.name for each in folder.iterdir()] == [PROOF_FILE]
