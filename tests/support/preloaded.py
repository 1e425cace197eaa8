"""Servers that need not load Danlu again: forks of one process, of each test worker, that has done so once.

To load it takes far longer than all else that a start does, and the tests start hundreds. What is forked has
loaded code and done nothing: it becomes the program as Python would have begun it, in a session of its own.
`python -m tests.support.preloaded SOCKET` is that process.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import importlib
import json
import os
import pkgutil
import random
import runpy
import select
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, NoReturn

REPOSITORY = Path(__file__).parents[2]
READY_S = 60.0
LARGEST = 1 << 20
LEFT_OUT = ("danlu.cli.top", "danlu.examples", "danlu.store.migrations", "danlu.testing")
"""What no server loads."""
READ_BY_EXEC = ("LD_LIBRARY_PATH", "LD_PRELOAD", "PYTHONPATH", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE")
"""What the loader and Python read when they begin, and never again."""
AT_FIRST = {name: os.environ.get(name) for name in READ_BY_EXEC}
BESIDE = (
    "uvicorn",
    "uvloop",
    "httptools",
    "sqlalchemy.dialects.sqlite",
    "sqlalchemy.dialects.postgresql",
    "psycopg",
)


class Forked:
    """What tests use of a Popen, for a process that is not our child."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self.returncode: int | None = None
        self.pid = int(self._hear(READY_S) or 0)
        assert self.pid, "the preloaded process has gone"

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            told = self._hear(timeout)
            if told is None:
                raise subprocess.TimeoutExpired(f"a server ({self.pid})", timeout or 0.0)
            self._line.close()
            self.returncode = os.waitstatus_to_exitcode(int(told))
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _hear(self, timeout: float | None) -> str | None:
        if not select.select([self._line], [], [], timeout)[0]:
            return None
        told = self._line.recv(64).decode()
        assert told, "the preloaded process has gone"
        return told


def start(
    entry: Sequence[str],
    words: Sequence[str],
    out: IO[bytes],
    env: Mapping[str, str] | None = None,
    spaces: Sequence[str] = (),
) -> Forked:
    """`python ENTRY WORDS` in the repository, with its output in a file, within those namespaces."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.connect(_preloaded())
    order = json.dumps([list(entry), list(words), dict(os.environ if env is None else env), list(spaces)])
    socket.send_fds(line, [order.encode()], [out.fileno()])
    return Forked(line)


def is_enough(env: Mapping[str, str]) -> bool:
    """Whether what is forked finds all of these settings in force."""
    return all(env.get(name) == value for name, value in AT_FIRST.items())


@functools.cache
def _preloaded() -> str:
    """The socket of this worker's own preloaded process, which ends with it."""
    folder = tempfile.mkdtemp(prefix="danlu-preloaded-")
    path = f"{folder}/socket"
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.preloaded", path],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    atexit.register(process.kill)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return path


def main(path: str) -> None:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(path)
    listener.listen()
    _load_all()
    woken, waker = socket.socketpair()
    for each in (woken, waker):
        each.setblocking(False)
    signal.set_wakeup_fd(waker.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    lines: dict[int, socket.socket] = {}
    with selectors.DefaultSelector() as waiting:
        for each in (listener, woken, sys.stdin):
            waiting.register(each, selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj is sys.stdin:
                    return  # The worker is gone.
                if key.fileobj is woken:
                    woken.recv(4096)
                    _tell_ends(lines)
                else:
                    line, _ = listener.accept()
                    order, (out,), *_ = socket.recv_fds(line, LARGEST, 1)
                    if (pid := os.fork()) == 0:
                        _become(json.loads(order), out)
                    os.close(out)
                    lines[pid] = line
                    line.send(str(pid).encode())


def _load_all() -> None:
    import danlu

    for name in BESIDE:
        importlib.import_module(name)
    for module in pkgutil.walk_packages(danlu.__path__, "danlu."):
        if not module.name.startswith(LEFT_OUT):
            importlib.import_module(module.name)


def _tell_ends(lines: dict[int, socket.socket]) -> None:
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            with contextlib.suppress(OSError), lines.pop(ended[0]) as line:
                line.send(str(ended[1]).encode())


def _become(order: tuple[list[str], list[str], dict[str, str], list[str]], out: int) -> NoReturn:
    """As Python would begin: nothing open but its output, no signal set, no number drawn."""
    entry, words, environment, spaces = order
    code: object = 1
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        null = os.open(os.devnull, os.O_RDONLY)
        for source, target in ((null, 0), (out, 1), (out, 2)):
            os.dup2(source, target)
        os.closerange(3, max(int(each.name) for each in Path("/proc/self/fd").iterdir()) + 1)
        _enter(spaces)
        os.environ.clear()
        os.environ.update(environment)
        time.tzset()
        random.seed()
        try:
            if entry[0] == "-m":
                sys.argv = [entry[1], *entry[2:], *words]
                runpy.run_module(entry[1], run_name="__main__", alter_sys=True)
            else:
                sys.argv = [*entry, *words]
                runpy.run_path(entry[0], run_name="__main__")
            code = 0
        except SystemExit as exit_:
            code = exit_.code
    except BaseException:
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def _enter(spaces: Sequence[str]) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    for path in spaces:
        descriptor = os.open(path, os.O_RDONLY)
        if libc.setns(descriptor, 0) != 0:
            raise OSError(ctypes.get_errno(), "setns", path)
        os.close(descriptor)
    os.chdir(REPOSITORY)


if __name__ == "__main__":
    main(sys.argv[1])
