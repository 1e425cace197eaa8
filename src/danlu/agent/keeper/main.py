"""Starting the keeper: `main` with FOLDER, LABEL (unique to the folder) and the cgroup mode as arguments.

It detaches itself and says one line on stdout: "ready", "busy" (another one keeps this folder), or
"error …". Everything is imported here and now: the package may be upgraded while the keeper runs.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import pwd
import resource
import selectors
import signal
import socket
import sys
from functools import partial

from danlu.agent.keeper import libc
from danlu.agent.keeper.isolation import priorities
from danlu.agent.keeper.isolation.cgroups import CgroupsUnavailable, choose_grounds
from danlu.agent.keeper.isolation.devices import choose_guarding
from danlu.agent.keeper.isolation.limits import CPU, MEMORY, choose_limit
from danlu.agent.keeper.notes import open_notes
from danlu.agent.keeper.processes import boot_id
from danlu.agent.keeper.server import KeeperServer
from danlu.agent.keeper.task_book import TaskBook
from danlu.agent.keeper.task_specs import Guards
from danlu.agent.keeper.wrapper.command import KeeperFacts
from danlu.agent.keeper.wrapper.setup import Person

SOCKET = "socket"


def main() -> None:
    folder, label, mode = sys.argv[1:4]
    if os.fork():
        # The keeper is no child of the process that starts it, which can end without a trace of it.
        os._exit(0)
    try:
        keeper = _prepare(folder, label, mode)
    except (OSError, CgroupsUnavailable) as error:
        _say(f"error {error}")
        raise
    _say("ready" if keeper else "busy")
    if keeper is None:
        return
    server, address = keeper
    gc.freeze()
    server.run()
    server.book.close()
    os.unlink(address)


def _prepare(folder: str, label: str, mode: str) -> tuple[KeeperServer, str] | None:
    os.umask(0o077)
    os.chdir("/")
    os.makedirs(f"{folder}/tasks", exist_ok=True)
    os.chmod(folder, 0o700)
    if not _lock(f"{folder}/lock"):
        return None
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    libc.set_process_name("danlu keeper")
    notes = open_notes(f"{folder}/notes")
    listener, address = _listen(folder)
    selector = selectors.DefaultSelector()
    around = _look_around(f"{folder}/notes")
    grounds = choose_grounds(mode, label)
    guards = Guards(
        choose_guarding(grounds, label),
        choose_limit(CPU, grounds, label),
        choose_limit(MEMORY, grounds, label),
    )
    open_book = partial(TaskBook, folder, label, grounds, guards, around, selector)
    server = KeeperServer(listener, notes, selector, open_book)
    server.book.adopt()
    return server, address


def _lock(path: str) -> bool:
    """One keeper per folder. The lock is held, by the open file, until this process ends."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _listen(folder: str) -> tuple[socket.socket, str]:
    """The socket, and its address: through /proc, since the path itself may be too long for one."""
    address = f"/proc/self/fd/{os.open(folder, os.O_PATH | os.O_CLOEXEC)}/{SOCKET}"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(address)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(address)
    os.chmod(address, 0o600)
    listener.listen(64)
    return listener, address


def _look_around(notes: str) -> KeeperFacts:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # One descriptor per living task.
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return KeeperFacts(
        boot_id=boot_id(),
        uid=os.geteuid(),
        person=_person(),
        variables=dict(os.environ),
        shell="/bin/bash" if os.access("/bin/bash", os.X_OK) else "/bin/sh",
        open_files=(soft, hard),
        notes=notes,
        raised=priorities.are_raised(),
    )


def _person() -> Person:
    uid = os.geteuid()
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        return Person(str(uid), os.environ.get("HOME", "/"), "/bin/sh")
    return Person(entry.pw_name, entry.pw_dir, entry.pw_shell or "/bin/sh")


def _say(line: str) -> None:
    """Tell the process that started the keeper, and let go of it."""
    with contextlib.suppress(OSError):
        os.write(1, f"{line}\n".encode())
    os.dup2(2, 1)
