"""`danlu examples`"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from danlu.cli.exit_codes import DONE
from danlu.cli.layout import clean, wrap
from danlu.cli.session import FOLLOWING_PATIENCE_S, Session, pass_session
from danlu.cli.worded import WordedCommand, argument, json_option

if TYPE_CHECKING:
    from danlu.sdk.client import Client

TEXT_COLUMNS = 76


@click.command("examples", cls=WordedCommand)
@argument("example", metavar="[EXAMPLE]", required=False)
@json_option()
@pass_session
def examples(session: Session, example: str | None, as_json: bool) -> int:
    if example is None:
        _show_all(session, as_json)
        return 0
    from danlu.cli.commands.run import own_troubles_apart

    with own_troubles_apart(session) as ending:
        client = session.connect()
        jobs = [int(job.id) for job in client.examples.start(example)]
        if as_json:
            session.print_json({"ids": jobs})
            return DONE
        for job_id in jobs:
            session.tell("cli.submitted", job=job_id)
        client.api.be_patient(FOLLOWING_PATIENCE_S)
        ending.code = next((code for job_id in jobs if (code := _attend(session, client, job_id))), DONE)
    return ending.code


def _show_all(session: Session, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json("/examples"))
        return
    for row in client.examples.list():
        click.echo(f"{row.key}  {clean(row.title)}")
        for line in wrap(clean(row.text), TEXT_COLUMNS):
            click.echo(f"    {line}")
    session.tell("cli.start_example")


def _attend(session: Session, client: Client, job_id: int) -> int:
    """Follow a job to its end; the exit code. An array has no output of its own: its elements have."""
    from danlu.cli.commands.run import JobWatch

    if client.jobs.get(job_id).job.array is None:
        return JobWatch(session, client, job_id).attend()
    session.tell("cli.example_array", job=job_id)
    return 0
