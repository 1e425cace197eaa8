"""Paths of Danlu's own files as they travel: relative, and below the data folder of the machine they are
on."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path, PurePosixPath

from danlu.core.task import LaunchOrder

FETCHED = "fetched"
"""What was brought here from the server lies below this folder, apart from what a server has itself."""
KEPT_S = 30 * 86_400.0


class OutsidePath(PermissionError):
    """A relative path that leads out of the data folder."""


def below(folder: Path, path: str) -> Path:
    """Where a relative path is. Raises OutsidePath."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or not pure.parts or "\0" in path:
        raise OutsidePath(f"{path} is not below the data folder")
    return folder / pure


def below_area(folder: Path, path: str, *areas: str) -> str:
    """Where a path in one of these folders is: the data folder has files too that are for the agent alone,
    its key above all. Raises OutsidePath."""
    place = below(folder, path)
    if PurePosixPath(path).parts[0] not in areas:
        raise OutsidePath(f"{path} is not in {' or '.join(areas)}")
    return str(place)


def resolve_own(order: LaunchOrder, folder: Path) -> LaunchOrder:
    """The order with the places of Danlu's own files on this machine, which are opened with the agent's own
    rights: none may be elsewhere. Raises OutsidePath."""
    return replace(
        order,
        log_path=below_area(folder, order.log_path, "logs") if order.log_path else "",
        call_path=None if order.call_path is None else below_area(folder, order.call_path, "calls"),
        result_path=None if order.result_path is None else below_area(folder, order.result_path, "results"),
    )


def remove_old(folder: Path, before: float) -> None:
    """Drop files that were last used before a time (of the wall clock)."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.stat().st_mtime < before:
            path.unlink(missing_ok=True)


def clear_fetched(folder: Path) -> None:
    remove_old(folder / FETCHED, time.time() - KEPT_S)
