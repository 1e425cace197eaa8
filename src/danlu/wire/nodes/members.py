"""Joining and leaving on the wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from annotated_types import Ge, Le

from danlu.core.nodes.node import NodeRole
from danlu.wire.fields import STRICT

__all__ = ["JoinTokenRequest", "JoinTokenRow", "NewJoinToken", "NodeEdit", "NodeRole"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinTokenRequest:
    """`role` is what nodes that join with it are there for, where they say nothing else."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    lifetime_s: Annotated[float, Ge(1), Le(366 * 86_400)] = 86_400.0
    role: NodeRole = NodeRole.COMPUTE


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinTokenRow:
    id: int
    created_by: str
    created_at: float
    expires_at: float
    revoked_at: float | None
    uses: int
    """How many machines have joined with it."""
    role: NodeRole


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJoinToken(JoinTokenRow):
    """`token` is shown this once. `command` is what to type on the machine that shall join."""

    token: str
    command: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeEdit:
    """What an administrator changes about a node; what is null stays as it is."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    role: NodeRole | None = None
