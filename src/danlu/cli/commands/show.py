"""`danlu show` and `danlu why`"""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING, Any

import click

from danlu.cli import values
from danlu.cli.job_wording import counts_of, place_of, state_of
from danlu.cli.layout import ago, clean, elapsed, moment, pairs, table
from danlu.cli.session import Session, pass_session
from danlu.cli.used import describe_used
from danlu.cli.worded import WordedCommand, argument, json_option
from danlu.sdk.resources.job_logs import path_of
from danlu.wire.field_kinds import JobField, Kind
from danlu.wire.job_fields import FIELDS
from danlu.wire.units import show_memory, write_duration
from danlu.wording.ended import describe_end

if TYPE_CHECKING:
    from danlu.wire.jobs import AttemptRow, JobDetail, JobFields, TaskRow


@click.command("show", cls=WordedCommand)
@argument("job_id", type=values.JOB_ID, metavar="JOB")
@json_option()
@pass_session
def show(session: Session, job_id: int | str, as_json: bool) -> None:
    with session.connect(translated=not as_json) as client:
        if as_json:
            session.print_json(client.get_json(f"{path_of(job_id)}"))
            return
        detail = client.jobs.get(job_id)
    click.echo(pairs(facts_of(session, detail)))
    if detail.attempts:
        click.echo()
        click.echo(_attempts(session, detail))
        ranks = detail.attempts[-1].tasks
        if len(ranks) > 1:
            click.echo()
            click.echo(_ranks(session, ranks))


@click.command("why", cls=WordedCommand)
@argument("job_id", type=values.JOB_ID, metavar="JOB")
@json_option()
@pass_session
def why(session: Session, job_id: int | str, as_json: bool) -> None:
    with session.connect(translated=not as_json) as client:
        if as_json:
            session.print_json(client.get_json(f"{path_of(job_id)}/why"))
        else:
            click.echo(clean(client.jobs.why(job_id).message))


def facts_of(session: Session, detail: JobDetail) -> list[tuple[str, str]]:
    """All there is to say about a job, but for its attempts."""
    return [*_status(session, detail), *fields_shown(session, detail.fields, _told(detail.fields))]


def _status(session: Session, detail: JobDetail) -> list[tuple[str, str]]:
    job = detail.job
    words = {
        "job": f"{job.ref}  {clean(job.name)}",
        "owner": clean(job.owner),
        "tags": clean(", ".join(f"{key}={value}" for key, value in job.tags.items())),
        "state": state_of(session, job.state),
        "elements": counts_of(session, job.array) if job.array else "",
        "message": clean(detail.message),
        "place": "" if job.place is None else str(job.place),
        "not_before": moment(detail.not_before),
        "where": place_of(job),
        "gpus": str(job.gpus),
        "auto": clean(detail.auto),
        "cpus": str(job.cpus) if job.cpus or (detail.fields and detail.fields.cpus is not None) else "",
        "memory_mb": show_memory(job.memory_mb) if job.memory_mb else "",
        "gpu_memory_mb": show_memory(job.gpu_memory_mb) if job.gpu_memory_mb else "",
        "not_held_to": ", ".join(session.say(f"cli.unlimited.{each}") for each in detail.not_held_to),
        "urgent": session.say("cli.yes") if job.urgent else "",
        "submitted": _when(session, job.submitted_at),
        "started": _when(session, job.started_at),
        "ended": _when(session, job.ended_at),
        "ran": elapsed(job.started_at, job.ended_at) if job.area != "waiting" else "",
        **describe_used(session, detail),
        "after": _ids(detail.after),
        "after_ok": _ids(detail.after_ok),
        "successors": _ids(detail.successors),
    }
    return [(session.say(f"cli.label.{name}"), value) for name, value in words.items()]


_SHOWN_ABOVE = frozenset(
    {"name", "tags", "gpus", "cpus", "memory_mb", "gpu_memory_mb", "urgent", "after", "after_ok", "hold"}
)
_OF_RETRIES = frozenset({"retries", "retry_backoff_s", "retry_on"})


def _told(fields: JobFields | None) -> frozenset[str]:
    """Fields that would only repeat what was said, or say what goes without saying."""
    retried = fields is not None and fields.retries
    unsaid = {
        name for name, field in FIELDS.items() if _goes_without_saying(field, getattr(fields, name, None))
    }
    return _SHOWN_ABOVE | unsaid | (frozenset() if retried else _OF_RETRIES)


def _goes_without_saying(field: JobField, value: Any) -> bool:
    return not value if field.kind == "switch" else value in (None, field.usual)


def fields_shown(
    session: Session, fields: JobFields | None, leave_out: frozenset[str]
) -> list[tuple[str, str]]:
    """What the owner said about a job, as far as it was said."""
    if fields is None:
        return []
    names = [field.name for field in dataclasses.fields(fields) if field.name not in leave_out]
    said = ((name, _value(session, FIELDS[name].kind, getattr(fields, name))) for name in names)
    return [(session.say(f"cli.label.{name}"), value) for name, value in said if value]


def _value(session: Session, kind: Kind, value: Any) -> str:
    match value:
        case None | [] | "":
            return ""
        case bool():
            return session.say("cli.yes") if value else session.say("cli.no")
        case list():
            return clean(", ".join(str(item) for item in value))
        case dict():
            return clean("\n".join(f"{key}={item}" for key, item in value.items()))
        case int() | float() if kind == "duration":
            return write_duration(value)
        case int() if kind == "size":
            return show_memory(value)
        case _:
            return clean(str(value).rstrip("\n"))


def _attempts(session: Session, detail: JobDetail) -> str:
    headings = [
        session.say(f"cli.column.{name}") for name in ("attempt", "where", "began", "ran", "end", "log")
    ]
    return table(headings, [_attempt(session, row) for row in detail.attempts])


def _attempt(session: Session, row: AttemptRow) -> list[str]:
    task = row.tasks[0] if row.tasks else None
    return [
        str(row.number),
        _where(row.tasks),
        moment(row.started_at or row.created_at),
        elapsed(row.started_at, row.ended_at),
        describe_end(session.language, row.end_reason, row.exit_code, row.signal),
        clean(task.stdout_path or "") if task else "",
    ]


def _where(tasks: list[TaskRow]) -> str:
    if len(tasks) > 1:
        return f"{tasks[0].node} +{len(tasks) - 1}"
    return "".join(_place(task) for task in tasks)


def _place(task: TaskRow) -> str:
    ids = ",".join(str(index) for index in task.gpu_ids)
    return f"{task.node}:{ids}" if ids else task.node


def _ranks(session: Session, tasks: list[TaskRow]) -> str:
    """The tasks of the last attempt, where it has several."""
    headings = [session.say(f"cli.column.{name}") for name in ("rank", "where", "began", "ran", "end", "log")]
    return table(headings, [_rank(session, task) for task in tasks])


def _rank(session: Session, task: TaskRow) -> list[str]:
    code = task.exit_code if task.signal is None else -task.signal
    end = session.say(f"cli.ending.{task.ending}") if task.ending else ""
    return [
        str(task.rank),
        _place(task),
        moment(task.started_at),
        elapsed(task.started_at, task.ended_at),
        f"{end} ({code})" if end and code is not None else end,
        clean(task.stdout_path or ""),
    ]


def _when(session: Session, at: float | None) -> str:
    if at is None or at > time.time():
        return moment(at)
    return f"{moment(at)}  ({ago(session, at)})"


def _ids(ids: list[int]) -> str:
    return ", ".join(str(job_id) for job_id in ids)
