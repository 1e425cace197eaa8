"""Reads the events of an installation back from its disk and checks the story they tell."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from pathlib import Path

from danlu.core.states import ACTIVE, TRANSITIONS, JobState

LEGAL = {(before.value, after.value) for before, after in TRANSITIONS}


def read_events(data: Path) -> list[dict]:
    with sqlite3.connect(f"file:{data / 'danlu.db'}?mode=ro", uri=True) as connection:
        rows = connection.execute(
            "SELECT id, kind, job_id, attempt, node, data FROM events ORDER BY id"
        ).fetchall()
    return [
        {"id": row[0], "kind": row[1], "job": row[2], "attempt": row[3], "node": row[4], **json.loads(row[5])}
        for row in rows
    ]


def check_story(events: list[dict]) -> None:
    """Every change is in the table and follows from the one before; no GPU was ever held by two jobs."""
    states: dict[int, str] = {}
    attempts: dict[int, int] = defaultdict(int)
    holders: dict[tuple[str, int], int] = {}
    held: dict[int, list[tuple[str, int]]] = {}
    for event in events:
        job = event["job"]
        if event["kind"] == "job.submitted":
            assert job not in states, f"job {job} was submitted twice"
            states[job] = event["state"]
        if event["kind"] != "job.state":
            continue
        before, after = event["before"], event["after"]
        assert states[job] == before, f"job {job}: {before} does not follow {states[job]}"
        assert (before, after) in LEGAL, f"job {job}: {before} -> {after}"
        states[job] = after
        if after == JobState.STARTING:
            attempts[job] += 1
            assert event["attempt"] == attempts[job], f"job {job}: attempt {event['attempt']}"
            on_nodes = zip(
                event.get("nodes", [event["node"]]),
                event.get("gpus_on_nodes", [event["gpu_ids"]]),
                strict=True,
            )
            held[job] = [(node, index) for node, gpus in on_nodes for index in gpus]
            for gpu in held[job]:
                assert gpu not in holders, f"GPU {gpu} was given to {job} while {holders[gpu]} held it"
                holders[gpu] = job
        elif after not in ACTIVE:
            for gpu in held.pop(job, []):
                del holders[gpu]
