"""Understands what nodes say of their tasks, one by one: an odd word of one is no reason not to hear the
others."""

from __future__ import annotations

import logging
from typing import Any

from danlu.cluster.plain_json import from_plain
from danlu.core.task import Ending, TaskFact

_log = logging.getLogger(__name__)

ODD = (ValueError, TypeError, KeyError, AttributeError)
"""What `from_plain`, and a look into what should be an object, raise of something that is none."""
_ENDINGS = frozenset(Ending)


def read_fact(node: str, plain: Any) -> TaskFact | None:
    """None for one that makes no sense, or speaks for another node."""
    try:
        fact = from_plain(TaskFact, _with_known_ending(plain))
    except ODD:
        _log.exception("node %s says something of a task that makes no sense", node)
        return None
    if fact.node != node:
        _log.warning("node %s speaks for %s, and is not heard", node, fact.node)
        return None
    return fact


def _with_known_ending(plain: Any) -> Any:
    """A newer agent may know ends that we do not: that it has ended is certain."""
    end = plain.get("end")
    if end is None or end["ending"] in _ENDINGS:
        return plain
    known = {
        **end,
        "ending": Ending.VANISHED.value,
        "detail": f"{end['ending']} {end.get('detail', '')}".strip(),
    }
    return {**plain, "end": known}
