"""Sentences made of typed facts: why a job waits, how it ended."""

from __future__ import annotations

import signal as signals
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from danlu.core import blockers as b
from danlu.core.auto import AutoReason
from danlu.core.job import JobSpec
from danlu.core.job_id import label_of
from danlu.core.resources import Ask
from danlu.core.states import EndReason
from danlu.wire.units import show_duration, show_memory
from danlu.wording.catalogue import Language, knows, say

MOST_NAMES = 8


def sentence_of_blocker(language: Language, blocker: b.Blocker, job_id: int, now: float) -> str:
    """Why the job waits, in one sentence."""
    facts: dict[str, Any] = {"id": label_of(job_id), "remark": "", **blocker.facts()}
    facts["on_node"] = _on_node(language, facts.get("node"))
    for name in ("gpu_ids", "nodes"):
        if name in facts:
            facts[name] = _names(facts[name])
    if "jobs" in facts:
        facts["jobs"] = ", ".join(label_of(each) for each in facts["jobs"])
    if "head" in facts:
        facts["head"] = label_of(facts["head"])
    return say(language, f"reasons.{_sentence_for(blocker)}", **{**facts, **_worded(language, blocker, now)})


def _worded(language: Language, blocker: b.Blocker, now: float) -> dict[str, str]:
    """The facts of a blocker that are more than a number or a name."""
    match blocker:
        case b.NotYet() | b.AvoidsNodes():
            return {"wait": show_duration(max(0.0, blocker.until - now))}
        case b.NoSuchHardware():
            removed = _remark(language, "removed", blocker.removed_on, nodes=_names(blocker.removed_on))
            return {"ask": describe_ask(language, _ask_of(blocker)), "remark": removed}
        case b.NodesBusy():
            return {"ask": describe_ask(language, _ask_of(blocker))}
        case b.NodesUnavailable():
            return _word_states(language, blocker)
        case b.NodeUnavailable():
            return {"why": describe_unfit(language, blocker.unfit)}
        case b.TooFewGpus():
            out = [
                say(language, f"reasons.gpus_{kind}", ids=_names(ids))
                for kind, ids in (("drained", blocker.drained), ("faulty", blocker.faulty))
                if ids
            ]
            others = _remark(language, "others_unavailable", blocker.others, nodes=_names(blocker.others))
            return {"out": say(language, "reasons.comma").join(out), "remark": others}
        case b.GpusBusy():
            return _word_gpus(language, blocker)
        case b.GpuMemoryBusy():
            half = say(language, "reasons.half_a_card")
            closed = _remark(language, "some_not_shared", blocker.closed, closed=blocker.closed)
            wanted = show_memory(blocker.wanted_mb) if blocker.wanted_mb else half
            return {"wanted": wanted, "free": show_memory(blocker.free_mb), "remark": closed}
        case b.MemoryBusy():
            amounts = {"wanted": show_memory(blocker.wanted_mb), "free": show_memory(blocker.free_mb)}
            return {**amounts, "beside": _remark(language, "beside", blocker.gpus, gpus=blocker.gpus)}
        case b.CpusBusy():
            return {"beside": _remark(language, "beside", blocker.gpus, gpus=blocker.gpus)}
    return {}


def _word_states(language: Language, blocker: b.NodesUnavailable) -> dict[str, str]:
    """The nodes, each with why nothing starts there."""
    unfit = {node: describe_unfit(language, [check]) for node, check in blocker.unfit}
    told = [
        say(
            language,
            "reasons.node_in_state",
            node=node,
            state=unfit.get(node) or say(language, f"reasons.state_{state}"),
        )
        for node, state in zip(blocker.nodes, blocker.states, strict=False)
    ]
    return {"nodes": _names(told or blocker.nodes), "remark": _remark(language, "some_unfit", unfit)}


def _word_gpus(language: Language, blocker: b.GpusBusy) -> dict[str, str]:
    """What GPUs it wants, and how urgently; and who else has some."""
    kind = "free_gpus_of_model" if blocker.gpu_model else "free_gpus"
    gpus = say(language, f"reasons.{kind}", wanted=blocker.wanted, gpu_model=blocker.gpu_model)
    memory = show_memory(blocker.gpu_memory_mb)
    gpus += _remark(language, "with_memory", blocker.gpu_memory_mb, memory=memory)
    gpus += _remark(language, "whole", blocker.whole)
    wants = say(language, "reasons.next_and_wants" if blocker.first else "reasons.wants")
    foreign = _remark(language, "foreign", blocker.foreign, foreign=blocker.foreign)
    return {"gpus": gpus, "wants": wants, "remark": foreign}


def _remark(language: Language, key: str, there_is: object, **facts: Any) -> str:
    """A part of a sentence that is said only where there is something to say."""
    return say(language, f"reasons.{key}", **facts) if there_is else ""


def _names(names: Sequence[object]) -> str:
    """Not all of a thousand nodes in one sentence."""
    return ", ".join([*map(str, names[:MOST_NAMES]), *(["…"] if len(names) > MOST_NAMES else [])])


def _sentence_for(blocker: b.Blocker) -> str:
    """Which of several sentences says it best."""
    match blocker:
        case b.NoSuchHardware() if blocker.wanted_nodes > 1:
            return "only_mixed_nodes" if blocker.mixed else "too_few_such_nodes"
        case b.NodeNotForJobs() if knows(f"reasons.node_{blocker.role}"):
            return f"node_{blocker.role}"
        case b.NodeUnavailable() if blocker.quarantined:
            return "node_quarantined"
        case b.NodeUnavailable() if blocker.unfit:
            return "node_unfit"
        case b.NodeUnavailable() if blocker.closed:
            return "node_closed"
        case b.NodeUnavailable():
            return "node_drained" if blocker.drained else "node_lost"
        case b.NodesBusy() if blocker.gpus:
            return "nodes_busy_mixed" if blocker.mixed >= blocker.wanted else "nodes_busy_one_model"
        case b.GpuMemoryBusy() if not blocker.joinable:
            return "gpus_not_shared"
        case b.GpuMemoryBusy() if blocker.gpus > 1:
            return "gpu_memory_busy_several"
    return blocker.code


def describe_unfit(language: Language, checks: Iterable[str]) -> str:
    """What is wrong with a node that is out of service, in a few words."""
    keys = {check: f"reasons.unfit.{check}" for check in checks}
    return "; ".join(say(language, key) if knows(key) else check for check, key in keys.items())


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


def sentence_of_auto(language: Language, spec: JobSpec) -> str:
    """What Danlu chose where that was left to it, and why; nothing where it was not."""
    auto, ask = spec.auto, spec.ask
    if auto is None:
        return ""
    numbers = describe_ask(language, Ask(ask.gpus, nodes=ask.nodes, nodes_min=ask.nodes_min))
    if not ask.gpus:
        numbers = say(language, "reasons.auto_only_nodes", nodes=show_nodes(ask))
    key = "free_on" if auto.reason is AutoReason.FREE and auto.node else auto.reason.value
    memory, each = show_memory(auto.gpu_memory_mb or 0), show_memory(ask.gpu_memory_mb)
    reason = say(language, f"reasons.auto_{key}", node=auto.node, memory=memory, each=each)
    return say(language, "reasons.auto", numbers=numbers, reason=reason)


def describe_ask(language: Language, ask: Ask) -> str:
    """`4 GPU, 8 CPU, 64 GB of memory, node n1`; for several nodes, `… on each of 2 nodes`."""
    parts = []
    if ask.gpus and ask.gpu_model:
        parts.append(say(language, "reasons.part_gpus_of_model", gpus=ask.gpus, model=ask.gpu_model))
    elif ask.gpus:
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
    if ask.stage:
        parts.append(say(language, "reasons.part_stage"))
    if ask.node:
        parts.append(say(language, "reasons.part_node", node=ask.node))
    comma = say(language, "reasons.comma")
    if ask.nodes > 1:
        parts = [say(language, "reasons.on_each_of", ask=comma.join(parts), nodes=show_nodes(ask))]
    for key, nodes in (("only_nodes", ask.only_nodes), ("exclude_nodes", ask.exclude_nodes)):
        if nodes:
            parts.append(say(language, f"reasons.part_{key}", nodes=", ".join(nodes)))
    return comma.join(parts)


def show_nodes(ask: Ask) -> str:
    """`2`, or `1:4` for as many as there are between the two."""
    return str(ask.nodes) if ask.nodes_min == ask.nodes else f"{ask.nodes_min}:{ask.nodes}"


def _ask_of(blocker: b.NoSuchHardware | b.NodesBusy) -> Ask:
    """What it names of one node."""
    ask = Ask(
        blocker.gpus,
        cpus=blocker.cpus,
        memory_mb=blocker.memory_mb,
        gpu_memory_mb=blocker.gpu_memory_mb,
        gpu_model=blocker.gpu_model,
    )
    if isinstance(blocker, b.NodesBusy):
        return ask
    return replace(
        ask,
        gpu_ids=blocker.gpu_ids,
        node=blocker.node,
        only_nodes=blocker.only_nodes,
        exclude_nodes=blocker.exclude_nodes,
        stage=blocker.stage,
    )


def _on_node(language: Language, node: str | None) -> str:
    return say(language, "reasons.on_node", node=node) if node else ""


def _signal_name(number: int | None) -> str:
    try:
        return signals.Signals(number).name if number else ""
    except ValueError:
        return str(number)
