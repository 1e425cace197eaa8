"""A task as the keeper knows it, and the spec that its record begins with."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from danlu.agent.keeper.isolation.accounts import is_for_another
from danlu.agent.keeper.isolation.cgroups import Grounds
from danlu.agent.keeper.isolation.guarded_group import Guarding
from danlu.agent.keeper.spec import End, Fact, Order, Places, Spec
from danlu.agent.keeper.task_record import TaskRecord
from danlu.agent.keeper.wrapper.command import KeeperFacts
from danlu.agent.keeper.wrapper.wrapper_pool import Wrapper

_KEY = re.compile(r"\d+-\d+-\d+")


class Guards(NamedTuple):
    """What is set up around tasks here: against other tasks' GPUs, and for what they asked for."""

    devices: Guarding
    cpu: Guarding
    memory: Guarding

    def sweep(self, wanted: set[str]) -> None:
        for guarding in self:
            guarding.sweep(wanted)


class TaskEntry:
    """One task as the keeper knows it.

    `wrapper` is there while one of ours is at it, `pidfd` while one of an earlier keeper's is being watched.
    """

    def __init__(self, record: TaskRecord, spec: Spec) -> None:
        self.key = spec["key"]
        self.record = record
        self.spec = spec
        self.started_at: float | None = None
        self.outputs: Places | None = None
        self.end: End | None = None
        self.wrapper: Wrapper | None = None
        self.pidfd: int | None = None

    def fact(self) -> Fact:
        return {
            "key": self.key,
            "node": self.spec["node"],
            "started_at": self.started_at,
            "end": self.end,
            "outputs": self.outputs,
        }


class TaskSpecs:
    """Makes the specs of tasks whose records lie below `folder`."""

    def __init__(
        self, folder: str, label: str, grounds: Grounds, guards: Guards, around: KeeperFacts
    ) -> None:
        self._label = label
        self._grounds = grounds
        self._guards = guards
        self._around = around
        self._identity = _identity(f"{folder}/tasks")
        self._stage_places = f"{folder}/stage-places"
        self._own_scripts = f"{folder}/scripts"
        self.lease = f"{folder}/lease"
        self.scripts = f"/run/danlu-{label}"

    def is_foreign(self, spec: Spec) -> bool:
        """Whether it was written for another folder, of which this one is a copy."""
        return spec.get("folder", self._identity) != self._identity

    def new(self, order: Order) -> Spec:
        """For a task that is to be started."""
        key = order["key"]
        foreign = is_for_another(order["account"], self._around.uid)
        return {
            "key": key,
            "node": order["node"],
            "folder": self._identity,
            "boot_id": self._around.boot_id,
            "token": os.urandom(8).hex(),
            "group_mode": self._grounds.mode,
            "group_path": self._grounds.path_for(key),
            # Where the order does not say which GPUs there are, there is nothing to keep it from.
            "guard_mode": self._guards.devices.mode if order.get("gpu_devices") is not None else "",
            "guard_path": self._guards.devices.path_for(key),
            "cpu_mode": _mode_for(self._guards.cpu, order.get("cpus")),
            "cpu_path": self._guards.cpu.path_for(key),
            "memory_mode": _mode_for(self._guards.memory, order.get("memory_mb")),
            "memory_path": self._guards.memory.path_for(key),
            # Another account cannot get into our own folder.
            "script_path": f"{self.scripts if foreign else self._own_scripts}/{key}",
            "lease_path": self.lease,
            "label": self._label,
            "stage_places": self._stage_places,
            "order": order,
        }

    def empty(self, key: str, node: str) -> Spec:
        """For a task that nothing was ever started of."""
        return {
            "key": key,
            "node": node,
            "folder": self._identity,
            "boot_id": self._around.boot_id,
            "token": os.urandom(8).hex(),
            "group_mode": "none",
            "group_path": "",
            "script_path": "",
            "order": None,
        }


def _mode_for(guarding: Guarding, amount: float | None) -> str:
    """In v2 every task's group has its controllers; a v1 group is made where there is something to hold."""
    return guarding.mode if amount or guarding.mode == "v2" else ""


def _identity(folder: str) -> str:
    """What a folder keeps when it is moved, and what no copy of it has.

    The device is left out: a network file system gets another number when it is mounted again.
    """
    return str(os.stat(folder).st_ino)


def check_key(key: str) -> str:
    """The key, which becomes a file name. Raises ValueError."""
    if not _KEY.fullmatch(key):
        raise ValueError(f"{key!r} is not a task's key")
    return key
