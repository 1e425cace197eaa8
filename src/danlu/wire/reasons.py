"""The reasons of an end that a job's retries may count."""

from __future__ import annotations

from danlu.core.states import RETRYABLE

RETRY_REASONS = tuple(sorted(reason.value for reason in RETRYABLE))
