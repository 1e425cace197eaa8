"""The bounds that an annotation names, as checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from annotated_types import Ge, Le, MaxLen, MinLen, Predicate

from danlu.codec.bad_value import BadValue, show

Read = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Cut:
    """Of longer text the rest is left out, and in all of it what is no character."""

    length: int


def read_within(kind: Any, read: Read, bounds: Sequence[Any]) -> Read:
    """The same within bounds. What most values are is known at a glance; only the others are looked at one
    bound after the other."""
    checks = [check for bound in bounds if (check := _check_of(bound)) is not None]
    cut = next((bound.length for bound in bounds if isinstance(bound, Cut)), 0)

    def read_and_check(value: Any) -> Any:
        known = read(value)
        for holds, says in checks:
            if not holds(known):
                raise BadValue(f"{show(value)} is {says}")
        return _clean(known, cut) if cut else known

    kinds = [type(bound) for bound in bounds]
    if kind in (int, float) and kinds == [Ge, Le]:
        least, most = bounds[0].ge, bounds[1].le
        return lambda value: (
            value if type(value) is kind and least <= value <= most else read_and_check(value)
        )
    if kind is str and kinds == [Cut]:
        return lambda value: value if type(value) is str and _is_clean(value, cut) else read_and_check(value)
    return read_and_check


def _check_of(bound: Any) -> tuple[Callable[[Any], bool], str] | None:
    match bound:
        case Ge(least):
            return (lambda value: value >= least), f"less than {least}"
        case Le(most):
            return (lambda value: value <= most), f"more than {most}"
        case MinLen(least):
            return (lambda value: len(value) >= least), "too short"
        case MaxLen(most):
            return (lambda value: len(value) <= most), f"longer than {most}"
        case Predicate(func):
            return func, f"not as it should be ({func.__name__})"
    return None


def _is_clean(text: str, length: int) -> bool:
    return len(text) <= length and text.isprintable()


def _clean(text: str, length: int) -> str:
    """Fit to be stored and shown: neither NUL nor half a character."""
    if len(text) > length:
        text = text[: length - 1] + "…"
    return text if text.isprintable() else text.replace("\0", "\ufffd").encode(errors="replace").decode()
