"""From submitting a job to its first line of output, on an idle node, through the real log stream.

Against the same command started as a bare `subprocess` and read through a pipe.
"""

from __future__ import annotations

import subprocess
import time

from harness import CannotRun, Options, Report, Verdict, percentile, run, table
from installation import Installation, installation

from danlu.sdk.client import Client

COMMAND = ["echo", "hello"]
SHARES = {"p50": 0.5, "p90": 0.9, "max": 1.0}


def bare_s() -> float:
    started = time.perf_counter()
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE) as process:
        line = process.stdout.readline() if process.stdout else b""
        took = time.perf_counter() - started
    if line != b"hello\n":
        raise CannotRun(f"the bare command said {line!r}")
    return took


def danlu_s(server: Installation, client: Client) -> float:
    fields = {"command": " ".join(COMMAND), "gpus": 1, "directory": "/tmp"}
    started = time.perf_counter()
    submitted = client.jobs.submit(fields)
    # One connection for submitting, one for following: what `danlu run` does.
    job = int(getattr(submitted, "id", submitted))
    with client.api.open(f"/jobs/{job}/log/follow") as stream:
        seen = b""
        while b"event: chunk" not in seen:
            piece = stream.read_some()
            if not piece:
                raise CannotRun(f"the stream of job {job} ended without a line: {seen!r}")
            seen += piece
        took = time.perf_counter() - started
    server.wait_finished(client)
    return took


def measure(options: Options) -> Report:
    rounds = 5 if options.quick else 60
    with installation("--simulate", "1x4") as server, server.client() as client:
        for _ in range(3):
            danlu_s(server, client)
            bare_s()
        danlu, bare = [], []
        for _ in range(rounds):
            # The node shall be idle, not merely free: its last job is cleared away by then.
            time.sleep(0.05)
            danlu.append(1_000 * danlu_s(server, client))
            bare.append(1_000 * bare_s())
    table(
        [
            ("ms", *SHARES),
            ("danlu", *(percentile(danlu, share) for share in SHARES.values())),
            ("bare subprocess", *(percentile(bare, share) for share in SHARES.values())),
        ]
    )
    danlu_ms, bare_ms = percentile(danlu, 0.5), percentile(bare, 0.5)
    limit = 2 * bare_ms + 50
    report = Report("submitted to first line of output")
    report.figures = {"danlu_ms": danlu_ms, "bare_ms": bare_ms, "limit_ms": limit}
    report.said = f"danlu p50 {danlu_ms:.1f} ms, bare p50 {bare_ms:.1f} ms"
    text = f"{danlu_ms / limit:.2f} of the limit"
    report.verdicts = [Verdict(text, f"<= 2 x bare + 50 = {limit:.0f} ms", danlu_ms <= limit)]
    return report


if __name__ == "__main__":
    run("first_line", measure)
