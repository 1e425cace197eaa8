"""`danlu cancel`, `hold`, `release`, `resubmit`, `move`"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

import click

from danlu.cli import values
from danlu.cli.exit_codes import FAILED
from danlu.cli.job_wording import state_of
from danlu.cli.meant_jobs import MeantJobs, act_on_all, takes_jobs
from danlu.cli.refusals import report
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, argument, option
from danlu.sdk.errors import ApiError

if TYPE_CHECKING:
    from danlu.sdk.client import Client
    from danlu.wire.jobs import JobAction, JobDetail

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


def steer(
    session: Session,
    action: JobAction,
    meant: MeantJobs,
    yes: bool,
    act: Callable[[Client, int | str], None],
    **how: bool,
) -> int:
    """Do it to each job that is named, or have the server do it to all that a filter means."""
    client = session.connect()
    if meant.filters is not None:
        return act_on_all(session, client, action, meant.filters, yes, **how)
    return for_each(session, meant.named, lambda job_id: act(client, job_id))


@click.command("cancel", cls=WordedCommand)
@takes_jobs
@option("--now", is_flag=True)
@pass_session
def cancel(session: Session, meant: MeantJobs, yes: bool, now: bool) -> int:
    def act(client: Client, job_id: int | str) -> None:
        _say(session, client.jobs.cancel(job_id, now=now))

    return steer(session, "cancel", meant, yes, act, now=now)


@click.command("hold", cls=WordedCommand)
@takes_jobs
@pass_session
def hold(session: Session, meant: MeantJobs, yes: bool) -> int:
    return steer(session, "hold", meant, yes, lambda client, job: _say(session, client.jobs.hold(job)))


@click.command("release", cls=WordedCommand)
@takes_jobs
@pass_session
def release(session: Session, meant: MeantJobs, yes: bool) -> int:
    return steer(session, "release", meant, yes, lambda client, job: _say(session, client.jobs.release(job)))


@click.command("resubmit", cls=WordedCommand)
@takes_jobs
@pass_session
def resubmit(session: Session, meant: MeantJobs, yes: bool) -> int:
    return steer(session, "resubmit", meant, yes, lambda client, job: click.echo(client.jobs.resubmit(job)))


@click.command("move", cls=WordedCommand)
@argument("job_id", type=values.JOB_ID, metavar="JOB")
@argument("position", type=values.POSITION, metavar="POSITION")
@pass_session
def move(session: Session, job_id: int | str, position: int) -> None:
    moved = session.connect().jobs.move(job_id, position)
    # A server of the version before does not say where the job stands then.
    session.print("cli.moved", job=job_id, position=moved.position or position)


def _say(session: Session, detail: JobDetail) -> None:
    session.print("cli.now", job=detail.job.ref, state=state_of(session, detail.job.state))
