"""What the doctor asks a node, and how a finding is judged. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
