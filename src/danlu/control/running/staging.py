"""Data that are copied to the disk of a node before a job starts there: what people may ask for,
and what the node is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from sqlalchemy import Connection

from danlu.core.errors import Invalid
from danlu.core.job import JobSpec
from danlu.core.task import Staging
from danlu.store.settings import read_general


def stage_paths(said: Iterable[str], directory: str) -> tuple[str, ...]:
    """As its node finds them: relative ones are below the job's own folder."""
    return tuple(str(PurePosixPath(directory) / path) for path in dict.fromkeys(said))


def find_bad_stage(said: Iterable[str], directory: str) -> Iterator[Invalid]:
    """The job finds each by its last name, so that has to be one, and no other's."""
    names: dict[str, str] = {}
    for path in stage_paths(said, directory):
        name = PurePosixPath(path).name
        if name in ("", ".."):
            yield Invalid("stage_without_name", field="stage", path=path)
        elif name in names and names[name] != path:
            yield Invalid("stage_same_name", field="stage", path=path, other=names[name], name=name)
        names.setdefault(name, path)


def check_stage_folder(folder: str | None) -> None:
    """Raises Invalid unless it is a place that is the same for every process of a node."""
    if folder and not PurePosixPath(folder).is_absolute():
        raise Invalid("relative_stage_folder", field="stage_folder", folder=folder)


def find_staging(connection: Connection, spec: JobSpec) -> Staging | None:
    """What the order of a job says of it; None for a job that wants nothing of the kind."""
    if not spec.stage:
        return None
    general = read_general(connection)
    return Staging(spec.stage, general.stage_folder, general.stage_disk_percent)
