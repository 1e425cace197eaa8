"""Our own types as plain JSON, and back. What one side does not know yet, or any more, is left out: machines
one version apart understand each other.

What comes back is what its type says: every value is of its type and within the bounds that its annotation
names (`bounds`), or nothing of it is taken.
"""

from __future__ import annotations

import base64
import binascii
import math
import types
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from annotated_types import Ge, Le, MaxLen, MinLen, Predicate

from danlu.core.bounds import Cut

T = TypeVar("T")
Read = Callable[[Any], Any]

_SHOWN = 60


class Senseless(ValueError):
    """It is not what it was said to be. `where` is the way to what is wrong, from the outside in."""

    def __init__(self, why: str, where: tuple[str, ...] = ()) -> None:
        super().__init__(why, where)
        self.why = why
        self.where = where

    def __str__(self) -> str:
        return f"{'.'.join(self.where)}: {self.why}" if self.where else self.why

    def within(self, name: str | int) -> Senseless:
        return Senseless(self.why, (str(name), *self.where))


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
    """Raises Senseless where it is no such thing."""
    return cast(T, _reader(cast(Any, kind))(value))


_SIMPLE = frozenset({str, int, float, bool, type(None)})


@cache
def _names(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass; none of anything else."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


@cache
def _reader(kind: Any) -> Read:
    """How this is read, found out once: a thousand nodes tell of their GPUs all the time."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _reader_within(inner[0], inner[1:])
    if origin in (Union, types.UnionType):
        return _reader_of_one(inner)
    if origin in (tuple, list):
        return _reader_of_many(origin, _reader(inner[0]))
    if origin is dict:
        return _reader_of_pairs(_reader(inner[0]), _reader(inner[1]))
    if kind in _PLAIN:
        return _PLAIN[kind]
    if not isinstance(kind, type):
        raise TypeError(f"{kind} cannot be read from JSON")
    if is_dataclass(kind):
        return _reader_of_fields(kind)
    if issubclass(kind, Enum):
        return _reader_of_enum(kind)
    if issubclass(kind, tuple):
        return _reader_of_record(kind)
    raise TypeError(f"{kind} cannot be read from JSON")


def _read_text(value: Any) -> str:
    if type(value) is not str:
        raise _other("a text", value)
    return value


def _read_whole(value: Any) -> int:
    # True is an int to Python, and to nobody else.
    if type(value) is not int:
        raise _other("a whole number", value)
    return value


def _read_number(value: Any) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            raise Senseless("the number is too large") from None
    raise _other("a number", value)


def _read_bool(value: Any) -> bool:
    if type(value) is not bool:
        raise _other("true or false", value)
    return value


def _read_bytes(value: Any) -> bytes:
    try:
        return base64.b64decode(_read_text(value), validate=True)
    except (binascii.Error, ValueError):
        raise _other("base64", value) from None


def _read_nothing(value: Any) -> None:
    if value is not None:
        raise _other("nothing", value)


_PLAIN: dict[Any, Read] = {
    str: _read_text,
    int: _read_whole,
    float: _read_number,
    bool: _read_bool,
    bytes: _read_bytes,
    type(None): _read_nothing,
    Any: lambda value: value,
}


def _reader_within(kind: Any, bounds: Sequence[Any]) -> Read:
    """The same within bounds. What most values are is known at a glance; only the others are looked at one
    bound after the other."""
    read, checks = _reader(kind), [check for bound in bounds if (check := _check_of(bound)) is not None]
    cut = next((bound.length for bound in bounds if isinstance(bound, Cut)), 0)

    def read_within(value: Any) -> Any:
        known = read(value)
        for holds, says in checks:
            if not holds(known):
                raise Senseless(f"{_show(value)} is {says}")
        return _clean(known, cut) if cut else known

    kinds = [type(bound) for bound in bounds]
    if kind in (int, float) and kinds == [Ge, Le]:
        least, most = bounds[0].ge, bounds[1].le
        return lambda value: value if type(value) is kind and least <= value <= most else read_within(value)
    if kind is str and kinds == [Cut]:
        return lambda value: value if type(value) is str and _is_clean(value, cut) else read_within(value)
    return read_within


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


def _reader_of_one(kinds: tuple[Any, ...]) -> Read:
    """Of what may be nothing, or one of several plain things."""
    others = [kind for kind in kinds if kind is not type(None)]
    readers = [_reader(kind) for kind in others]
    may_be_nothing = len(others) < len(kinds)
    if len(readers) == 1 and may_be_nothing:
        (read,) = readers
        return lambda value: None if value is None else read(value)

    def read_one(value: Any) -> Any:
        if value is None and may_be_nothing:
            return None
        for read in readers:
            try:
                return read(value)
            except Senseless as problem:
                said = problem
        raise said

    return read_one


def _reader_of_many(make: Callable[[Any], Any], each: Read) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not list:
            raise _other("a list", value)
        known = []
        try:
            for one in value:
                known.append(each(one))
        except Senseless as problem:
            raise problem.within(len(known)) from None
        return make(known)

    return read


def _reader_of_pairs(name: Read, each: Read) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise _other("an object", value)
        known = {}
        for key, one in value.items():
            try:
                known[name(key)] = each(one)
            except Senseless as problem:
                raise problem.within(_show(key)) from None
        return known

    return read


def _reader_of_enum(kind: type[Enum]) -> Read:
    members: dict[Any, Enum] = {member.value: member for member in kind}

    def read(value: Any) -> Enum:
        try:
            return members[value]
        except (KeyError, TypeError):
            raise _other(f"one of {', '.join(map(str, members))}", value) from None

    return read


def _reader_of_record(kind: Any) -> Read:
    """A named tuple: a list as long as it."""
    hints = get_type_hints(kind, include_extras=True)
    readers = [(name, _reader(hints[name])) for name in kind._fields]

    def read(value: Any) -> Any:
        if type(value) is not list or len(value) != len(readers):
            raise _other(f"a list of {len(readers)}", value)
        known = []
        for (name, each), one in zip(readers, value, strict=True):
            try:
                known.append(each(one))
            except Senseless as problem:
                raise problem.within(name) from None
        return kind(*known)

    return read


def _reader_of_fields(kind: Any) -> Read:
    hints = get_type_hints(kind, include_extras=True)
    readers = {field.name: _reader(hints[field.name]) for field in fields(kind)}
    needed = frozenset(
        field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING
    )

    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise _other("an object", value)
        known = {}
        name = ""
        try:
            for name, plain in value.items():
                each = readers.get(name)
                if each is not None:
                    known[name] = each(plain)
        except Senseless as problem:
            raise problem.within(name) from None
        if missing := needed - known.keys():
            raise Senseless("is missing", (min(missing),))
        return kind(**known)

    return read


def _other(wanted: str, value: Any) -> Senseless:
    return Senseless(f"{_show(value)} is not {wanted}")


def _show(value: Any) -> str:
    """Short, and in plain characters: it goes into logs and onto pages."""
    if isinstance(value, dict | list | tuple):
        return "an object" if isinstance(value, dict) else "a list"
    text = ascii(value[:_SHOWN] if isinstance(value, str) else value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
