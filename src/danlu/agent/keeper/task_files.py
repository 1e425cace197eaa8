"""The files of a task that only its account can read: its script, its hosts, its secret."""

from __future__ import annotations

import contextlib
import os
from typing import NamedTuple

from danlu.agent.keeper.isolation.access_lists import share
from danlu.agent.keeper.spec import AccountSpec, Order, Spec
from danlu.agent.keeper.task_paths import hosts_path, machines_path, program_path, secret_path, staged_path
from danlu.agent.keeper.wrapper.gang import host_file, machine_file
from danlu.agent.keeper.wrapper.launchers import program_of
from danlu.agent.keeper.wrapper.script import script_of


class TaskFile(NamedTuple):
    path: str
    text: str
    mode: int


def write_files(spec: Spec, order: Order) -> None:
    for file in _files(spec, order):
        _write(file, order["account"])


def remove_files(spec: Spec, order: Order) -> None:
    for file in _files(spec, order):
        with contextlib.suppress(OSError):
            os.unlink(file.path)
    if order.get("staging") is not None:
        _remove_links(staged_path(spec["script_path"]))


def _remove_links(folder: str) -> None:
    """Earlier keepers gave it to the account, which may have put something else there: that is left alone."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            with contextlib.suppress(OSError):
                os.unlink(f"{folder}/{name}")
        os.rmdir(folder)


def _files(spec: Spec, order: Order) -> list[TaskFile]:
    path = spec["script_path"]
    files = []
    script = script_of(order)
    if script is not None:
        files.append(TaskFile(path, script.text, 0o500))
    secret = order.get("job_secret")
    if secret:
        files.append(TaskFile(secret_path(path), secret, 0o400))
    gang = order.get("gang")
    if gang is not None:
        files.append(TaskFile(hosts_path(path), host_file(gang), 0o400))
        files.append(TaskFile(machines_path(path), machine_file(gang), 0o400))
        program = program_of(gang)
        if program is not None:
            files.append(TaskFile(program_path(path), program, 0o500))
    return files


def _write(file: TaskFile, account: AccountSpec | None) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(file.path)
    os.makedirs(os.path.dirname(file.path), 0o711, exist_ok=True)
    fd = os.open(file.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, file.mode)
    with open(fd, "wb") as opened:
        opened.write(file.text.encode(errors="surrogateescape"))
        if account is not None:
            share(fd, account["uid"], account["gid"], file.mode)
