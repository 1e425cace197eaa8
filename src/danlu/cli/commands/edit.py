"""`danlu edit`"""

from __future__ import annotations

from typing import Any

import click

from danlu.cli import values
from danlu.cli.command_line import what_to_run
from danlu.cli.job_options import DASHED, FIELD, JobCommand, fields_of, job_options, words_argument
from danlu.cli.refusals import Refused
from danlu.cli.worded import argument, option, session_of


@click.command("edit", cls=JobCommand)
@argument("job_id", type=values.JOB_ID, metavar="JOB")
@job_options
@option("--clear", metavar="FIELD", type=FIELD, multiple=True)
@words_argument("[-- COMMAND...]")
@click.pass_context
def edit(
    ctx: click.Context, /, job_id: int | str, clear: tuple[str, ...], words: tuple[str, ...], **params: Any
) -> None:
    from danlu.wire.jobs import JobEdit, JobFields

    fields = fields_of(params)
    if job := what_to_run(words, dashed=ctx.meta[DASHED]):
        fields.update(command=job.command, arguments=job.arguments)
    session = session_of(ctx)
    client = session.connect()
    before = client.jobs.get(job_id)
    if not fields and not clear and before.job.area != "history":
        raise Refused("cli.nothing_to_change", job=job_id)
    client.jobs.edit(job_id, JobEdit(set=JobFields(**fields), clear=list(clear)))
    session.print("cli.waits_again" if before.job.area == "history" else "cli.edited", job=job_id)
