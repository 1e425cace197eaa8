"""`danlu cancel`, `hold`, `release`, `resubmit`, `move`"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

import click

from danlu.cli import values
from danlu.cli.exit_codes import FAILED
from danlu.cli.job_wording import state_of
from danlu.cli.refusals import report
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, argument, option
from danlu.sdk.errors import ApiError

if TYPE_CHECKING:
    from danlu.wire.jobs import JobDetail

T = TypeVar("T")


def for_each(session: Session, groups: Iterable[list[T]], act: Callable[[T], None]) -> int:
    """Do it to each once; one that is refused does not stop the others. The exit code."""
    code = 0
    for thing in dict.fromkeys(thing for group in groups for thing in group):
        try:
            act(thing)
        except ApiError as refusal:
            code = max(code, report(session, refusal))
            if refusal.status == 401:
                return FAILED
    return code


@click.command("cancel", cls=WordedCommand)
@argument("jobs", nargs=-1, required=True, type=values.JOB_REFS, metavar="JOB...")
@option("--now", is_flag=True)
@pass_session
def cancel(session: Session, jobs: tuple[list[int | str], ...], now: bool) -> int:
    client = session.connect()
    return for_each(session, jobs, lambda job_id: _say(session, client.jobs.cancel(job_id, now=now)))


@click.command("hold", cls=WordedCommand)
@argument("jobs", nargs=-1, required=True, type=values.JOB_REFS, metavar="JOB...")
@pass_session
def hold(session: Session, jobs: tuple[list[int | str], ...]) -> int:
    client = session.connect()
    return for_each(session, jobs, lambda job_id: _say(session, client.jobs.hold(job_id)))


@click.command("release", cls=WordedCommand)
@argument("jobs", nargs=-1, required=True, type=values.JOB_REFS, metavar="JOB...")
@pass_session
def release(session: Session, jobs: tuple[list[int | str], ...]) -> int:
    client = session.connect()
    return for_each(session, jobs, lambda job_id: _say(session, client.jobs.release(job_id)))


@click.command("resubmit", cls=WordedCommand)
@argument("jobs", nargs=-1, required=True, type=values.JOB_REFS, metavar="JOB...")
@pass_session
def resubmit(session: Session, jobs: tuple[list[int | str], ...]) -> int:
    client = session.connect()
    return for_each(session, jobs, lambda job_id: click.echo(client.jobs.resubmit(job_id)))


@click.command("move", cls=WordedCommand)
@argument("job_id", type=values.JOB_ID, metavar="JOB")
@argument("position", type=values.POSITION, metavar="POSITION")
@pass_session
def move(session: Session, job_id: int | str, position: int) -> None:
    session.connect().jobs.move(job_id, position)
    session.print("cli.moved", job=job_id, position=position)


def _say(session: Session, detail: JobDetail) -> None:
    session.print("cli.now", job=detail.job.ref, state=state_of(session, detail.job.state))
