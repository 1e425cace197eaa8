"""One wish for all jobs that a list is of, on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Le

from danlu.core.states import EndReason, JobState
from danlu.wire.fields import STRICT, ShortText, TagText, UserName
from danlu.wire.jobs import Area, JobAction, RunningSuccessors
from danlu.wire.server import Problem

BulkState = Literal["running", "done", "stopped", "failed"]
MOST_IN_BULK = 100_000
LONGEST_WAIT_S = 30.0
"""How long a look at it may be held up, until it has got on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFilter:
    """Which jobs: those of a list, and those of a wish for all of them."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    area: Area | None = None
    owner: ShortText | None = None
    state: JobState | None = None
    name: ShortText | None = None
    """A number of a job, or a part of its name."""
    mine: bool = False
    search: ShortText | None = None
    """As `name`, or a part of its owner's name."""
    end_reason: EndReason | None = None
    tag: TagText | None = None
    """Jobs with this tag, `project=vit`; `project`: with whatever value."""
    group: UserName | None = None
    """Those of the members of a group; for its members, its mentors and administrators."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsMatching:
    """How many jobs a filter means, and how many of them are yours to act on, by their states."""

    total: int
    yours: dict[JobState, int]
    up_to: int
    """The newest job of all by now: a wish with this `up_to` touches none that comes later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkRequest:
    """A wish for all jobs that a filter means, that are yours to act on, and that are there by now."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    action: JobAction
    filter: JobFilter
    with_successors: bool = False
    running: RunningSuccessors = "refuse"
    now: bool = False
    """Of `cancel`: without their grace, or what is left of it."""
    up_to: Annotated[int, Ge(0), Le(2**53)] | None = None
    """Jobs with larger numbers are left alone: they came after the user looked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkRefusal:
    """One reason why jobs were refused, and some of them by name."""

    code: str
    count: int
    refs: list[str]
    message: str
    """Of the first of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkRow:
    """An action for many jobs and how far it is. The server carries it out, also when its user has gone."""

    id: int
    action: JobAction
    filter: JobFilter
    state: BulkState
    total: int | None
    """How many jobs it is for; null while they are looked up."""
    done: int
    skipped: int
    """Jobs that match and are as wished already, or in a state for which the wish means nothing."""
    refused: int
    refusals: list[BulkRefusal] = field(default_factory=list)
    began_at: float
    ended_at: float | None = None
    undoable: bool = False
    """What was held can be released again, and the other way round."""
    undoes: int | None = None
    """The wish that it takes back."""
    problem: Problem | None = None
    """Why it ended before all was done."""
