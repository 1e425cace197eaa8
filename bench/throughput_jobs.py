"""No-op jobs, submitted to finished, per second, on one node with 16 slots: Danlu, Slurm, HyperQueue.

Each system runs `true` in every job and writes its output to a file. Each way of submitting is measured
several times; the median counts, and of each system its best way.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from harness import CannotRun, Options, Report, at_least, median, run, table, unmeasured
from hyperqueue_peer import hyperqueue_rates
from installation import SLOTS, Installation, cpu_s, installation
from sampling import sampled
from slurm_peer import MANY_SLOTS, slurm_rates

from danlu.sdk.errors import ApiError

JOB = {"command": "true", "gpus": 1, "directory": "/tmp", "name": "noop"}
CLIENTS = 4


def one_by_one(server: Installation, jobs: int) -> None:
    """One client, one connection, each job submitted when the one before was answered."""
    with server.client() as client:
        for _ in range(jobs):
            client.jobs.submit(JOB)


def by_several(server: Installation, jobs: int) -> None:
    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(lambda _: one_by_one(server, jobs // CLIENTS), range(CLIENTS)))


def in_a_batch(server: Installation, jobs: int) -> None:
    with server.client() as client:
        client.api.json_call("POST", "/jobs/batch", body={"jobs": [JOB] * jobs})


def has_batch(server: Installation) -> bool:
    try:
        in_a_batch(server, 1)
    except ApiError as refusal:
        if refusal.status in (404, 405, 422):
            return False
        raise
    return True


def measure_rate(server: Installation, submit: Callable[[Installation, int], None], jobs: int) -> float:
    with server.client() as client:
        started = time.perf_counter()
        submit(server, jobs)
        server.wait_finished(client)
        took_s = time.perf_counter() - started
        server.check_all_succeeded(client, jobs)
    return jobs / took_s


def cpu_by_process(server: Installation) -> dict[str, float]:
    """CPU seconds so far. What the keeper waited for are the wrappers with their commands."""
    spent = {"server": cpu_s(server.process.pid), "keeper": 0.0, "tasks": 0.0}
    pids = server.pids()
    for keeper in pids["keeper"] + pids["others"]:
        with contextlib.suppress(OSError):
            spent["keeper"] += cpu_s(keeper)
            spent["tasks"] += cpu_s(keeper, children=True)
    return spent


def measure_danlu(options: Options, jobs: int, rounds: int) -> dict[str, float]:
    ways: dict[str, Callable[[Installation, int], None]] = {
        "one by one": one_by_one,
        f"by {CLIENTS} clients": by_several,
        "in a batch": in_a_batch,
    }
    # A fresh server for each way: no history but its own.
    groups = [list(ways.items())] if options.quick else [[way] for way in ways.items()]
    rates: dict[str, float] = {}
    for group in groups:
        with installation("--simulate", f"1x{SLOTS}") as server:
            for name, submit in group:
                if submit is not in_a_batch or has_batch(server):
                    rates[name] = measure_way(options, server, name, submit, jobs, rounds)
    return rates


def measure_way(
    options: Options,
    server: Installation,
    name: str,
    submit: Callable[[Installation, int], None],
    jobs: int,
    rounds: int,
) -> float:
    """The median rate of one way of submitting, and on the side where the time went."""
    measure_rate(server, submit, CLIENTS)
    before = cpu_by_process(server)
    rate = median([measure_rate(server, submit, jobs) for _ in range(rounds)])
    after = cpu_by_process(server)
    spent = {who: 1_000 * (after[who] - before[who]) / (jobs * rounds) for who in before}
    said = ", ".join(f"{who} {ms:.1f}" for who, ms in spent.items())
    print(f"  danlu, {name}: {rate:.0f} jobs/s; CPU ms per job: {said}", flush=True)
    if options.profile:
        pids = server.pids()
        for who, pid in (("server", pids["server"][0]), *(("keeper", each) for each in pids["keeper"])):
            with sampled(pid, f"the {who}, jobs {name}", wanted=True):
                measure_rate(server, submit, jobs)
    return rate


def measure(options: Options) -> Report:
    jobs, rounds = (16, 1) if options.quick else (1_000, 3)
    report = Report("throughput of no-op jobs")
    found = {"danlu": measure_danlu(options, jobs, rounds), "slurm": {}, "hyperqueue": {}}
    for peer, measure_peer in (("slurm", slurm_rates), ("hyperqueue", hyperqueue_rates)):
        if options.peers:
            try:
                found[peer] = measure_peer(jobs, rounds)
            except CannotRun as problem:
                report.notes.append(f"{peer} was not measured: {problem}")
    rows = [(who, way, rate) for who, rates in found.items() for way, rate in rates.items()]
    table([("system", "submitted", "jobs/s"), *rows])
    best = {
        who: max(rate for way, rate in rates.items() if MANY_SLOTS not in way)
        for who, rates in found.items()
        if rates
    }
    for way, rate in found["slurm"].items():
        if MANY_SLOTS in way:
            report.notes.append(
                "Slurm starts one round of jobs a second, as many as there are slots: with more slots it is"
                f" faster ({rate:.0f}/s, {way}); each system has {SLOTS} in the figures that count"
            )
    report.figures = {"jobs": jobs, "slots": SLOTS, "rates": found, "best": best}
    report.said = ", ".join(f"{who} {rate:.0f}/s" for who, rate in best.items())
    for peer, target in (("slurm", 5.0), ("hyperqueue", 0.5)):
        report.verdicts.append(
            at_least(best["danlu"] / best[peer], target, peer)
            if peer in best
            else unmeasured(peer, f">= {target:g} x {peer}")
        )
    return report


if __name__ == "__main__":
    run("throughput_jobs", measure)
