"""The read calls of the job pages in requests/s, one worker, against GPU Man.

Twice: sixteen connections of `wrk`, which shows what the server can do; and one sequential client, each
system asked the way its own client asks. GPU Man itself is not here: a stand-in does per request what it
does (see gpu_man_stand_in.py). The real one was measured at about 790 requests/s to 16 connections and 380 to
480 to its own client: compare the stand-in's figures with those before trusting a ratio.
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from harness import (
    BENCH,
    CannotRun,
    Options,
    Report,
    at_least,
    run,
    table,
    temporary_folder,
    unmeasured,
    wait_until,
)
from installation import Installation, installation
from peers import find_program, need_programs, peer_python
from sampling import sampled

ENDED, RUNNING, WAITING = 100, 4, 16
CONNECTIONS = 16


def fill(server: Installation, ended_jobs: int) -> list[str]:
    """A lab's usual sight: some jobs run, some wait, many have ended. Answers the paths that pages read."""
    with server.client() as client:
        for _ in range(ended_jobs):
            client.jobs.submit({"command": "echo hello", "gpus": 1, "directory": "/tmp", "name": "train"})
        server.wait_finished(client)
        for _ in range(RUNNING + WAITING):
            client.jobs.submit({"command": "sleep 1000", "gpus": 1, "directory": "/tmp", "name": "train"})
        wait_until(lambda: client.get_json("/status")["running"] == RUNNING, 30, "the start of jobs")
        ended = client.get_json("/jobs", {"area": "history", "limit": 1})["jobs"][0]["id"]
        running = client.get_json("/jobs", {"area": "running", "limit": 1})["jobs"][0]["id"]
    return [
        "/status",
        "/nodes",
        "/jobs?limit=50",
        "/jobs?area=running",
        "/jobs?area=history&limit=50",
        f"/jobs/{ended}",
        f"/jobs/{running}",
        f"/jobs/{ended}/events",
        f"/jobs/{ended}/log?lines=100",
    ]


def wrk(url: str, requests: list[tuple[str, str, str]], headers: dict[str, str], seconds: float) -> float:
    """Requests/s of `wrk` with 16 connections, going round (method, path, body)."""
    rows = ", ".join(f"{{{json.dumps(m)}, {json.dumps(p)}, {json.dumps(b)}}}" for m, p, b in requests)
    said = " ".join(f"wrk.headers[{json.dumps(name)}] = {json.dumps(text)}" for name, text in headers.items())
    script = f"""
local all, at = {{ {rows} }}, 0
{said}
request = function()
  at = at % #all + 1
  local method, path, body = all[at][1], all[at][2], all[at][3]
  return wrk.format(method, path, nil, body ~= "" and body or nil)
end
"""
    with temporary_folder() as folder:
        (folder / "round.lua").write_text(script)
        argv = [find_program("wrk") or "wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds:.0f}s"]
        done = subprocess.run(
            [*argv, "-s", str(folder / "round.lua"), url], capture_output=True, text=True, check=False
        )
    rate = re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)
    if rate is None or "Non-2xx" in done.stdout:
        raise CannotRun(f"wrk: {done.stdout[-300:]}{done.stderr[-300:]}")
    return float(rate[1])


def sequential(server: Installation, paths: list[str], seconds: float) -> float:
    """Requests/s of one client of Danlu's SDK, which keeps its connection."""
    with server.client() as client:
        started, count = time.perf_counter(), 0
        while time.perf_counter() - started < seconds:
            client.api.call("GET", paths[count % len(paths)])
            count += 1
        return count / (time.perf_counter() - started)


def each_path(server: Installation, paths: list[str], rounds: int) -> list[tuple[object, ...]]:
    """The milliseconds of each call, one after the other."""
    rows: list[tuple[object, ...]] = []
    with server.client() as client:
        for path in paths:
            started = time.perf_counter()
            for _ in range(rounds):
                client.api.call("GET", path)
            rows.append(
                (re.sub(r"\d{1,}(?=[/]|$)", "ID", path), 1_000 * (time.perf_counter() - started) / rounds)
            )
    return rows


@contextlib.contextmanager
def gpu_man() -> Iterator[tuple[str, Path]]:
    """The address of a running stand-in and the Python that its client needs. Raises CannotRun."""
    python = peer_python()
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    words = map(str, (port, ENDED, RUNNING, WAITING))
    process = subprocess.Popen(
        [str(python), str(BENCH / "gpu_man_stand_in.py"), *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: _answers(port), 20, "the start of the stand-in")
        yield f"http://127.0.0.1:{port}", python
    finally:
        process.terminate()
        process.wait()


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def measure_gpu_man(seconds: float) -> dict[str, float]:
    with gpu_man() as (url, python):
        done = subprocess.run(
            [str(python), str(BENCH / "gpu_man_client.py"), url, str(seconds)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise CannotRun(done.stderr[-300:])
        body = json.dumps({"usr": "li", "passwd": "secret"})
        calls = [("POST", "/api/status", body), ("POST", "/api/query", body)]
        return {
            "its own client": json.loads(done.stdout)["rate"],
            "16 connections": wrk(url, calls, {}, seconds),
        }


def measure(options: Options) -> Report:
    seconds = 1.0 if options.quick else 8.0
    report = Report("read calls of the job pages")
    if options.peers:
        need_programs(("wrk",), ("wrk",))
    found: dict[str, dict[str, float]] = {"danlu": {}}
    with installation("--simulate", f"1x{RUNNING}") as server:
        paths = fill(server, 10 if options.quick else ENDED)
        found["danlu"]["its own client"] = sequential(server, paths, seconds)
        if find_program("wrk"):
            headers = {"Authorization": f"Bearer {server.token}"}
            calls = [("GET", f"/api/v1{path}", "") for path in paths]
            found["danlu"]["16 connections"] = wrk(server.url, calls, headers, seconds)
            with sampled(server.process.pid, "the server, 16 connections", wanted=options.profile):
                if options.profile:
                    wrk(server.url, calls, headers, seconds)
        table([("call", "ms alone"), *each_path(server, paths, 5 if options.quick else 100)])
    if options.peers:
        try:
            found["gpu man (stand-in)"] = measure_gpu_man(seconds)
        except CannotRun as problem:
            report.notes.append(f"GPU Man's stand-in was not measured: {problem}")
    ways = list(found["danlu"])
    table([("requests/s", *ways), *((who, *(rates[way] for way in ways)) for who, rates in found.items())])
    report.figures = {"rates": found}
    report.said = ", ".join(
        f"{who} {' and '.join(f'{rate:.0f}/s' for rate in rates.values())}" for who, rates in found.items()
    )
    peer = found.get("gpu man (stand-in)")
    for way in ways:
        report.verdicts.append(
            at_least(found["danlu"][way] / peer[way], 3.0, f"GPU Man, {way}")
            if peer
            else unmeasured("GPU Man", ">= 3")
        )
    report.notes.append(
        "GPU Man is a stand-in that does per request what GPU Man does;"
        " the real one was measured at 790/s (16 connections) and 380-480/s (its own client)"
    )
    return report


if __name__ == "__main__":
    run("job_page_reads", measure)
