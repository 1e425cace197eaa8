"""From what a user wrote to a job that can run: gaps filled, every rule checked. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from danlu.control.jobs.node_rules import find_bad_places, find_bad_service, is_auto, parse_nodes, write_nodes
from danlu.control.jobs.start_sizes import find_oversize
from danlu.control.running.outputs import find_other_homes
from danlu.control.running.staging import find_bad_stage, stage_paths
from danlu.core.array import MOST_ELEMENTS, BadArray, parse_array
from danlu.core.auto import Auto
from danlu.core.errors import Invalid
from danlu.core.job import Dependency, DependencyKind, JobSpec
from danlu.core.job_id import LARGEST_INDEX
from danlu.core.states import RETRYABLE, EndReason
from danlu.wire.default_name import default_name
from danlu.wire.fields import AUTO
from danlu.wire.jobs import JobEdit, JobFields

FIELD_NAMES = tuple(field.name for field in dataclass_fields(JobFields))
RESERVED_VARIABLES = frozenset({"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"})
_MADE_BY_HAND = frozenset(
    {
        *("command", "arguments", "name", "nodes", "gpus", "gpu_memory_mb", "gpu_ids", "only_nodes"),
        *("exclude_nodes", "stage", "retry_on", "after", "after_ok", "hold"),
    }
)
_SAME_IN_SPEC = tuple(name for name in FIELD_NAMES if name not in _MADE_BY_HAND)
"""Fields that a job has as they were said."""


def merge_fields(over: JobFields, under: JobFields) -> JobFields:
    """`over`, with what it leaves out taken from `under`. A number of GPUs that `under` leaves to Danlu gives
    way to GPUs that `over` names or shares."""
    values = {name: getattr(over, name) for name in FIELD_NAMES}
    merged = JobFields(
        **{name: getattr(under, name) if value is None else value for name, value in values.items()}
    )
    if over.gpus is None and merged.gpus == AUTO and (over.gpu_ids or over.share):
        merged = replace(merged, gpus=None)
    return _drop_other_memory(merged, over, under)


def apply_edit(before: JobFields, edit: JobEdit) -> JobFields:
    """`before` with some fields set and some set back."""
    unknown = [name for name in edit.clear if name not in FIELD_NAMES]
    if unknown:
        raise Invalid("no_such_field", field="clear", name=unknown[0], possible=", ".join(FIELD_NAMES))
    cleared: dict[str, Any] = {name: None for name in edit.clear if getattr(edit.set, name) is None}
    return _drop_other_memory(merge_fields(edit.set, replace(before, **cleared)), edit.set, before)


def means_same_memory(one: JobFields, other: JobFields) -> bool:
    """Whether `gpu_memory_mb` is about the same: each GPU, or all of those whose number is left to Danlu."""
    return (one.gpus == AUTO) == (other.gpus == AUTO)


def _drop_other_memory(merged: JobFields, over: JobFields, under: JobFields) -> JobFields:
    """Without the memory of `under` where it was said of something else."""
    if over.gpu_memory_mb is None and not means_same_memory(merged, under):
        return replace(merged, gpu_memory_mb=None)
    return merged


def make_spec(fields: JobFields, home: str) -> JobSpec:
    """The job these fields describe, but for numbers that are left to Danlu. Raises Invalid, naming the
    field."""
    for problem in problems_of(fields, home):
        raise problem
    assert fields.command is not None  # noqa: S101 - or there were a problem
    values = {name: getattr(fields, name) for name in _SAME_IN_SPEC if getattr(fields, name) is not None}
    values.setdefault("directory", home)
    if fields.retry_on is not None:
        values["retry_on"] = frozenset(fields.retry_on)
    if fields.array is not None:
        values["array"] = str(parse_array(fields.array))
    auto = _auto_of(fields)
    if fields.nodes is not None and not (auto and auto.nodes):
        values["nodes_min"], values["nodes"] = parse_nodes(fields.nodes)
    if isinstance(fields.gpus, int):
        values["gpus"] = fields.gpus
    if not (auto and auto.gpus):
        values["gpu_memory_mb"] = fields.gpu_memory_mb
    else:
        # Until it is known how many.
        values["gpus"] = 1
    if fields.share and not fields.gpus and not fields.gpu_ids:
        # Who shares a GPU wants one.
        values["gpus"] = 1
    return JobSpec(
        command=fields.command,
        arguments=tuple(fields.arguments or ()),
        name=fields.name or default_name(fields.command),
        gpu_ids=tuple(sorted(set(fields.gpu_ids or ()))),
        only_nodes=tuple(sorted(set(fields.only_nodes or ()))),
        exclude_nodes=tuple(sorted(set(fields.exclude_nodes or ()))),
        dependencies=_make_dependencies(fields),
        auto=auto,
        stage=stage_paths(fields.stage or (), values["directory"]),
        **values,
    )


def _auto_of(fields: JobFields) -> Auto | None:
    gpus, nodes = fields.gpus == AUTO, is_auto(fields.nodes)
    if not gpus and not nodes:
        return None
    return Auto(gpus, nodes, fields.gpu_memory_mb if gpus else None)


def problems_of(fields: JobFields, home: str) -> Iterator[Invalid]:
    """Every rule that the fields break by themselves, whatever the cluster is like."""
    if not fields.command or not fields.command.strip():
        yield Invalid("no_command", field="command")
    yield from find_oversize(fields)
    directory = fields.directory if fields.directory is not None else home
    if not PurePosixPath(directory).is_absolute():
        yield Invalid("relative_directory", field="directory", directory=directory)
    yield from _find_reserved(fields.variables or {})
    yield from _find_final(fields.retry_on or ())
    if fields.array is not None:
        yield from _find_bad_array(fields.array)
    if fields.share and fields.no_sharing:
        yield Invalid("share_or_not", field="no_sharing")
    if fields.gpu_memory_mb and not (fields.gpus or fields.gpu_ids or fields.share):
        yield Invalid("gpu_memory_without_gpus", field="gpu_memory_mb")
    if fields.cpus == 0 and not (fields.gpus or fields.gpu_ids or fields.share):
        yield Invalid("no_cpus_without_gpus", field="cpus")
    if fields.gpus == AUTO and fields.gpu_ids:
        yield Invalid("auto_gpu_ids", field="gpu_ids")
    if fields.gpus == AUTO and fields.share:
        yield Invalid("auto_share", field="share")
    yield from find_other_homes(fields.stdout, fields.stderr)
    yield from find_bad_stage(fields.stage or (), directory)
    yield from find_bad_places(fields)
    yield from find_bad_service(fields)


def check_defaults(fields: JobFields) -> None:
    """Defaults follow the rules of a job, except that they need no command. Raises Invalid."""
    make_spec(replace(fields, command=fields.command or "true"), "/")


def fields_of(spec: JobSpec) -> JobFields:
    """The fields that would make this spec again: what an edit starts from and a page shows."""
    same: dict[str, Any] = {name: getattr(spec, name) for name in _SAME_IN_SPEC}
    auto_gpus = spec.auto is not None and spec.auto.gpus
    return JobFields(
        command=spec.command,
        arguments=list(spec.arguments),
        name=spec.name,
        nodes=write_nodes(spec),
        only_nodes=list(spec.only_nodes),
        exclude_nodes=list(spec.exclude_nodes),
        gpus=AUTO if auto_gpus else spec.gpus,
        gpu_memory_mb=spec.auto.gpu_memory_mb if spec.auto and auto_gpus else spec.gpu_memory_mb,
        gpu_ids=list(spec.gpu_ids),
        stage=list(spec.stage),
        retry_on=sorted(spec.retry_on),
        after=[each.job_id for each in spec.dependencies if each.kind is DependencyKind.ANY],
        after_ok=[each.job_id for each in spec.dependencies if each.kind is DependencyKind.OK],
        **same,
    )


def _make_dependencies(fields: JobFields) -> tuple[Dependency, ...]:
    kinds = dict.fromkeys(fields.after or (), DependencyKind.ANY)
    kinds |= dict.fromkeys(fields.after_ok or (), DependencyKind.OK)
    return tuple(Dependency(job_id, kind) for job_id, kind in sorted(kinds.items()))


def _find_bad_array(text: str) -> Iterator[Invalid]:
    try:
        parse_array(text)
    except BadArray:
        yield Invalid("bad_array", field="array", array=text, most=MOST_ELEMENTS, largest=LARGEST_INDEX)


def _find_reserved(variables: Iterable[str]) -> Iterator[Invalid]:
    for name in variables:
        if name in RESERVED_VARIABLES or name.startswith("DANLU_"):
            yield Invalid("reserved_variable", field="variables", name=name)


def _find_final(reasons: Iterable[EndReason]) -> Iterator[Invalid]:
    for reason in sorted(frozenset(reasons) - RETRYABLE):
        yield Invalid(
            "reason_not_retryable",
            field="retry_on",
            reason=reason.value,
            possible=", ".join(sorted(RETRYABLE)),
        )
