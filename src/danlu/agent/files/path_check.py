"""Whether what a job needs to begin is there: its folder, its environment, its program.

Runs in the process of `looker`, with the rights of the job's account, and needs nothing but Python. It finds
them as the node would; whatever only a shell or another machine could tell is `unknown`.
"""

from __future__ import annotations

import os
import stat
from typing import Any

from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.wrapper.environments import Environment, find_environment
from danlu.agent.keeper.wrapper.setup import DEFAULT_PATH
from danlu.agent.keeper.wrapper.shell_free import find_program

OK, UNKNOWN, MISSING = "ok", "unknown", "missing"
NO_FOLDER, FORBIDDEN, NOT_EXECUTABLE = "no_folder", "forbidden", "not_executable"


def check_paths(question: dict[str, Any]) -> dict[str, str]:
    """What became of `directory`, `environment` and `program`, each if it is asked for. With `shared`, only
    what lies in those folders is the same for the node."""
    shared = question["shared"]
    directory = question["directory"]
    found = {"directory": _check_directory(directory, shared)}
    entered = found["directory"] == OK
    environment, path = None, question["path"]
    if wanted := question["environment"]:
        environment, found["environment"] = _check_environment(question, wanted, entered, shared)
        if environment is None or environment.scripts:
            # What is sourced on activation may change where programs are looked for.
            path = None
        elif path is not None:
            path = f"{environment.prefix}/bin:{path}"
    if program := question["program"]:
        found["program"] = _check_program(program, directory if entered else None, path, shared)
    return found


def default_path(keeper: str | None) -> str | None:
    """Where a task looks for programs that runs as ourselves: where the keeper of that folder does. None when
    that is not known."""
    if keeper is None:
        return DEFAULT_PATH
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
                if os.fsencode(keeper) not in words or b"-c" not in words:
                    continue
                with open(f"/proc/{entry}/environ", "rb") as file:
                    variables = dict(each.partition(b"=")[::2] for each in file.read().split(b"\0"))
                return os.fsdecode(variables.get(b"PATH", os.fsencode(DEFAULT_PATH)))
            except OSError:
                continue
    return None


def _check_directory(path: str, shared: list[str] | None) -> str:
    try:
        mode = os.stat(path).st_mode
    except OSError as problem:
        return _judge(path, problem, shared)
    if not _is_same_there(path, shared):
        return UNKNOWN
    if not stat.S_ISDIR(mode):
        return NO_FOLDER
    return OK if os.access(path, os.X_OK) else FORBIDDEN


def _judge(path: str, problem: OSError, shared: list[str] | None) -> str:
    """What a path that cannot be looked at is. A file system that is ill proves nothing."""
    if not _is_same_there(path, shared):
        return UNKNOWN
    if isinstance(problem, FileNotFoundError | NotADirectoryError):
        return MISSING
    return FORBIDDEN if isinstance(problem, PermissionError) else UNKNOWN


def _is_same_there(path: str, shared: list[str] | None) -> bool:
    if shared is None:
        return True
    try:
        real = os.path.realpath(path)
        # One that is not even here says nothing about the others.
        roots = [os.path.realpath(root) for root in shared if os.path.isdir(root)]
    except OSError:
        return False
    return any(real == root or real.startswith(root.rstrip("/") + "/") for root in roots)


def _check_environment(
    question: dict[str, Any], wanted: str, entered: bool, shared: list[str] | None
) -> tuple[Environment | None, str]:
    if "/" in wanted and not wanted.startswith(("/", "~/")):
        if not entered:
            return None, UNKNOWN
        wanted = os.path.join(question["directory"], wanted)
    try:
        environment = find_environment(wanted, question["home"], question["environments"])
    except SetupProblem:
        # On another machine there may be one of that name in a place of its own.
        if shared is not None and not (wanted.startswith("/") and _is_same_there(wanted, shared)):
            return None, UNKNOWN
        return None, MISSING
    return environment, OK if _is_same_there(environment.prefix, shared) else UNKNOWN


def _check_program(name: str, directory: str | None, path: str | None, shared: list[str] | None) -> str:
    if "/" not in name:
        if path is None or not all(folder.startswith("/") for folder in path.split(":")):
            return UNKNOWN
        if find_program(name, path) is not None:
            return OK if shared is None else UNKNOWN
        return MISSING if shared is None else UNKNOWN
    if not name.startswith("/"):
        if directory is None:
            return UNKNOWN
        name = os.path.join(directory, name)
    try:
        mode = os.stat(name).st_mode
    except OSError as problem:
        return _judge(name, problem, shared)
    if not _is_same_there(name, shared):
        return UNKNOWN
    return OK if stat.S_ISREG(mode) and os.access(name, os.X_OK) else NOT_EXECUTABLE
