"""Page markers: opaque to clients, checked when they come back."""

from __future__ import annotations

import base64
import json
import math

from danlu.core.errors import Invalid

Place = tuple[float | str, ...]
LARGEST = 2**53


def pack_cursor(order: str, place: Place | None) -> str | None:
    """A place in a list of that order."""
    if place is None:
        return None
    text = json.dumps([order, *place], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def unpack_cursor(order: str, text: str | None) -> Place | None:
    """Raises Invalid for what was not packed by us, or for a list of another order."""
    if not text:
        return None
    try:
        packed = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, RecursionError):
        packed = None
    if not isinstance(packed, list) or packed[:1] != [order] or not all(map(_is_sound, packed)):
        raise Invalid("bad_cursor", field="cursor")
    return tuple(packed[1:])


def _is_sound(value: object) -> bool:
    if isinstance(value, str):
        return value.isprintable()
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and abs(value) <= LARGEST  # type: ignore[arg-type]
