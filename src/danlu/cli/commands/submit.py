"""`danlu submit`"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from danlu.cli import values
from danlu.cli.command_line import what_to_run
from danlu.cli.job_options import DASHED, JobCommand, fields_of, job_options, words_argument
from danlu.cli.refusals import Refused, report
from danlu.cli.session import Session
from danlu.cli.worded import option, session_of
from danlu.sdk.resources.submission import hand_in

if TYPE_CHECKING:
    from danlu.sdk.client import Client


@click.command("submit", cls=JobCommand, context_settings={"allow_interspersed_args": False})
@job_options
@option("--key", metavar="KEY", type=values.KEY)
@option("--dry-run", is_flag=True)
@words_argument()
@click.pass_context
def submit(
    ctx: click.Context, /, key: str | None, dry_run: bool, words: tuple[str, ...], **params: Any
) -> int:
    session: Session = session_of(ctx)
    fields = job_of(session, params, words, dashed=ctx.meta[DASHED])
    if dry_run:
        return _ask_first(session, fields)
    click.echo(submit_job(session, session.connect(), fields, key))
    return 0


def submit_job(session: Session, client: Client, fields: dict[str, Any], key: str | None) -> int:
    """The id of the new job. Who did not say how many GPUs it shall have is told."""
    accepted = hand_in(client.api, fields, key)
    gpus = accepted.get("gpus")
    if gpus is not None and not fields.keys() & {"gpus", "gpu_ids", "share"}:
        told = "cli.gpus_taken" if gpus else "cli.cpu_taken"
        session.tell(told, job=accepted["id"], gpus=gpus)
    return int(accepted["id"])


def _ask_first(session: Session, fields: dict[str, Any]) -> int:
    """Say what would become of the job; the exit code that submitting it would have."""
    from danlu.cli.layout import clean
    from danlu.sdk.errors import ApiError

    check = session.connect().jobs.check(fields)
    codes = [report(session, ApiError(problem, 422)) for problem in check.problems]
    if check.ok:
        click.echo(clean(f"{check.message} {check.auto}".strip()))
    for warning in check.warnings:
        session.tell("cli.note", message=clean(f"{warning.message} {warning.hint or ''}".strip()))
    return max(codes, default=0)


def job_of(
    session: Session, params: Mapping[str, Any], words: tuple[str, ...], *, dashed: bool
) -> dict[str, Any]:
    """The fields of a new job; without words the user's default command. Raises Refused."""
    job = what_to_run(words, dashed=dashed)
    if job is None:
        defaults = session.connect().me.defaults()
        if not defaults.command:
            raise Refused("cli.no_command")
        # Where it runs belongs to the command, if that has been settled with it.
        here = {} if defaults.directory else {"directory": str(Path.cwd())}
        return {**here, **fields_of(params)}
    fields = {"name": job.name, "directory": str(Path.cwd()), **fields_of(params), "command": job.command}
    return {**fields, "arguments": job.arguments} if job.arguments else fields
