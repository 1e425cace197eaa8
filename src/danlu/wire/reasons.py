"""The words that options of a job choose from."""

from __future__ import annotations

from danlu.core.job import Launcher
from danlu.core.states import RETRYABLE

RETRY_REASONS = tuple(sorted(reason.value for reason in RETRYABLE))
"""The reasons of an end that a job's retries may count."""

LAUNCHERS = tuple(launcher.value for launcher in Launcher)
