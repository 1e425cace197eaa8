"""Builders of what a server answers."""

from __future__ import annotations

import time
from typing import Any


def a_job(job_id: int = 12, state: str = "waiting", **more: Any) -> dict[str, Any]:
    running = state in ("starting", "running", "stopping")
    area = "waiting" if state in ("waiting", "held") else "running" if running else "history"
    row = {
        "id": job_id,
        "ref": str(job_id),
        "name": "train.py",
        "owner": "alice",
        "state": state,
        "area": area,
        "queue": "default",
        "gpus": 2,
        "cpus": 2,
        "memory_mb": 1024,
        "urgent": False,
        "submitted_at": time.time() - 125,
        "attempt": 0 if area == "waiting" else 1,
        "node": None if area == "waiting" else "n1",
        "gpu_ids": [] if area == "waiting" else [0, 3],
        "started_at": None if area == "waiting" else time.time() - 65,
        "ended_at": time.time() - 5 if area == "history" else None,
        "end_reason": {"succeeded": "completed", "failed": "exit_code", "cancelled": "cancelled"}.get(state),
        "exit_code": {"succeeded": 0, "failed": 3}.get(state),
        "signal": None,
        "why": [],
    }
    return {**row, **more}


def a_detail(job: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    detail = {
        "job": job or a_job(),
        "fields": {"command": "python train.py", "time_limit_s": 7200.0, "variables": {"A": "1", "B": "2"}},
        "detail": "",
        "message": "",
        "after": [],
        "after_ok": [],
        "successors": [],
        "attempts": [],
        "mine": True,
        "place": None,
        "not_before": None,
        "retries_used": 0,
    }
    return {**detail, **more}


def a_page(*jobs: dict[str, Any], more: str | None = None, **counts: int) -> dict[str, Any]:
    return {"jobs": list(jobs), "next": more, "counts": {"waiting": 0, "running": 0, "history": 0, **counts}}


def a_reason(code: str, message: str = "It waits.", **facts: Any) -> dict[str, Any]:
    return {"code": code, "facts": facts, "message": message}


def a_gpu(index: int = 0, **more: Any) -> dict[str, Any]:
    gpu = {"node": "n1", "index": index, "uuid": f"GPU-{index}", "name": "H200", "memory_mb": 143_360}
    return {**gpu, "drained": False, "job": None, "user": None, "state": "free", "jobs": [], **more}


def a_node(name: str = "n1", **more: Any) -> dict[str, Any]:
    node = {
        "name": name,
        "state": "up",
        "since": time.time() - 300,
        "drained": False,
        "simulated": False,
        "runs_as_root": False,
        "cpus": 16,
        "cpus_used": 4,
        "memory_mb": 131_072,
        "memory_used_mb": 16_384,
        "gpus": [a_gpu(0, job=12, jobs=[12], user="alice", state="used"), a_gpu(1)],
        "jobs": [12],
    }
    return {**node, **more}


def log_info(stream: str = "stdout", **more: Any) -> dict[str, Any]:
    info = {"job": 12, "attempt": 1, "stream": stream, "path": "/tmp/out", "size": 0}
    return {**info, "merged": False, "discarded": False, "ended": False, **more}
