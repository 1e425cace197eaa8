"""Data that a task wants on this machine's own disk before its command starts.

The task's first process forks one that becomes the account and copies; only making room on the disk, where
other accounts' data lie too, is left to the parent, which still has the keeper's rights. The copies are held
by open locks, which the command inherits: they stay while it runs, whichever of these processes dies.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import socket
import time
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

from danlu.agent.keeper import libc
from danlu.agent.keeper.isolation.access_lists import share
from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.spec import AccountSpec, Order, Spec, StagingSpec
from danlu.agent.keeper.staging.copies import Speaker, Staged, stage_one
from danlu.agent.keeper.staging.meeting import GangMeeting
from danlu.agent.keeper.staging.place import find_place, make_folder
from danlu.agent.keeper.staging.room import make_room, room_on
from danlu.agent.keeper.staging.tree import Survey
from danlu.agent.keeper.task_paths import staged_path
from danlu.agent.keeper.wrapper.setup import rank_of

_USUAL_DISK = "/var/tmp"  # noqa: S108 (what is below is checked to be ours)
_LONGEST_MESSAGE = 1 << 20
_REASONS = {
    errno.ENOENT: "stage_missing",
    errno.ENOTDIR: "stage_missing",
    errno.EACCES: "stage_forbidden",
    errno.EPERM: "stage_forbidden",
    errno.ENOSPC: "stage_full",
    errno.EDQUOT: "stage_full",
}


class CopyLocks(NamedTuple):
    """What holds the copies of a task."""

    descriptors: tuple[int, ...]

    def pass_on(self) -> None:
        """Let the command inherit them."""
        for descriptor in self.descriptors:
            os.set_inheritable(descriptor, True)


def stage(spec: Spec, order: Order, become_account: Callable[[], int]) -> CopyLocks:
    """Have all that the task wants on this disk. `become_account` gives up our rights, and returns where the
    task's output goes. Raises SetupProblem."""
    staging = order.get("staging")
    if staging is None:
        return CopyLocks(())
    account = order["account"]
    root, home = _make_places(spec, staging, account)
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    parent, pid = os.getpid(), os.fork()
    if pid == 0:
        ours.close()
        _run(_Copying(order, staging, root, home, theirs), parent, become_account)
    theirs.close()
    try:
        names = {os.path.basename(each["path"]) for each in staging["paths"]}
        copies, locks = _serve(ours, root, staging["disk_percent"], names)
    finally:
        ours.close()
        os.waitpid(pid, 0)
    _show(spec, account, copies)
    return locks


def _make_places(spec: Spec, staging: StagingSpec, account: AccountSpec | None) -> tuple[str, str]:
    """The folder of all copies here, and in it the account's own."""
    disk = staging["folder"] or _USUAL_DISK
    uid, gid = (account["uid"], account["gid"]) if account else (os.geteuid(), os.getegid())
    try:
        root = find_place(disk, spec.get("label", ""), spec.get("stage_places"))
        home = f"{root}/{uid}"
        make_folder(home, 0o700, uid, gid)
    except OSError as error:
        raise SetupProblem("stage_failed", f"{error.filename or disk}: {error.strerror}") from error
    return root, home


def _serve(
    connection: socket.socket, root: str, percent: int, names: set[str]
) -> tuple[dict[str, str], CopyLocks]:
    """Make room when the one that copies asks for it, until it is done: the copies by their names. It has
    fewer rights than we, and is believed accordingly."""
    copies: dict[str, str] = {}
    locks: list[int] = []
    while True:
        text, descriptors, _, _ = socket.recv_fds(connection, _LONGEST_MESSAGE, 1, socket.MSG_CMSG_CLOEXEC)
        message: dict[str, Any] = json.loads(text) if text else {}
        if "wanted_bytes" in message:
            make_room(root, message["wanted_bytes"], percent)
            connection.send(b"{}")
        elif message.get("name") in names:
            copies[message["name"]] = message["path"]
            locks += descriptors
        elif "done" in message:
            return copies, CopyLocks(tuple(locks))
        elif "problem" in message:
            raise SetupProblem(*message["problem"])
        else:
            raise SetupProblem("stage_failed", "the process that copies was killed")


def _show(spec: Spec, account: AccountSpec | None, copies: dict[str, str]) -> None:
    """The folder in which the task finds the copies by their names; for its account alone."""
    folder = staged_path(spec["script_path"])
    try:
        os.makedirs(os.path.dirname(folder), 0o711, exist_ok=True)
        os.mkdir(folder, 0o700)
        for name, path in copies.items():
            os.symlink(path, f"{folder}/{name}")
        opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            os.fchmod(opened, 0o500)
            if account is not None:
                share(opened, account["uid"], account["gid"], 0o500)
        finally:
            os.close(opened)
    except OSError as error:
        raise SetupProblem("stage_failed", f"{folder}: {error.strerror}") from error


def _run(copying: _Copying, parent: int, become_account: Callable[[], int]) -> NoReturn:
    """In the process that copies."""
    try:
        output = become_account()
        # Also forgotten by a change of account.
        libc.die_with_parent(signal.SIGKILL)
        if os.getppid() == parent:
            os.umask(0o077)
            copying.run(output)
    except SetupProblem as problem:
        copying.tell({"problem": [problem.reason, problem.detail]})
    except BaseException as error:
        copying.tell({"problem": ["stage_failed", f"{type(error).__name__}: {error}"]})
    finally:
        os._exit(0)


class _Copying:
    """Copies with the rights of the account, and says in the task's log what it does."""

    def __init__(
        self, order: Order, staging: StagingSpec, root: str, home: str, connection: socket.socket
    ) -> None:
        self._order = order
        self._staging = staging
        self._root = root
        self._home = home
        self._connection = connection
        self._output = -1

    def run(self, output: int) -> None:
        self._output = output
        gang = self._order.get("gang")
        several = gang is not None and len(gang["members"]) > 1
        meeting = (
            GangMeeting(gang, rank_of(self._order), self._staging["proof"]) if gang and several else None
        )
        staged = [self._stage(each["path"], each["entry"]) for each in self._staging["paths"]]
        if meeting is not None:
            self._say("waits until the data of all tasks are there")
            meeting.wait()
        for each in staged:
            socket.send_fds(self._connection, [_encode({"name": each.name, "path": each.path})], [each.lock])
        self.tell({"done": True})

    def tell(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):
            self._connection.send(_encode(message))

    def _stage(self, path: str, entry: str) -> Staged:
        began_at = time.monotonic()
        speaker = Speaker(
            begin=lambda found: self._say(f"staging {path}: {_describe(found)}"),
            wait=lambda: self._say(f"{path}: waits for another job that is staging it"),
            make_room=lambda wanted: self._make_room(path, wanted),
        )
        try:
            staged, found = stage_one(self._home, entry, path, speaker)
        except OSError as error:
            reason = _REASONS.get(error.errno or 0, "stage_failed")
            detail = f"{error.filename or path}: {error.strerror or error}"
            raise SetupProblem(reason, detail) from error
        took_s = time.monotonic() - began_at
        news = f"{_size(found.new_bytes)} copied" if not found.is_same else "nothing had changed"
        self._say(f"staged {path}: {_size(found.whole_bytes)}, {news}, {took_s:.1f} s")
        return staged

    def _make_room(self, path: str, wanted_bytes: int) -> None:
        percent = self._staging["disk_percent"]
        if room_on(self._root, percent).left_bytes >= wanted_bytes:
            return
        self.tell({"wanted_bytes": wanted_bytes})
        self._connection.recv(_LONGEST_MESSAGE)
        left_bytes = room_on(self._root, percent).left_bytes
        if left_bytes < wanted_bytes:
            sizes = f"{_size(wanted_bytes)} more, {_size(left_bytes)} left ({percent} % may be used)"
            raise SetupProblem("stage_full", f"{path}: {sizes}, {self._root}")

    def _say(self, text: str) -> None:
        # A log that cannot be written is the command's trouble.
        with contextlib.suppress(OSError):
            os.write(self._output, f"danlu: {text}\n".encode(errors="replace"))


def _describe(found: Survey) -> str:
    here = found.whole_bytes - found.new_bytes
    parts = [f"{_size(found.new_bytes)} to copy"]
    if here:
        parts.append(f"{_size(here)} here already")
    if found.left_out:
        parts.append(f"{found.left_out} left out that are neither files nor folders")
    return ", ".join(parts)


def _size(size: float) -> str:
    for unit in ("bytes", "KB", "MB"):
        if size < 1024:
            return f"{size:.3g} {unit}"
        size /= 1024
    return f"{size:.3g} GB" if size < 1000 else f"{size:.0f} GB"


def _encode(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode()
