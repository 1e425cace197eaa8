"""Whether a task could not be set up because of its node rather than its job, and what follows. Pure.

What the node's own state causes (a full disk, a shared folder that is missing there) is the node's fault: the
job goes elsewhere, and no retry is used up. So that no job is passed on for ever, one that fares the same on
several nodes is to blame itself in the end.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from danlu.core.nodes.doctor import Check
from danlu.core.nodes.node import Finding, FindingLevel
from danlu.core.states import EndReason
from danlu.core.task import TaskEnd, TaskEnding

MOST_NODES = 3
"""What fails on so many different nodes is the job's own fault."""
MOST_TIMES = 10
"""And so is what fails so often, wherever that was."""
FIRST_AVOID_S = 60.0
LONGEST_AVOID_S = 3600.0

_OF_MACHINE = tuple(
    os.strerror(number)
    for number in (
        *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.ESTALE, errno.ENODEV, errno.ENXIO),
        *(errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.EACCES, errno.EPERM),
        *(errno.EADDRINUSE, errno.EADDRNOTAVAIL),
    )
)
"""What a system says of itself. Where Danlu's own files are concerned, none of it is any job's doing."""
_IN_FOLDERS = frozenset(
    {
        EndReason.DIRECTORY_MISSING,
        EndReason.ENVIRONMENT_MISSING,
        EndReason.OUTPUT_UNWRITABLE,
        EndReason.STAGE_MISSING,
    }
)


@dataclass(frozen=True, slots=True)
class NodeFault:
    """A job could not be set up on a node, by no fault of its own."""

    node: str
    at: float


@dataclass(frozen=True, slots=True)
class Scene:
    """What is known of the node where a task ended: what the doctor found there, which folders all nodes
    share, and which other nodes are up. `own_log`: the task's output was Danlu's own log."""

    node: str
    findings: Sequence[Finding] = ()
    folders: Sequence[str] = ()
    others: Sequence[str] = ()
    own_log: bool = True


class Blame(Enum):
    NODE = auto()
    PERHAPS_NODE = auto()
    """Another node shows whether it was this one."""


def blame_node(end: TaskEnd, scene: Scene) -> Blame | None:
    """None: it was the job's own fault, or no fault."""
    if end.ending is not TaskEnding.SETUP_FAILED or end.problem is None:
        # An order that a node refuses as such has no problem to name.
        return None
    problem = EndReason(end.problem)
    if problem is EndReason.LAUNCH_FAILED or (problem is EndReason.OUTPUT_UNWRITABLE and scene.own_log):
        return Blame.NODE if any(words in end.detail for words in _OF_MACHINE) else None
    if problem is EndReason.STAGE_FULL:
        return Blame.PERHAPS_NODE
    if problem in _IN_FOLDERS:
        if any(_speaks_of(end.detail, folder) for folder in _broken_folders(scene.findings)):
            return Blame.NODE
        if any(_speaks_of(end.detail, folder) for folder in scene.folders):
            return Blame.PERHAPS_NODE
    return None


def may_go_elsewhere(blame: Blame, scene: Scene, before: Sequence[NodeFault]) -> bool:
    """Whether the job shall be tried again for nothing, after the faults it has met `before`."""
    tried = {fault.node for fault in before} | {scene.node}
    if len(tried) >= MOST_NODES or len(before) + 1 >= MOST_TIMES:
        return False
    return blame is Blame.NODE or not tried.issuperset(scene.others)


def avoided(faults: Sequence[NodeFault]) -> dict[str, float]:
    """The nodes that a job keeps away from for a while, each with until when: longer each time."""
    until: dict[str, float] = {}
    times: dict[str, int] = {}
    for fault in faults:
        times[fault.node] = times.get(fault.node, 0) + 1
        pause_s = min(FIRST_AVOID_S * 2 ** (times[fault.node] - 1), LONGEST_AVOID_S)
        until[fault.node] = fault.at + pause_s
    return until


def _broken_folders(findings: Sequence[Finding]) -> list[str]:
    return [
        str(finding.facts.get("path"))
        for finding in findings
        if finding.check == Check.FOLDER and finding.level is FindingLevel.PROBLEM
    ]


def _speaks_of(text: str, folder: str) -> bool:
    """Whether the text names the folder, or something in it."""
    return re.search(rf"(?<![\w/.-]){re.escape(folder.rstrip('/'))}(?![\w.-])", text) is not None
