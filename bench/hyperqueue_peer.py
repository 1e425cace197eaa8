"""HyperQueue on this machine: its `LocalCluster`, asked through its own Python API.

It runs in its own Python (this very file, as a program there), since it is a peer and no dependency of ours.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SLOTS = 16


def hyperqueue_rates(jobs: int, rounds: int) -> dict[str, float]:
    """Jobs/s from the first submission to the end of the last: as separate jobs, and as tasks of one job."""
    from harness import median

    found = _ask(jobs, rounds)
    return {"one by one": median(found["jobs"]), "as tasks of one job": median(found["tasks"])}


def hyperqueue_array(tasks: int, rounds: int) -> dict[str, float]:
    """Tasks/s of one job, and the seconds of submitting one of ten times the size."""
    from harness import median

    found = _ask(tasks, rounds, "array")
    return {"rate": median(found["tasks"]), "submit_large_s": found["submit_large_s"]}


def _ask(jobs: int, rounds: int, *words: str) -> Any:
    from harness import CannotRun
    from peers import peer_python

    argv = [str(peer_python()), str(Path(__file__).resolve()), str(jobs), str(rounds), *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=900)
    if done.returncode != 0:
        raise CannotRun(done.stderr.strip()[-300:])
    return json.loads(done.stdout.splitlines()[-1])


def _serve(jobs: int, rounds: int, *, array: bool) -> dict[str, Any]:
    from hyperqueue import Job, LocalCluster
    from hyperqueue.cluster import WorkerConfig

    found: dict[str, Any] = {"jobs": [], "tasks": []}
    with tempfile.TemporaryDirectory(prefix="danlu-bench-") as folder:
        os.chdir(folder)
        with LocalCluster(f"{folder}/server", WorkerConfig(cores=SLOTS)) as cluster:
            client = cluster.client()

            def noop(count: int) -> Job:
                job = Job()
                for _ in range(count):
                    job.program(["true"], stdout=f"{folder}/out/%{{JOB_ID}}-%{{TASK_ID}}", stderr=None)
                return job

            def rate(split: bool) -> float:
                started = time.time()
                each = 1 if split else jobs
                submitted = [client.submit(noop(each)) for _ in range(jobs // each)]
                client.wait_for_jobs(submitted)
                # It tells only every second that jobs have ended. The last output file made is the last
                # start; to count up to there flatters it by no more than one `true`.
                last = max(path.stat().st_mtime for path in Path(folder).glob("out/*"))
                return jobs / (last - started)

            client.wait_for_jobs([client.submit(noop(1))])
            for _ in range(rounds):
                if not array:
                    found["jobs"].append(rate(split=True))
                found["tasks"].append(rate(split=False))
            if array:
                large = noop(10 * jobs)
                started = time.perf_counter()
                submitted_large = client.submit(large)
                found["submit_large_s"] = time.perf_counter() - started
                client.wait_for_jobs([submitted_large])
        os.chdir("/")
    return found


if __name__ == "__main__":
    print(json.dumps(_serve(int(sys.argv[1]), int(sys.argv[2]), array="array" in sys.argv[3:])))
