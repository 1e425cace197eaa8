"""How long a cluster is without a server: from kill -9 of the one that leads to the first job that the next
one accepts, and to that job's start on its node. Three hosts, the usual lease; PostgreSQL lives on.
"""

from __future__ import annotations

import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
from harness import REPOSITORY, CannotRun, Options, Report, Verdict, at_most, run, table

sys.path.insert(0, str(REPOSITORY))

from tests.support.hosts import TESTS, Master, hosts
from tests.support.installation import wait_until
from tests.support.network import can_make_machines
from tests.support.postgres import Postgres, find_programs

LEASE_S, QUICK_LEASE_S = 8.0, 3.0
LIMIT_S = 15.0
ROUNDS = 5


@contextlib.contextmanager
def two_servers(lease_s: float) -> Iterator[list[Master]]:
    """The first leads, the second stands by; a third host runs the jobs."""
    programs = find_programs()
    if programs is None or not can_make_machines():
        raise CannotRun("it needs PostgreSQL and, as root, network namespaces")
    environment = {"DANLU_LEADER_LEASE_S": str(lease_s)}
    with (
        tempfile.TemporaryDirectory(prefix="danlu-bench-") as folder,
        hosts(3, Path(folder), lease_s=15, environment=environment) as machines,
    ):
        postgres = Postgres(programs, listen=TESTS)
        try:
            url = postgres.start().new_database()
            servers = [Master(host, "--standby", "--database", url) for host in machines[:2]]
            servers[0].start()
            wait_until(lambda: "is leading" in servers[0].output(), 60, "the first leader")
            machines[2].join(servers[0], "--simulate", "4")
            servers[1].start()
            yield servers
        finally:
            for host in machines:
                host.power_off()
            postgres.remove()


def fail_over(leader: Master, standby: Master) -> tuple[float, float]:
    """(seconds to the first job accepted, seconds to its start)."""
    client = standby.client(standby.token)
    wait_until(lambda: client.get("/status").status_code == 200, 60, "the standby's answer")
    began = time.time()
    leader.kill()
    job = {"command": "true", "gpus": 1, "directory": "/tmp"}
    headers = {"Idempotency-Key": f"bench {began}"}
    while True:
        with contextlib.suppress(httpx.HTTPError):
            reply = client.post("/jobs", json=job, headers=headers)
            if reply.status_code == 201:
                break
        time.sleep(0.02)
    accepted = time.time() - began
    started_at = standby.wait_ended(reply.json()["id"], 60)["job"]["started_at"]
    return accepted, started_at - began


def measure(options: Options) -> Report:
    lease_s, rounds = (QUICK_LEASE_S, 1) if options.quick else (LEASE_S, ROUNDS)
    found: list[tuple[float, float]] = []
    with two_servers(lease_s) as servers:
        for _ in range(rounds):
            leader, standby = servers
            found.append(fail_over(leader, standby))
            leader.start()
            servers.reverse()
    accepted, started = (statistics.median(column) for column in zip(*found, strict=True))
    rows = [[f"{number}", f"{a:.1f} s", f"{s:.1f} s"] for number, (a, s) in enumerate(found, 1)]
    table([["round", "job accepted", "job started"], *rows])
    return Report(
        "fail-over of the server",
        f"{accepted:.1f} s until a job is accepted, {started:.1f} s until it runs (lease {lease_s:g} s)",
        {"accepted_s": [a for a, _ in found], "started_s": [s for _, s in found], "lease_s": lease_s},
        [at_most(started, LIMIT_S, "s") if not options.quick else Verdict("quick")],
    )


if __name__ == "__main__":
    run("failover", measure)
