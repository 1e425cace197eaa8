from __future__ import annotations

import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from danlu.agent.keeper.isolation.cgroups import CgroupsUnavailable, choose_grounds
from tests.agent.story import Node, eventually
from tests.support.processes import remove_when_left


def works_here(mode: str) -> bool:
    try:
        choose_grounds(mode, "tests")
    except CgroupsUnavailable:
        return False
    return True


@pytest.fixture(params=["v2", "v1", "none"])
def mode(request: pytest.FixtureRequest) -> str:
    """Each mode of containment that this machine has."""
    if not works_here(request.param):
        pytest.skip(f"no cgroup of mode {request.param} can be made here")
    return request.param


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that other accounts can enter, unlike pytest's own."""
    path = Path(tempfile.mkdtemp(prefix="danlu-agent-"))
    path.chmod(0o755)
    yield path
    remove_when_left(path)


@pytest.fixture
async def a_node(folder: Path) -> AsyncIterator[Callable[..., Any]]:
    """`await a_node(mode=…)`: a node that is up. Nothing of it outlives the test."""
    nodes: list[Node] = []

    async def start(**settings: Any) -> Node:
        node = Node(folder, **settings)
        nodes.append(node)
        await node.link.start()
        return node

    yield start
    for node in nodes:
        with contextlib.suppress(Exception):
            for fact in await node.agent.tasks():
                if fact.end is None:
                    await node.agent.stop(fact.key, grace_s=0)
                    await node.end_of(fact.key)
                await node.agent.forget([fact.key])
            await node.retire_keeper()
        await node.link.close()
        await eventually(lambda node=node: node.keeper() is None)


@pytest.fixture
async def node(a_node: Callable[..., Any]) -> Node:
    return await a_node()
