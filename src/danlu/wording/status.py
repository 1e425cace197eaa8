"""Where a job stands, in one sentence: why it waits, where it runs, how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from danlu.core.job import Job
from danlu.core.states import ACTIVE, ENDED
from danlu.wording.catalogue import Language, say
from danlu.wording.os_errors import word_os_error
from danlu.wording.sentences import sentence_of_end


def status_sentence(
    language: Language, job: Job, reasons: Sequence[str], lost: Mapping[str, float], *, mine: bool
) -> str:
    """`reasons` say why it waits, `lost` are the nodes that cannot be reached. What went wrong inside the job
    is told to those whose it is (`mine`)."""
    if job.counts is not None and job.counts.active:
        return say(language, "reasons.array_running", waiting=job.counts.waiting, **asdict(job.counts))
    if reasons:
        return " ".join(reasons)
    if job.state in ENDED and job.end_reason is not None:
        detail = word_os_error(language, job.detail) if mine else "…"
        sentence = sentence_of_end(language, job.end_reason, job.exit_code, job.signal, detail)
        if mine and job.on_nodes and detail and detail not in sentence:
            sentence += say(language, "reasons.of_task", detail=detail)
        return sentence
    nodes = job.on_nodes or ((job.placed.node,) if job.placed else ())
    if job.state in ACTIVE and (away := [node for node in nodes if node in lost]):
        key = "reasons.unreachable_moves" if job.spec.may_move else "reasons.unreachable"
        return say(language, key, node=", ".join(away))
    return say(language, f"reasons.{job.state.value}", node=", ".join(nodes))
