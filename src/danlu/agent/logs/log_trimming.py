"""Keeps all logs of a node within a limit: each of them, and all together."""

from __future__ import annotations

import os
import stat
from functools import partial
from pathlib import Path

from danlu.agent.aside import run_aside
from danlu.agent.keeper.log_limit import LEAST_LIMIT, cut_log, held_by, open_log_below

PATIENCE_S = 60.0


async def trim_logs_aside(data: Path, each: int, together: int) -> int:
    """`trim_logs` of a data folder, in a thread of its own. Raises OSError."""
    logs = data / "logs"
    return await run_aside(partial(trim_logs, logs, each, together), str(logs), None, PATIENCE_S)


def trim_logs(logs: Path, each: int, together: int) -> int:
    """Cut logs that hold more than `each`, and then the largest of all until they hold no more than
    `together`, but none of them to less than a megabyte; 0 is no limit. How many bytes they hold then.

    The largest first: so few are touched, and never those that are short enough to be read.
    """
    try:
        root = os.open(logs, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return 0
    try:
        sizes = _sizes_below(root)
        total = sum(size for size, _ in sizes)
        for size, names in sorted(sizes, reverse=True):
            goal = each if each and size > each else 0
            if together and total > together:
                # So much is left of it that the others need not be touched, if that is possible at all.
                goal = min(goal or size, max(LEAST_LIMIT, size - (total - together)))
            if not goal or size <= goal:
                break
            total -= size - _cut(root, names, goal, size)
        return total
    finally:
        os.close(root)


def _sizes_below(root: int) -> list[tuple[int, tuple[str, ...]]]:
    found: list[tuple[int, tuple[str, ...]]] = []
    for folder, _, files, fd in os.fwalk(".", dir_fd=root):
        above = tuple(part for part in folder.split("/") if part != ".")
        for name in files:
            try:
                facts = os.stat(name, dir_fd=fd, follow_symlinks=False)
            except FileNotFoundError:
                continue
            if stat.S_ISREG(facts.st_mode):
                found.append((held_by(facts), (*above, name)))
    return found


def _cut(root: int, names: tuple[str, ...], limit: int, size: int) -> int:
    """What it holds afterwards."""
    try:
        fd = open_log_below(root, *names)
    except OSError:
        return size
    try:
        cut_log(fd, limit)
        return held_by(os.fstat(fd))
    finally:
        os.close(fd)
