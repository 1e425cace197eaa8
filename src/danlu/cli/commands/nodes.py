"""`danlu nodes`, `drain`, `undrain`"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from danlu.cli import values
from danlu.cli.commands.steering import for_each
from danlu.cli.layout import ago, clean, paint, table
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, argument, json_option
from danlu.wire.units import show_bytes, show_memory

if TYPE_CHECKING:
    from danlu.wire.nodes import DiskUsage, NodeRow, NodeUsage

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


@click.command("nodes", cls=WordedCommand)
@argument("node", required=False, metavar="NODE")
@json_option()
@pass_session
def nodes(session: Session, node: str | None, as_json: bool) -> None:
    from danlu.sdk.nodes import node_path

    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json(node_path(node) if node else "/nodes"))
        return
    rows = [client.nodes.get(node)] if node else client.nodes.list()
    if not rows:
        session.tell("cli.nodes.empty")
        return
    click.echo(table(_headings(session, *COLUMNS), [_node(session, row) for row in rows]))
    if node and rows[0].usage is not None and rows[0].usage.disks:
        headings = _headings(session, "disk", "used")
        click.echo("\n" + table(headings, [_disk(disk) for disk in rows[0].usage.disks]))


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
    if row.simulated:
        state = f"{state} ({session.say('cli.node.simulated')})"
    if row.state == "lost":
        state = f"{state} {ago(session, row.since)}"
    used = sum(gpu.job is not None for gpu in row.gpus)
    return [
        clean(row.name),
        paint(session, state, "red" if row.state == "lost" else "yellow" if row.drained else "green"),
        f"{used}/{len(row.gpus)}",
        f"{row.cpus_used}/{row.cpus}",
        f"{show_memory(row.memory_used_mb)} / {show_memory(row.memory_mb)}",
        *_measured(row.usage),
        ", ".join(str(job) for job in row.jobs),
    ]


def _measured(usage: NodeUsage | None) -> list[str]:
    """How busy the machine is, whoever makes it so; of its disks the fullest."""
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
