"""Our types as plain JSON values, found out once for each type and remembered."""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any

_SIMPLE = frozenset({str, int, float, bool, type(None)})


def encode(value: object) -> Any:
    """Dataclasses become objects, named tuples and other sequences lists, sets sorted lists, bytes base64,
    members of enums their values."""
    kind: Any = type(value)
    return value if kind in _SIMPLE else _writer(kind)(value)


def encode_said(value: object) -> Any:
    """The same for a request: a field that is None was not said, and stays out of it."""
    kind: Any = type(value)
    if names := _names(kind):
        said = ((name, getattr(value, name)) for name in names)
        return {name: encode_said(item) for name, item in said if item is not None}
    match value:
        case dict():
            return {key: encode_said(item) for key, item in value.items()}
        case tuple() | list():
            return [encode_said(item) for item in value]
        case _:
            return encode(value)


@cache
def _writer(kind: Any) -> Callable[[Any], Any]:
    if names := _names(kind):
        return _writer_of_fields(names)
    if issubclass(kind, Enum):
        words = {member: member.value for member in kind}
        return words.__getitem__
    if issubclass(kind, dict):
        return lambda value: {key: encode(item) for key, item in value.items()}
    if issubclass(kind, tuple | list):
        return lambda value: [encode(item) for item in value]
    if issubclass(kind, frozenset | set):
        return lambda value: sorted([encode(item) for item in value])
    if issubclass(kind, bytes):
        return lambda value: b2a_base64(value, newline=False).decode()
    return lambda value: value


def _writer_of_fields(names: tuple[str, ...]) -> Callable[[Any], Any]:
    def write(value: Any) -> dict[str, Any]:
        # Most fields are simple: no call is made for those, since this is done for every job.
        return {
            name: item if type(item := getattr(value, name)) in _SIMPLE else encode(item) for name in names
        }

    return write


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """The fields of a dataclass; none of anything else."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
