"""Which jobs a command is for: those that it names, or all that a filter means.

`danlu cancel 12 13` names jobs; `danlu cancel --mine --state waiting` means all that fit, and the server
carries that out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from danlu.cli import values
from danlu.cli.exit_codes import DONE, FAILED, INTERRUPTED
from danlu.cli.job_wording import state_of
from danlu.cli.layout import shorten
from danlu.cli.session import Session
from danlu.cli.worded import argument, option, session_of
from danlu.wording.catalogue import messages

if TYPE_CHECKING:
    from danlu.sdk.client import Client
    from danlu.wire.bulk_actions import BulkRow, JobsMatching
    from danlu.wire.jobs import JobAction

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class MeantJobs:
    """`named`, as they were typed, or all that fit `filters`."""

    named: tuple[list[int | str], ...]
    filters: dict[str, Any] | None


def states() -> list[str]:
    keys = (key.removeprefix("cli.state.") for key in messages("cli") if key.startswith("cli.state."))
    return [state for state in keys if state != "deleted"]


def filter_options(function: F) -> F:
    """The filters of `danlu ps`, for whatever else takes them."""
    for add in (
        option("-s", "--search", metavar="TEXT", words="ps_search"),
        option("-n", "--name", metavar="TEXT", words="ps_name"),
        option("--tag", metavar="KEY[=VALUE]", words="ps_tag"),
        option("--state", metavar="STATE", type=values.Word(states)),
        option("-u", "--user", metavar="NAME"),
        option("--group", metavar="NAME", words="in_group"),
        option("--mine", is_flag=True),
    ):
        function = add(function)
    return function


def takes_jobs(function: F) -> F:
    """Adds JOB... and the filters; the function gets them as `meant`, and `yes`."""

    @option("--all", "everything", is_flag=True, words="all_jobs")
    @filter_options
    @option("-y", "--yes", is_flag=True)
    @wraps(function)
    def with_meant(
        *args: Any,
        jobs: tuple[list[int | str], ...],
        everything: bool,
        mine: bool,
        user: str | None,
        state: str | None,
        name: str | None,
        search: str | None,
        tag: str | None,
        group: str | None,
        **rest: Any,
    ) -> Any:
        context = click.get_current_context()
        filters = {
            "mine": mine or None,
            "owner": user,
            "state": state,
            "name": name,
            "search": search,
            "tag": tag,
            "group": group,
        }
        said = {key: value for key, value in filters.items() if value is not None}
        if jobs and (said or everything):
            raise click.UsageError(session_of(context).say("cli.usage.jobs_or_filter"), context)
        if not jobs and not said and not everything:
            raise click.MissingParameter(ctx=context, param_hint="JOB", param_type="argument")
        return function(*args, meant=MeantJobs(jobs, None if jobs else said), **rest)

    return argument("jobs", nargs=-1, type=values.JOB_REFS, metavar="[JOB...]")(with_meant)  # type: ignore[return-value]


def act_on_all(
    session: Session, client: Client, action: JobAction, filters: dict[str, Any], yes: bool, **how: Any
) -> int:
    """Have the server do it to all jobs that fit, after a question, and look on. Ctrl-C stops it."""
    found = client.bulk_actions.matching(action, **filters)
    count = sum(found.yours.values())
    if not count:
        session.tell("cli.bulk.none")
        return DONE
    if not yes and not _confirmed(session, action, found, count):
        return FAILED
    begun = client.bulk_actions.begin(action, up_to=found.up_to, **how, **filters)
    try:
        ended = begun
        for ended in client.bulk_actions.watch(begun.id):
            _show(session, ended)
    except KeyboardInterrupt:
        client.bulk_actions.stop(begun.id)
        *_, ended = client.bulk_actions.watch(begun.id)
    return _conclude(session, ended)


def _confirmed(session: Session, action: JobAction, found: JobsMatching, count: int) -> bool:
    if not session.can_ask:
        session.tell("cli.bulk.say_yes", count=count)
        return False
    parts = ", ".join(f"{number} {state_of(session, state)}" for state, number in found.yours.items())
    if session.ask(f"cli.bulk.{action}?", count=count, states=parts).startswith("y"):
        return True
    session.tell("cli.bulk.nothing_done")
    return False


def _show(session: Session, step: BulkRow) -> None:
    if sys.stderr.isatty() and step.total is not None:
        text = session.say("cli.bulk.progress", done=step.done + step.refused, total=step.total)
        click.echo(f"\r\x1b[K{shorten(text, 70)}", err=True, nl=False)


def _conclude(session: Session, ended: BulkRow) -> int:
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", err=True, nl=False)
    session.print(f"cli.bulk.{ended.action}", count=ended.done)
    for refusal in ended.refusals:
        named = ", ".join(refusal.refs) + (", …" if refusal.count > len(refusal.refs) else "")
        session.tell("cli.bulk.refused", count=refusal.count, jobs=named, message=refusal.message)
    if ended.problem is not None:
        session.tell("cli.bulk.failed", message=ended.problem.message)
    if ended.state == "stopped":
        left = (ended.total or 0) - ended.done - ended.refused
        session.tell("cli.bulk.stopped", count=left)
        return INTERRUPTED
    return FAILED if ended.refused or ended.problem is not None else DONE
