"""The memory of an idle installation on one machine: PSS over all its processes, after one client's visit."""

from __future__ import annotations

import time
import urllib.request

from harness import Options, Report, at_most, run, table
from installation import installation, memory_kb

TARGET_MB = 150.0


def measure(options: Options) -> Report:
    idle_s = 1.0 if options.quick else 60.0
    with installation() as server:
        with server.client() as client:
            with urllib.request.urlopen(server.url) as page:
                page.read()
            job = client.jobs.submit({"command": "echo hello", "directory": "/tmp", "gpus": 0})
            number = int(getattr(job, "id", job))
            server.wait_finished(client)
            for path in ("/me", "/status", "/nodes", "/jobs", f"/jobs/{number}", f"/jobs/{number}/events"):
                client.get_json(path)
        time.sleep(idle_s)
        found = {who: [memory_kb(pid) for pid in pids] for who, pids in server.pids().items() if pids}
    rows = [
        (who, sum(each["pss"] for each in parts) / 1024, sum(each["rss"] for each in parts) / 1024)
        for who, parts in found.items()
    ]
    total = sum(row[1] for row in rows)
    table([("process", "PSS MB", "RSS MB"), *rows, ("together", total, sum(row[2] for row in rows))])
    report = Report("idle memory")
    report.figures = {"pss_mb": {row[0]: row[1] for row in rows}, "total_pss_mb": total, "idle_s": idle_s}
    report.said = f"PSS {total:.0f} MB after {idle_s:.0f} s idle"
    report.verdicts = [at_most(total, TARGET_MB, "MB")]
    return report


if __name__ == "__main__":
    run("idle_memory", measure)
