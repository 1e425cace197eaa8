"""Watching one running task: its start, its time limit, a stop, its end, and what it leaves behind."""

from __future__ import annotations

import contextlib
import os
import signal
import time

from danlu.agent.keeper.isolation.cgroups import Group
from danlu.agent.keeper.isolation.memory_watch import watch_memory
from danlu.agent.keeper.lease import NodeLease, now
from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.processes import descendants, signal_all
from danlu.agent.keeper.spec import End, Order, Places, Spec
from danlu.agent.keeper.task_record import TaskRecord, end_of
from danlu.agent.keeper.wrapper.calls import CallFiles, open_call
from danlu.agent.keeper.wrapper.command import KeeperFacts, become_command, read_report
from danlu.agent.keeper.wrapper.direct_start import PlainStart
from danlu.agent.keeper.wrapper.outputs import open_log
from danlu.agent.keeper.wrapper.wrapper_events import WrapperEvents

_LONGEST_SLEEP_S = 30.0
"""A sleep does not count the time in which the machine is suspended; limits do. So look now and then."""

OUT_OF_MEMORY = "out_of_memory"

_KILL_PAUSES_S = (0.001, 0.25)
"""The first and the longest pause between two rounds of killing."""


class Supervision:
    """The wrapper's view of its task: `spawn` it, then `watch` it until its end."""

    def __init__(
        self,
        record: TaskRecord,
        spec: Spec,
        order: Order,
        group: Group,
        ears: WrapperEvents,
        lease: NodeLease | None,
    ) -> None:
        self.pid: int | None = None
        self.started_at: float | None = None
        self._record = record
        self._spec = spec
        self._order = order
        self._group = group
        self._ears = ears
        self._lease = lease
        self._report: int | None = None
        self._problem: SetupProblem | None = None
        self._places: Places | None = None
        self._status: int | None = None
        self._childless = False
        self._limit_at: float | None = None
        self._kill_at: float | None = None
        self._ending = "exited"
        self._memory = watch_memory(spec)
        self._alarm: int | None = None
        self._cpu_s = 0.0
        self._largest_mb = 0

    def spawn(self, around: KeeperFacts, plain: PlainStart | None) -> bool:
        """Start the user's command: as it is where it is `plain`, else in a child that becomes it. False when
        the lease has run out, and nothing was started."""
        order = self._order
        log = open_log(order["log_path"], order["account"]) if order["stdout"] is None else -1
        call = open_call(order)
        # Not sooner: to open a file may take as long as its disk does.
        is_allowed = self._lease is None or not self._lease.is_over
        if is_allowed and plain is not None:
            self.pid = plain.start(self._group, log, call)
            self.record_start()
        elif is_allowed:
            self._fork(around, log, call)
        if log >= 0:
            os.close(log)
        if call is not None:
            call.close()
        if order["time_limit_s"] is not None:
            self._limit_at = now() + order["time_limit_s"]
        return is_allowed

    def _fork(self, around: KeeperFacts, log: int, call: CallFiles | None) -> None:
        self._report, report = os.pipe()
        wrapper = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            self._ears.close()
            become_command(self._spec, self._order, around, self._group, wrapper, log, call, report)
        os.close(report)

    def watch(self) -> End:
        """Wait for the end. Nothing of the task lives on, unless its leftovers are to be left alone."""
        if self._lease is not None:
            self._ears.listen_to(self._lease.watch())
        self._set_alarm()
        while not self._is_over():
            self._sleep()
            self._reap()
            if self._status is None or self._kill_at is not None:
                self._check_limits()
            if self._kill_at is not None and now() >= self._kill_at:
                self.kill_everything()
        self._memory.look()
        self._drop_alarm()
        if self._order["kill_leftovers"] or self._kill_at is not None:
            self.kill_everything()
        if self._problem is not None and not self._is_stopped_early():
            return end_of("setup_failed", problem=self._problem.reason, detail=self._problem.detail)
        return self._end()

    def _end(self) -> End:
        peak_mb = self._memory.peak_mb or self._largest_mb
        is_starved = self._ending == "exited" and self._status != 0 and self._memory.kills > 0
        ending = OUT_OF_MEMORY if is_starved else self._ending
        return end_of(
            ending,
            wait_status=self._status,
            detail=_memory_detail(peak_mb, self._order) if ending == OUT_OF_MEMORY else "",
            started_at=self.started_at,
            cpu_s=round(self._cpu_s, 3),
            peak_memory_mb=peak_mb,
        )

    def kill_everything(self) -> None:
        """SIGKILL to every process of the task, until none is left."""
        pause_s, longest_s = _KILL_PAUSES_S
        while True:
            self._reap()
            self._memory.look()
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

    def _sleep(self) -> None:
        """Until something is heard, the child reports, or the next deadline."""
        has_reported = self._ears.wait(self._timeout_ms(), self._report)
        # Before all else, whatever it was that woke us: the whole machine may have been frozen since the last
        # look, and the next attempt may run by now.
        self._check_lease()
        self._check_alarm()
        if has_reported and self._report is not None:
            self._problem, self._places = read_report(self._report)
            os.close(self._report)
            self._report = None
            if self._problem is None and not self._is_stopped_early():
                self.record_start()

    def _is_stopped_early(self) -> bool:
        """Killed while its data were copied: that its first process is gone does not mean that it began, nor
        that one of the two has seen the other die that something went wrong."""
        return self._kill_at is not None and self._order.get("staging") is not None

    def record_start(self) -> None:
        self.started_at = time.time()
        # A full disk must not stop a running task; its end will carry the time as well.
        with contextlib.suppress(OSError):
            if self._places:
                self._record.write_outputs(self._places)
            self._record.write_start(self.started_at)
        self._ears.tell_start(self.started_at)

    def _timeout_ms(self) -> float | None:
        limit_at = self._limit_at if self._kill_at is None else None
        deadlines = [at for at in (limit_at, self._kill_at) if at is not None]
        if not deadlines:
            return None
        return 1000 * min(max(min(deadlines) - now(), 0), _LONGEST_SLEEP_S)

    def _reap(self) -> None:
        while True:
            try:
                pid, status, used = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                self._childless = True
                return
            if pid == 0:
                return
            # With all that it has waited for itself; what it has not, comes to us.
            self._cpu_s += used.ru_utime + used.ru_stime
            self._largest_mb = max(self._largest_mb, -(-used.ru_maxrss >> 10))
            if pid == self.pid:
                self._status = status

    def _check_limits(self) -> None:
        if self._ears.take_stop():
            grace_s = self._record.read_stop()
            self._begin_stop("stopped", self._order["grace_s"] if grace_s is None else grace_s)
        elif self._kill_at is None and self._limit_at is not None and now() >= self._limit_at:
            self._begin_stop("time_limit", self._order["grace_s"])

    def _check_lease(self) -> None:
        if self._lease is None or self._lease.alarm is None or self._lease.check():
            return
        self._ears.leave(self._lease.alarm)
        self._lease.close()
        self._begin_stop("lease_lost", min(self._order["grace_s"], self._lease.grace_left_s))

    def _set_alarm(self) -> None:
        self._alarm = self._memory.open_alarm()
        if self._alarm is not None:
            self._ears.listen_to(self._alarm)

    def _drop_alarm(self) -> None:
        if self._alarm is not None:
            self._ears.leave(self._alarm)
            os.close(self._alarm)
            self._alarm = None

    def _check_alarm(self) -> None:
        """The kernel kills one process of a task whose memory has run out; the others go with it."""
        if self._alarm is None:
            return
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._alarm)
            self._drop_alarm()
            self._begin_stop(OUT_OF_MEMORY, 0)

    def _begin_stop(self, ending: str, grace_s: float) -> None:
        """TERM to everything, or KILL at once where there is no grace; a second stop can only shorten it."""
        kill_at = now() + grace_s
        if self._kill_at is None:
            self._ending = ending
            self._kill_at = kill_at
            if grace_s > 0:
                # A stopped process (SIGSTOP) would never see its TERM.
                signal_all(self._members, signal.SIGTERM, signal.SIGCONT)
        self._kill_at = min(self._kill_at, kill_at)
        if grace_s <= 0:
            self.kill_everything()

    def _members(self) -> set[int]:
        return self._group.pids() | descendants(os.getpid())


def _memory_detail(peak_mb: int, order: Order) -> str:
    """The peak and what was asked for, in numbers that need no translation."""
    asked_mb = order.get("memory_mb") or 0
    return f"{peak_mb} MB / {asked_mb} MB" if asked_mb else f"{peak_mb} MB / -"
