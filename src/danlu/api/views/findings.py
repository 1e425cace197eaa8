"""Findings of the doctor, in words."""

from __future__ import annotations

from collections.abc import Iterable

from danlu.core.nodes.node import Finding
from danlu.wire.nodes.doctor import FindingRow
from danlu.wording.catalogue import Language, say


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
    try:
        return say(language, key, **finding.facts)
    except (LookupError, ValueError, TypeError):
        # A node of the next version may find what this one has no words for, or with other facts.
        return f"{finding.check}: {finding.code}"
