"""A task cannot open a GPU that it was not given, where the kernel lets us see to that."""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.agent.gpus.gpu_probe import Sight
from danlu.agent.keeper.isolation.devices import NVIDIA, assemble
from danlu.agent.node_agent import NodeAgent
from danlu.core.task import TaskEnding
from tests.agent.story import Node, eventually

BLOCK, CHARACTER = 1, 2
READ = 2


def answer(program: bytes, kind: int, major: int, minor: int) -> int:
    """Runs a program as the kernel would: what it says about a device."""
    words = {0: READ << 16 | kind, 4: major, 8: minor}
    registers = [0] * 11
    instructions = [struct.unpack("<BBhi", program[at : at + 8]) for at in range(0, len(program), 8)]
    at = 0
    for _ in range(1000):
        code, registers_named, offset, value = instructions[at]
        at += 1
        target, source = registers_named & 15, registers_named >> 4
        match code:
            case 0x61:
                assert source == 1, "only what the kernel hands over is read"
                registers[target] = words[offset]
            case 0x57:
                registers[target] &= value
            case 0xB7:
                registers[target] = value
            case 0x15 | 0x25 | 0x55:
                left = registers[target]
                hit = {0x15: left == value, 0x25: left > value, 0x55: left != value}[code]
                at += offset if hit else 0
            case 0x95:
                return registers[0]
            case _:
                raise AssertionError(f"an instruction that was not expected: {code:#x}")
    raise AssertionError("it never ends")


@given(
    st.sets(st.integers(0, 63), max_size=16),
    st.sampled_from([BLOCK, CHARACTER]),
    st.sampled_from([1, NVIDIA, 196, 508]),
    st.integers(0, 255),
)
def test_the_program_refuses_other_gpus_and_nothing_else(
    given_gpus: set[int], kind: int, major: int, minor: int
) -> None:
    is_gpu = kind == CHARACTER and major == NVIDIA and minor < 248
    expected = 0 if is_gpu and minor not in given_gpus else 1
    assert answer(assemble(NVIDIA, given_gpus), kind, major, minor) == expected


@pytest.fixture
def device_files(folder: Path) -> Path:
    """Device files of four GPUs and of the driver. Without a driver behind them, opening one that is allowed
    fails with ENXIO."""
    if os.geteuid() != 0:
        pytest.skip("only root can make device files")
    for name, minor in {"nvidia0": 0, "nvidia1": 1, "nvidia2": 2, "nvidia3": 3, "nvidiactl": 255}.items():
        try:
            os.mknod(folder / name, stat.S_IFCHR | 0o666, os.makedev(NVIDIA, minor))
        except PermissionError:
            pytest.skip("no device files can be made here")
        (folder / name).chmod(0o666)
    return folder


OPEN = """\
for name in nvidia0 nvidia1 nvidia2 nvidia3 nvidiactl; do
  if (exec 3< {folder}/$name) 2> {folder}/why; then echo "$name opened"
  elif grep -q "not permitted" {folder}/why; then echo "$name refused"
  else echo "$name allowed"; fi
done
"""


async def what_it_opens(node: Node, folder: Path, **fields: Any) -> dict[str, str]:
    order = node.a_task(OPEN.format(folder=folder), **fields)
    await node.link.launch(order)
    end = await node.end_of(order.key)
    assert end.wait_status == 0, node.log(order)
    return dict(line.split() for line in node.log(order).splitlines())


def verdicts(*words: str) -> dict[str, str]:
    return dict(zip(["nvidia0", "nvidia1", "nvidia2", "nvidia3", "nvidiactl"], words, strict=True))


async def a_guarded_node(a_node: Callable[..., Any], mode: str) -> Node:
    node: Node = await a_node(mode=mode)
    if not node.link.device_guard:
        pytest.skip("the kernel has no device cgroup for us")
    return node


async def test_a_task_opens_its_own_gpus_and_no_others(
    a_node: Callable[..., Any], device_files: Path, mode: str
) -> None:
    node = await a_guarded_node(a_node, mode)
    assert await what_it_opens(node, device_files, gpu_ids=(1, 3), gpu_devices=(1, 3)) == verdicts(
        "refused", "allowed", "refused", "allowed", "allowed"
    )
    # The number of a device file need not be the GPU's.
    assert await what_it_opens(node, device_files, gpu_ids=(0,), gpu_devices=(2,)) == verdicts(
        "refused", "refused", "allowed", "refused", "allowed"
    )
    assert await what_it_opens(node, device_files, gpu_devices=()) == verdicts(*["refused"] * 4, "allowed")


async def test_where_nobody_knows_the_gpus_no_task_is_kept_from_any(
    a_node: Callable[..., Any], device_files: Path
) -> None:
    node: Node = await a_node()
    assert await what_it_opens(node, device_files) == verdicts(*["allowed"] * 5)


def groups_of(node: Node) -> list[Path]:
    # Not a glob: groups of others come and go while we look.
    parent = f"/danlu-{node.link.label}"
    found = os.walk("/sys/fs/cgroup")
    return [Path(folder, name) for folder, names, _ in found if folder.endswith(parent) for name in names]


async def test_a_guarded_task_is_stopped_as_any_other_and_leaves_no_groups(
    a_node: Callable[..., Any], mode: str
) -> None:
    node = await a_guarded_node(a_node, mode)
    order = node.a_task("(setsid sleep 300 &); sleep 300", gpu_devices=())
    await node.link.launch(order)
    await eventually(lambda: order.key in node.known)
    assert groups_of(node)
    await node.kill_keeper()
    await node.agent.stop(order.key, grace_s=0)
    assert (await node.end_of(order.key)).ending is TaskEnding.STOPPED
    await eventually(lambda: not groups_of(node))


class FixedGpus:
    """Two GPUs with device files of their own numbers; CUDA's numbers may be ours or not."""

    def __init__(self, names: dict[int, str]) -> None:
        self._sight = Sight(devices={0: 4, 1: 5}, names=names)

    async def look(self) -> Sight:
        return self._sight

    async def forget(self, index: int) -> bool:
        return False


SEEN = "echo $CUDA_VISIBLE_DEVICES $NVIDIA_VISIBLE_DEVICES $DANLU_GPU_IDS"


@pytest.mark.parametrize(
    ("names", "seen"), [({}, "1 1 1\n"), ({0: "GPU-a", 1: "GPU-b"}, "GPU-b GPU-b 1\n")], ids=["same", "other"]
)
async def test_an_agent_says_which_device_files_and_names_its_gpus_have(
    a_node: Callable[..., Any], names: dict[int, str], seen: str
) -> None:
    node: Node = await a_node()
    orders = []
    launch = node.link.launch

    async def note_and_launch(order):
        orders.append(order)
        await launch(order)

    node.link.launch = note_and_launch
    agent = NodeAgent("furnace-1", node.link, FixedGpus(names))
    order = node.a_task(SEEN, gpu_ids=(1,))
    await agent.launch(order)
    await node.end_of(order.key)
    assert orders == [replace(order, gpu_devices=(5,), gpu_names=tuple(names.values())[1:])]
    assert node.log(order) == seen
