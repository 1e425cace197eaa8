"""Submissions per second from a shell loop: `danlu submit` against `sbatch`. The jobs run meanwhile."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from harness import CannotRun, Options, Report, Verdict, median, run, table
from installation import SLOTS, installation
from slurm_peer import slurm

DANLU = Path(sys.executable).parent / "danlu"


def loop_rate(command: str, times: int, environment: dict[str, str], folder: str) -> float:
    """Runs per second of a command in a loop of `sh`."""
    script = f"set -e; for i in $(seq {times}); do {command} >/dev/null; done"
    started = time.perf_counter()
    done = subprocess.run(
        ["sh", "-c", script], env=environment, cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise CannotRun(done.stderr.strip()[-300:])
    return times / (time.perf_counter() - started)


def measure_danlu(times: int, rounds: int) -> float:
    with installation("--simulate", f"1x{SLOTS}") as server, server.client() as client:
        command, environment = f"{DANLU} submit --gpus 1 -- true", server.environment()
        loop_rate(command, 2, environment, str(server.data))
        rates = []
        for _ in range(rounds):
            rates.append(loop_rate(command, times, environment, str(server.data)))
            server.wait_finished(client)
        server.check_all_succeeded(client, times * rounds)
    return median(rates)


def measure_slurm(times: int, rounds: int) -> float:
    with slurm() as running:
        rates = []
        for _ in range(rounds):
            command = "sbatch --gres=gpu:1 -n1 --output=out/%j.log --wrap true"
            rates.append(loop_rate(command, times, running.environment, str(running.folder)))
            running.wait_finished()
    return median(rates)


def measure(options: Options) -> Report:
    times, rounds = (5, 1) if options.quick else (100, 3)
    report = Report("submissions by the command line")
    found = {"danlu": measure_danlu(times, rounds)}
    if options.peers:
        try:
            found["slurm"] = measure_slurm(times, rounds)
        except CannotRun as problem:
            report.notes.append(f"slurm was not measured: {problem}")
    table(
        [("command", "submissions/s", "ms each"), *((who, rate, 1_000 / rate) for who, rate in found.items())]
    )
    report.figures = {"rates": found}
    report.said = ", ".join(f"{who} {rate:.1f}/s" for who, rate in found.items())
    ratio = f"{found['danlu'] / found['slurm']:.2f} x sbatch" if "slurm" in found else "no sbatch"
    report.verdicts = [Verdict(f"{ratio} (no target)")]
    return report


if __name__ == "__main__":
    run("submit_cli", measure)
