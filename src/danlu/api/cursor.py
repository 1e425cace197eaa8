"""Page markers: opaque to clients, checked when they come back."""

from __future__ import annotations

import base64
import json
import math

from danlu.core.errors import Invalid


def pack_cursor(key: tuple[float, int] | None) -> str | None:
    if key is None:
        return None
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode().rstrip("=")


def unpack_cursor(text: str | None) -> tuple[float, int] | None:
    if not text:
        return None
    try:
        number, job_id = json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        key = (float(number), int(job_id))
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise Invalid("bad_cursor", field="cursor") from None
    if not math.isfinite(key[0]) or not 0 <= key[1] <= 2**53:
        raise Invalid("bad_cursor", field="cursor")
    return key
