"""Plain JSON values into our types, found out once for each type and remembered.

What one side does not know yet, or any more, is left out: machines one version apart understand each other.
"""

from __future__ import annotations

import binascii
import math
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from danlu.codec.bad_value import BadValue, UnknownWord, not_a, show
from danlu.codec.bounds import Read, read_within
from danlu.codec.words import members_of

T = TypeVar("T")


def decode(kind: type[T], value: Any, *, trusted: bool = False) -> T:
    """A `kind` from parsed JSON. Raises BadValue, with the way to what is wrong, where it is none.

    Every value is of its type and within the bounds that its annotation names. `trusted` is what Danlu itself
    has written, perhaps a newer version of it: its bounds are not looked at, and a word that an enum here
    does not have counts as not said. It leaves its field at the default, or at None where that is allowed,
    and is missing from lists and sets; only where neither is possible the value is bad.
    """
    return cast(T, _reader(cast(Any, kind), trusted)(value))


@cache
def _reader(kind: Any, trusted: bool) -> Read:
    """How this is read: a thousand nodes tell of their GPUs all the time."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        read = _reader(inner[0], trusted)
        return read if trusted else read_within(inner[0], read, inner[1:])
    if origin in (Union, types.UnionType):
        return _reader_of_one(inner, trusted)
    if origin is tuple and inner[1:] != (...,):
        return _reader_of_row([(str(at), _reader(each, trusted)) for at, each in enumerate(inner)], tuple)
    if origin in (tuple, list, frozenset):
        return _reader_of_many(origin, _reader(inner[0], trusted), trusted)
    if origin in (dict, Mapping):
        return _reader_of_pairs(_reader_of_key(inner[0], trusted), _reader(inner[1], trusted))
    if origin is Literal:
        return _reader_of_literal(inner, trusted)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if not isinstance(kind, type):
        raise TypeError(f"{kind} cannot be read from JSON")
    if is_dataclass(kind):
        return _reader_of_fields(kind, trusted)
    if issubclass(kind, Enum):
        return _reader_of_enum(kind)
    if issubclass(kind, tuple):
        row, hints = cast(Any, kind), get_type_hints(kind, include_extras=True)
        return _reader_of_row([(name, _reader(hints[name], trusted)) for name in row._fields], row._make)
    raise TypeError(f"{kind} cannot be read from JSON")


def _read_text(value: Any) -> str:
    if type(value) is not str:
        raise not_a("a text", value)
    return value


def _read_whole(value: Any) -> int:
    # True is an int to Python, and to no other language.
    if type(value) is not int:
        raise not_a("a whole number", value)
    return value


def _read_number(value: Any) -> float:
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            raise BadValue("the number is too large") from None
    raise not_a("a number", value)


def _read_bool(value: Any) -> bool:
    if type(value) is not bool:
        raise not_a("true or false", value)
    return value


def _read_bytes(value: Any) -> bytes:
    try:
        return binascii.a2b_base64(_read_text(value), strict_mode=True)
    except ValueError:
        raise not_a("base64", value) from None


def _read_nothing(value: Any) -> None:
    if value is not None:
        raise not_a("nothing", value)


_PLAIN: dict[Any, Read] = {
    str: _read_text,
    int: _read_whole,
    float: _read_number,
    bool: _read_bool,
    bytes: _read_bytes,
    type(None): _read_nothing,
    Any: lambda value: value,
}


def _reader_of_one(kinds: tuple[Any, ...], trusted: bool) -> Read:
    """Of what may be nothing, or one of several plain things."""
    others = [kind for kind in kinds if kind is not type(None)]
    readers = [_reader(kind, trusted) for kind in others]
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
            except BadValue as problem:
                said = problem
        raise said

    return read_one


def _reader_of_many(make: Callable[[Any], Any], each: Read, trusted: bool) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not list:
            raise not_a("a list", value)
        known = []
        for at, one in enumerate(value):
            try:
                known.append(each(one))
            except BadValue as problem:
                if not (trusted and isinstance(problem, UnknownWord)):
                    raise problem.within(at) from None
        return make(known)

    return read


def _reader_of_row(readers: list[tuple[str, Read]], make: Callable[[Any], Any]) -> Read:
    """A tuple of so many, each of its own kind: a list as long as it."""

    def read(value: Any) -> Any:
        if type(value) is not list or len(value) != len(readers):
            raise not_a(f"a list of {len(readers)}", value)
        known = []
        for (name, each), one in zip(readers, value, strict=True):
            try:
                known.append(each(one))
            except BadValue as problem:
                raise problem.within(name) from None
        return make(known)

    return read


def _reader_of_pairs(name: Read, each: Read) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise not_a("an object", value)
        known = {}
        for key, one in value.items():
            try:
                known[name(key)] = each(one)
            except BadValue as problem:
                raise problem.within(show(key)) from None
        return known

    return read


def _reader_of_key(kind: Any, trusted: bool) -> Read:
    """Names in JSON are texts, also those that are numbers here."""
    if kind is not int:
        return _reader(kind, trusted)

    def read(value: Any) -> int:
        if type(value) is str and value.isascii() and value.isdigit():
            return int(value)
        return _read_whole(value)

    return read


def _reader_of_literal(words: tuple[Any, ...], trusted: bool) -> Read:
    kinds = {type(word) for word in words}

    def read(value: Any) -> Any:
        if type(value) not in kinds or not (trusted or value in words):
            raise not_a(f"one of {', '.join(map(str, words))}", value)
        return value

    return read


def _reader_of_enum(kind: type[Enum]) -> Read:
    members = members_of(kind)

    def read(value: Any) -> Any:
        try:
            return members[value]
        except (KeyError, TypeError):
            kind_of_problem = UnknownWord if type(value) is str else BadValue
            raise kind_of_problem(f"{show(value)} is not one of {', '.join(map(str, members))}") from None

    return read


def _reader_of_fields(kind: Any, trusted: bool) -> Read:
    hints = get_type_hints(kind, include_extras=True)
    made = [field for field in fields(kind) if field.init]
    readers = {field.name: _reader(hints[field.name], trusted) for field in made}
    needed = frozenset(
        field.name for field in made if field.default is MISSING and field.default_factory is MISSING
    )
    # What becomes of a word that only a newer version knows.
    otherwise = {name: None for name in needed if type(None) in get_args(hints[name])}
    survivors = (readers.keys() - needed) | otherwise.keys() if trusted else frozenset[str]()

    def read(value: Any) -> Any:
        if type(value) is not dict:
            raise not_a("an object", value)
        known = {}
        for name, plain in value.items():
            each = readers.get(name)
            if each is None:
                continue
            try:
                known[name] = each(plain)
            except BadValue as problem:
                if not (isinstance(problem, UnknownWord) and name in survivors):
                    raise problem.within(name) from None
                if name in otherwise:
                    known[name] = None
        if missing := needed - known.keys():
            raise BadValue("is missing", (min(missing),))
        return kind(**known)

    return read
