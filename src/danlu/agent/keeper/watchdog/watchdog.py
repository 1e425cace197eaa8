"""The watchdog of leases: kills what should have ended with the lease of its node, and has not.

To end a task with its lease is its wrapper's work. The watchdog is a second watcher, in a process of its own
that needs neither agent nor keeper nor wrapper: they may be stopped while the task goes on, or killed while
what it has started lives. The keeper tells it of leased tasks; from then on it knows all that it needs.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys

from danlu.agent.keeper import libc
from danlu.agent.keeper.isolation.cgroups import Grounds, group_at, write_to_group
from danlu.agent.keeper.isolation.task_group import group_of
from danlu.agent.keeper.lease import GRACE_S, LeaseReader, Reading, next_look, now
from danlu.agent.keeper.processes import carrying, signal_all
from danlu.agent.keeper.spec import Spec, marker
from danlu.agent.keeper.wrapper.wrapper_events import LONGEST_MESSAGE

NAME = "watchdog"
OVERDUE_S = GRACE_S + 1.0
"""So long after the end of the lease a task is killed from here. By then its wrapper has had its turn, and of
what the control side allows for a kill most is left."""

_MOST_UNANSWERED = 5
_LOOK_S = 0.2
"""A lease has run out when a reading says so that was begun afterwards, or when none has come for so many
looks. (Time alone proves nothing: this process may have been stopped, and the lease renewed meanwhile.)"""

_ORPHAN_LOOK_S = 5.0
_SETTLED_S = 30.0
"""Without a keeper the watchdog looks by itself whether a task is over: so long after it was told of it, or
else it might have been about to begin."""

_FAR_S = 3600.0


class _Task:
    """One that is to end with the lease. `kill_at` is known once that has run out."""

    def __init__(self, spec: Spec, since: float) -> None:
        self.since = since
        self.kill_at: float | None = None
        self._spec = spec
        self._group = group_of(spec)

    def members(self) -> set[int]:
        """In the group; where there is none, those that still carry the task's mark."""
        return self._group.pids() if self._group.path else self._marked()

    def kill(self) -> bool:
        """One round. Whether anything is left."""
        self._group.kill()
        signal_all(self._marked, signal.SIGKILL)
        return bool(self._group.pids() or self._marked())

    def _marked(self) -> set[int]:
        return carrying({"task": marker(self._spec)})["task"]


class Watchdog:
    """`run` while there is a keeper, or a task to watch over."""

    def __init__(
        self, connection: socket.socket, lease_path: str, boot_id: str, specs: dict[str, Spec]
    ) -> None:
        self._connection = connection
        self._has_keeper = True
        self._tasks = {key: _Task(spec, now()) for key, spec in specs.items()}
        self._reader = LeaseReader(lease_path, boot_id)
        self._unanswered = 0
        self._counted_at = 0.0
        self._alarm = libc.make_alarm()
        self._poll = select.poll()
        self._poll.register(connection, select.POLLIN)
        self._poll.register(self._alarm, select.POLLIN)

    def run(self) -> None:
        self._reader.start()
        while self._has_keeper or self._tasks:
            self._look(now())
            libc.set_alarm(self._alarm, self._next_look(now()))
            ready = [fd for fd, _ in self._poll.poll()]
            if self._connection.fileno() in ready:
                # A watchdog that was frozen together with the tasks looks at them first.
                self._look(now())
                self._hear()

    def _look(self, at: float) -> None:
        reading = self._reader.latest
        undecided = False
        for key, task in list(self._tasks.items()):
            if task.kill_at is None:
                over_at = max(reading.ends_at, task.since)
                if self._has_lapsed(reading, over_at, at):
                    task.kill_at = over_at + OVERDUE_S
                undecided |= task.kill_at is None and at >= over_at
            if task.kill_at is not None and at >= task.kill_at and not self._kill(key, task, at):
                del self._tasks[key]
        if not undecided:
            self._unanswered = 0
        elif at >= self._counted_at + _LOOK_S:
            self._unanswered, self._counted_at = self._unanswered + 1, at
        if any(task.kill_at is None for task in self._tasks.values()):
            self._reader.ask()
        if not self._has_keeper:
            self._drop_ended(at)

    def _has_lapsed(self, reading: Reading, over_at: float, at: float) -> bool:
        return at >= over_at and (reading.begun_at >= over_at or self._unanswered >= _MOST_UNANSWERED)

    def _kill(self, key: str, task: _Task, at: float) -> bool:
        if not task.members():
            return False
        is_left = task.kill()
        late_s = at - (task.kill_at or at) + OVERDUE_S
        sys.stderr.write(f"watchdog: killed task {key}, {late_s:.1f} s after the end of its lease\n")
        sys.stderr.flush()
        return is_left

    def _drop_ended(self, at: float) -> None:
        for key, task in list(self._tasks.items()):
            if at > task.since + _SETTLED_S and not task.members():
                del self._tasks[key]

    def _next_look(self, at: float) -> float:
        longest_s = _FAR_S if self._has_keeper else _ORPHAN_LOOK_S
        looks = [at + longest_s]
        ends_at = self._reader.latest.ends_at
        for task in self._tasks.values():
            if task.kill_at is not None:
                looks.append(max(task.kill_at, at + _LOOK_S))
            else:
                looks.append(next_look(ends_at, at) if at < ends_at else at + _LOOK_S)
        return min(looks)

    def _hear(self) -> None:
        """`+SPEC`: watch over this task. `-KEY`: it has ended. Nothing at all: the keeper is gone."""
        try:
            message = self._connection.recv(LONGEST_MESSAGE).decode()
        except OSError:
            message = ""
        if not message:
            self._has_keeper = False
            self._poll.unregister(self._connection)
        elif message.startswith("+"):
            spec: Spec = json.loads(message[1:])
            self._tasks[spec["key"]] = _Task(spec, now())
        else:
            self._tasks.pop(message[1:], None)


def stand_aside(grounds: Grounds) -> None:
    """Into a group of its own: freezing the agent's service, and with it agent, keeper and wrappers, does not
    freeze the watchdog."""
    group = group_at(grounds.mode, grounds.path_for(NAME))
    with contextlib.suppress(OSError):
        group.create()
        group.join()


def step_back(grounds: Grounds) -> None:
    """Leave no empty groups behind."""
    if grounds.parent:
        with contextlib.suppress(OSError):
            write_to_group(f"{os.path.dirname(grounds.parent)}/cgroup.procs", "0")
        for folder in (grounds.path_for(NAME), grounds.parent):
            with contextlib.suppress(OSError):
                os.rmdir(folder)
