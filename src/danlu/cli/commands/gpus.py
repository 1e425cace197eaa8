"""`danlu gpus`, and `danlu gpu` for what administrators decide about them"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from danlu.cli import values
from danlu.cli.commands.nodes import Target, mark_drained, parse_targets
from danlu.cli.commands.steering import for_each
from danlu.cli.layout import clean, paint, table
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, WordedGroup, argument, json_option, place_options
from danlu.wire.units import show_memory

if TYPE_CHECKING:
    from danlu.wire.nodes.node import GpuProcessRow, GpuRow

COLOURS = {
    "free": "green",
    "used": "cyan",
    "foreign": "magenta",
    "drained": "yellow",
    "unmanaged": None,
    "faulty": "red",
    "lost": "red",
}
COLUMNS = ("gpu", "model", "memory", "load", "temperature", "power", "state", "jobs", "owner", "note")


def _gpu_targets(text: str) -> list[Target]:
    """`n1:0` or `n1:0,3`: a node alone is not enough."""
    targets = parse_targets(text)
    if any(gpu is None for _, gpu in targets):
        raise ValueError(text)
    return targets


GPUS = values.Value("gpu_target", _gpu_targets)
SLOTS = values.number(1, 16)


@click.command("gpus", cls=WordedCommand)
@argument("node", required=False, metavar="NODE")
@json_option()
@pass_session
def gpus(session: Session, node: str | None, as_json: bool) -> None:
    from danlu.sdk.resources.nodes import node_path

    client = session.connect(translated=not as_json)
    if as_json:
        found = [client.get_json(node_path(node))] if node else client.get_json("/nodes")
        session.print_json([gpu for row in found for gpu in row["gpus"]])
        return
    rows = [client.nodes.get(node)] if node else client.nodes.list()
    cards = [_show(session, gpu) for row in rows for gpu in row.gpus]
    if not cards:
        session.tell("cli.gpus.empty")
        return
    click.echo(table([session.say(f"cli.column.{name}") for name in COLUMNS], cards))


@click.group("gpu", cls=WordedGroup)
def gpu() -> None:
    pass


gpu.params.extend(place_options())


@gpu.command("drain", cls=WordedCommand)
@argument("gpu_targets", nargs=-1, required=True, type=GPUS, metavar="NODE:GPU...")
@pass_session
def drain_gpu(session: Session, gpu_targets: tuple[list[Target], ...]) -> int:
    return mark_drained(session, gpu_targets, drained=True)


@gpu.command("undrain", cls=WordedCommand)
@argument("gpu_targets", nargs=-1, required=True, type=GPUS, metavar="NODE:GPU...")
@pass_session
def undrain_gpu(session: Session, gpu_targets: tuple[list[Target], ...]) -> int:
    return mark_drained(session, gpu_targets, drained=False)


@gpu.command("remove", cls=WordedCommand)
@argument("gpu_targets", nargs=-1, required=True, type=GPUS, metavar="NODE:GPU...")
@pass_session
def remove_gpu(session: Session, gpu_targets: tuple[list[Target], ...]) -> int:
    client = session.connect()

    def act(target: Target) -> None:
        node, index = target
        row = client.nodes.edit_gpu(node, index or 0, managed=False)
        gone = index not in {each.index for each in row.gpus}
        session.print("cli.gpu_gone" if gone else "cli.gpu_removed", place=f"{node}:{index}")

    return for_each(session, gpu_targets, act)


@gpu.command("add", cls=WordedCommand)
@argument("gpu_targets", nargs=-1, required=True, type=GPUS, metavar="NODE:GPU...")
@pass_session
def add_gpu(session: Session, gpu_targets: tuple[list[Target], ...]) -> int:
    client = session.connect()

    def act(target: Target) -> None:
        node, index = target
        client.nodes.edit_gpu(node, index or 0, managed=True)
        session.print("cli.gpu_added", place=f"{node}:{index}")

    return for_each(session, gpu_targets, act)


@gpu.command("slots", cls=WordedCommand)
@argument("gpu_targets", type=GPUS, metavar="NODE:GPU")
@argument("slots", type=SLOTS, metavar="SLOTS")
@pass_session
def set_slots(session: Session, gpu_targets: list[Target], slots: int) -> int:
    client = session.connect()

    def act(target: Target) -> None:
        node, index = target
        client.nodes.edit_gpu(node, index or 0, slots=slots)
        session.print("cli.gpu_slots", place=f"{node}:{index}", slots=slots)

    return for_each(session, [gpu_targets], act)


def _show(session: Session, gpu: GpuRow) -> list[str]:
    memory = show_memory(gpu.memory_mb)
    return [
        f"{clean(gpu.node)}:{gpu.index}",
        clean(gpu.name),
        memory if gpu.used_mb is None else f"{show_memory(gpu.used_mb)} / {memory}",
        "" if gpu.load is None else f"{gpu.load} %",
        "" if gpu.temperature_c is None else f"{gpu.temperature_c} °C",
        _power(gpu),
        paint(session, session.say(f"cli.gpu.{gpu.state}"), COLOURS[gpu.state]),
        ", ".join(str(job) for job in gpu.jobs),
        clean(gpu.user or ""),
        "; ".join(_notes(session, gpu)),
    ]


def _power(gpu: GpuRow) -> str:
    if gpu.power_w is None:
        return ""
    limit = "" if gpu.power_limit_w is None else f" / {gpu.power_limit_w:.0f}"
    return f"{gpu.power_w:.0f}{limit} W"


def _notes(session: Session, gpu: GpuRow) -> list[str]:
    """What is wrong with it, how it is shared out, and who is on it beside Danlu's jobs."""
    notes = [clean(gpu.fault)] if gpu.fault else []
    if gpu.slots > 1:
        notes.append(session.say("cli.gpu.slots", slots=gpu.slots))
    return notes + [_process(session, each) for each in gpu.processes if each.job is None]


def _process(session: Session, process: GpuProcessRow) -> str:
    who = f"{process.user} {process.command}".strip() or session.say("cli.gpu.hidden")
    memory = f" ({show_memory(process.memory_mb)})" if process.memory_mb else ""
    return f"{clean(who)} {process.pid}{memory}"
