"""A node removes what it keeps of deleted jobs, and nothing else."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from danlu.agent.files.job_files import remove_job_files
from danlu.cluster.server.agents import NodeUnreachable
from danlu.core.job_id import LARGEST_JOB, element_id
from danlu.core.task import TaskKey
from tests.cluster.story import NODE, Cluster, NatsStory


def keep_files(data: Path, *jobs: int) -> list[Path]:
    """Logs and results as tasks leave them, those of an array's elements a folder deeper."""
    folders = [data / kind / str(job) for job in jobs for kind in ("logs", "results")]
    for folder in folders:
        (folder / "task-3").mkdir(parents=True)
        (folder / "1.log").write_text("…")
        (folder / "task-3" / "1.1.log").write_text("…")
    return folders


async def test_what_a_node_has_of_deleted_jobs_is_gone_and_the_rest_stays(cluster: Cluster) -> None:
    data = cluster.folder / "data"
    doomed, others = keep_files(data, 101, 102), keep_files(data, 10, 1012)
    assert await cluster.agents.remove_jobs(NODE, [101, 102, 999]) == [101, 102, 999]
    assert not any(folder.exists() for folder in doomed)
    assert all((folder / "1.log").exists() for folder in others)
    assert await cluster.agents.remove_jobs(NODE, [101]) == [101]


async def test_a_job_that_still_runs_there_is_left_alone(cluster: Cluster) -> None:
    data = cluster.folder / "data"
    log = cluster.own("logs/7/task-2/1.log")
    order = await cluster.started("sleep 1000", key=TaskKey(element_id(7, 2), 1, 0), log_path=log)
    (theirs,) = keep_files(data, 8)[:1]
    assert await cluster.agents.remove_jobs(NODE, [7, 8]) == [8]
    assert (data / "logs" / "7" / "task-2" / "1.log").exists()
    assert not theirs.exists()
    await cluster.agents.stop(NODE, order.key, 0.0)
    await cluster.end_of(order.key)
    assert await cluster.agents.remove_jobs(NODE, [7]) == [7]
    assert not (data / "logs" / "7").exists()


@pytest.mark.parametrize("wanted", ["../node", "7/..", "", 0, -1, True, 1.0, None, LARGEST_JOB + 1])
async def test_only_numbers_of_jobs_are_taken(nats: NatsStory, wanted: Any) -> None:
    """Whatever a server says: the node makes its paths of numbers."""
    kept = keep_files(nats.process.folder, 1, 7)
    with pytest.raises(NodeUnreachable):
        await nats.agents.remove_jobs(NODE, [7, wanted])
    assert all(folder.exists() for folder in kept)
    assert (nats.process.folder / "node").is_dir()


def test_links_are_not_followed(tmp_path: Path) -> None:
    theirs = keep_files(tmp_path / "elsewhere", 1)[0]
    data = tmp_path / "data"
    (data / "logs").mkdir(parents=True)
    (data / "logs" / "5").symlink_to(theirs)
    (inside,) = keep_files(data, 6)[:1]
    (inside / "link").symlink_to(theirs)
    os.mkfifo(inside / "pipe")
    # The link goes, and what it leads to stays.
    assert remove_job_files(data, [5, 6]) == [5, 6]
    assert (theirs / "1.log").exists()
    assert not inside.exists()
    assert not (data / "logs" / "5").is_symlink()


def test_one_that_cannot_be_removed_keeps_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = shutil.rmtree

    def too_deep(path: Path, **options: bool) -> None:
        if path.name == "5":
            raise RecursionError
        real(path, **options)

    keep_files(tmp_path, 5)
    keep_files(tmp_path, 6)
    monkeypatch.setattr(shutil, "rmtree", too_deep)
    assert remove_job_files(tmp_path, [5, 6]) == [6]


def test_two_at_a_time_do_not_disturb_each_other(tmp_path: Path) -> None:
    jobs = list(range(1, 60))
    keep_files(tmp_path, *jobs)
    workers = [threading.Thread(target=remove_job_files, args=(tmp_path, jobs)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not list((tmp_path / "logs").iterdir())
    assert not list((tmp_path / "results").iterdir())
