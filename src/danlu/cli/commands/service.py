"""`danlu up` and `danlu down`: the only commands that start or stop a server."""

from __future__ import annotations

import click

from danlu.cli import values
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, option
from danlu.sdk.connection import data_folder

CGROUPS = ("auto", "v2", "v1", "none")
LOG_LEVELS = ("debug", "info", "warning", "error")


@click.command("up", cls=WordedCommand, places=("data",))
@option("--host", metavar="ADDRESS", default="127.0.0.1")
@option("--port", metavar="PORT", type=values.PORT)
@option("--simulate", metavar="N|NxM", type=values.CLUSTER)
@option("--policy", metavar="fifo|balance", type=values.Word(lambda: ("fifo", "balance")))
@option("--keep-leftovers", is_flag=True)
@option("--cgroups", metavar="auto|v2|v1|none", type=values.Word(lambda: CGROUPS), default="auto")
@option("--log-level", metavar="LEVEL", type=values.Word(lambda: LOG_LEVELS), default="info")
@pass_session
def up(
    session: Session,
    host: str,
    port: int | None,
    simulate: str | None,
    policy: str | None,
    keep_leftovers: bool,
    cgroups: str,
    log_level: str,
) -> int:
    from danlu.launch.up import UpOptions, run_up

    return run_up(
        UpOptions(
            data=data_folder(session.environment, session.data),
            host=host,
            port=port,
            simulate=simulate,
            policy=policy,
            keep_leftovers=keep_leftovers,
            cgroups=cgroups,
            language=session.language,
            log_level=log_level,
        )
    )


@click.command("down", cls=WordedCommand, places=("data",))
@option("--stop-jobs", is_flag=True)
@pass_session
def down(session: Session, stop_jobs: bool) -> int:
    from danlu.launch.down import run_down

    return run_down(data_folder(session.environment, session.data), stop_jobs, session.language)
