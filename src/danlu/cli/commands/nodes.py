"""`danlu nodes` (the list, and what administrators do with nodes), `drain`, `undrain`"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from danlu.cli import values
from danlu.cli.commands import nodes_install
from danlu.cli.commands.doctor import list_findings
from danlu.cli.commands.service import show_servers
from danlu.cli.commands.steering import for_each
from danlu.cli.exit_codes import FAILED
from danlu.cli.layout import ago, clean, moment, paint, table
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, WordedGroup, argument, json_option, option, place_options
from danlu.wire.units import show_bytes, show_memory

if TYPE_CHECKING:
    from danlu.wire.nodes.members import JoinTokenRow
    from danlu.wire.nodes.node import DiskUsage, NodeRow, NodeUsage

COLUMNS = (
    "node",
    "state",
    "gpus",
    "cpus",
    "memory",
    "cpu_busy",
    "memory_busy",
    "network",
    "disk",
    "jobs",
)
MEMBER_COLUMNS = ("role", "version", "address")
ROLES = ("compute", "login", "debug", "transfer")
USUAL_TOKEN_S = 86_400.0
Target = tuple[str, int | None]


def parse_targets(text: str) -> list[Target]:
    """`n1`, `n1:0` or `n1:0,3`."""
    node, colon, ids = text.rpartition(":")
    if not colon:
        return [(text, None)]
    words = ids.split(",")
    if not node or not all(word.isascii() and word.isdigit() for word in words):
        raise ValueError(text)
    return [(node, int(word)) for word in words]


TARGETS = values.Value("target", parse_targets)


class NodesGroup(WordedGroup):
    """Without the name of one of its commands it lists nodes."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        place = 0
        while args[place : place + 1] and args[place] in ("--data", "--profile"):
            place += 2
        word = args[place] if len(args) > place else ""
        if word not in self.commands and word != "--help":
            args = [*args[:place], "list", *args[place:]]
        return super().parse_args(ctx, args)


@click.group("nodes", cls=NodesGroup)
def nodes() -> None:
    pass


nodes.params.extend(place_options())


@nodes.command("list", cls=WordedCommand)
@argument("node", required=False, metavar="NODE")
@json_option()
@pass_session
def list_nodes(session: Session, node: str | None, as_json: bool) -> None:
    from danlu.sdk.resources.nodes import node_path

    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json(node_path(node) if node else "/nodes"))
        return
    rows = [client.nodes.get(node)] if node else client.nodes.list()
    if not rows:
        session.tell("cli.nodes.empty")
        return
    if any(row.version for row in rows):
        # Of one machine alone they would say nothing.
        columns: tuple[str, ...] = (*COLUMNS[:2], *MEMBER_COLUMNS, *COLUMNS[2:])
        lines = [_with_member(_node(session, row), session, row) for row in rows]
    else:
        columns, lines = COLUMNS, [_node(session, row) for row in rows]
    click.echo(table(_headings(session, *columns), lines))
    if node is None and len(columns) > len(COLUMNS):
        show_servers(session, client)
    if node and rows[0].usage is not None and rows[0].usage.disks:
        headings = _headings(session, "disk", "used")
        click.echo("\n" + table(headings, [_disk(disk) for disk in rows[0].usage.disks]))
    if node:
        _tell_troubles(session, rows[0])


def _tell_troubles(session: Session, row: NodeRow) -> None:
    """What is wrong with it, and what to do."""
    told = [each for each in row.findings if each.level != "ok"]
    reasons = [each for each in (row.quarantine, row.out_of_service) if each]
    if told or reasons:
        click.echo()
    for reason in reasons:
        click.echo(clean(reason))
    list_findings(session, told)


@nodes.command("token", cls=WordedCommand)
@option("--expires", metavar="TIME", type=values.DURATION, words="token_expires")
@option("--role", metavar="ROLE", type=values.Word(lambda: ROLES), words="node_role")
@json_option()
@pass_session
def make_token(session: Session, expires: float | None, role: str | None, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    made = client.join_tokens.make(lifetime_s=expires or USUAL_TOKEN_S, role=role or "compute")
    if as_json:
        from danlu.codec import encode_said

        session.print_json(encode_said(made))
        return
    click.echo(made.command)
    session.tell("cli.join_token_made", id=made.id, until=moment(made.expires_at))


@nodes.command("tokens", cls=WordedCommand)
@json_option()
@pass_session
def list_tokens(session: Session, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json("/join-tokens"))
        return
    rows = client.join_tokens.list()
    if not rows:
        session.tell("cli.join_tokens.empty")
        return
    columns = ("id", "role", "created_by", "expires", "uses", "state")
    click.echo(table(_headings(session, *columns), [_token(session, row) for row in rows]))


@nodes.command("revoke", cls=WordedCommand)
@argument("token_id", type=values.number(1), metavar="ID")
@pass_session
def revoke_token(session: Session, token_id: int) -> None:
    session.connect().join_tokens.revoke(token_id)
    session.print("cli.join_token_revoked", id=token_id)


@nodes.command("role", cls=WordedCommand)
@argument("node", metavar="NODE")
@argument("role", type=values.Word(lambda: ROLES), metavar="ROLE")
@pass_session
def set_role(session: Session, node: str, role: str) -> None:
    session.connect().nodes.set_role(node, role)
    session.print("cli.node_role_set", node=node, role=session.say(f"cli.role.{role}"))


@nodes.command("remove", cls=WordedCommand)
@argument("nodes", nargs=-1, required=True, metavar="NODE...")
@pass_session
def remove(session: Session, nodes: tuple[str, ...]) -> int:
    client = session.connect()

    def act(node: str) -> None:
        client.nodes.remove(node)
        session.print("cli.node_removed", node=node)

    return for_each(session, [list(nodes)], act)


@nodes.command("declare-dead", cls=WordedCommand)
@argument("node", metavar="NODE")
@option("-y", "--yes", is_flag=True)
@pass_session
def declare_dead(session: Session, node: str, yes: bool) -> int:
    client = session.connect()
    jobs = ", ".join(str(job) for job in client.nodes.get(node).jobs) or "-"
    if not yes and not _confirmed(session, node, jobs):
        session.tell("cli.unconfirmed_death", node=node)
        return FAILED
    client.nodes.declare_dead(node)
    session.print("cli.declared_dead", node=node)
    return 0


def _confirmed(session: Session, node: str, jobs: str) -> bool:
    """Typed out: to say it of a machine that lives lets a job run twice."""
    return session.can_ask and session.ask("cli.declare_dead?", node=node, jobs=jobs) == node.lower()


@nodes.command("forget-server", cls=WordedCommand)
@argument("url")
@pass_session
def forget_server(session: Session, url: str) -> None:
    session.connect().service.forget_server(url.rstrip("/"))
    session.print("cli.server_forgotten", url=clean(url))


for _command in (nodes_install.add, nodes_install.upgrade, nodes_install.installations):
    nodes.add_command(_command)


@click.command("drain", cls=WordedCommand)
@argument("targets", nargs=-1, required=True, type=TARGETS, metavar="NODE[:GPU]...")
@pass_session
def drain(session: Session, targets: tuple[list[Target], ...]) -> int:
    return mark_drained(session, targets, drained=True)


@click.command("undrain", cls=WordedCommand)
@argument("targets", nargs=-1, required=True, type=TARGETS, metavar="NODE[:GPU]...")
@pass_session
def undrain(session: Session, targets: tuple[list[Target], ...]) -> int:
    return mark_drained(session, targets, drained=False)


def mark_drained(session: Session, targets: Iterable[list[Target]], *, drained: bool) -> int:
    client = session.connect()

    def act(target: Target) -> None:
        node, gpu = target
        (client.nodes.drain if drained else client.nodes.undrain)(node, gpu)
        place = node if gpu is None else f"{node}:{gpu}"
        session.print("cli.drained" if drained else "cli.undrained", place=place)

    return for_each(session, targets, act)


def _node(session: Session, row: NodeRow) -> list[str]:
    state = session.say(f"cli.node.{row.state}")
    if row.drained:
        state = f"{state} ({session.say('cli.node.drained')})"
    if row.quarantine:
        state = f"{state} ({session.say('cli.node.quarantined')})"
    if row.out_of_service:
        state = f"{state} ({session.say('cli.node.out_of_service')})"
    if row.simulated:
        state = f"{state} ({session.say('cli.node.simulated')})"
    problems = sum(each.level == "problem" for each in row.findings)
    if problems:
        state = f"{state} ({session.say('cli.node.problems', count=problems)})"
    if row.state == "lost":
        state = f"{state} {ago(session, row.since)}"
    used = sum(gpu.job is not None for gpu in row.gpus)
    return [
        clean(row.name),
        paint(session, state, _colour_of(row, problems)),
        f"{used}/{len(row.gpus)}",
        f"{row.cpus_used}/{row.cpus}",
        f"{show_memory(row.memory_used_mb)} / {show_memory(row.memory_mb)}",
        *_measured(row.usage),
        ", ".join(str(job) for job in row.jobs),
    ]


def _colour_of(row: NodeRow, problems: int) -> str:
    if row.state == "lost":
        return "red"
    return "yellow" if row.drained or row.quarantine or problems else "green"


def _with_member(line: list[str], session: Session, row: NodeRow) -> list[str]:
    return [*line[:2], session.say(f"cli.role.{row.role}"), clean(row.version), clean(row.address), *line[2:]]


def _token(session: Session, row: JoinTokenRow) -> list[str]:
    if row.revoked_at is not None:
        state, colour = "revoked", "red"
    elif row.expires_at <= time.time():
        state, colour = "expired", "yellow"
    else:
        state, colour = "valid", "green"
    return [
        str(row.id),
        session.say(f"cli.role.{row.role}"),
        clean(row.created_by),
        moment(row.expires_at),
        str(row.uses),
        paint(session, session.say(f"cli.token_state.{state}"), colour),
    ]


def _measured(usage: NodeUsage | None) -> list[str]:
    """How busy the machine is, with all its processes; of its disks the fullest."""
    if usage is None:
        return ["", "", "", ""]
    fullest = max(usage.disks, key=_fullness, default=None)
    received, sent = (
        f"{show_bytes(round(rate))}/s" for rate in (usage.network_in_bytes_s, usage.network_out_bytes_s)
    )
    return [
        f"{usage.cpu_percent:.0f} %",
        f"{100 * usage.memory_used_mb / max(usage.memory_total_mb, 1):.0f} %",
        f"{received}, {sent}",
        f"{clean(fullest.path)} {_percent(fullest)}" if fullest is not None else "",
    ]


def _disk(disk: DiskUsage) -> list[str]:
    size = f"{show_bytes(disk.used_bytes)} / {show_bytes(disk.total_bytes)}"
    return [clean(disk.path), f"{size}  {_percent(disk)}"]


def _percent(disk: DiskUsage) -> str:
    return f"{100 * _fullness(disk):.0f} %"


def _fullness(disk: DiskUsage) -> float:
    return disk.used_bytes / max(disk.total_bytes, 1)


def _headings(session: Session, *columns: str) -> list[str]:
    return [session.say(f"cli.column.{name}") for name in columns]
