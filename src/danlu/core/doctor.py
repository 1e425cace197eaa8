"""What the doctor asks a node, and how a finding is judged. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from danlu.core.node import Finding, FindingLevel


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
    DOCKER = "docker"
    CONDA = "conda"
    MESSAGES = "messages"
    """What the control side says of a node's words, not the node of itself."""


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
OPEN_FILES_AT_LEAST = 4096


def senseless_finding(about: str, why: str) -> Finding:
    """What a node says makes no sense, and is not believed."""
    return Finding(Check.MESSAGES, FindingLevel.PROBLEM, "senseless", {"about": about, "why": why})


OTHER_SERVER = Finding(Check.MESSAGES, FindingLevel.PROBLEM, "other_server")
"""It follows another server."""
