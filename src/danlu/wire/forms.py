"""What the form of a job needs, on the wire: the check before submitting, folders, environments, examples."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import MaxLen

from danlu.wire.fields import STRICT, ShortText
from danlu.wire.jobs import JobFields, Why
from danlu.wire.server import Problem

Starts = Literal["now", "later", "held"]
EnvironmentKind = Literal["venv", "conda"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobToCheck:
    """A job as it would be submitted; with `job`, the edit of that one: fields to set, and to set back."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    fields: JobFields = field(default_factory=JobFields)
    clear: Annotated[list[ShortText], MaxLen(50)] = field(default_factory=list)
    job: Annotated[str, MaxLen(20)] | None = None
    defaults: bool = True
    """Whether a new job takes the user's defaults where it says nothing, as with `POST /jobs`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobCheck:
    """What would become of a job if it were handed in now. Nothing was written."""

    ok: bool
    problems: list[Problem]
    """All that it would be refused for."""
    command_line: str
    """The `danlu submit` that does the same; empty while there are problems, and for Python functions."""
    starts: Starts | None
    """Null: a problem makes it impossible to tell."""
    node: str | None
    """Where it would start."""
    gpu_ids: list[int]
    message: str
    """Where it would start, or why it would wait, in one sentence."""
    why: list[Why]
    ahead: int
    """How many jobs that wait have their turn before it."""
    auto: str = ""
    """What Danlu would choose where that is left to it, and why, in one sentence."""
    warnings: list[Problem] = field(default_factory=list)
    """What might keep it from beginning and is nothing to be refused for: what is not there yet while it
    waits for others, and what could not be checked from here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """What repeats a job when it is typed."""

    command_line: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderEntry:
    name: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderPage:
    """What lies in a folder; with an empty `path`, the folders where one may begin."""

    path: str
    parent: str | None
    """Null: there is no way up from here but to where one may begin."""
    folders: list[FolderEntry]
    files: list[FolderEntry]
    truncated: bool
    problem: str | None
    """Why nothing can be shown, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentRow:
    """A Python environment that jobs can run in."""

    name: str
    """What to put into a job's `environment`: its name, or its path where another of that name goes first."""
    path: str
    kind: EnvironmentKind
    python: str | None
    """Its version of Python, as far as it is written down."""
    place: str
    """The folder it lies in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleRow:
    """A ready-made training. In `after` and `after_ok` of a step stand earlier steps, counted from 1."""

    key: str
    title: str
    text: str
    steps: list[JobFields]
