"""`danlu join` and `danlu leave`: this machine becomes a node of a cluster, or is one no longer."""

from __future__ import annotations

import click

from danlu.cli import values
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, argument, option
from danlu.sdk.connecting.connection import data_folder

ROLES = ("compute", "login", "debug", "transfer")


@click.command("join", cls=WordedCommand, places=("data",))
@argument("cluster", required=False, metavar="HOST[:PORT]")
@option("--token", metavar="TOKEN", words="join_token", dashes=True)
@option("--name", metavar="NAME", words="node_name")
@option("--role", metavar="ROLE", type=values.Word(lambda: ROLES), words="node_role")
@option("--address", metavar="ADDRESS", words="node_address")
@option("--daemon", is_flag=True)
@option("--simulate", metavar="N", type=values.COUNT, words="simulate_gpus")
@pass_session
def join(
    session: Session,
    cluster: str | None,
    token: str | None,
    name: str | None,
    role: str | None,
    address: str | None,
    daemon: bool,
    simulate: int | None,
) -> int:
    from danlu.launch.cluster.join import JoinOptions, run_join

    options = JoinOptions(
        data=data_folder(session.environment, session.data),
        server=cluster,
        token=token,
        name=name,
        role=role,
        address=address,
        simulate=simulate,
        daemon=daemon,
        language=session.language,
    )
    return run_join(options, session.environment)


@click.command("leave", cls=WordedCommand, places=("data",))
@option("--force", is_flag=True, words="force_leave")
@pass_session
def leave(session: Session, force: bool) -> int:
    from danlu.launch.cluster.leave import LeaveOptions, run_leave

    data = data_folder(session.environment, session.data)
    return run_leave(LeaveOptions(data=data, force=force, language=session.language))
