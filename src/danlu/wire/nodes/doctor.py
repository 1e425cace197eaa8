"""What the doctor found, on the wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from danlu.core.nodes.node import FindingLevel


@dataclass(frozen=True, slots=True, kw_only=True)
class FindingRow:
    """One thing that was looked at: its code and facts for programs, a sentence with the remedy."""

    check: str
    level: FindingLevel
    code: str
    facts: dict[str, Any]
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What was found on one node."""

    node: str
    findings: list[FindingRow]
