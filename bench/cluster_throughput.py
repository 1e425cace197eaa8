"""No-op jobs, submitted to finished, per second, over three nodes of a cluster, each with its own agent and
keeper behind the messages' server (NATS with TLS); against the server of a single machine with as many slots
in the same run.

All of it runs on this one machine: what is measured is what the way over the agents costs, not what three
machines gain.
"""

from __future__ import annotations

from collections.abc import Callable

from cluster import cluster, joined
from harness import Options, Report, Verdict, median, run, table
from installation import Installation, cpu_s, installation
from sampling import sampled
from throughput_jobs import CLIENTS, by_several, in_a_batch, measure_rate

from danlu.launch.detached import MESSAGES_LOCK

NODES, SLOTS = 3, 6
WAYS: dict[str, Callable[[Installation, int], None]] = {
    f"by {CLIENTS} clients": by_several,
    "in a batch": in_a_batch,
}


def measure_ways(server: Installation, jobs: int, rounds: int) -> dict[str, float]:
    rates = {}
    for name, submit in WAYS.items():
        measure_rate(server, submit, CLIENTS)
        rates[name] = median([measure_rate(server, submit, jobs) for _ in range(rounds)])
    return rates


def measure(options: Options) -> Report:
    jobs, rounds = (16, 1) if options.quick else (1_000, 3)
    with installation("--simulate", f"{NODES}x{SLOTS}") as server:
        single = measure_ways(server, jobs, rounds)
    with cluster("--simulate", str(SLOTS)) as master, joined(master, NODES - 1, "--simulate", str(SLOTS)):
        watched = {"server": master.process.pid, "messages' server": master.pid_of(MESSAGES_LOCK)}
        before = {who: cpu_s(pid) for who, pid in watched.items()}
        several = measure_ways(master, jobs, rounds)
        ran = len(WAYS) * (jobs * rounds + CLIENTS)
        spent = {who: 1_000 * (cpu_s(pid) - before[who]) / ran for who, pid in watched.items()}
        with sampled(master.process.pid, "the server of three nodes", wanted=options.profile):
            if options.profile:
                measure_rate(master, in_a_batch, jobs)
    table(
        [
            ("jobs/s", "one machine", "three nodes", "ratio"),
            *((way, single[way], several[way], several[way] / single[way]) for way in WAYS),
        ]
    )
    print("  CPU ms per job: " + ", ".join(f"{who} {ms:.1f}" for who, ms in spent.items()))
    best = {"single": max(single.values()), "cluster": max(several.values())}
    report = Report("throughput of no-op jobs over three nodes")
    report.figures = {
        "jobs": jobs,
        "slots": NODES * SLOTS,
        "single": single,
        "cluster": several,
        "cpu_ms_per_job": spent,
    }
    report.said = f"three nodes {best['cluster']:.0f}/s, one machine {best['single']:.0f}/s"
    report.verdicts = [Verdict(f"{best['cluster'] / best['single']:.2f} x one machine")]
    return report


if __name__ == "__main__":
    run("cluster_throughput", measure)
