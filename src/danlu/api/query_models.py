"""A dataclass of the wire as the query of a request: its fields are declared once, for both."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import Any, TypeVar, get_type_hints

T = TypeVar("T")


def from_query(model: type[T]) -> Callable[..., Awaitable[T]]:
    """A dependency that reads each field of `model` from the query."""
    hints = get_type_hints(model, include_extras=True)

    async def read(**said: Any) -> T:
        return model(**said)

    parameters = [
        Parameter(
            each.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if each.default is MISSING else each.default,
            annotation=hints[each.name],
        )
        for each in fields(model)  # type: ignore[arg-type]
    ]
    read.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return read
