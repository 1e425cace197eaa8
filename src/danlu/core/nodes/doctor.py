"""What the doctor asks a node, and how a finding is judged. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from danlu.core.nodes.node import Finding, FindingLevel, Node


class Check(StrEnum):
    """What is looked at, in the order in which people read it."""

    FOLDER = "folder"
    CLOCK = "clock"
    DRIVER = "driver"
    VERSION = "version"
    PYTHON = "python"
    ADDRESS = "address"
    DISK = "disk"
    LIMITS = "limits"
    GUARDS = "guards"
    """Whether jobs can be held to the CPUs and the memory that they ask for."""
    DOCKER = "docker"
    CONDA = "conda"
    SETUP = "setup"
    """How the tasks fare that were to start there."""
    MESSAGES = "messages"
    """Whether what it says makes sense."""


OF_CONTROL = frozenset({Check.SETUP, Check.MESSAGES})
"""What the control side says of a node, not the node of itself."""


@dataclass(frozen=True, slots=True)
class SharedFolder:
    """A folder that every node should see. `proof` is what the server has written there; empty where it could
    not write."""

    path: str
    proof: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What a node needs to know to judge itself: the server's time as it asks, its versions, and what all
    nodes share."""

    clock: float
    version: str
    python: str
    folders: tuple[SharedFolder, ...] = ()


PROOF_FILE = ".danlu-shared"
LONGEST_PROOF = 200
SKEW_WARNING_S = 1.0
SKEW_PROBLEM_S = 5.0
DISK_PROBLEM_BYTES = 1 << 30
DISK_WARNING_SHARE = 0.05
DISK_OUT_BYTES = 16 << 20
DISK_OUT_SHARE = 0.01
"""Of a small disk."""
OPEN_FILES_AT_LEAST = 4096


def senseless_finding(about: str, why: str) -> Finding:
    """What a node says makes no sense, and is not believed."""
    return Finding(Check.MESSAGES, FindingLevel.PROBLEM, "senseless", {"about": about, "why": why})


OTHER_SERVER = Finding(Check.MESSAGES, FindingLevel.PROBLEM, "other_server")
"""It follows another server."""


def find_unfit(node: Node) -> tuple[Finding, ...]:
    """What keeps a node out of service: nothing starts there until it is well again."""
    return tuple(finding for finding in node.findings if _keeps_out(finding, has_gpus=bool(node.facts.gpus)))


def _keeps_out(finding: Finding, *, has_gpus: bool) -> bool:
    if finding.level is not FindingLevel.PROBLEM:
        return False
    match finding.check:
        case Check.DISK if finding.code == "full":
            # Nearly so is a problem as well, but one to be seen to while jobs go on.
            total = finding.facts.get("total_bytes")
            share = DISK_OUT_SHARE * total if isinstance(total, int) else DISK_OUT_BYTES
            free = finding.facts.get("free_bytes")
            return isinstance(free, int) and free < min(DISK_OUT_BYTES, share)
        case Check.FOLDER:
            return UNPROVED not in finding.facts
        case Check.DRIVER:
            return has_gpus
        case Check.DISK | Check.CLOCK | Check.SETUP:
            return True
    return False


UNPROVED = "unproved"
"""A fact of a folder which the server cannot see itself: what a node says of it is no fault of the node's."""
