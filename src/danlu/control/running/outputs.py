"""Where the output of a task goes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from string import Template

from danlu.core.errors import Invalid
from danlu.core.job import Job, Task
from danlu.core.job_id import index_of, job_of

DISCARD = "/dev/null"
HOME = "~"


def output_paths(job: Job, attempt: int, rank: int, node: str, logs: Path, home: str = "") -> tuple[str, str]:
    """The files of standard output and standard error; the same path twice means one merged stream.

    Both go to the job's own log unless it names files. A named stdout takes stderr along. `~` is `home`, that
    of the account which the job runs as.
    """
    own = log_path(logs, job.id, attempt, rank)
    index = index_of(job.id)
    names = {
        "JOB_ID": str(job_of(job.id)),
        "ARRAY_INDEX": "" if index is None else str(index),
        "ATTEMPT": str(attempt),
        "RANK": str(rank),
        "NODE": node,
        "JOB_NAME": job.spec.name.replace("/", "_"),
        "USER": job.owner,
    }
    stdout = _resolve(job.spec.stdout, job.spec.directory, names, home) or own
    stderr = _resolve(job.spec.stderr, job.spec.directory, names, home) or stdout
    return stdout, stderr


def stored_paths(paths: tuple[str, str], own_log: str) -> tuple[str, str]:
    """As they are kept: the job's own log as "", since the data folder may be moved."""
    stdout, stderr = paths
    return ("" if stdout == own_log else stdout, "" if stderr == own_log else stderr)


def task_outputs(logs: Path, job_id: int, attempt: int, task: Task) -> tuple[str, str]:
    """Where the output of a task is, below the data folder of now."""
    own = log_path(logs, job_id, attempt, task.rank)
    return task.stdout_path or own, task.stderr_path or own


def log_path(logs: Path, job_id: int, attempt: int, rank: int) -> str:
    suffix = f".{rank}" if rank else ""
    index = index_of(job_id)
    folder = logs / str(job_of(job_id))
    return str((folder if index is None else folder / f"task-{index}") / f"{attempt}{suffix}.log")


def find_other_homes(stdout: str | None, stderr: str | None) -> Iterator[Invalid]:
    """`~` is one's own home; another's has a path that can be written out."""
    for field, named in (("stdout", stdout), ("stderr", stderr)):
        first = (named or "").partition("/")[0]
        if first.startswith(HOME) and first != HOME:
            yield Invalid("other_home", field=field, path=named, name=first)


def _resolve(named: str | None, directory: str, names: dict[str, str], home: str) -> str | None:
    if not named:
        return None
    path = Template(named).safe_substitute(names)
    first, _, rest = path.partition("/")
    return str(PurePosixPath(home) / rest if home and first == HOME else PurePosixPath(directory) / path)
