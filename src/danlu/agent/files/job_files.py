"""What Danlu keeps of a job on its node: a folder below `logs` and one below `results`, by its number."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from danlu.agent.aside import run_aside
from danlu.agent.keeper_link import KeeperLink
from danlu.core.job_id import LARGEST_JOB, job_of

FOLDERS = ("logs", "results")
PATIENCE_S = 10.0


def remove_job_files(data: Path, job_ids: Iterable[int]) -> list[int]:
    """Remove the folders of these jobs below the data folder; the jobs of which nothing is left. Blocks.

    A path is made of a number and nothing else; a link in its place is removed, and not followed. Raises
    ValueError.
    """
    places = {job_id: _folders(data, job_id) for job_id in job_ids}
    for folders in places.values():
        for folder in folders:
            _remove(folder)
    return [
        job_id for job_id, folders in places.items() if not any(os.path.lexists(folder) for folder in folders)
    ]


def _remove(folder: Path) -> None:
    # Deeper than Python can go: that one stays, and the others do not stay with it.
    with contextlib.suppress(OSError, RecursionError):
        if folder.is_symlink():
            folder.unlink()
        else:
            shutil.rmtree(folder, ignore_errors=True)


def _folders(data: Path, job_id: int) -> list[Path]:
    if type(job_id) is not int or not 0 < job_id <= LARGEST_JOB:
        raise ValueError(f"{job_id!r} is not the number of a job")
    return [data / name / str(job_id) for name in FOLDERS]


async def remove_jobs(link: KeeperLink, data: Path, job_ids: Iterable[int]) -> list[int]:
    """`remove_job_files`, but for jobs of which a task still runs: it would go on writing. Raises OSError."""
    living = {job_of(fact.key.job) for fact in await link.list() if fact.end is None}
    doomed = [job_id for job_id in job_ids if job_id not in living]
    return await run_aside(partial(remove_job_files, data, doomed), str(data), None, PATIENCE_S)
