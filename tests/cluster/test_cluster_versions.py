"""Messages between a server and agents that are a version apart, in either direction."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest

from danlu.cluster.server.fact_decoding import read_fact
from danlu.cluster.server.node_messages import Beat, LogPlace
from danlu.codec import decode, encode
from danlu.core.nodes.doctor import Question
from danlu.core.nodes.node import Finding, NodeFacts
from danlu.core.nodes.readings import NodeReading
from danlu.core.task import LaunchOrder, Prepared, TaskEnd, TaskEnding, TaskFact

KINDS: list[type] = [
    *(Beat, NodeFacts, NodeReading, LaunchOrder, TaskFact, Prepared, LogPlace, Question, Finding)
]
KEPT = Path(__file__).parents[1] / "fixtures" / "version_0_1_0" / "messages.json"
"""As version 0.1.0 writes them."""


def message(kind: type) -> dict[str, Any]:
    return dict(json.loads(KEPT.read_text())[kind.__name__])


def with_news(plain: Any) -> Any:
    """As a newer version might write it: with a field more in every object that is one of our types."""
    match plain:
        case dict() if plain.keys() & {"A", "free_bytes"}:
            return plain  # Variables and facts have names of their own.
        case dict():
            return {name: with_news(each) for name, each in plain.items()} | {"from_the_future": [1]}
        case list():
            return [with_news(each) for each in plain]
    return plain


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_the_version_before_says_is_understood(kind: type) -> None:
    plain = message(kind)
    assert without_news(encode(decode(kind, plain)), plain) == plain


def without_news(known: Any, plain: Any) -> Any:
    """What of `known` the version before names too."""
    match known, plain:
        case dict(), dict():
            return {name: without_news(known[name], plain[name]) for name in plain if name in known}
        case list(), list() if len(known) == len(plain):
            return [without_news(one, before) for one, before in zip(known, plain, strict=True)]
    return known


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_what_a_newer_version_says_is_understood_but_for_what_is_new(kind: type) -> None:
    assert decode(kind, with_news(message(kind))) == decode(kind, message(kind))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_field_that_was_added_since_can_be_missing(kind: type) -> None:
    """Else agents of the version before would be refused, and this server by them."""
    needed = {
        field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING
    }
    assert needed <= message(kind).keys()


@pytest.mark.parametrize("said", [{"ending": "abducted"}, {"ending": "setup_failed", "problem": "abducted"}])
def test_an_end_in_words_of_a_newer_agent_is_an_end(said: dict[str, Any]) -> None:
    plain = message(TaskFact)
    fact = read_fact("forge", {**plain, "end": {**plain["end"], **said}})
    ending = TaskEnding.SETUP_FAILED if "problem" in said else TaskEnding.VANISHED
    assert fact.end == TaskEnd(ending, 9.0, 256, detail="abducted")
