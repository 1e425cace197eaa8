"""The truth about one task: a small file that is only ever appended to, and a claim beside it.

    spec      by the keeper, before anything is started
    outputs   by the wrapper: where its output began in files that the user named
    started   by the wrapper, when the user's command runs
    stop      by the keeper: a stop was asked for
    end       how it ended; nothing of it lives any more

Each entry is one line between newlines; an entry without its end was torn by a crash and counts as
absent. The claim decides who may start the task. It is a symbolic link, which the kernel makes whole
and only once: not even a `kill -9` can leave a claim that does not say whose it is.
(One file instead of one per entry: a file system feels the difference at hundreds of tasks a second.)
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from danlu.agent.keeper.processes import Process
from danlu.agent.keeper.spec import End, Places, Spec

NEVER = "never"
"""The claim of the keeper itself: this task will not be started."""

CLAIM_SUFFIX = ".claim"


class TaskClaim(NamedTuple):
    """The wrapper that runs the task."""

    boot_id: str
    process: Process

    def __str__(self) -> str:
        return f"{self.boot_id} {self.process.pid} {self.process.started}"


class TaskRecord:
    def __init__(self, path: str) -> None:
        self.path = path

    def write_spec(self, spec: Spec) -> None:
        self._append("spec", spec, os.O_CREAT)

    def write_first_spec(self, spec: Spec) -> bool:
        """False, and nothing is written, when there is a record already."""
        try:
            self._append("spec", spec, os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            return False
        return True

    def exists(self) -> bool:
        return os.access(self.path, os.F_OK)

    def read_spec(self) -> Spec | None:
        return cast("Spec | None", self._read("spec"))

    def make_claim(self, claim: TaskClaim | str, like: TaskRecord | None = None) -> bool:
        """True for exactly one caller, ever.

        `like` is the record of another task that had the same claim. A second name for that costs a file
        system less than a new link, where it is still there.
        """
        path = self.path + CLAIM_SUFFIX
        try:
            if like is None or not _link(like.path + CLAIM_SUFFIX, path):
                os.symlink(str(claim), path)
        except FileExistsError:
            return False
        # What was at the other place may have changed meanwhile; whatever is here now is the claim.
        return like is None or os.readlink(path) == str(claim)

    def read_claim(self) -> TaskClaim | str | None:
        try:
            text = os.readlink(self.path + CLAIM_SUFFIX)
        except FileNotFoundError:
            return None
        if text == NEVER:
            return NEVER
        boot_id, pid, started = text.split()
        return TaskClaim(boot_id, Process(int(pid), int(started)))

    def write_start(self, started_at: float) -> None:
        self._append("started", started_at)

    def read_start(self) -> float | None:
        return cast("float | None", self._read("started"))

    def write_outputs(self, places: Places) -> None:
        self._append("outputs", places)

    def read_outputs(self) -> Places | None:
        return cast("Places | None", self._read("outputs"))

    def write_stop(self, grace_s: float) -> None:
        self._append("stop", grace_s)

    def read_stop(self) -> float | None:
        """The grace in seconds, or None when no stop was asked for. Of several the shortest: a stop that is
        sent again must not take back one that was urgent."""
        return min((float(grace_s) for grace_s in self._values("stop")), default=None)

    def write_end(self, end: End) -> None:
        self._append("end", end)

    def read_end(self) -> End | None:
        return cast("End | None", self._read("end"))

    def remove(self) -> None:
        """The claim goes last: while a file is there, no wrapper may start the task again."""
        for path in (self.path, self.path + CLAIM_SUFFIX):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)

    def _append(self, name: str, value: object, create: int = 0) -> None:
        # The newline in front keeps the entry apart from a torn one.
        entry = f"\n{name} {json.dumps(value)}\n".encode()
        fd = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | create, 0o600)
        try:
            while entry:
                entry = entry[os.write(fd, entry) :]
        finally:
            os.close(fd)

    def _read(self, name: str) -> Any:
        """The value of the last whole entry of this name."""
        return next(self._values(name), None)

    def _values(self, name: str) -> Iterator[Any]:
        """Those of all whole entries of this name, the last first."""
        try:
            fd = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        try:
            text = os.read(fd, os.fstat(fd).st_size)
        finally:
            os.close(fd)
        *lines, _torn = text.split(b"\n")
        for line in reversed(lines):
            head, _, value = line.partition(b" ")
            if head == name.encode():
                # A power cut can leave anything where a line should be.
                with contextlib.suppress(ValueError):
                    yield json.loads(value)


def _link(claim: str, path: str) -> bool:
    try:
        os.link(claim, path, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        # It was forgotten, or has as many names as it may have, or the file system knows no such thing.
        return False
    return True


def end_of(
    ending: str,
    *,
    wait_status: int | None = None,
    problem: str | None = None,
    detail: str = "",
    started_at: float | None = None,
    cpu_s: float | None = None,
    peak_memory_mb: int | None = None,
) -> End:
    """The record of an end that happens now."""
    return {
        "ending": ending,
        "ended_at": time.time(),
        "wait_status": wait_status,
        "problem": problem,
        "detail": detail,
        "started_at": started_at,
        "cpu_s": cpu_s,
        "peak_memory_mb": peak_memory_mb,
    }
