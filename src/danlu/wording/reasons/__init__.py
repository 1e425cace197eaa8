"""Why a job waits, and why it ended."""

from __future__ import annotations

from danlu.wording.reasons import ending, standing, waiting

MESSAGES: dict[str, tuple[str, str]] = {
    **waiting.MESSAGES,
    **standing.MESSAGES,
    **ending.MESSAGES,
}
