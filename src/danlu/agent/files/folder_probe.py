"""Looks at folders for a user, with the rights of their account and no others.

Runs as a short process of its own (`main`): it gives up all rights but that account's before it touches a
path, and a file system that hangs holds up no other user. Like the keeper it needs nothing but Python.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
import time
from typing import Any

from danlu.agent.files.path_check import check_paths, default_path
from danlu.agent.keeper.isolation.process_rights import become
from danlu.agent.keeper.wrapper.environments import (
    LAST_PARENTS,
    conda_bases,
    conda_list,
    first_parents,
    inspect_prefix,
)

MOST_ENTRIES = 1000
MOST_SCANNED = 50_000
"""How many names of a folder are looked at before those to be shown are chosen."""
MOST_ENVIRONMENTS = 500
PATH_KNOWN_S = 10.0
_LONGEST_CONFIG = 1 << 16
_CONDA_PYTHON = re.compile(r"python-(\d[\w.]*)-[^-]+\.json", re.ASCII)
_VENV_PYTHON = re.compile(r"^version(?:_info)?\s*=\s*(\d+(?:\.\d+){0,2})", re.MULTILINE | re.ASCII)


class FolderRefused(Exception):
    """Why a folder is not shown: `outside`, `missing`, `no_folder`, `unreadable`."""


def main() -> None:
    """Answer each question on standard input on standard output, both a line of JSON. The first one says
    whose rights are left; all others are that account's too."""
    first = True
    for line in sys.stdin:
        question = json.loads(line)
        if first:
            _drop_rights(question["account"])
            first = False
        sys.stdout.write(json.dumps(answer(question)) + "\n")
        sys.stdout.flush()


def _drop_rights(account: dict[str, Any] | None) -> None:
    """None: stay who we are."""
    if account is not None:
        become(account["uid"], account["gid"], account["groups"])


def answer(question: dict[str, Any]) -> dict[str, Any]:
    if question["about"] == "paths":
        path = _default_path(question["keeper"])
        return {"found": [check_paths({"path": path, **each}) for each in question["each"]]}
    if question["about"] == "environments":
        return {"environments": list_environments(question["home"], question["shared"])}
    try:
        if question["path"] is None:
            return list_roots(question["roots"])
        return list_folder(question["path"], question["roots"])
    except FolderRefused as refusal:
        return {"problem": str(refusal)}


_paths: dict[str | None, tuple[float, str | None]] = {}


def _default_path(keeper: str | None) -> str | None:
    """Remembered for a while: looking for the keeper takes longer than all else here."""
    known = _paths.get(keeper)
    if known is None or time.monotonic() > known[0]:
        known = _paths[keeper] = time.monotonic() + PATH_KNOWN_S, default_path(keeper)
    return known[1]


def list_roots(roots: list[str]) -> dict[str, Any]:
    """Those of the roots that can be looked into."""
    readable = [root for root in roots if os.path.isdir(root) and os.access(root, os.R_OK | os.X_OK)]
    return {"folders": [{"name": root, "path": root} for root in dict.fromkeys(readable)]}


def list_folder(path: str, roots: list[str]) -> dict[str, Any]:
    """What lies in a folder inside one of the roots. Raises FolderRefused.

    What was opened is what is judged and listed, so a user who swaps a link meanwhile gains nothing.
    """
    if not path.startswith("/") or ".." in path.split("/"):
        raise FolderRefused("outside")
    path = os.path.normpath(path).replace("//", "/")
    real_roots = [real for root in roots if (real := _resolve(root))]
    try:
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as problem:
        raise FolderRefused(_why_not(path, real_roots, problem)) from None
    try:
        real = os.readlink(f"/proc/self/fd/{folder}")
        if not is_inside(real, real_roots):
            raise FolderRefused("outside")
        folders, files, truncated = _read(folder, real, real_roots)
    finally:
        os.close(folder)
    above = os.path.dirname(path)
    return {
        "path": path,
        "parent": above if is_inside(_resolve(above), real_roots) else None,
        "folders": [{"name": name, "path": os.path.join(path, name)} for name in folders],
        "files": [{"name": name, "path": os.path.join(path, name)} for name in files],
        "truncated": truncated,
    }


def is_inside(path: str | None, roots: list[str]) -> bool:
    return path is not None and any(path == root or path.startswith(root.rstrip("/") + "/") for root in roots)


def _resolve(path: str) -> str | None:
    """The path without links; None where it changes while it is being followed."""
    try:
        return os.path.realpath(path)
    except OSError:
        return None


def _why_not(path: str, real_roots: list[str], problem: OSError) -> str:
    """Nothing is told of what lies outside, not even that it is not there."""
    if not is_inside(_resolve(path), real_roots):
        return "outside"
    if isinstance(problem, FileNotFoundError):
        return "missing"
    return "no_folder" if isinstance(problem, NotADirectoryError) else "unreadable"


def _read(folder: int, real: str, real_roots: list[str]) -> tuple[list[str], list[str], bool]:
    """The names of folders and of files; whether there are more."""
    folders, files, scanned = list[str](), list[str](), 0
    with os.scandir(folder) as entries:
        for entry in entries:
            scanned += 1
            if scanned > MOST_SCANNED:
                break
            # A name that cannot be written in a job's field is of no use there.
            if not entry.name.isprintable():
                continue
            kind = _kind_of(entry, folder, real, real_roots)
            if kind is not None:
                (folders if kind == "folder" else files).append(entry.name)
    folders, files = sorted(folders, key=_visible_first), sorted(files, key=_visible_first)
    shown = folders[:MOST_ENTRIES]
    room = MOST_ENTRIES - len(shown)
    return shown, files[:room], scanned > MOST_SCANNED or len(folders) + len(files) > MOST_ENTRIES


def _kind_of(entry: os.DirEntry[str], folder: int, real: str, real_roots: list[str]) -> str | None:
    """A folder, a file, or nothing to be shown: neither of them, or a link to somewhere outside."""
    try:
        if entry.is_symlink():
            if not is_inside(_resolve(os.path.join(real, entry.name)), real_roots):
                return None
            mode = os.stat(entry.name, dir_fd=folder).st_mode
            return "folder" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else None
        if entry.is_dir(follow_symlinks=False):
            return "folder"
        return "file" if entry.is_file(follow_symlinks=False) else None
    except OSError:
        return None


def _visible_first(name: str) -> tuple[bool, str, str]:
    return name.startswith("."), name.casefold(), name


def list_environments(home: str | None, shared: list[str]) -> list[dict[str, Any]]:
    """The environments that a job's `environment` can name, in the order in which names are looked for.

    An environment whose name means another is called by its path; so is one that the home of the job's
    account could have under the same name, where the probe may not look into that home.
    """
    found: dict[str, dict[str, Any]] = {}
    names: set[str] = set()

    def note(prefix: str, name: str, *, sure: bool) -> None:
        if prefix in found or len(found) >= MOST_ENVIRONMENTS or not prefix.isprintable():
            return
        kind = inspect_prefix(prefix, name)
        if kind is not None:
            found[prefix] = {
                "name": name if sure and name not in names else prefix,
                "path": prefix,
                "kind": kind.kind,
                "python": python_of(prefix, kind.kind),
                "place": os.path.dirname(prefix),
            }
            names.add(name)

    for parent in first_parents(home, shared) if home is not None else shared:
        for name in _names_in(parent):
            note(f"{parent}/{name}", name, sure=True)
    if home is not None:
        for prefix in conda_bases(home):
            note(prefix, "base", sure=True)
        for prefix in conda_list(home):
            if os.path.isabs(prefix):
                note(prefix, os.path.basename(prefix), sure=True)
    for parent in LAST_PARENTS:
        for name in _names_in(parent):
            note(f"{parent}/{name}", name, sure=home is not None)
    return list(found.values())


def python_of(prefix: str, kind: str) -> str | None:
    """The version that the environment's own files tell. Nothing of it is ever run."""
    try:
        if kind == "conda":
            versions = [_CONDA_PYTHON.fullmatch(name) for name in os.listdir(f"{prefix}/conda-meta")]
        else:
            with open(f"{prefix}/pyvenv.cfg", errors="replace") as file:
                versions = [_VENV_PYTHON.search(file.read(_LONGEST_CONFIG))]
        return next((match.group(1) for match in versions if match is not None), None)
    except OSError:
        return None


def _names_in(parent: str) -> list[str]:
    try:
        return sorted(os.listdir(parent))
    except OSError:
        return []
