"""Machines that are made nodes, and nodes that get another version, on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Le, MaxLen, MinLen, Predicate

from danlu.core.nodes.node import NodeRole
from danlu.wire.fields import STRICT, NodeName, PathText
from danlu.wire.server import Problem


def is_host(text: str) -> bool:
    """What ssh can take for a host and for nothing else."""
    return text[:1].isalnum() and text.isascii() and all(c.isalnum() or c in ".-_:%" for c in text)


def is_login(text: str) -> bool:
    return text[:1] not in "-." and text.isascii() and all(c.isalnum() or c in "._-@\\" for c in text)


Host = Annotated[str, MinLen(1), MaxLen(253), Predicate(is_host)]
Login = Annotated[str, MinLen(1), MaxLen(64), Predicate(is_login)]
SshPort = Annotated[int, Ge(1), Le(65_535)]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallationRequest:
    """The machine that shall become a node, as ssh on the server reaches it. `identity` is a key file on the
    server; `data` and `python` are paths on the machine."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    host: Host
    user: Login | None = None
    port: SshPort | None = None
    name: NodeName | None = None
    role: NodeRole | None = None
    data: PathText | None = None
    identity: PathText | None = None
    python: PathText | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UpgradeRequest:
    """Which nodes; none named: all that are up."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    nodes: Annotated[list[NodeName], MaxLen(10_000)] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """`node` only where several nodes have this step; `percent` is null where it cannot be told."""

    name: str
    node: str | None
    state: Literal["running", "done", "failed"]
    percent: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallationRow:
    """One undertaking: the steps that were begun so far. `node` is the name that a new machine got. `problem`
    says why it failed and what to do. `from_file`: a line of the node file asked for it."""

    id: int
    kind: Literal["add", "upgrade"]
    target: str
    node: str | None
    actor: str
    from_file: bool
    state: Literal["running", "done", "failed"]
    began_at: float
    ended_at: float | None
    steps: list[StepRow]
    problem: Problem | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeFileRow:
    """The node file as the server last read it: what is wrong with it, in words."""

    path: str
    nodes: int
    problems: list[Problem]
