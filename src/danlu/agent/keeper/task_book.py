"""The keeper's book of tasks. The disk holds the truth; the book is what this keeper has read of it."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import time
from collections.abc import Callable, Iterable
from functools import partial

from danlu.agent.keeper.complaint import complain
from danlu.agent.keeper.isolation.cgroups import Grounds
from danlu.agent.keeper.isolation.task_group import group_of
from danlu.agent.keeper.log_limit import LogLimiter
from danlu.agent.keeper.log_times import LogTimeKeeper
from danlu.agent.keeper.processes import carrying, open_pidfd, signal_all
from danlu.agent.keeper.spec import About, End, Fact, Order, Spec, marker
from danlu.agent.keeper.task_files import remove_files
from danlu.agent.keeper.task_record import CLAIM_SUFFIX, NEVER, TaskClaim, TaskRecord, end_of
from danlu.agent.keeper.task_specs import Guards, TaskEntry, TaskSpecs, check_key
from danlu.agent.keeper.watchdog.watchdog_process import WatchdogProcess
from danlu.agent.keeper.wrapper.command import KeeperFacts
from danlu.agent.keeper.wrapper.hosts import check_hosts
from danlu.agent.keeper.wrapper.wrapper_events import STOP_SIGNAL
from danlu.agent.keeper.wrapper.wrapper_pool import WrapperPool

_CLEANING_PAUSES_S = (0.02, 1.0)
"""The first and the longest pause between two rounds of killing what dead wrappers left behind."""

_COPIED = "the folder of its record was copied or restored from a backup"


class TaskBook:
    """Launches, watches, stops and forgets tasks. Facts go to `tell` as they become known."""

    def __init__(
        self,
        folder: str,
        label: str,
        grounds: Grounds,
        guards: Guards,
        around: KeeperFacts,
        selector: selectors.BaseSelector,
        tell: Callable[[Fact], None],
    ) -> None:
        self._root = f"{folder}/tasks"
        self._grounds = grounds
        self._guards = guards
        self._around = around
        self._specs = TaskSpecs(folder, label, grounds, guards, around)
        self._selector = selector
        self._tell = tell
        self.crew = WrapperPool(selector, self._root, around, self)
        self._watchdog = WatchdogProcess(folder, self._specs.lease, grounds, around.boot_id, selector)
        self.log_limits = LogLimiter()
        self.log_times = LogTimeKeeper()
        self._tasks: dict[str, TaskEntry] = {}
        self._living: set[str] = set()
        self._vanished: set[str] = set()
        self._unsettled: set[str] = set()
        self._cleaning_pause_s = _CLEANING_PAUSES_S[0]
        self.clean_at: float | None = None
        """When the next round of cleaning is due (monotonic), if one is."""

    @property
    def is_idle(self) -> bool:
        return not self._living

    def about(self) -> About:
        return {
            "device_guard": self._guards.devices.mode,
            "keeps_leases": True,
            "stages": True,
            "checks_accounts": True,
            "cpu_guard": self._guards.cpu.mode,
            "memory_guard": self._guards.memory.mode,
            "limits_tasks": True,
        }

    def adopt(self) -> None:
        """Take over whatever an earlier keeper left on disk."""
        keys = {name.removesuffix(CLAIM_SUFFIX) for name in os.listdir(self._root)}
        for key in keys:
            try:
                self._adopt(key)
            except Exception:
                # One spoilt record must not take all other tasks with it.
                complain()
        self._sweep(keys)

    def launch(self, order: Order) -> None:
        """Start a task, once: a key that is known already is left as it is."""
        key = check_key(order["key"])
        if key in self._tasks:
            return
        check_hosts(order.get("gang"))
        task = self._enter(TaskEntry(TaskRecord(f"{self._root}/{key}"), self._specs.new(order)))
        try:
            self._store(task)
            self._protect(task)
            task.wrapper = self.crew.hand_over(key)
        except OSError as error:
            self._refuse(task, str(error))

    def stop(self, key: str, node: str, grace_s: float) -> None:
        """Stop a task; one that has not been claimed by now will never start."""
        task = self._tasks.get(check_key(key))
        if task is None:
            task = TaskEntry(TaskRecord(f"{self._root}/{key}"), self._specs.empty(key, node))
            self._store(task)
            self._enter(task)
        if task.end is not None:
            return
        # A full disk must not keep a task alive: the wrapper then takes the order's own grace.
        with contextlib.suppress(OSError):
            task.record.write_stop(grace_s)
        if self._prevent(task):
            # Should the claim have failed, a wrapper that still gets its own hears of the stop.
            self._pass_on_stop(task)
            self._record_end(task, end_of("never_started"))
        elif task.wrapper is None and task.pidfd is None:
            self._settle(task)
        else:
            self._pass_on_stop(task)

    def forget(self, keys: Iterable[str]) -> None:
        """Remove what is known of ended tasks; living ones are left alone."""
        for key in keys:
            task = self._tasks.get(key)
            if task is None or task.end is None:
                continue
            if not self._specs.is_foreign(task.spec):
                group_of(task.spec).remove()
                if task.spec["order"] is not None:
                    remove_files(task.spec, task.spec["order"])
            task.record.remove()
            del self._tasks[key]

    def facts(self) -> list[Fact]:
        self._watchdog.ensure()
        for key in self._living:
            # A note may have been lost.
            self._learn_start(self._tasks[key])
        return [task.fact() for task in self._tasks.values()]

    def hear_start(self, key: str, started_at: float) -> None:
        """A wrapper says that its task has started."""
        task = self._tasks.get(key)
        if task is None:
            # The wrapper of an earlier keeper, that had not made its claim yet when we looked.
            self._adopt(key)
        elif task.end is None and task.started_at is None:
            task.started_at = started_at
            self._learn_outputs(task)
            self._tell(task.fact())

    def hear_end(self, key: str, end: End) -> None:
        """A wrapper of ours is done with its task, and has recorded its end."""
        task = self._tasks.get(key)
        if task is not None:
            task.wrapper = None
            if task.end is None:
                self._conclude(task, end)

    def hear_unwritten_end(self, key: str, end: End) -> None:
        """The disk is full. Nothing of the task lives any more, and the server that keeps account of it need
        not wait for room here."""
        task = self._tasks.get(key)
        if task is not None and task.end is None:
            self._conclude(task, end)

    def hear_loss(self, key: str) -> None:
        """A wrapper of ours is gone that was given this task."""
        task = self._tasks.get(key)
        if task is not None:
            task.wrapper = None
            if task.end is None:
                self._settle(task)

    def clean(self) -> None:
        """One round of killing what dead wrappers left behind; a task with nothing left has ended.

        Tasks whose state could not be found out get another look.
        """
        self._cleaning_pause_s = min(self._cleaning_pause_s * 2, _CLEANING_PAUSES_S[1])
        self.clean_at = time.monotonic() + self._cleaning_pause_s
        for key in sorted(self._unsettled):
            self._unsettled.discard(key)
            self._settle(self._tasks[key])
        marked = carrying({key: marker(self._tasks[key].spec) for key in self._vanished})
        for key in sorted(self._vanished):
            task = self._tasks[key]
            group = group_of(task.spec)
            if not marked[key] and group.remove():
                self._record_end(task, end_of("vanished", detail="its wrapper was killed"))
                continue
            group.kill()
            signal_all(partial(_marked, task.spec), signal.SIGKILL)
        if not self._vanished and not self._unsettled:
            self.clean_at = None

    def close(self) -> None:
        """Leave no empty groups behind. Living tasks keep theirs."""
        self.crew.close()
        self._watchdog.close()
        self._sweep(set(self._tasks))
        with contextlib.suppress(OSError):
            os.rmdir(self._specs.scripts)

    def _sweep(self, wanted: set[str]) -> None:
        self._grounds.sweep(wanted)
        self._guards.sweep(wanted)

    def _adopt(self, key: str) -> None:
        record = TaskRecord(f"{self._root}/{key}")
        spec = record.read_spec()
        claim = record.read_claim()
        is_recent = spec is not None and spec["boot_id"] == self._around.boot_id
        if spec is None:
            # A launch that was never answered, torn off while its spec was written; or half forgotten.
            record.remove()
        elif claim is None and is_recent and not self._specs.is_foreign(spec):
            # An earlier keeper died before its wrapper could claim. The order may be stale by now:
            # it is started when it is launched again, and not before.
            return
        else:
            task = self._enter(TaskEntry(record, spec))
            if claim is None and not is_recent and self._prevent(task):
                self._record_end(task, end_of("rebooted"))
            else:
                self._settle(task)

    def _settle(self, task: TaskEntry) -> None:
        """Take the task's state from the disk: at adoption, and when a wrapper of it is gone."""
        try:
            self._look_up(task)
        except OSError:
            # No file can be opened, or the disk fails. The task must come to a known end all the same.
            complain()
            self._settle_later(task)

    def _settle_later(self, task: TaskEntry) -> None:
        self._unsettled.add(task.key)
        later = time.monotonic() + _CLEANING_PAUSES_S[1]
        self.clean_at = later if self.clean_at is None else min(self.clean_at, later)

    def _look_up(self, task: TaskEntry) -> None:
        end = task.record.read_end()
        if end is not None:
            self._conclude(task, end)
            return
        claim = task.record.read_claim()
        if claim == NEVER:
            self._record_end(task, end_of("never_started"))
        elif isinstance(claim, TaskClaim) and claim.boot_id != self._around.boot_id:
            self._record_end(task, end_of("rebooted", started_at=task.record.read_start()))
        elif self._specs.is_foreign(task.spec):
            # Whatever lives of it belongs to the keeper of the original: not ours to touch.
            self._record_end(task, end_of("vanished", detail=_COPIED, started_at=task.record.read_start()))
        elif not isinstance(claim, TaskClaim):
            self._give_up(task)
        else:
            self._settle_claimed(task, claim)

    def _settle_claimed(self, task: TaskEntry, claim: TaskClaim) -> None:
        self._protect(task)
        stop_asked = task.record.read_stop() is not None
        pidfd = open_pidfd(claim.process)
        if pidfd is not None:
            self._watch(task, pidfd)
            if stop_asked:
                # Through an earlier keeper, which may have died before it could pass it on.
                self._pass_on_stop(task)
            return
        # A wrapper writes its end before it dies, perhaps after we have looked for it.
        end = task.record.read_end()
        if end is not None:
            self._conclude(task, end)
        else:
            self._vanished.add(task.key)
            self._cleaning_pause_s = _CLEANING_PAUSES_S[0]
            self.clean_at = time.monotonic()

    def _give_up(self, task: TaskEntry) -> None:
        """Its wrapper died before the claim. Nothing has run, and with our claim nothing will."""
        if self._prevent(task):
            self._record_end(
                task, end_of("never_started", detail="its wrapper was killed before it could begin")
            )
        else:
            self._settle(task)

    def _refuse(self, task: TaskEntry, detail: str) -> None:
        """No wrapper could be started; unless that of an earlier keeper was quicker, nothing ever will be."""
        if self._prevent(task):
            self._record_end(task, end_of("setup_failed", problem="launch_failed", detail=detail))
        else:
            self._settle(task)

    def _prevent(self, task: TaskEntry) -> bool:
        """Claim the task ourselves, so that it never starts. False when a wrapper was quicker."""
        try:
            return task.record.make_claim(NEVER)
        except OSError:
            # On a full disk no wrapper can make a claim either.
            complain()
            return True

    def _record_end(self, task: TaskEntry, end: End) -> None:
        try:
            task.record.write_end(end)
        except OSError:
            # Clients learn it all the same, and a later keeper comes to the same end by itself.
            complain()
        self._conclude(task, end)

    def _conclude(self, task: TaskEntry, end: End) -> None:
        task.end = end
        task.started_at = end["started_at"]
        self._learn_start(task)
        self._living.discard(task.key)
        self._watchdog.release(task.key)
        self.log_limits.leave(task.key)
        self.log_times.leave(task.key)
        self._vanished.discard(task.key)
        self._unsettled.discard(task.key)
        self._tell(task.fact())

    def _learn_start(self, task: TaskEntry) -> None:
        if task.started_at is None:
            # It is not worth an end, or the list of all tasks, that this one cannot be read.
            with contextlib.suppress(OSError):
                task.started_at = task.record.read_start()
        self._learn_outputs(task)

    def _learn_outputs(self, task: TaskEntry) -> None:
        order = task.spec["order"]
        if task.outputs is None and order is not None and (order["stdout"] or order["stderr"]):
            with contextlib.suppress(OSError):
                task.outputs = task.record.read_outputs()

    def _enter(self, task: TaskEntry) -> TaskEntry:
        self._tasks[task.key] = task
        self._living.add(task.key)
        order = task.spec["order"]
        # A file that the user named is the user's: nothing is done to it, and nothing is put beside it.
        if order is not None and order["stdout"] is None:
            self.log_times.watch(task.key, order["log_path"])
            if limit := order.get("log_limit"):
                self.log_limits.watch(task.key, order["log_path"], limit)
        return task

    def _protect(self, task: TaskEntry) -> None:
        """A task that is to end with the lease has a second watcher, from before it starts."""
        order = task.spec["order"]
        if order is not None and order.get("leased"):
            self._watchdog.protect(task.spec)

    def _store(self, task: TaskEntry) -> None:
        """Write the spec, or take over the one of an earlier keeper, whose wrapper may yet claim the task."""
        if task.record.write_first_spec(task.spec):
            return
        earlier = task.record.read_spec()
        if earlier is not None and earlier["order"] is not None:
            task.spec = earlier
        else:
            task.record.write_spec(task.spec)

    def _watch(self, task: TaskEntry, pidfd: int) -> None:
        try:
            self._selector.register(pidfd, selectors.EVENT_READ, lambda _: self._on_exit(task, pidfd))
        except OSError:
            os.close(pidfd)
            raise
        task.pidfd = pidfd
        self._unsettled.discard(task.key)

    def _on_exit(self, task: TaskEntry, pidfd: int) -> None:
        self._selector.unregister(pidfd)
        # The wrappers of earlier keepers are not our children.
        with contextlib.suppress(ChildProcessError):
            os.waitid(os.P_PIDFD, pidfd, os.WEXITED)
        os.close(pidfd)
        task.pidfd = None
        if task.end is None:
            self._settle(task)

    def _pass_on_stop(self, task: TaskEntry) -> None:
        if task.wrapper is not None:
            task.wrapper.ask_stop()
        elif task.pidfd is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(task.pidfd, STOP_SIGNAL)


def _marked(spec: Spec) -> set[int]:
    return carrying({spec["key"]: marker(spec)})[spec["key"]]
