"""What can be said about a job beside what it runs, as keywords with types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from danlu.sdk.futures import JobFuture
    from danlu.sdk.handles import JobHandle

AnyJob: TypeAlias = "int | str | JobHandle | JobFuture[Any]"


class JobOptions(TypedDict, total=False):
    """Each is the field of a job of the same name, described in the API reference. What is left out takes the
    user's default, then Danlu's."""

    name: str | None
    directory: str | None
    environment: str | None
    node: str | None
    nodes: int | str | None
    launcher: str | None
    spread: bool | None
    only_nodes: Sequence[str] | None
    exclude_nodes: Sequence[str] | None
    gpu_model: str | None
    restartable: bool | None
    service: bool | None
    gpus: int | Literal["auto"] | None
    gpu_ids: Sequence[int] | None
    gpu_arg: str | None
    cpus: int | None
    memory_mb: int | None
    share: bool | None
    no_sharing: bool | None
    gpu_memory_mb: int | None
    stage: Sequence[str] | None
    nice: int | None
    time_limit_s: float | None
    grace_s: float | None
    after: Sequence[AnyJob] | None
    after_ok: Sequence[AnyJob] | None
    urgent: bool | None
    hold: bool | None
    retries: int | None
    retry_backoff_s: float | None
    retry_on: Sequence[str] | None
    stdout: str | None
    stderr: str | None
    variables: Mapping[str, str] | None
    tags: Mapping[str, str] | None
    description: str | None
    wait_for_hardware: bool | None


OPTION_NAMES = frozenset(JobOptions.__annotations__)


def plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as they travel: handles and futures by their ids, nothing that was left out."""
    said = {name: value for name, value in fields.items() if value is not None}
    if isinstance(said.get("nodes"), int):
        said["nodes"] = str(said["nodes"])
    for name in ("after", "after_ok"):
        if name in said:
            said[name] = [_id_of(each) for each in said[name]]
    return said


def _id_of(job: AnyJob) -> int | str:
    from danlu.sdk.futures import JobFuture

    if isinstance(job, int | str):
        return job
    return job.job.id if isinstance(job, JobFuture) else job.id
