"""Our own types as plain JSON, and back. What one side does not know yet, or any more, is left out: machines
one version apart understand each other."""

from __future__ import annotations

import base64
import types
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
Read = Callable[[Any], Any]


def to_plain(value: object) -> Any:
    kind: Any = type(value)
    if kind in _SIMPLE:
        return value
    if names := _names(kind):
        return {name: to_plain(getattr(value, name)) for name in names}
    match value:
        case dict():
            return {key: to_plain(each) for key, each in value.items()}
        case tuple() | list() | frozenset() | set():
            return [to_plain(each) for each in value]
        case bytes():
            return base64.b64encode(value).decode()
        case Enum():
            return value.value
        case _:
            return value


def from_plain(kind: type[T], value: Any) -> T:
    """Raises ValueError, TypeError, AttributeError where it is no such thing."""
    read = _reader(cast(Any, kind))
    return cast(T, value if read is None else read(value))


_SIMPLE = frozenset({str, int, float, bool, type(None)})


@cache
def _names(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass; none of anything else."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


@cache
def _reader(kind: Any) -> Read | None:
    """How this is read, found out once: a thousand nodes tell of their GPUs all the time. None: it is what it
    is."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _reader_of_one(inner)
    if origin is tuple:
        return _reader_of_many(tuple, _reader(inner[0]))
    if origin is list:
        return _reader_of_many(list, _reader(inner[0]))
    if origin is dict:
        each = _reader(inner[1])
        return None if each is None else lambda value: {key: each(one) for key, one in value.items()}
    if not isinstance(kind, type):
        return None
    if is_dataclass(kind):
        return _reader_of_fields(kind)
    if issubclass(kind, bytes):
        return base64.b64decode
    if issubclass(kind, Enum):
        return kind
    if issubclass(kind, tuple):
        return lambda value: kind(*value)
    return None


def _reader_of_one(kinds: tuple[Any, ...]) -> Read | None:
    """Of something that may be nothing. Of several plain things each is what it is."""
    others = [kind for kind in kinds if kind is not type(None)]
    read = _reader(others[0]) if len(others) == 1 else None
    return None if read is None else lambda value: None if value is None else read(value)


def _reader_of_many(make: Callable[[Any], Any], each: Read | None) -> Read:
    if each is None:
        return make
    return lambda value: make([each(one) for one in value])


def _reader_of_fields(kind: Any) -> Read:
    readers = {name: _reader(hint) for name, hint in get_type_hints(kind).items()}

    def read(value: Any) -> Any:
        known = {}
        for name, plain in value.items():
            if name in readers:
                each = readers[name]
                known[name] = plain if each is None else each(plain)
        return kind(**known)

    return read
