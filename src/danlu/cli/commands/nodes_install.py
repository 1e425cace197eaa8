"""`danlu nodes add`, `upgrade` and `installations`: machines made nodes from the server, over ssh."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from danlu.cli import values
from danlu.cli.exit_codes import FAILED
from danlu.cli.layout import clean, moment, paint, table
from danlu.cli.session import FOLLOWING_PATIENCE_S, Session, pass_session
from danlu.cli.worded import WordedCommand, argument, json_option, option

if TYPE_CHECKING:
    from danlu.sdk.client import Client
    from danlu.wire.nodes.installations import InstallationRow, StepRow
    from danlu.wire.server import Problem

ROLES = ("compute", "login", "debug", "transfer")
SIGNS = {"running": ("…", "yellow"), "done": ("✓", "green"), "failed": ("✗", "red")}
COLUMNS = ("id", "target", "node", "state", "began", "by")


def parse_place(text: str) -> tuple[str | None, str, int | None]:
    """`li@host:2222`, `host`, `li@[fe80::1]:22`. Raises ValueError."""
    user, _, place = text.rpartition("@")
    port: int | None = None
    if place.startswith("["):
        host, bracket, rest = place[1:].partition("]")
        if not bracket or (rest and not rest.startswith(":")):
            raise ValueError(text)
        port = int(rest[1:]) if rest else None
    elif place.count(":") == 1:
        host, _, number = place.partition(":")
        port = int(number)
    else:
        host = place
    if not host or ("@" in text and not user) or (port is not None and not 0 < port < 65536):
        raise ValueError(text)
    return user or None, host, port


PLACE = values.Value("machine", parse_place)


@click.command("add", cls=WordedCommand)
@argument("machine", type=PLACE, metavar="USER@HOST[:PORT]")
@option("--name", metavar="NAME", words="node_name")
@option("--role", metavar="ROLE", type=values.Word(lambda: ROLES), words="node_role")
@option("--folder", metavar="FOLDER", words="install_folder")
@option("--identity", metavar="FILE", words="install_identity")
@option("--python", metavar="PATH", words="install_python")
@pass_session
def add(
    session: Session,
    machine: tuple[str | None, str, int | None],
    name: str | None,
    role: str | None,
    folder: str | None,
    identity: str | None,
    python: str | None,
) -> int:
    user, host, port = machine
    client = session.connect(patience_s=FOLLOWING_PATIENCE_S)
    begun = client.installations.add(
        host, user=user, port=port, name=name, role=role, data=folder, identity=identity, python=python
    )
    ended = _follow(session, client, begun.id)
    if ended.problem is not None:
        return _fail(session, ended.problem)
    session.print("cli.node_added", node=ended.node, target=clean(ended.target))
    return 0


@click.command("upgrade", cls=WordedCommand)
@argument("nodes", nargs=-1, metavar="[NODE...]")
@pass_session
def upgrade(session: Session, nodes: tuple[str, ...]) -> int:
    client = session.connect(patience_s=FOLLOWING_PATIENCE_S)
    begun = client.installations.upgrade(nodes)
    ended = _follow(session, client, begun.id)
    if ended.problem is not None:
        return _fail(session, ended.problem)
    version = client.service.version().version
    key = "cli.nodes_upgraded" if ended.target else "cli.nodes_up_to_date"
    session.print(key, nodes=clean(ended.target), version=version)
    return 0


@click.command("installations", cls=WordedCommand)
@json_option()
@pass_session
def installations(session: Session, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if as_json:
        file = client.get_json("/nodes/installations/file")
        session.print_json({"installations": client.get_json("/nodes/installations"), "file": file})
        return
    rows = client.installations.list()
    if rows:
        headings = [session.say(f"cli.column.{name}") for name in COLUMNS]
        click.echo(table(headings, [_row(session, row) for row in rows]))
    else:
        session.tell("cli.installations.empty")
    for row in rows:
        if row.problem is not None:
            click.echo(f"\n{row.id}: {clean(row.problem.message)}")
            click.echo(session.say("cli.remedy", hint=clean(row.problem.hint or "")))
    file = client.installations.node_file()
    if file is not None:
        click.echo()
        session.print("cli.node_file", path=clean(file.path), nodes=file.nodes)
        for problem in file.problems:
            click.echo(f"  {clean(problem.message)}\n  {clean(problem.hint or '')}")


def _follow(session: Session, client: Client, installation_id: int) -> InstallationRow:
    """Each step when it is done; at a terminal also how far the one under way is. What came of it all."""
    told = 0
    for row in client.installations.follow(installation_id):
        for step in row.steps[told:]:
            if step.state == "running":
                if sys.stdout.isatty():
                    click.echo("\r\x1b[K" + _step(session, step), nl=False)
                break
            click.echo(("\r\x1b[K" if sys.stdout.isatty() else "") + _step(session, step))
            told += 1
        last = row
    return last


def _step(session: Session, step: StepRow) -> str:
    sign, colour = SIGNS[step.state]
    said = session.say(f"cli.install_step.{step.name}")
    place = f"{clean(step.node)}: " if step.node is not None else ""
    percent = f" {step.percent} %" if step.percent is not None and step.state != "done" else ""
    return f"  {paint(session, sign, colour)} {place}{said}{percent}"


def _row(session: Session, row: InstallationRow) -> list[str]:
    state = session.say(f"cli.installation.{row.state}")
    if row.state != "done" and row.steps:
        state = f"{state}: {session.say(f'cli.install_step.{row.steps[-1].name}')}"
    what = clean(row.target) if row.kind == "add" else f"{session.say('cli.upgrade_of')} {clean(row.target)}"
    actor = session.say("cli.by_node_file") if row.from_file else clean(row.actor)
    return [
        str(row.id),
        what,
        clean(row.node or ""),
        paint(session, state, SIGNS[row.state][1]),
        moment(row.began_at),
        actor,
    ]


def _fail(session: Session, problem: Problem) -> int:
    click.echo(session.say("cli.refusal", message=clean(problem.message)), err=True)
    if problem.hint:
        click.echo(session.say("cli.remedy", hint=clean(problem.hint)), err=True)
    return FAILED
