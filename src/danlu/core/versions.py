"""Which versions of Danlu work together."""

from __future__ import annotations


def is_compatible(one: str, other: str) -> bool:
    """The same major version, and at most one minor version apart: machines are upgraded one by one. What
    cannot be read is compatible with itself alone."""
    mine, theirs = _parse(one), _parse(other)
    if mine is None or theirs is None:
        return one == other
    return mine[0] == theirs[0] and abs(mine[1] - theirs[1]) <= 1


def _parse(version: str) -> tuple[int, int] | None:
    major, _, rest = version.partition(".")
    minor = rest.partition(".")[0]
    if not (major.isascii() and major.isdigit() and minor.isascii() and minor.isdigit()):
        return None
    return int(major), int(minor)
