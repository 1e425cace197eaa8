"""Has pydantic build the schema of a form when it is first sent or received, instead of all at the start."""

from __future__ import annotations

import warnings
from dataclasses import is_dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from pydantic.warnings import UnsupportedFieldAttributeWarning

from danlu import wire


def defer_schemas() -> None:
    """For all forms of the wire. Has to be said before a route is made of them."""
    # FastAPI silences it where it builds a schema itself.
    warnings.simplefilter("ignore", UnsupportedFieldAttributeWarning)
    for module in iter_modules(wire.__path__, f"{wire.__name__}."):
        for form in vars(import_module(module.name)).values():
            if isinstance(form, type) and is_dataclass(form):
                known: dict[str, Any] = getattr(form, "__pydantic_config__", {})
                form.__pydantic_config__ = {**known, "defer_build": True}  # type: ignore[attr-defined]
