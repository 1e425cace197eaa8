"""What a broken GPU means for the jobs on it."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from sqlalchemy import Connection

from danlu.control.running.stopping import Stop, stop_attempt
from danlu.core.job import StopIntent
from danlu.core.job_id import label_of
from danlu.core.nodes.node import GpuReading
from danlu.core.resources import Allocation
from danlu.core.states import ACTIVE, JobState
from danlu.core.task import TaskEnd, TaskEnding
from danlu.store.engine.database import Transaction
from danlu.store.jobs.board import read_holdings
from danlu.store.jobs.job_rows import get_job
from danlu.store.nodes.node_rows import fault_of

log = logging.getLogger(__name__)

Readings = Mapping[str, Mapping[int, GpuReading]]
"""By node and GPU."""


def find_lost(readings: Readings) -> dict[tuple[str, int], str]:
    """The evidence against every GPU on which nothing can go on."""
    return {
        (node, index): reading.fault
        for node, cards in readings.items()
        for index, reading in cards.items()
        if reading.lost
    }


def order_stops(tx: Transaction, lost: Mapping[tuple[str, int], str]) -> list[Stop]:
    """Mark the jobs on lost GPUs for their end; their tasks."""
    evidence: dict[int, str] = {}
    for holding in read_holdings(tx.connection):
        for index in holding.allocation.gpu_ids:
            if fault := lost.get((holding.allocation.node, index)):
                evidence.setdefault(holding.job_id, f"GPU {index} of {holding.allocation.node}: {fault}")
    stops: list[Stop] = []
    for job_id, fault in evidence.items():
        job = get_job(tx.connection, job_id)
        if job is None or job.state not in ACTIVE or job.state is JobState.STOPPING:
            continue
        tasks = stop_attempt(tx, job, StopIntent.GPU_FAULT, None, detail=fault)
        if tasks is not None:
            log.warning("job %s ends: %s", label_of(job_id), fault)
            stops += tasks
    return stops


def fault_behind(connection: Connection, held: Allocation | None, end: TaskEnd) -> str:
    """The evidence against a GPU that a task held whose command ended badly; empty while all are well."""
    if end.ending is not TaskEnding.EXITED or not end.wait_status or held is None or not held.gpu_ids:
        return ""
    return fault_of(connection, held.node, held.gpu_ids)
