"""Settings of the lab that administrators change while Danlu runs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SettingChange:
    at: float
    by: str


@dataclass(frozen=True, slots=True)
class SchedulingSettings:
    policy: str = "fifo"
    paused: bool = False


@dataclass(frozen=True, slots=True)
class General:
    """What is neither scheduling nor a node's."""

    server_log_for_members: bool = False
    default_gpus: int = 1
    """How many GPUs a job gets that says nothing of them, as far as there are any."""
    auto_gpus: int = 8
    """How many GPUs of a node a job gets at most that leaves the number to Danlu."""
    auto_nodes: int = 8
    stage_folder: str = ""
    """On which disk of a node staged data lie; empty: in `/var/tmp`."""
    stage_disk_percent: int = 90
    """How full that disk may be before unused copies are removed from it."""
    events_days: int = 90
    """How long events are kept; 0: for ever."""
    audit_days: int = 0
    """How long entries of the audit log are kept; 0: for ever."""
    job_log_limit_mb: int = 0
    """How much of the log that Danlu keeps of a task; 0: all of it."""
    all_logs_limit_mb: int = 0
    """How much all of these on one node may hold; 0: as much as there is room."""
    limit_cpus: bool = True
    """Whether a job that asked for CPUs is held to them while it runs."""
    limit_memory: bool = True
    """Whether a job that asked for memory is killed when it takes more."""
