"""The end of a task in words of a newer version."""

from __future__ import annotations

from typing import Any

from danlu.core.states import SETUP_PROBLEMS
from danlu.core.task import TaskEnding

_ENDINGS = frozenset(TaskEnding)


def with_known_words(end: dict[str, Any]) -> dict[str, Any]:
    """The plain JSON of a `TaskEnd`, in words that are known here. A newer agent, keeper or server may have
    written ends, and problems, that this version does not know: that the task has ended is certain."""
    ending, problem = end.get("ending"), end.get("problem")
    if isinstance(ending, str) and ending not in _ENDINGS:
        return _say_in_detail(end, ending) | {"ending": TaskEnding.VANISHED.value}
    if isinstance(problem, str) and problem not in SETUP_PROBLEMS:
        return _say_in_detail(end, problem) | {"problem": None}
    return end


def _say_in_detail(end: dict[str, Any], word: str) -> dict[str, Any]:
    return {**end, "detail": f"{word} {end.get('detail', '')}".strip()}
