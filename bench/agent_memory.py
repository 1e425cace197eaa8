"""The memory that Danlu takes on a node: PSS of the agent and the keeper of a machine that joined and is
idle, after it ran a job; against what an idle installation on one machine may take."""

from __future__ import annotations

import time

from cluster import cluster, joined
from harness import Options, Report, Verdict, run, table
from idle_memory import TARGET_MB as ONE_MACHINE_MB
from installation import memory_kb


def measure(options: Options) -> Report:
    idle_s = 1.0 if options.quick else 60.0
    with cluster() as server, joined(server, 1) as (node,), server.client() as client:
        client.jobs.submit({"command": "echo hello", "directory": "/tmp", "gpus": 0, "node": node.name})
        server.wait_finished(client)
        time.sleep(idle_s)
        found = {who: [memory_kb(pid) for pid in pids] for who, pids in node.pids().items() if pids}
    rows = [
        (who, sum(each["pss"] for each in parts) / 1024, sum(each["rss"] for each in parts) / 1024)
        for who, parts in found.items()
    ]
    total, resident = sum(row[1] for row in rows), sum(row[2] for row in rows)
    table([("process", "PSS MB", "RSS MB"), *rows, ("together", total, resident)])
    report = Report("memory of an idle node")
    report.figures = {"pss_mb": {row[0]: row[1] for row in rows}, "total_pss_mb": total, "rss_mb": resident}
    report.said = f"PSS {total:.0f} MB (RSS {resident:.0f} MB) after {idle_s:.0f} s idle"
    report.verdicts = [
        Verdict(f"{total / ONE_MACHINE_MB:.2f} of what an installation on one machine may take")
    ]
    report.notes.append(
        "other Pythons run on this machine and share pages with it: alone it is between PSS and RSS"
    )
    return report


if __name__ == "__main__":
    run("agent_memory", measure)
