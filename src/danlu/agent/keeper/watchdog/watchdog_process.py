"""The watchdog as its keeper sees it: started with the first leased task, told of each, replaced if it dies.

FOLDER/watchdog      which process it is: the next keeper puts its own in its place
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import time
from typing import NoReturn, cast

from danlu.agent.keeper import libc
from danlu.agent.keeper.complaint import complain
from danlu.agent.keeper.forks import leave_keeper
from danlu.agent.keeper.isolation.cgroups import Grounds
from danlu.agent.keeper.processes import Process, find, open_pidfd
from danlu.agent.keeper.spec import Spec
from danlu.agent.keeper.watchdog.watchdog import NAME, Watchdog, stand_aside, step_back

_STEADY_S = 1.0
_MOST_SHORT_LIVED = 3
"""After so many in a row that lived less long, the next is not started at once: it would end as they did."""

_PARTING_S = 0.5


class WatchdogProcess:
    """`protect` each leased task from before it starts, `release` it when it has ended."""

    def __init__(
        self, folder: str, lease_path: str, grounds: Grounds, boot_id: str, selector: selectors.BaseSelector
    ) -> None:
        self._file = f"{folder}/{NAME}"
        self._lease_path = lease_path
        self._grounds = grounds
        self._boot_id = boot_id
        self._selector = selector
        self._specs: dict[str, Spec] = {}
        self._connection: socket.socket | None = None
        self._pid = 0
        self._begun_at = 0.0
        self._short_lived = 0

    def protect(self, spec: Spec) -> None:
        """Whatever goes wrong here, the task may start: it has its wrapper."""
        self._specs[spec["key"]] = known = _needed_of(spec)
        if self._connection is None:
            self.ensure()
        else:
            self._tell(f"+{json.dumps(known)}")

    def release(self, key: str) -> None:
        if self._specs.pop(key, None) is not None and self._connection is not None:
            self._tell(f"-{key}")

    def ensure(self) -> None:
        """See to it that there is one, if there is anything to watch over."""
        if self._connection is None and self._specs:
            try:
                self._start()
            except OSError:
                complain()

    def close(self) -> None:
        """It stays while there are tasks that need it; else it leaves before us."""
        if self._connection is None:
            return
        self._selector.unregister(self._connection)
        with self._connection as connection:
            if self._specs:
                return
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(_PARTING_S)
            with contextlib.suppress(OSError):
                if not connection.recv(1):
                    os.waitpid(self._pid, 0)
                    os.unlink(self._file)

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._pid = os.fork()
        except OSError:
            ours.close()
            theirs.close()
            raise
        if self._pid == 0:
            self._be_watchdog(theirs)
        theirs.close()
        ours.setblocking(False)
        self._connection, self._begun_at = ours, time.monotonic()
        self._selector.register(ours, selectors.EVENT_READ, self._on_end)
        self._take_place()

    def _be_watchdog(self, connection: socket.socket) -> NoReturn:
        # Nothing may unwind from here into the keeper's frames, which this fork still carries.
        try:
            connection = leave_keeper(connection)
            libc.set_process_name(f"danlu {NAME}")
            stand_aside(self._grounds)
            Watchdog(connection, self._lease_path, self._boot_id, self._specs).run()
            step_back(self._grounds)
        except BaseException:
            complain()
        finally:
            os._exit(0)

    def _take_place(self) -> None:
        """End the one of an earlier keeper: this one knows of all that it knew."""
        with contextlib.suppress(OSError):
            earlier = self._read_file()
            if earlier is not None and (pidfd := open_pidfd(earlier)) is not None:
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
                os.close(pidfd)
            process = find(self._pid)
            if process is not None:
                with open(f"{self._file}.new", "w") as file:
                    file.write(f"{self._boot_id} {process.pid} {process.started}\n")
                os.rename(f"{self._file}.new", self._file)

    def _read_file(self) -> Process | None:
        try:
            with open(self._file) as file:
                boot_id, pid, started = file.read().split()
        except (FileNotFoundError, ValueError):
            return None
        return Process(int(pid), int(started)) if boot_id == self._boot_id else None

    def _tell(self, message: str) -> None:
        if self._connection is None:
            return
        try:
            self._connection.send(message.encode())
        except OSError:
            # It is dead, or stopped and deaf: another one is told of everything from the start.
            self._let_go()
            self.ensure()

    def _on_end(self, _events: int) -> None:
        self._let_go()
        os.waitpid(self._pid, 0)
        is_steady = time.monotonic() - self._begun_at >= _STEADY_S
        self._short_lived = 0 if is_steady else self._short_lived + 1
        if self._short_lived < _MOST_SHORT_LIVED:
            self.ensure()

    def _let_go(self) -> None:
        if self._connection is not None:
            self._selector.unregister(self._connection)
            self._connection.close()
            self._connection = None


def _needed_of(spec: Spec) -> Spec:
    """What it takes to find the task's group again: the order may be long, and has secrets in it."""
    devices = spec["order"].get("gpu_devices") if spec["order"] else None
    return cast("Spec", {**spec, "order": {"gpu_devices": devices}})
