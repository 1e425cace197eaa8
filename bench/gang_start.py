"""From submitting a job of eight tasks on eight nodes to the moment when the last of them runs; against a job
of one task on the same cluster. Eight agents on this one machine, each with a keeper of its own."""

from __future__ import annotations

import time

from cluster import Cluster, cluster, joined
from harness import CannotRun, Options, Report, Verdict, percentile, run, table, wait_until

from danlu.sdk.client import Client

NODES, QUICK_NODES = 8, 3
ROUNDS, QUICK_ROUNDS = 20, 3
SHARES = {"p50": 0.5, "p90": 0.9, "max": 1.0}


def start_s(server: Cluster, client: Client, nodes: int) -> float:
    """The ranks live long enough to be there together."""
    fields = {"command": "sleep 0.3", "gpus": 1, "nodes": nodes, "directory": "/tmp"}
    began = time.time()
    submitted = client.jobs.submit(fields)
    job = int(getattr(submitted, "id", submitted))

    def ended() -> dict | None:
        detail = client.get_json(f"/jobs/{job}")
        return detail if detail["job"]["ended_at"] is not None else None

    detail = wait_until(ended, 60, f"the end of job {job}", 0.1)
    tasks = detail["attempts"][-1]["tasks"]
    if detail["job"]["state"] != "succeeded" or len({task["node"] for task in tasks}) != nodes:
        raise CannotRun(f"job {job} did not run on {nodes} nodes: {detail['message']}")
    server.wait_finished(client)
    # That of the last rank, where there are several.
    return float(detail["job"]["started_at"]) - began


def measure(options: Options) -> Report:
    nodes, rounds = (QUICK_NODES, QUICK_ROUNDS) if options.quick else (NODES, ROUNDS)
    with (
        cluster("--simulate", "1") as server,
        joined(server, nodes - 1, "--simulate", "1"),
        server.client() as client,
    ):
        for count in (nodes, 1):
            start_s(server, client, count)
        gang, single = [], []
        for _ in range(rounds):
            gang.append(1_000 * start_s(server, client, nodes))
            single.append(1_000 * start_s(server, client, 1))
    rows = {f"{nodes} tasks on {nodes} nodes": gang, "one task": single}
    table(
        [
            ("submitted to all running, ms", *SHARES),
            *((name, *(percentile(each, s) for s in SHARES.values())) for name, each in rows.items()),
        ]
    )
    gang_ms, single_ms = percentile(gang, 0.5), percentile(single, 0.5)
    report = Report(f"start of {nodes} tasks on {nodes} nodes")
    report.figures = {"nodes": nodes, "gang_ms": gang_ms, "single_ms": single_ms}
    report.said = f"p50 {gang_ms:.0f} ms, one task {single_ms:.0f} ms"
    report.verdicts = [Verdict(f"{gang_ms / single_ms:.1f} x one task")]
    return report


if __name__ == "__main__":
    run("gang_start", measure)
