"""Has pydantic build the schema of a form when it is first sent or received, instead of all at the start."""

from __future__ import annotations

import warnings
from dataclasses import is_dataclass
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic.warnings import UnsupportedFieldAttributeWarning
from pydantic_core import CoreSchema

from danlu import wire

_PLAIN = frozenset({"int", "float", "bool", "str"})


def defer_schemas() -> None:
    """For all forms of the wire. Has to be said before a route is made of them."""
    # FastAPI silences it where it builds a schema itself.
    warnings.simplefilter("ignore", UnsupportedFieldAttributeWarning)
    for module in walk_packages(wire.__path__, f"{wire.__name__}."):
        for form in vars(import_module(module.name)).values():
            if isinstance(form, type) and is_dataclass(form):
                known: dict[str, Any] = getattr(form, "__pydantic_config__", {})
                form.__pydantic_config__ = {**known, "defer_build": True}  # type: ignore[attr-defined]
                if known.get("extra") == "forbid":
                    form.__get_pydantic_core_schema__ = classmethod(_strict_schema)  # type: ignore[attr-defined]


def _strict_schema(_form: type, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Of a request: a number is a number there, and not `true` or `"1"`. The schema as a whole cannot be
    strict, for then only an object of Python would be an object."""
    schema = handler(source)
    _make_strict(handler.resolve_ref_schema(schema))
    return schema


def _make_strict(part: Any) -> None:
    if isinstance(part, dict):
        if part.get("type") in _PLAIN:
            part["strict"] = True
        for inner in part.values():
            _make_strict(inner)
    elif isinstance(part, list | tuple):
        for inner in part:
            _make_strict(inner)
