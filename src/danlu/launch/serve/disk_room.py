"""Starting on a disk that is full: with what was set aside for that, and with words that help."""

from __future__ import annotations

import os
from pathlib import Path

from danlu.agent.keeper.log_limit import held_by
from danlu.store.engine.reserve import LEAST_FREE, Reserve
from danlu.wire.units import show_bytes
from danlu.wording.catalogue import Language, say

MOST_NAMED = 3


class NoRoom(Exception):
    """The disk is full, and nothing is left of the reserve; its text is meant for the user."""


def reserve_of(data: Path) -> Reserve:
    return Reserve(data / "reserve", data / "danlu.db")


def make_room(data: Path, language: Language) -> str | None:
    """What to tell an admin who starts a server on a full disk; None where it has room. Raises NoRoom."""
    reserve = reserve_of(data)
    if reserve.free_bytes >= LEAST_FREE:
        return None
    reserve.give_up(to_start=True)
    is_enough = reserve.free_bytes >= LEAST_FREE
    text = say(
        language,
        "launch.disk_full" if is_enough else "launch.disk_full_for_good",
        data=data,
        logs=_largest_logs(data / "logs"),
    )
    if not is_enough:
        raise NoRoom(text)
    return text


def _largest_logs(logs: Path) -> str:
    """A line for each of those that hold most."""
    found = []
    for folder, _, names in os.walk(logs):
        for name in names:
            path = Path(folder, name)
            found.append((held_by(path.lstat()), path))
    largest = sorted(found, reverse=True)[:MOST_NAMED]
    return "\n".join(f"  {show_bytes(size):>8}  {path}" for size, path in largest)
