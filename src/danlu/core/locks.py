"""Named locks, and the entries of the small key-value store."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lock:
    """A grant. It counts until it is released, until `expires_at`, or as long as the attempt that holds it is
    the active one of its job."""

    owner: str
    name: str
    fence: int
    holder: str
    taken_at: float
    expires_at: float | None = None
    job_id: int | None = None
    attempt: int | None = None


@dataclass(frozen=True, slots=True)
class KeyEntry:
    key: str
    value: str
    revision: int
    changed_at: float
