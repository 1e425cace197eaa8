"""`danlu delete`"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from danlu.cli import values
from danlu.cli.commands.steering import for_each
from danlu.cli.exit_codes import FAILED
from danlu.cli.layout import clean
from danlu.cli.meant_jobs import MeantJobs, act_on_all, takes_jobs
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, option
from danlu.sdk.errors import ApiError

if TYPE_CHECKING:
    from danlu.sdk.client import Client

Fate = Literal["leave", "cancel"]


@click.command("delete", cls=WordedCommand)
@takes_jobs
@option("--with-successors", is_flag=True)
@option("--running", metavar="leave|cancel", type=values.Word(lambda: ("leave", "cancel")))
@pass_session
def delete(
    session: Session,
    meant: MeantJobs,
    yes: bool,
    with_successors: bool,
    running: Fate | None,
) -> int:
    client = session.connect()
    if meant.filters is not None:
        how = {"with_successors": with_successors, "running": running or "refuse"}
        return act_on_all(session, client, "delete", meant.filters, yes, **how)
    jobs = meant.named
    if not yes and session.can_ask and not _confirmed(session, client, jobs, with_successors):
        session.tell("cli.nothing_deleted")
        return FAILED
    gone: set[int] = set()

    def act(job_id: int | str) -> None:
        if job_id not in gone:
            gone.update(_delete(session, client, job_id, with_successors, running))

    return for_each(session, jobs, act)


def _confirmed(
    session: Session, client: Client, jobs: tuple[list[int | str], ...], with_successors: bool
) -> bool:
    details = [client.jobs.get(job_id) for group in jobs for job_id in group]
    names = ", ".join(f"{detail.job.ref} ({clean(detail.job.name)})" for detail in details)
    key = "cli.delete_with_successors?" if with_successors else "cli.delete?"
    return session.ask(key, jobs=names).startswith("y")


def _delete(
    session: Session, client: Client, job_id: int | str, with_successors: bool, running: Fate | None
) -> list[int]:
    try:
        done = client.jobs.delete(job_id, with_successors=with_successors, running=running or "refuse")
    except ApiError as refusal:
        if refusal.problem.code != "successors_running" or running is not None or not session.can_ask:
            raise
        answer = session.ask("cli.running_successors?", problem=refusal.problem.message)
        fate = next((word for word in ("leave", "cancel") if answer and word.startswith(answer)), None)
        if fate is None:
            raise
        done = client.jobs.delete(
            job_id, with_successors=with_successors, running="cancel" if fate == "cancel" else "leave"
        )
    for key, ids in (("deleted", done.deleted), ("left", done.left), ("being_cancelled", done.cancelled)):
        if ids:
            session.print(f"cli.{key}", jobs=", ".join(str(job) for job in ids))
    return done.deleted
