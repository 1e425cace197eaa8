"""The group of a task with all that is set up around it, as its spec says."""

from __future__ import annotations

from danlu.agent.keeper.isolation.cgroups import Group, group_at
from danlu.agent.keeper.isolation.devices import NVIDIA, guard_at
from danlu.agent.keeper.isolation.guarded_group import GuardedGroup
from danlu.agent.keeper.isolation.limits import CPU, MEMORY, limit_at
from danlu.agent.keeper.spec import Spec


def group_of(spec: Spec) -> Group:
    """The group of a task, with its guards if it has any."""
    group = group_at(spec["group_mode"], spec["group_path"])
    order = spec["order"]
    if order is None:
        return group
    guards = []
    if mode := spec.get("guard_mode", ""):
        guards.append(guard_at(mode, spec["guard_path"], NVIDIA, order.get("gpu_devices") or ()))
    if mode := spec.get("cpu_mode", ""):
        guards.append(limit_at(mode, spec["cpu_path"], CPU, order.get("cpus") or 0))
    if mode := spec.get("memory_mode", ""):
        guards.append(limit_at(mode, spec["memory_path"], MEMORY, order.get("memory_mb") or 0))
    return GuardedGroup(group, *guards) if guards else group
