"""A task gets the CPUs and the memory that it asked for and no more, where the kernel lets us."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from danlu.agent.keeper.isolation.limits import CPU, MEMORY, limit_at
from danlu.agent.keeper.isolation.memory_watch import MemoryWatch
from danlu.core.task import TaskEnding
from tests.agent.story import Node, eventually

EAT = "python3 -c 'x = []\nwhile True: x.append(bytearray(1 << 20))'"
BOTH_CORES = (
    "python3 -c 'import os, time\nos.fork()\nend = time.time() + 1\nwhile time.time() < end: pass'; wait"
)


@pytest.fixture
async def limited(a_node: Callable[..., Any], mode: str) -> Node:
    node: Node = await a_node(mode=mode)
    if not (node.link.memory_guard and node.link.cpu_guard):
        pytest.skip("the kernel has no cgroup of memory and CPUs for us")
    return node


async def test_a_task_that_takes_more_memory_than_it_asked_for_is_told_from_a_killed_one(
    limited: Node,
) -> None:
    end = await limited.run(EAT, memory_mb=64)
    assert end.ending is TaskEnding.OUT_OF_MEMORY
    assert end.detail == "64 MB / 64 MB"
    assert end.peak_memory_mb == 64
    killed = await limited.run("kill -9 $$", memory_mb=64)
    assert killed.ending is TaskEnding.EXITED


async def test_the_whole_task_ends_when_a_process_of_it_has_no_memory(limited: Node) -> None:
    """A data loader without its worker would wait for ever."""
    end = await limited.run(f"({EAT}); sleep 300", memory_mb=64)
    assert end.ending is TaskEnding.OUT_OF_MEMORY


async def test_memory_has_its_end_without_a_keeper(limited: Node) -> None:
    order = await limited.started(
        f"until [ -e {limited.folder}/go ]; do sleep 0.02; done; {EAT}", memory_mb=64
    )
    await limited.kill_keeper()
    (limited.folder / "go").touch()
    assert (await limited.end_of(order.key)).ending is TaskEnding.OUT_OF_MEMORY


async def test_a_task_uses_no_more_cpus_than_it_asked_for(limited: Node) -> None:
    before = time.monotonic()
    end = await limited.run(BOTH_CORES, cpus=0.5)
    passed_s = time.monotonic() - before
    assert end.cpu_s is not None
    # The quota is that of each tenth of a second: one of them may be begun.
    assert 0 < end.cpu_s <= 0.5 * passed_s + 0.1


async def test_what_asks_for_nothing_is_held_to_nothing(limited: Node) -> None:
    output = await limited.output_of("cat /proc/self/cgroup")
    groups = {line.split(":", 2)[1]: line for line in output.splitlines()}
    if limited.link.memory_guard == "v1":
        assert "danlu-" not in groups["memory"]
        assert "danlu-" not in groups["cpu"]
    end = await limited.run(EAT.replace("while True", "for _ in range(96)"))
    assert (end.ending, end.wait_status) == (TaskEnding.EXITED, 0)
    assert end.peak_memory_mb >= 96


async def test_a_limited_task_leaves_no_groups_behind(limited: Node) -> None:
    order = await limited.started("(setsid sleep 300 &); sleep 300", cpus=1, memory_mb=64)
    assert any(str(order.key) in name for name in groups_of(limited))
    await limited.agent.stop(order.key, grace_s=0)
    assert (await limited.end_of(order.key)).ending is TaskEnding.STOPPED
    await eventually(lambda: not any(str(order.key) in name for name in groups_of(limited)))


def groups_of(node: Node) -> list[str]:
    parent = f"/danlu-{node.link.label}"
    found = os.walk("/sys/fs/cgroup")
    return [f"{folder}/{name}" for folder, names, _ in found if folder.endswith(parent) for name in names]


async def test_a_node_says_what_holds_its_tasks(limited: Node) -> None:
    facts = await limited.agent.facts()
    assert (facts.cpu_guard, facts.memory_guard) == (limited.link.cpu_guard, limited.link.memory_guard)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A v2 hierarchy with a parent and a task's group, as files of what the kernel would have there."""
    group = tmp_path / "danlu-x" / "1-1-0"
    group.mkdir(parents=True)
    for folder in (tmp_path, group.parent, group):
        for name in ("cgroup.procs", "cgroup.subtree_control", "cpu.weight"):
            (folder / name).touch()
    return group


def written(group: Path, *names: str) -> list[str]:
    return [(group / name).read_text() for name in names]


def test_a_v2_group_is_held_to_cpus_and_memory(tree: Path) -> None:
    for name in ("cpu.max", "memory.max", "memory.swap.max", "memory.oom.group"):
        (tree / name).touch()
    limit_at("v2", str(tree), CPU, 2).create()
    limit_at("v2", str(tree), MEMORY, 512).create()
    assert written(tree, "cpu.max", "cpu.weight") == ["200000 100000", "200"]
    assert written(tree, "memory.max", "memory.swap.max", "memory.oom.group") == [str(512 << 20), "0", "1"]
    assert written(tree.parent, "cgroup.subtree_control") == [""]


def test_a_v2_group_without_the_controller_gets_it_from_above(tree: Path) -> None:
    (tree.parent / "cgroup.procs").write_text("4242\n")
    (tree.parent / "wrappers").mkdir()
    (tree.parent / "wrappers" / "cgroup.procs").touch()
    with pytest.raises(FileNotFoundError):
        # Here no kernel makes the file.
        limit_at("v2", str(tree), MEMORY, 512).create()
    assert written(tree.parent, "cgroup.subtree_control") == ["+memory"]
    assert written(tree.parent.parent, "cgroup.subtree_control") == ["+memory"]
    assert written(tree.parent / "wrappers", "cgroup.procs") == ["4242"]


def test_a_v2_group_says_who_was_killed_and_its_peak(tree: Path) -> None:
    watch = MemoryWatch("v2", str(tree))
    watch.look()
    assert (watch.kills, watch.peak_mb) == (0, 0)
    (tree / "memory.events").write_text("low 0\nhigh 0\nmax 7\noom 1\noom_kill 3\noom_group_kill 1\n")
    (tree / "memory.peak").write_text(f"{(512 << 20) - 1}\n")
    watch.look()
    assert (watch.kills, watch.peak_mb) == (3, 512)
