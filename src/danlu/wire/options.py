"""How the fields of a job are spelled as options of the command line: declared once, for whoever reads or
writes such a line."""

from __future__ import annotations

SPELLINGS: dict[str, tuple[str, ...]] = {
    "gpus": ("-g", "--gpus"),
    "name": ("-n", "--name"),
    "environment": ("-e", "--env"),
    "directory": ("-d", "--dir"),
    "time_limit_s": ("-t", "--time"),
    "grace_s": ("--grace",),
    "after": ("--after",),
    "after_ok": ("--after-ok",),
    "node": ("--node",),
    "nodes": ("-N", "--nodes"),
    "launcher": ("--launcher",),
    "spread": ("--spread/--no-spread",),
    "only_nodes": ("--only-nodes",),
    "exclude_nodes": ("--exclude",),
    "gpu_model": ("--gpu-model",),
    "restartable": ("--restartable/--no-restartable",),
    "service": ("--service/--no-service",),
    "gpu_ids": ("--gpu-ids",),
    "gpu_arg": ("--gpu-arg",),
    "cpus": ("-c", "--cpus"),
    "memory_mb": ("-m", "--mem"),
    "share": ("--share/--no-share",),
    "no_sharing": ("--no-sharing/--sharing",),
    "gpu_memory_mb": ("--gpu-mem",),
    "stage": ("--stage",),
    "array": ("--array",),
    "urgent": ("--urgent/--no-urgent",),
    "hold": ("--hold/--no-hold",),
    "retries": ("--retries",),
    "retry_backoff_s": ("--retry-backoff",),
    "retry_on": ("--retry-on",),
    "stdout": ("-o", "--stdout"),
    "stderr": ("--stderr",),
    "variables": ("--var",),
    "description": ("--desc",),
    "wait_for_hardware": ("--wait-for-hardware/--no-wait-for-hardware",),
}
"""In the order in which help shows them; a switch with both its sides, as click reads it."""


def option_of(field: str) -> str:
    """The long spelling; of a switch, the side that turns it on."""
    return SPELLINGS[field][-1].partition("/")[0]


def switch_of(field: str) -> tuple[str, str]:
    """Both sides of a switch: on and off."""
    on, _, off = SPELLINGS[field][-1].partition("/")
    return on, off


def find_field(place: str) -> str | None:
    """The field of a job that a place within a request is in: `gpu_ids` of `set.gpu_ids.0`."""
    return next((part for part in place.split(".") if part in SPELLINGS), None)
