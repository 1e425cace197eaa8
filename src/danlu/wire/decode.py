"""JSON into the dataclasses of the wire, for the side that trusts what it reads."""

from __future__ import annotations

import dataclasses
import types
from enum import Enum
from functools import cache
from typing import Annotated, Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


def decode(kind: type[T], data: Any) -> T:
    """An instance of `kind` from parsed JSON. Unknown keys are ignored: the server may be newer."""
    return cast(T, _decode(kind, data))


def encode(value: Any) -> Any:
    """Plain JSON values of a wire object; fields that are None stay out of requests."""
    if dataclasses.is_dataclass(value):
        pairs = ((f.name, getattr(value, f.name)) for f in dataclasses.fields(value))
        return {name: encode(item) for name, item in pairs if item is not None}
    if isinstance(value, dict):
        return {key: encode(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [encode(item) for item in value]
    return value.value if isinstance(value, Enum) else value


@cache
def _fields(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=False)
    return {f.name: hints[f.name] for f in dataclasses.fields(kind)}


def _decode(kind: Any, data: Any) -> Any:
    origin = get_origin(kind)
    if origin is Annotated:
        return _decode(get_args(kind)[0], data)
    if origin in (Union, types.UnionType):
        inner = [option for option in get_args(kind) if option is not type(None)]
        return None if data is None else _decode(inner[0], data)
    if origin is list:
        return [_decode(get_args(kind)[0], item) for item in data]
    if origin is dict:
        return {key: _decode(get_args(kind)[1], item) for key, item in data.items()}
    if dataclasses.is_dataclass(kind):
        fields = _fields(cast(type, kind))
        return cast(type, kind)(
            **{name: _decode(fields[name], data[name]) for name in fields if name in data}
        )
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    return data
