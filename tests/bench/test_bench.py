"""The benchmarks themselves work: each runs in its short form, without peers, and says something sane."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
NEEDS = {
    "throughput_jobs": lambda found: min(found["rates"]["danlu"].values()) > 1,
    "throughput_array": lambda found: found["found"]["danlu"]["rate"] > 1,
    "submit_cli": lambda found: found["rates"]["danlu"] > 0,
    "submit_latency": lambda found: 0 < found["ms"]["p50"] <= found["ms"]["p99"] and found["refused"] == 0,
    "first_line": lambda found: found["danlu_ms"] > found["bare_ms"] > 0,
    "job_page_reads": lambda found: found["rates"]["danlu"]["its own client"] > 1,
    "job_list": lambda found: all(ms > 0 for ms in found["p99_ms"].values()),
    "log_followers": lambda found: found["danlu"][0]["delivered_mb_s"] > 1,
    "scheduling_pass": lambda found: all(ms > 0 for ms in found["ms"].values()),
    "idle_memory": lambda found: 10 < found["total_pss_mb"] < 1_000,
    "web_first_page": lambda found: found["kb"] > 10 and min(found["interactive_s"]) > 0,
    "failover": lambda found: 0 < min(found["accepted_s"]) <= min(found["started_s"]),
    "cluster_throughput": lambda found: min(*found["single"].values(), *found["cluster"].values()) > 1,
    "gang_start": lambda found: found["gang_ms"] > 0 and found["nodes"] == 3,
    "node_death": lambda found: all(each["line_s"] > 0 for each in found["medians"].values()),
    "agent_memory": lambda found: 10 < found["total_pss_mb"] < 300,
    "many_agents": lambda found: (
        found["nodes_up"] == found["agents"]
        and found["rest"]["beats"] > 0
        and found["jobs_per_s"] > 1
        and found["refused"] == 0
    ),
}


@pytest.mark.e2e
@pytest.mark.parametrize("name", NEEDS)
def test_a_benchmark_runs_and_says_its_figure(name: str, tmp_path: Path) -> None:
    if name.startswith("web_") and not shutil.which("chromium") and not os.environ.get("CI"):
        pytest.skip("there is no Chromium on this machine")
    done = subprocess.run(
        [sys.executable, str(BENCH / f"{name}.py"), "--quick"],
        check=False,
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "DANLU_BENCH_RESULTS": str(tmp_path)},
    )

    assert done.returncode == 0, done.stdout + done.stderr
    (line,) = (tmp_path / f"{name}.json").read_text().splitlines()
    kept = json.loads(line)
    assert done.stdout.splitlines()[-1] == kept["line"]
    assert NEEDS[name](kept["figures"]), kept["figures"]


def test_all_of_them_are_run_together() -> None:
    sys.path.insert(0, str(BENCH))
    try:
        from all import BENCHMARKS
    finally:
        sys.path.remove(str(BENCH))
    assert set(BENCHMARKS) == set(NEEDS)
