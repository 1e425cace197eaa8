"""What a message is made of: a line of JSON, and bytes behind it where there are any."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def pack(message: Mapping[str, Any], data: bytes = b"") -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n" + data


def unpack(payload: bytes) -> tuple[dict[str, Any], bytes]:
    """Raises ValueError."""
    line, _, data = payload.partition(b"\n")
    try:
        message = json.loads(line)
    except RecursionError:
        raise ValueError("a message must not be that deep") from None
    if not isinstance(message, dict):
        raise ValueError("a message must be an object")
    return message, data
