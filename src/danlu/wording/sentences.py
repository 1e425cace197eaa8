"""Sentences made of typed facts: why a job waits, how it ended."""

from __future__ import annotations

import signal as signals
from typing import Any

from danlu.core import blockers as b
from danlu.core.job_id import label_of
from danlu.core.resources import Ask
from danlu.core.states import EndReason
from danlu.wire.units import show_duration, show_memory
from danlu.wording.catalogue import Language, say


def sentence_of_blocker(language: Language, blocker: b.Blocker, job_id: int, now: float) -> str:
    """Why the job waits, in one sentence."""
    facts: dict[str, Any] = {"id": label_of(job_id), **blocker.facts()}
    facts["on_node"] = _on_node(language, facts.get("node"))
    for name in ("gpu_ids", "nodes"):
        if name in facts:
            facts[name] = ", ".join(str(each) for each in facts[name])
    if "jobs" in facts:
        facts["jobs"] = ", ".join(label_of(each) for each in facts["jobs"])
    if "head" in facts:
        facts["head"] = label_of(facts["head"])
    code = blocker.code
    match blocker:
        case b.NotYet():
            facts["wait"] = show_duration(max(0.0, blocker.until - now))
        case b.NoSuchHardware():
            ask = Ask(
                blocker.gpus,
                blocker.gpu_ids,
                blocker.cpus,
                blocker.memory_mb,
                blocker.node,
                gpu_memory_mb=blocker.gpu_memory_mb,
            )
            facts["ask"] = describe_ask(language, ask)
        case b.NodeUnavailable():
            code = "node_drained" if blocker.drained else "node_lost"
        case b.GpusBusy() if blocker.foreign:
            code = "gpus_busy_foreign"
        case b.GpuMemoryBusy():
            half = say(language, "reasons.half_a_card")
            facts["wanted"] = show_memory(blocker.wanted_mb) if blocker.wanted_mb else half
            facts["free"] = show_memory(blocker.free_mb)
        case b.MemoryBusy():
            facts |= {"wanted": show_memory(blocker.wanted_mb), "free": show_memory(blocker.free_mb)}
    return say(language, f"reasons.{code}", **facts)


def sentence_of_end(
    language: Language, reason: EndReason, exit_code: int | None, signal: int | None, detail: str
) -> str:
    """How an attempt ended, in one sentence."""
    key = "node_lost_end" if reason is EndReason.NODE_LOST else reason.value
    return say(
        language,
        f"reasons.{key}",
        exit_code=exit_code,
        signal=signal,
        signal_name=_signal_name(signal),
        detail=detail,
    )


def describe_ask(language: Language, ask: Ask) -> str:
    """`4 GPU, 8 CPU, 64 GB of memory, node n1`."""
    parts = []
    if ask.gpus:
        parts.append(say(language, "reasons.part_gpus", gpus=ask.gpus))
    if ask.gpu_ids:
        ids = ",".join(str(index) for index in ask.gpu_ids)
        parts.append(say(language, "reasons.part_gpu_ids", ids=ids))
    if ask.gpu_memory_mb:
        parts.append(say(language, "reasons.part_gpu_memory", memory=show_memory(ask.gpu_memory_mb)))
    if ask.cpus:
        parts.append(say(language, "reasons.part_cpus", cpus=ask.cpus))
    if ask.memory_mb:
        parts.append(say(language, "reasons.part_memory", memory=show_memory(ask.memory_mb)))
    if ask.node:
        parts.append(say(language, "reasons.part_node", node=ask.node))
    return say(language, "reasons.comma").join(parts)


def _on_node(language: Language, node: str | None) -> str:
    return say(language, "reasons.on_node", node=node) if node else ""


def _signal_name(number: int | None) -> str:
    try:
        return signals.Signals(number).name if number else ""
    except ValueError:
        return str(number)
