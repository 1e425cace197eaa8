"""How many files a process of ours may have open, and what those that it starts for others begin with."""

from __future__ import annotations

import resource
from collections.abc import Sequence

_LOWER = 'ulimit -S -n "$0"; exec "$@"'
_before: int | None = None


def raise_open_files() -> None:
    """Take as many as this process may have. Jobs are not to notice: see `as_before`."""
    global _before  # noqa: PLW0603 - it is the process's own
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        _before = soft


def most_open_files() -> int:
    """How many this process may have open now."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return soft if soft != resource.RLIM_INFINITY else 1 << 20


def as_before(argv: Sequence[str]) -> list[str]:
    """The command that starts a program with the limit that this process was started with."""
    return list(argv) if _before is None else ["/bin/sh", "-c", _LOWER, str(_before), *argv]
