"""A machine that belongs to the cluster."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Member:
    """Who may speak for a node. `id` stands in subjects; `public_key` is what the messages' server knows the
    machine by."""

    id: str
    node: str
    public_key: str
