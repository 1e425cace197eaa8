"""Findings of the doctor, in words."""

from __future__ import annotations

from collections.abc import Iterable

from danlu.core.node import Finding
from danlu.wire.doctor import FindingRow
from danlu.wording.catalogue import Language, knows, say


def show_findings(findings: Iterable[Finding], language: Language) -> list[FindingRow]:
    return [
        FindingRow(
            check=finding.check,
            level=finding.level,
            code=finding.code,
            facts=dict(finding.facts),
            message=_message(finding, language),
        )
        for finding in findings
    ]


def _message(finding: Finding, language: Language) -> str:
    key = f"doctor.{finding.check}.{finding.code}"
    # A node of the next version may find what this one has no words for.
    return say(language, key, **finding.facts) if knows(key) else f"{finding.check}: {finding.code}"
