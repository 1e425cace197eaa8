"""Why a task could not be set up."""

from __future__ import annotations


class SetupProblem(Exception):
    """`reason` is a value of `danlu.core.states.EndReason`; `detail` says it in the system's own words."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
