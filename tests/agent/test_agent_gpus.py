"""The GPUs of a node: their numbers, a driver that hangs, and whose the processes on them are."""

from __future__ import annotations

import asyncio
import os
import pwd
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.agent.gpus.gpu_book import Card, GpuBook, assign_numbers
from danlu.agent.gpus.gpu_probe import PatientProbe, Sight
from danlu.agent.gpus.gpu_processes import TaskFinder, identify
from danlu.agent.gpus.simulation import SimulatedGpus
from danlu.core.nodes.node import Gpu, GpuProcess, GpuReading, is_foreign_busy
from danlu.core.task import TaskKey
from tests.agent.story import Node, eventually


def listed(*letters: str) -> list[Card]:
    """Cards as a driver lists them, one behind the other."""
    return [Card(place, f"GPU-{letter}", letter, 1000, place) for place, letter in enumerate(letters)]


def shown(cards: dict[int, Card]) -> str:
    return " ".join(f"{index}{card.name}" for index, card in cards.items())


LISTS = st.lists(st.sampled_from("ABCDEF"), unique=True, max_size=5)


@given(st.lists(LISTS, min_size=1, max_size=6))
def test_a_card_keeps_its_number_for_as_long_as_it_is_known(story: list[list[str]]) -> None:
    known: dict[int, Card] = {}
    for letters in story:
        before, now = known, listed(*letters)
        known = assign_numbers(known, now)
        number_of = {card.uuid: index for index, card in known.items()}
        assert len(number_of) == len(known), "no card has two numbers"
        assert {card.uuid for card in now} <= set(number_of), "what is there is known"
        for index, card in before.items():
            assert number_of.get(card.uuid, index) == index, "no GPU is renumbered"
            if known[index].uuid != card.uuid:
                assert card.uuid not in {each.uuid for each in now}, "only who is gone is replaced"


@pytest.mark.parametrize(
    ("before", "after", "numbers"),
    [
        ("ABC", "ABC", "0A 1B 2C"),
        ("ABC", "AC", "0A 1B 2C"),
        ("ABC", "AXC", "0A 1X 2C"),
        ("ABC", "ACX", "0A 1B 2C 3X"),
        ("AB", "ABX", "0A 1B 2X"),
        ("AB", "", "0A 1B"),
    ],
)
def test_numbers_of_cards_that_come_and_go(before: str, after: str, numbers: str) -> None:
    known = assign_numbers({}, listed(*before))
    assert shown(assign_numbers(known, listed(*after))) == numbers


def test_a_card_that_is_silent_is_not_replaced() -> None:
    known = assign_numbers({}, listed("A", "B"))
    newcomer = Card(1, "GPU-X", "X", 1000)
    assert shown(assign_numbers(known, [listed("A")[0], newcomer], silent=[1])) == "0A 1B 2X"


def test_a_spoilt_note_of_the_cards_is_as_good_as_none(tmp_path: Path) -> None:
    path = tmp_path / "node" / "gpus.json"
    GpuBook(path).enter(listed("A"))
    assert shown(GpuBook(path).cards) == "0A"
    path.write_text('{"0": {"uu')
    assert GpuBook(path).cards == {}


async def test_simulated_gpus_tell_what_they_are_doing() -> None:
    sight = await SimulatedGpus("a", 2).look()
    assert [(each.index, each.used_mb, each.load, each.processes) for each in sight.readings] == [
        (0, 0, 0, ()),
        (1, 0, 0, ()),
    ]
    assert sight.devices_of((0,)) is None, "there is no device file to keep tasks from"


class HangingDriver:
    """Comes back only when the test says so."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.looks = 0

    def remembered(self) -> Sight:
        return Sight((Gpu(0, "GPU-A", "A", 1000),), (GpuReading(0, "GPU-A", 1000),))

    def look(self) -> Sight:
        self.looks += 1
        self.free.wait()
        return self.remembered()

    def forget(self, index: int) -> bool:
        return False


async def test_a_driver_that_hangs_holds_up_nobody_and_is_the_fault_of_its_gpus() -> None:
    driver = HangingDriver()
    probe = PatientProbe(driver, patience_s=0.05)
    driver.free.set()
    assert (await probe.look()).gpus[0].fault == ""
    driver.free.clear()
    first, second = await asyncio.gather(probe.look(), probe.look())
    assert first.gpus[0].fault.startswith("the NVIDIA driver has not answered since ")
    assert second.readings[0].fault == first.gpus[0].fault
    assert not first.readings[0].lost
    assert (await probe.look()).gpus == first.gpus
    assert driver.looks == 2, "no second thread is sent after one that does not come back"
    driver.free.set()
    probe._patience_s = 10.0
    assert (await probe.look()).gpus[0].fault == ""


async def test_a_driver_that_hangs_from_the_start_loses_no_gpu_that_is_remembered() -> None:
    driver = HangingDriver()
    sight = await PatientProbe(driver, patience_s=0.01).look()
    driver.free.set()
    assert [bool(gpu.fault) for gpu in sight.gpus] == [True]


async def test_a_look_that_fails_is_told_and_the_next_one_is_another() -> None:
    class BrokenOnce(HangingDriver):
        def look(self) -> Sight:
            if self.looks == 0:
                self.looks += 1
                raise RuntimeError("out of luck")
            return super().look()

    driver = BrokenOnce()
    driver.free.set()
    probe = PatientProbe(driver)
    with pytest.raises(RuntimeError, match="out of luck"):
        await probe.look()
    assert len((await probe.look()).gpus) == 1


# Whose a process is.


def on_gpu(*pids: int) -> list[GpuProcess]:
    return [GpuProcess(pid, "", "", 100) for pid in pids]


ESCAPE = "(setsid sleep 300 & echo $! > {file}) ; sleep 300"


async def test_processes_belong_to_the_task_they_are_of(
    a_node: Callable[..., Any], folder: Path, mode: str
) -> None:
    node: Node = await a_node(mode=mode)
    pidfile = folder / "escaped"
    order = await node.started(ESCAPE.format(file=pidfile))
    await eventually(lambda: pidfile.exists() and pidfile.read_text().endswith("\n"))
    escaped = int(pidfile.read_text())
    await eventually(lambda: Path(f"/proc/{escaped}/comm").read_text() == "sleep\n")
    stranger = subprocess.Popen(
        ["sleep", "300"], env={**os.environ, "DANLU_TASK": f"{order.key}:forged", "DANLU_JOB_ID": "1"}
    )
    await eventually(lambda: Path(f"/proc/{stranger.pid}/comm").read_text() == "sleep\n")
    try:
        finder = TaskFinder(node.link.folder, node.link.label)
        ours, foreign = identify(on_gpu(escaped, stranger.pid), finder, {order.key})
        assert (ours.job_id, ours.command) == (order.key.job, "sleep")
        assert (foreign.job_id, foreign.command) == (None, "sleep")
        assert foreign.user == ours.user == pwd.getpwuid(os.geteuid()).pw_name
        (left,) = identify(on_gpu(escaped), finder, {TaskKey(99, 1, 0)})
        assert left.job_id is None, "what an ended task left behind is a stranger"
    finally:
        stranger.kill()
        stranger.wait()


async def test_a_process_that_has_ended_is_on_no_gpu_any_more(tmp_path: Path) -> None:
    finder = TaskFinder(tmp_path, "label")
    zombie = subprocess.Popen(["true"])
    await eventually(lambda: "Z" in Path(f"/proc/{zombie.pid}/stat").read_text())
    assert identify(on_gpu(zombie.pid), finder, ()) == ()
    zombie.wait()
    assert identify(on_gpu(zombie.pid), finder, ()) == ()


def test_who_cannot_see_a_process_lists_it_without_a_name(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("danlu.agent.gpus.gpu_processes._sees_all_processes", lambda: False)
    gone = subprocess.Popen(["true"])
    gone.wait()
    (process,) = identify(on_gpu(gone.pid), TaskFinder(tmp_path, "label"), ())
    assert (process.user, process.command, process.job_id) == ("", "", None)


# Whether a foreign process is on a GPU.


def a_reading(used_mb: int = 0, *processes: GpuProcess) -> GpuReading:
    return GpuReading(0, "GPU-A", 10_000, used_mb, processes=processes)


OURS = GpuProcess(10, "li", "python", 4000, job_id=7)
THEIRS = GpuProcess(11, "wang", "python", 1)
DESKTOP = GpuProcess(12, "root", "Xorg", 300, graphics=True)


@pytest.mark.parametrize(
    ("reading", "busy"),
    [
        (a_reading(), False),
        (a_reading(999), False),
        (a_reading(1000), True),
        (a_reading(4000, OURS), False),
        (a_reading(5000, OURS), True),
        (a_reading(1, THEIRS), True),
        (a_reading(4001, OURS, THEIRS), True),
        (a_reading(300, DESKTOP), False),
        (a_reading(1500, DESKTOP), True),
        (a_reading(9000, GpuProcess(10, "li", "python", 0, job_id=7)), False),
    ],
)
def test_whether_somebody_is_on_it_whom_danlu_did_not_put_there(reading: GpuReading, busy: bool) -> None:
    assert is_foreign_busy(reading) is busy
