"""Settings on the wire: what administrators change while Danlu runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Le, MaxLen, Predicate

from danlu.wire.fields import STRICT, no_control_characters


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsRow:
    server_log_for_members: bool
    """Whether members may read the server's own log; administrators always may."""
    default_gpus: int = 1
    """How many GPUs a job gets on each of its nodes that says nothing of them, nor do its owner's defaults;
    fewer where no node that it may run on has so many."""
    auto_gpus: int = 8
    """How many GPUs of a node a job gets at most that leaves the number to Danlu (`auto`)."""
    auto_nodes: int = 8
    """The same for its nodes."""
    stage_folder: str = ""
    """Where on every node staged data lie; empty: in `/var/tmp`."""
    stage_disk_percent: int = 90
    """How full that disk may be before unused staged data are removed from it."""
    events_days: int = 90
    """How many days events are kept, those of a job from its end on; 0: for ever."""
    audit_days: int = 0
    """How many days entries of the audit log are kept; 0: for ever."""
    job_log_limit_mb: int = 0
    """How much Danlu keeps of the log of a task; what is in the middle goes first. 0: all of it."""
    all_logs_limit_mb: int = 0
    """How much all these logs of a node may hold together; the largest are cut first. 0: no limit."""
    limit_cpus: bool = True
    """Whether a job that asked for CPUs is held to them while it runs, from its next start on."""
    limit_memory: bool = True
    """Whether a job that asked for memory is killed when it takes more, from its next start on."""


SettingsPart = Literal["general", "scheduling"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingChangeRow:
    """One change of settings. `before` and `after` have those that changed, by their names."""

    id: int
    """To undo it."""
    at: float
    by: str | None
    part: SettingsPart
    before: dict[str, Any]
    after: dict[str, Any]
    undoes: int | None
    """The change that it took back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsHistory:
    """The newest first. `next` fetches what is older; null at the end."""

    changes: list[SettingChangeRow]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsUndo:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    change: Annotated[int, Ge(1), Le(2**53)] | None = None
    """The newest where it is left out."""
    force: bool = False
    """Also where a setting was changed again since."""


SettingKind = Literal["switch", "number", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """One setting with all that a person needs to change it. To change it, send its name to `PATCH`."""

    name: str
    kind: SettingKind
    title: str
    text: str
    """What it does, in the language that was asked for."""
    unit: str
    """Of a number, in words; empty where there is none."""
    value: bool | int | str
    default: bool | int | str
    least: int | None
    most: int | None
    changed_at: float | None
    """When it was changed last; null: never, or before that was noted."""
    changed_by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsEdit:
    """Only what is given changes."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    server_log_for_members: bool | None = None
    default_gpus: Annotated[int, Ge(0), Le(1024)] | None = None
    auto_gpus: Annotated[int, Ge(1), Le(1024)] | None = None
    auto_nodes: Annotated[int, Ge(1), Le(1024)] | None = None
    stage_folder: Annotated[str, MaxLen(1000), Predicate(no_control_characters)] | None = None
    stage_disk_percent: Annotated[int, Ge(1), Le(100)] | None = None
    events_days: Annotated[int, Ge(0), Le(36_500)] | None = None
    audit_days: Annotated[int, Ge(0), Le(36_500)] | None = None
    job_log_limit_mb: Annotated[int, Ge(0), Le(2**30)] | None = None
    all_logs_limit_mb: Annotated[int, Ge(0), Le(2**30)] | None = None
    limit_cpus: bool | None = None
    limit_memory: bool | None = None
