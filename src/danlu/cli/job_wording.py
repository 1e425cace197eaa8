"""Jobs in a few words: their states, why they wait, how they ended."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from danlu.cli.layout import paint
from danlu.wire.units import show_duration, show_memory
from danlu.wording.catalogue import knows
from danlu.wording.ended import describe_end

if TYPE_CHECKING:
    from danlu.cli.session import Session
    from danlu.wire.jobs import ArrayRow, JobRow, Why

_COLOURS = {
    "waiting": "yellow",
    "held": "magenta",
    "starting": "cyan",
    "running": "cyan",
    "stopping": "magenta",
    "succeeded": "green",
    "failed": "red",
}

MOST_NODES = 4
"""So many are named in a list; the others are counted."""


def state_of(session: Session, state: str) -> str:
    return paint(session, session.say(f"cli.state.{state}"), _COLOURS.get(state))


def short_reason(session: Session, why: Why) -> str:
    """A waiting job's reason for a narrow column; a code we do not know yet speaks for itself."""
    not_shared = why.code == "gpu_memory_busy" and not why.facts.get("joinable", True)
    key = "cli.short.gpus_not_shared" if not_shared else f"cli.short.{why.code}"
    if not knows(key):
        return why.message
    try:
        return session.say(key, **_facts(why.facts))
    except (KeyError, IndexError):
        return why.message


def _facts(facts: dict[str, Any]) -> dict[str, Any]:
    worded: dict[str, Any] = {}
    for name, value in facts.items():
        if isinstance(value, list):
            worded[name] = ", ".join(str(item) for item in value)
        elif name.endswith("_mb"):
            worded[name] = show_memory(value)
        elif name == "until":
            worded[name] = show_duration(max(0.0, value - time.time()))
        else:
            worded[name] = value
    return worded


def remark_on(session: Session, job: JobRow) -> str:
    """The last column of a list."""
    if job.unreachable_since is not None:
        return session.say("cli.nodes_unreachable", nodes=",".join(job.on_nodes))
    if job.array is not None and job.area != "history":
        return counts_of(session, job.array)
    if job.area == "waiting":
        return short_reason(session, job.why[0]) if job.why else ""
    return describe_end(session.language, job.end_reason, job.exit_code, job.signal)


def counts_of(session: Session, array: ArrayRow) -> str:
    """`3 running, 87 waiting, 10 succeeded`"""
    numbers = {
        name: getattr(array, name) for name in ("active", "waiting", "succeeded", "failed", "cancelled")
    }
    said = [session.say(f"cli.count.{name}", number=number) for name, number in numbers.items() if number]
    return session.say("cli.comma").join(said)


def gpus_of(job: JobRow) -> str:
    """`4`, `1*` of a shared one, `2x4` on each of two nodes, `1:3x4` on one to three."""
    each = f"{job.gpus}*" if job.share else str(job.gpus)
    if job.nodes == 1:
        return each
    nodes = str(job.nodes) if job.nodes_min == job.nodes else f"{job.nodes_min}:{job.nodes}"
    return f"{nodes}x{each}"


def place_of(job: JobRow) -> str:
    """`n1:0,3`, or of several nodes their names: `n1,n2`."""
    if len(job.on_nodes) > 1:
        more = len(job.on_nodes) - MOST_NODES
        return ",".join(job.on_nodes[:MOST_NODES]) + (f",+{more}" if more > 0 else "")
    ids = ",".join(str(index) for index in job.gpu_ids)
    return f"{job.node or '*'}:{ids}" if ids else job.node or ""
