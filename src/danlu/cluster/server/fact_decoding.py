"""Understands what nodes say of their tasks, one by one: an odd word of one is no reason not to hear the
others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from danlu.core.plain_json import Senseless, from_plain
from danlu.core.states import SETUP_PROBLEMS
from danlu.core.task import TaskEnding, TaskFact

_ENDINGS = frozenset(TaskEnding)


def read_fact(node: str, plain: Any, ahead_s: float = 0.0) -> TaskFact:
    """Its times by our own clock, if the node's is `ahead_s` of it. Raises Senseless, also of one that speaks
    for another node."""
    fact = from_plain(TaskFact, _with_known_end(plain))
    if fact.node != node:
        raise Senseless(f"it speaks for another node, {fact.node}", ("node",))
    if not ahead_s:
        return fact
    return replace(
        fact,
        started_at=None if fact.started_at is None else fact.started_at - ahead_s,
        end=None if fact.end is None else replace(fact.end, ended_at=fact.end.ended_at - ahead_s),
    )


def _with_known_end(plain: Any) -> Any:
    """A newer agent may know ends, and problems, that we do not: that it has ended is certain."""
    end = plain.get("end") if isinstance(plain, dict) else None
    if not isinstance(end, dict):
        return plain
    ending, problem = end.get("ending"), end.get("problem")
    if isinstance(ending, str) and ending not in _ENDINGS:
        return {**plain, "end": _say_in_detail(end, ending) | {"ending": TaskEnding.VANISHED.value}}
    if isinstance(problem, str) and problem not in SETUP_PROBLEMS:
        return {**plain, "end": _say_in_detail(end, problem) | {"problem": None}}
    return plain


def _say_in_detail(end: dict[str, Any], word: str) -> dict[str, Any]:
    return {**end, "detail": f"{word} {end.get('detail', '')}".strip()}
