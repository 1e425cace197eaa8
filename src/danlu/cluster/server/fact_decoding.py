"""Understands what nodes say of their tasks, one by one: an odd word of one is no reason not to hear the
others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from danlu.codec import BadValue, decode
from danlu.core.known_end import with_known_words
from danlu.core.task import TaskFact


def read_fact(node: str, plain: Any, ahead_s: float = 0.0) -> TaskFact:
    """Its times by our own clock, if the node's is `ahead_s` of it. Raises BadValue, also of one that speaks
    for another node."""
    fact = decode(TaskFact, _with_known_end(plain))
    if fact.node != node:
        raise BadValue(f"it speaks for another node, {fact.node}", ("node",))
    if not ahead_s:
        return fact
    return replace(
        fact,
        started_at=None if fact.started_at is None else fact.started_at - ahead_s,
        end=None if fact.end is None else replace(fact.end, ended_at=fact.end.ended_at - ahead_s),
    )


def _with_known_end(plain: Any) -> Any:
    end = plain.get("end") if isinstance(plain, dict) else None
    return {**plain, "end": with_known_words(end)} if isinstance(end, dict) else plain
