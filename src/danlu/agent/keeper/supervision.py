"""Watching one running task: its start, its time limit, a stop, its end, and what it leaves behind."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time

from danlu.agent.keeper.cgroups import Group
from danlu.agent.keeper.command import Surroundings, become_command, read_report
from danlu.agent.keeper.notes import send_note
from danlu.agent.keeper.outputs import open_log
from danlu.agent.keeper.problem import Problem
from danlu.agent.keeper.processes import descendants, signal_all
from danlu.agent.keeper.spec import End, Order, Spec
from danlu.agent.keeper.taskrecord import TaskRecord, end_of

STOP_SIGNAL = signal.SIGTERM
"""What tells a wrapper to stop its task. Whoever else sends it (a shutdown) gets the same."""

_LONGEST_SLEEP_S = 30.0
"""A sleep does not count the time in which the machine is suspended; limits do. So look now and then."""

_KILL_PAUSES_S = (0.001, 0.25)
"""The first and the longest pause between two rounds of killing."""


class Supervision:
    """The wrapper's view of its task: `spawn` it, then `watch` it until its end."""

    def __init__(self, record: TaskRecord, spec: Spec, order: Order, group: Group) -> None:
        self.pid: int | None = None
        self.started_at: float | None = None
        self._record = record
        self._spec = spec
        self._order = order
        self._group = group
        self._report: int | None = None
        self._problem: Problem | None = None
        self._status: int | None = None
        self._childless = False
        self._limit_at: float | None = None
        self._kill_at: float | None = None
        self._ending = "exited"
        self._stop_asked = False
        self._wake = self._install_signals()

    def spawn(self, around: Surroundings) -> None:
        """Fork the child that becomes the user's command."""
        order = self._order
        log = open_log(order["log_path"], order["account"]) if order["stdout"] is None else -1
        self._report, report = os.pipe()
        wrapper = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            become_command(self._spec, order, around, self._group, wrapper, log, report)
        os.close(report)
        if log >= 0:
            os.close(log)
        if order["time_limit_s"] is not None:
            self._limit_at = _now() + order["time_limit_s"]

    def watch(self, notes: str) -> End:
        """Wait for the end. Nothing of the task lives on, unless its leftovers are to be left alone."""
        while not self._is_over():
            self._sleep(notes)
            self._reap()
            if self._status is None or self._kill_at is not None:
                self._check_limits()
            if self._kill_at is not None and _now() >= self._kill_at:
                self.kill_everything()
        if self._order["kill_leftovers"] or self._kill_at is not None:
            self.kill_everything()
        if self._problem is not None:
            return end_of("setup_failed", problem=self._problem.reason, detail=self._problem.detail)
        return end_of(self._ending, wait_status=self._status, started_at=self.started_at)

    def kill_everything(self) -> None:
        """SIGKILL to every process of the task, until none is left."""
        pause_s, longest_s = _KILL_PAUSES_S
        while True:
            self._reap()
            if self._childless and self._group.remove():
                return
            self._group.kill()
            if not self._childless:
                signal_all(lambda: descendants(os.getpid()), signal.SIGKILL)
            time.sleep(pause_s)
            pause_s = min(pause_s * 2, longest_s)

    def _is_over(self) -> bool:
        """The command has ended and its report is read; after a stop its whole tree gets the grace."""
        if self._status is None or self._report is not None:
            return False
        return self._kill_at is None or self._childless

    def _sleep(self, notes: str) -> None:
        """Until a signal, the child's report, or the next deadline."""
        poll = select.poll()
        poll.register(self._wake, select.POLLIN)
        if self._report is not None:
            poll.register(self._report, select.POLLIN)
        ready = [fd for fd, _ in poll.poll(self._timeout_ms())]
        if self._wake in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake, 4096)
        if self._report in ready:
            self._problem = read_report(self._report)
            os.close(self._report)
            self._report = None
            if self._problem is None:
                self.record_start(notes)

    def record_start(self, notes: str) -> None:
        self.started_at = time.time()
        # A full disk must not stop a running task; its end will carry the time as well.
        with contextlib.suppress(OSError):
            self._record.write_start(self.started_at)
        send_note(notes, self._spec["key"], self.started_at)

    def _timeout_ms(self) -> float | None:
        limit_at = self._limit_at if self._kill_at is None else None
        deadlines = [at for at in (limit_at, self._kill_at) if at is not None]
        if not deadlines:
            return None
        return 1000 * min(max(min(deadlines) - _now(), 0), _LONGEST_SLEEP_S)

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                self._childless = True
                return
            if pid == 0:
                return
            if pid == self.pid:
                self._status = status

    def _check_limits(self) -> None:
        if self._stop_asked:
            self._stop_asked = False
            grace_s = self._record.read_stop()
            self._begin_stop("stopped", self._order["grace_s"] if grace_s is None else grace_s)
        elif self._kill_at is None and self._limit_at is not None and _now() >= self._limit_at:
            self._begin_stop("time_limit", self._order["grace_s"])

    def _begin_stop(self, ending: str, grace_s: float) -> None:
        """TERM to everything; a second stop can only shorten the grace."""
        kill_at = _now() + grace_s
        if self._kill_at is None:
            self._ending = ending
            self._kill_at = kill_at
            # A stopped process (SIGSTOP) would never see its TERM.
            signal_all(self._members, signal.SIGTERM, signal.SIGCONT)
        self._kill_at = min(self._kill_at, kill_at)

    def _members(self) -> set[int]:
        return self._group.pids() | descendants(os.getpid())

    def _install_signals(self) -> int:
        """Signals become bytes in a pipe, so that one poll waits for everything. The reading end."""
        wake, woken = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(woken, False)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _notice)
        signal.signal(STOP_SIGNAL, self._ask_stop)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD, STOP_SIGNAL})
        return wake

    def _ask_stop(self, _number: int, _frame: object) -> None:
        self._stop_asked = True


def _notice(_number: int, _frame: object) -> None:
    """Only the byte in the pipe matters; but an ignored signal would not write one."""


def _now() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME)
