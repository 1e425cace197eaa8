"""Python functions as jobs, on the wire: what to call goes up as bytes, its result comes down as bytes.

Neither side of the server looks inside: the SDK writes and reads them (`danlu.sdk.calls`).
"""

from __future__ import annotations

from dataclasses import dataclass

LARGEST_CALL = 256 << 20
"""In bytes: a function and all its arguments."""
LARGEST_RESULT = 1 << 30
"""In bytes: what one task may give back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCall:
    """`digest` is what the field `call` of a job names."""

    digest: str
    size: int
