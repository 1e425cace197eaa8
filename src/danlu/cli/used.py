"""What a job has used beside what it asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from danlu.cli.session import Session
from danlu.wire.units import show_memory, write_duration

if TYPE_CHECKING:
    from danlu.wire.jobs import JobDetail, JobRow, UsedRow


def describe_used(session: Session, detail: JobDetail) -> dict[str, str]:
    """The lines of `danlu show`, by the names of their labels; empty where nothing was counted."""
    used, job = detail.used, detail.job
    if used is None:
        return {}
    return {
        "used_cpu": _cpu(session, used, detail),
        "used_memory": _memory(session, used, job),
        "gpu_hours": f"{used.gpu_s / 3600:.2f}" if used.gpu_s is not None else "",
        "gpu_load": ""
        if used.gpu_load is None
        else session.say("cli.mean_and_peak", mean=f"{used.gpu_load:.0f} %", peak=f"{used.gpu_load_peak} %"),
        "gpu_memory_used": ""
        if used.gpu_memory_mb is None
        else session.say(
            "cli.mean_and_peak",
            mean=show_memory(used.gpu_memory_mb),
            peak=show_memory(used.gpu_memory_peak_mb or 0),
        ),
    }


def _cpu(session: Session, used: UsedRow, detail: JobDetail) -> str:
    job = detail.job
    if used.cpu_s is None:
        return ""
    time = write_duration(round(used.cpu_s, 1))
    ran_s = (job.ended_at or 0) - (job.started_at or 0)
    if job.array or not job.started_at or ran_s <= 0 or job.attempt > 1:
        return time
    busy = f"{used.cpu_s / ran_s:.1f}"
    if detail.fields and detail.fields.cpus:
        asked = detail.fields.cpus * max(1, len(job.on_nodes))
        return session.say("cli.cpu_of_asked", time=time, busy=busy, asked=asked)
    return session.say("cli.cpu_busy", time=time, busy=busy)


def _memory(session: Session, used: UsedRow, job: JobRow) -> str:
    if used.peak_memory_mb is None:
        return ""
    peak = show_memory(used.peak_memory_mb)
    if not job.memory_mb:
        return peak
    return session.say("cli.of_asked", used=peak, asked=show_memory(job.memory_mb))
