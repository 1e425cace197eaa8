"""Instances of every wire class, made from its annotations: each field set, or as few as it allows."""

from __future__ import annotations

import dataclasses
import types
from enum import Enum
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import danlu.wire


def wire_classes() -> list[type]:
    """Every dataclass that the wire defines."""
    found: list[type] = []
    for each in walk_packages(danlu.wire.__path__, "danlu.wire."):
        module = import_module(each.name)
        found += [
            kind
            for kind in vars(module).values()
            if isinstance(kind, type)
            and dataclasses.is_dataclass(kind)
            and kind.__module__ == module.__name__
        ]
    return found


def full(kind: type) -> Any:
    """With every field set to something other than its default."""
    return kind(**{name: _some(hint) for name, hint in get_type_hints(kind).items() if _is_field(kind, name)})


def least(kind: type) -> Any:
    """With the fields that have a default left out, and null where null is allowed."""
    hints = get_type_hints(kind)
    return kind(
        **{
            field.name: None if _nullable(hints[field.name]) else _some(hints[field.name])
            for field in dataclasses.fields(kind)
            if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        }
    )


def _is_field(kind: type, name: str) -> bool:
    return name in {field.name for field in dataclasses.fields(kind)}


def _nullable(hint: Any) -> bool:
    return get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)


def _some(hint: Any) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _some(arguments[0])
    if origin is list:
        return [_some(arguments[0]), _some(arguments[0])]
    if origin is dict:
        return {_some(arguments[0]): _some(arguments[1])}
    if origin is Literal:
        return arguments[-1]
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return full(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return list(hint)[-1]
    return {int: 7, float: 2.5, str: "文 text", bool: True, Any: ["any", {"thing": None}]}[hint]
