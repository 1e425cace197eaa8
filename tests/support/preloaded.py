"""Servers and commands that need not load Danlu again: forks of a process, one per test worker, that has it.

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
from typing import IO, NamedTuple, NoReturn

REPOSITORY = Path(__file__).parents[2]
DANLU = ("-m", "danlu.main")
KINDS = ("net", "uts", "mount")
"""In which order namespaces are named."""
READY_S = 60.0
LARGEST = 1 << 20
LEFT_OUT = ("danlu.cli.top", "danlu.examples", "danlu.main", "danlu.store.migrations", "danlu.testing")
"""What no server loads; and what it begins with, which Python shall not find loaded."""
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


class Order(NamedTuple):
    """What the preloaded process is asked to become."""

    entry: list[str]
    words: list[str]
    environment: dict[str, str]
    spaces: list[str]
    cwd: str


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
    *,
    errors: IO[bytes] | None = None,
    text_in: IO[bytes] | None = None,
    cwd: Path = REPOSITORY,
) -> Forked:
    """`python ENTRY WORDS` in a folder, with its output in a file, within those namespaces."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.connect(_preloaded())
    order = Order(
        list(entry), list(words), dict(os.environ if env is None else env), list(spaces), os.fspath(cwd)
    )
    with Path(os.devnull).open("rb") as nothing:
        streams = [each.fileno() for each in (text_in or nothing, out, errors or out)]
        socket.send_fds(line, [json.dumps(order).encode()], streams)
    return Forked(line)


def run(
    words: Sequence[str],
    env: Mapping[str, str],
    *,
    text_in: str = "",
    cwd: Path | None = None,
    spaces: Sequence[str] = (),
    timeout_s: float = 60,
) -> subprocess.CompletedProcess[str]:
    """What `danlu WORDS` says and its exit code. As a process of its own where nothing less is enough."""
    argv = [sys.executable, *DANLU, *words]
    if not is_enough(env):
        inside = ["nsenter", *(f"--{kind}={path}" for kind, path in zip(KINDS, spaces, strict=False))]
        return subprocess.run(
            [*(inside if spaces else []), *argv],
            check=False,
            capture_output=True,
            text=True,
            input=text_in,
            env=dict(env),
            cwd=cwd,
            timeout=timeout_s,
        )
    with contextlib.ExitStack() as stack:
        given, out, errors = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        given.write(text_in.encode())
        given.seek(0)
        process = start(DANLU, words, out, env, spaces, errors=errors, text_in=given, cwd=cwd or Path.cwd())
        try:
            code = process.wait(timeout_s)
        except BaseException:
            process.kill()
            raise
        return subprocess.CompletedProcess(argv, code, *map(_text_of, (out, errors)))


def _text_of(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


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
                    order, streams, *_ = socket.recv_fds(line, LARGEST, 3)
                    if (pid := os.fork()) == 0:
                        _become(Order(*json.loads(order)), streams)
                    for each in streams:
                        os.close(each)
                    lines[pid] = line
                    line.send(str(pid).encode())


def _load_all() -> None:
    import danlu

    for name in BESIDE:
        importlib.import_module(name)
    for module in pkgutil.walk_packages(danlu.__path__, "danlu."):
        if not module.name.startswith(LEFT_OUT):
            importlib.import_module(module.name)
    _hash_cheaply()


def _hash_cheaply() -> None:
    """Tests make hundreds of users, and a password is hashed so that it takes long. How long is said in
    `tests/control/test_control_access.py`, of the program as it is."""
    from danlu.control.identity import hashing

    hasher = hashing.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    setattr(hashing, "PasswordHasher", lambda: hasher)  # noqa: B010


def _tell_ends(lines: dict[int, socket.socket]) -> None:
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            with contextlib.suppress(OSError), lines.pop(ended[0]) as line:
                line.send(str(ended[1]).encode())


def _become(order: Order, streams: Sequence[int]) -> NoReturn:
    """As Python would begin: nothing open but its streams, no signal set, no number drawn."""
    entry, words, environment, spaces, cwd = order
    code: object = 1
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for target, source in enumerate(streams):
            os.dup2(source, target)
        os.closerange(3, max(int(each.name) for each in Path("/proc/self/fd").iterdir()) + 1)
        _enter(spaces)
        os.chdir(cwd)
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


if __name__ == "__main__":
    main(sys.argv[1])
