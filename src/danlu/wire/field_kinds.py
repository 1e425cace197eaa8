"""What is declared about a field of a job. Plain values: the command line loads them at every call."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

Kind = Literal[
    "text",
    "folder",
    "paths",
    "switch",
    "count",
    "count_or_auto",
    "duration",
    "size",
    "launcher",
    "reasons",
    "names",
    "job_ids",
    "gpu_ids",
    "variables",
    "tags",
    "arguments",
]
"""How a value is typed, written and shown; each reader has one table from kinds to what it does with them
(`cli/job_options.py`, `control/jobs/command_lines.py`, `web/src/features/submit/jobForm.ts`)."""

LISTS: tuple[Kind, ...] = ("names", "job_ids", "gpu_ids", "reasons")
"""Kinds whose option takes several values at once, and may be repeated."""

PAIRS: tuple[Kind, ...] = ("variables", "tags")
"""Kinds whose option takes NAME=VALUE, once for each."""

METAVARS: dict[Kind, str] = {
    "count": "N",
    "count_or_auto": "N|auto",
    "duration": "TIME",
    "size": "SIZE",
    "folder": "FOLDER",
    "paths": "PATH",
    "launcher": "NAME",
    "reasons": "REASONS",
    "names": "NODES",
    "job_ids": "JOBS",
    "gpu_ids": "IDS",
    "variables": "K=V",
    "tags": "K=V",
}

Section = Literal["what", "resources", "nodes", "placement", "when", "more"]
"""The steps of the web form."""

Words = tuple[str, str]
"""English, Chinese."""


class JobField(NamedTuple):
    """One field of a job. The owner, their mentor and administrators may set each, when the job is submitted
    and by an edit while it waits or has ended; a user may have a default for each."""

    name: str
    kind: Kind
    section: Section
    label: Words
    option: tuple[str, ...] = ()
    """How it is spelled on the command line, a switch with both its sides; empty: no option says it."""
    help: Words = ("", "")
    metavar: str | None = None
    """What help writes for its value, where that is not `METAVARS`'s word for its kind."""
    form_label: Words | None = None
    """What the web form calls it, where that is not its label."""
    plain: bool = False
    """The web form shows it by its kind alone, with its help below it, and the job's page with its label."""
    usual: Any = None
    """The value that `danlu show` leaves out, since most jobs have it."""
    dashes: bool = False
    """Its value may look like an option of the command."""
