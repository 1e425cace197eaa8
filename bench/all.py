"""Run every benchmark, one after the other, and sum up. Options are passed on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

from harness import BENCH, RESULTS, machine

BENCHMARKS = (
    "throughput_jobs",
    "throughput_array",
    "submit_cli",
    "submit_latency",
    "first_line",
    "job_page_reads",
    "job_list",
    "log_followers",
    "scheduling_pass",
    "idle_memory",
    "web_first_page",
    "failover",
    "cluster_throughput",
    "gang_start",
    "node_death",
    "agent_memory",
    "many_agents",
)


def run_one(name: str) -> int:
    """Its exit code. An interrupt reaches it as well as us; it is given the time to clear away."""
    process = subprocess.Popen([sys.executable, str(BENCH / f"{name}.py"), *sys.argv[1:]])
    try:
        return process.wait()
    except BaseException:
        process.send_signal(signal.SIGTERM)
        process.wait()
        raise


def sum_up(names: list[str], since: float) -> None:
    for name in names:
        path = RESULTS / f"{name}.json"
        kept = json.loads(path.read_text().splitlines()[-1]) if path.exists() else {"at": 0.0}
        if kept["at"] < since:
            print(f"  ?  {name}: could not run")
            continue
        judged = [each["met"] for each in kept["verdicts"] if each["target"]]
        mark = "-" if not judged or None in judged else "ok" if all(judged) else "!!"
        print(f"  {mark:2} {kept['line']}")


def main() -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    started, failed = time.time(), []
    about = machine()
    print(f"{about['cpu']}, {about['cores']} cores, Linux {about['kernel']}, Python {about['python']}")
    try:
        for name in BENCHMARKS:
            print(f"\n{name}", flush=True)
            if run_one(name) != 0:
                failed.append(name)
    except KeyboardInterrupt:
        return 130
    print("\nsummary (ok: every target met, !!: one missed, -: no target or no peer)")
    sum_up(list(BENCHMARKS), started)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
