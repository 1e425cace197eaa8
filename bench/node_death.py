"""How long a job is away when its node dies: from kill -9 of everything on the node to the first line that
the job's next attempt writes elsewhere. Three hosts in namespaces, the usual lease and a short one.

Most of it is the fence: the server cannot know that the node is dead and not merely silent, and waits until
whatever ran there must have stopped itself. The quick form does not wait: an admin declares the node dead.
"""

from __future__ import annotations

import contextlib
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import time

from harness import REPOSITORY, CannotRun, Options, Report, Verdict, run, table

from danlu.control.recovery.fencing import longest_s

sys.path.insert(0, str(REPOSITORY))

from tests.support.hosts import Host, Master, hosts
from tests.support.installation import wait_until
from tests.support.network import can_make_machines

LEASES_S = (15.0, 3.0)
QUICK_LEASE_S = 1.0
ROUNDS = 3
COMMAND = "date +%s.%N; exec sleep 600"


@dataclass(frozen=True, slots=True)
class Death:
    """Seconds since everything on the node was killed."""

    over_s: float
    """Until the attempt there was taken for ended."""
    line_s: float


@contextlib.contextmanager
def three_hosts(lease_s: float) -> Iterator[tuple[Master, list[Host]]]:
    if not can_make_machines():
        raise CannotRun("it needs, as root, network namespaces")
    with (
        tempfile.TemporaryDirectory(prefix="danlu-bench-") as folder,
        hosts(3, Path(folder), lease_s=lease_s) as (first, *others),
    ):
        master = first.up("--cluster", "--simulate", "1")
        try:
            for host in others:
                host.join(master, "--simulate", "1")
            # Jobs run on the two that may die.
            master.http.post(f"/nodes/{first.name}/drain").raise_for_status()
            yield master, others
        finally:
            for host in (first, *others):
                host.power_off()


def first_line_at(master: Master, job: int, attempt: int) -> float | None:
    """When it was written, as the line itself says."""
    reply = master.http.get(f"/jobs/{job}/log", params={"attempt": attempt})
    words = reply.text.split() if reply.status_code == 200 else []
    return float(words[0]) if words else None


def die(master: Master, others: list[Host], *, declare: bool) -> Death:
    job = master.submit(COMMAND, gpus=1, restartable=True)
    wait_until(lambda: first_line_at(master, job, 1), 30, "the first line of the first attempt")
    name = master.job(job)["job"]["on_nodes"][0]
    host = next(each for each in others if each.name == name)
    began = time()
    host.power_off()
    if declare:
        master.wait_node(name, "lost")
        master.http.post(f"/nodes/{name}/declare-dead").raise_for_status()
    at = wait_until(lambda: first_line_at(master, job, 2), 120, "the first line of the second attempt")
    detail = master.job(job)
    assert detail["job"]["on_nodes"] != [name], "it runs where nothing can run"
    over = detail["attempts"][0]["ended_at"]
    master.http.post(f"/jobs/{job}/cancel")
    master.wait_ended(job)
    return Death(over - began, at - began)


def measure(options: Options) -> Report:
    leases, rounds = ((QUICK_LEASE_S,), 1) if options.quick else (LEASES_S, ROUNDS)
    found: dict[float, list[Death]] = {}
    for lease_s in leases:
        found[lease_s] = []
        for _ in range(rounds):
            # New hosts each time: one that comes and goes is not trusted any more.
            with three_hosts(lease_s) as (master, others):
                found[lease_s].append(die(master, others, declare=options.quick))
    rows = []
    medians: dict[str, dict[str, float]] = {}
    for lease_s, deaths in found.items():
        over = statistics.median(each.over_s for each in deaths)
        line = statistics.median(each.line_s for each in deaths)
        medians[f"{lease_s:g}"] = {"over_s": over, "line_s": line}
        rows.append((f"lease {lease_s:g} s", f"{over:.1f} s", f"{line:.1f} s", f"{longest_s(lease_s):.0f} s"))
    table([("", "old attempt over", "first line elsewhere", "longest fence"), *rows])
    report = Report("death of a node to the restart of its job")
    report.figures = {"medians": medians, "line_s": {k: [d.line_s for d in v] for k, v in found.items()}}
    report.said = ", ".join(
        f"{each['line_s']:.1f} s with a lease of {lease} s ({each['over_s']:.1f} s of it the fence)"
        for lease, each in medians.items()
    )
    shares = [
        f"{each['line_s'] / longest_s(float(lease)):.2f} of the longest fence with {lease} s"
        for lease, each in medians.items()
    ]
    report.verdicts = [Verdict("quick")] if options.quick else [Verdict(share) for share in shares]
    return report


if __name__ == "__main__":
    run("node_death", measure)
