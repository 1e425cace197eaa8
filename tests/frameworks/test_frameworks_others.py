"""Real JAX, MPI and Ray find what was prepared for them; whichever of them is installed."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.agent.gangs import GangStory

pytestmark = pytest.mark.frameworks

JAX = """
import jax
jax.distributed.initialize()
from jax.experimental.multihost_utils import process_allgather
total = process_allgather(jax.numpy.array([jax.process_index()])).sum()
print(f"{jax.process_index()} {jax.process_count()} {total}")
"""
MPI = """
import os, sys
from mpi4py import MPI
world = MPI.COMM_WORLD
# In one piece: what several nodes write is put together as it comes.
sys.stdout.write(f"{world.rank} {world.size} {os.environ['DANLU_NODE']} {world.allreduce(world.rank + 1)}\\n")
"""
RAY = """
import ray
ray.init()
@ray.remote
def square(number):
    return number * number
print("squares", ray.get([square.remote(number) for number in range(4)]), len(ray.nodes()))
"""


@pytest.fixture
async def apart(folder: Path) -> AsyncIterator[GangStory]:
    """Nodes with addresses of their own."""
    async with GangStory(folder, ("127.0.0.1", "127.0.0.2")) as story:
        yield story


def need(environment: str, program: str) -> None:
    if not list(Path(environment).glob(f"bin/{program}")) + list(
        Path(environment).glob(f"lib/python3*/site-packages/{program}")
    ):
        pytest.skip(f"there is no {program} in {environment}")


async def test_jax_initializes_without_a_word(gang: GangStory, torch_environment: str) -> None:
    need(torch_environment, "jax")
    (gang.directory / "train.py").write_text(JAX)
    variables = {"JAX_PLATFORMS": "cpu"}
    outputs = await gang.outputs_of(
        "python train.py", "jax", environment=torch_environment, variables=variables
    )
    assert [output.splitlines()[-1] for output in outputs] == ["0 2 1", "1 2 1"]


async def test_mpirun_needs_neither_hosts_nor_ssh(apart: GangStory, torch_environment: str) -> None:
    need(torch_environment, "mpirun")
    (apart.directory / "train.py").write_text(MPI)
    ends = await apart.run("mpirun python train.py", "mpi", environment=torch_environment, job_secret="hush")
    log = (apart.nodes[0].folder / "logs" / "1-1-0.log").read_text()
    assert (ends[0].wait_status, sorted(log.splitlines())) == (0, ["0 2 n0 3", "1 2 n1 3"])


async def test_ray_spans_the_nodes(apart: GangStory, torch_environment: str) -> None:
    need(torch_environment, "ray")
    (apart.directory / "train.py").write_text(RAY)
    ends = await apart.run("python train.py", "ray", environment=torch_environment, job_secret="hush")
    log = (apart.nodes[0].folder / "logs" / "1-1-0.log").read_text()
    assert (os.waitstatus_to_exitcode(ends[0].wait_status or 0), ends[0].problem) == (0, None)
    assert "squares [0, 1, 4, 9] 2" in log
