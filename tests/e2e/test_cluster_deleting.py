"""A deleted job leaves nothing on any machine, also on one that was cut off when it was deleted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.hosts import Host, Master, hosts
from tests.support.installation import wait_until

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Host, ...]]:
    with hosts(3, tmp_path_factory.mktemp("deleting"), lease_s=2.0) as made:
        yield made


def left_of(job: int, host: Host) -> list[Path]:
    """What a machine keeps of this job."""
    folders = (host.data / area / str(job) for area in ("logs", "results"))
    return [folder for folder in folders if folder.exists()]


def test_what_is_deleted_is_gone_everywhere(machines: tuple[Host, ...]) -> None:
    one, two, three = machines
    master = Master(one, "--cluster").start()
    for host in (two, three):
        host.join(master)
    gang = master.submit("echo here", nodes="2", only_nodes=["two", "three"])
    array = master.submit("echo here", array="1-4", node="two")
    kept = master.submit("echo kept", node="two")
    for job in (gang, array, kept):
        assert master.wait_ended(job)["job"]["state"] == "succeeded"
    assert all(left_of(gang, host) for host in (two, three))
    assert left_of(array, two)

    two.cut()
    master.wait_node("two", "lost")
    for job in (gang, array):
        master.cli("delete", str(job))
    wait_until(lambda: not left_of(gang, three), 20, "its files on the node that is there being gone")
    assert left_of(gang, two)
    # What is left to do outlives the server.
    master.kill()
    master.start()
    two.heal()
    for job in (gang, array):
        wait_until(lambda job=job: not left_of(job, two), 40, f"job {job} being gone:\n{master.log()}")
    assert master.cli("logs", str(kept)).stdout == "kept\n"
