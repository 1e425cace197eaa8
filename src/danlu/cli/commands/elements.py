"""`danlu elements`"""

from __future__ import annotations

from typing import Any

import click

from danlu.cli import values
from danlu.cli.commands.ps import table_of_jobs
from danlu.cli.meant_jobs import states
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, argument, json_option, option
from danlu.sdk.resources.job_logs import path_of

PAGE = 1000


@click.command("elements", cls=WordedCommand)
@argument("job_id", type=values.JOB_ID, metavar="JOB")
@option("--state", metavar="STATE", type=values.Word(states))
@option("--limit", metavar="N", type=values.COUNT, default=100)
@json_option()
@pass_session
def elements(session: Session, job_id: int | str, state: str | None, limit: int, as_json: bool) -> None:
    with session.connect(translated=not as_json) as client:
        rows: list[Any] = []
        start: int | None = 0
        while start is not None and (not limit or len(rows) < limit):
            room = min(PAGE, limit - len(rows)) if limit else PAGE
            page = client.get_json(
                f"{path_of(job_id)}/elements", {"state": state, "limit": room, "start": start}
            )
            rows += page["elements"]
            start = page["next"]
    if as_json:
        session.print_json({"elements": rows, "next": start})
    elif rows:
        table_of_jobs(session, rows)
        if start is not None:
            session.tell("cli.elements.more", shown=len(rows))
    else:
        session.tell("cli.ps.nothing_found")
