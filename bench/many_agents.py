"""What one server can carry: a thousand agents with eight GPUs each (`--agents N`), over real messages.

The server and the messages' server are real, and so are the agents' keys, lines, beats, leases and answers;
the agents share a few processes, and have no keepers: a task has ended as soon as it was launched. Needs
neither root nor anything but Danlu.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cluster import Cluster, cluster
from harness import BENCH, CannotRun, Options, Report, Verdict, median, percentile, run, table, wait_until
from installation import cpu_s, memory_kb
from sampling import sampled
from submit_latency import RATE, SHARES, Load, offer
from throughput_jobs import in_a_batch

from danlu.launch.detached import MESSAGES_LOCK
from danlu.sdk.client import Client

AGENTS, QUICK_AGENTS, GPUS = 1_000, 24, 8
REST_S, QUICK_REST_S = 70.0, 2.0
"""Long enough for two rounds of comparing: there is one every 30 s when nothing happens."""
QUICK_LEASE_S = "5"
PASSES = 20
READY_S = 300.0


class AgentProcess:
    """One process with some of the agents."""

    def __init__(self, names: Sequence[str], said: Path) -> None:
        self.names = list(names)
        self._said = said
        with said.open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, str(BENCH / "agents_together.py")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=err,
                text=True,
            )

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        if self.process.stdin is None or self.process.stdout is None:
            raise CannotRun("it has no pipes")
        self.process.stdin.write(json.dumps({"do": do, **more}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise CannotRun(f"some agents ended: {self._said.read_text()[-2000:]}")
        return dict(json.loads(line))

    def stop(self) -> None:
        """At once: there is no server any more that would miss it."""
        self.process.kill()
        self.process.wait()


class Crowd:
    """All agents, in as many processes as there are cores."""

    def __init__(self, count: int, folder: Path) -> None:
        cores = min(os.cpu_count() or 1, count)
        names = [f"node-{number:05}" for number in range(count)]
        self.count = count
        self._folder = folder
        self._parts = [AgentProcess(names[part::cores], folder / f"{part}.err") for part in range(cores)]
        self._pool = ThreadPoolExecutor(cores)

    def _ask_all(self, do: str, **more: Any) -> list[dict[str, Any]]:
        return list(self._pool.map(lambda part: part.ask(do, **more), self._parts))

    def join(self, server: Cluster) -> None:
        token = server.make_token()
        asking = [
            self._pool.submit(part.ask, "join", server=server.messages, token=token, names=part.names)
            for part in self._parts
        ]
        for each in asking:
            each.result()

    def serve(self) -> None:
        self._ask_all("serve", folder=str(self._folder), gpus=GPUS)

    def tell(self) -> dict[str, Any]:
        told = self._ask_all("tell")
        if ended := sum(each["ended"] for each in told):
            raise CannotRun(f"{ended} agents gave up")
        calls: Counter[str] = Counter()
        for each in told:
            calls.update(each["calls"])
        return {
            "beats": sum(each["beats"] for each in told),
            "launched": sum(each["launched"] for each in told),
            "calls": calls,
            "compared": sorted((at, node) for each in told for at, node in each["compared"]),
        }

    def cpu_s(self) -> float:
        return sum(cpu_s(part.process.pid) for part in self._parts)

    def stop(self) -> None:
        # Not through the pool, whose threads may be waiting for their answers.
        for part in self._parts:
            part.stop()
        self._pool.shutdown()


@contextlib.contextmanager
def crowd(count: int, server: Cluster) -> Iterator[Crowd]:
    folder = server.data.parent / "agents"
    folder.mkdir()
    made = Crowd(count, folder)
    try:
        yield made
    finally:
        # First: it would take those who go for lost.
        server.stop_server()
        made.stop()


def rounds_of(compared: Iterable[tuple[float, str]], count: int) -> list[float]:
    """How long each round took in which all nodes were asked for their tasks: from the first question to the
    last. A node that is asked again belongs to the next round."""
    rounds: list[dict[str, float]] = [{}]
    for at, node in compared:
        if node in rounds[-1]:
            rounds.append({})
        rounds[-1][node] = at
    return [max(each.values()) - min(each.values()) for each in rounds if len(each) == count]


def time_passes(client: Client, count: int) -> list[float]:
    """Milliseconds. Each reads everything anew, as after a doubt."""
    found = []
    for _ in range(count):
        began = time.perf_counter()
        client.api.json_call("POST", "/scheduling/pass")
        found.append(1_000 * (time.perf_counter() - began))
    return found


def wait_up(client: Client, agents: Crowd) -> None:
    # The server's own node is one more.
    wait_until(
        lambda: client.get_json("/status")["nodes_up"] > agents.count,
        READY_S,
        "the coming of all agents",
        0.2,
    )


def wait_calm(agents: Crowd) -> None:
    """Wait until the doctor has looked at all nodes that came, and asks none of them any more."""
    calls, quiet = agents.tell()["calls"], 0
    while quiet < 2:
        time.sleep(1)
        before, calls = calls, agents.tell()["calls"]
        quiet = quiet + 1 if calls == before else 0


def rest(server: Cluster, agents: Crowd, seconds: float) -> dict[str, float]:
    """Shares of a core, and beats a second, while nothing happens."""
    watched = {"server": server.process.pid, "messages": server.pid_of(MESSAGES_LOCK)}
    before, told = {who: cpu_s(pid) for who, pid in watched.items()}, agents.tell()
    crowd_s, began = agents.cpu_s(), time.monotonic()
    time.sleep(seconds)
    took_s, after = time.monotonic() - began, agents.tell()
    return {
        **{who: 100 * (cpu_s(pid) - before[who]) / took_s for who, pid in watched.items()},
        "agents": 100 * (agents.cpu_s() - crowd_s) / took_s,
        "beats": (after["beats"] - told["beats"]) / took_s,
    }


def batch_rate(server: Cluster, client: Client, jobs: int) -> float:
    """Jobs per second. Asked seldom whether they have ended, so that answering is no part of it."""
    began = time.perf_counter()
    in_a_batch(server, jobs)
    server.wait_finished(client, pause_s=0.25)
    took_s = time.perf_counter() - began
    server.check_all_succeeded(client, jobs)
    return jobs / took_s


def drain_own(server: Cluster, client: Client) -> None:
    """Jobs go to the agents that are counted, and to no real keeper."""
    client.api.json_call("POST", f"/nodes/{server.own_node(client)}/drain")


def measure(options: Options) -> Report:
    import uvloop

    count = options.numbers.get("agents", QUICK_AGENTS if options.quick else AGENTS)
    rest_s, jobs, seconds = (QUICK_REST_S, 50, 1.0) if options.quick else (REST_S, 2_000, 20.0)
    if options.quick:
        # So that beats are seen in so short a time.
        os.environ["DANLU_LEASE_S"] = QUICK_LEASE_S
    # The messages' server inherits it: it has a connection with each agent.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with (
        cluster("--simulate", "1") as server,
        crowd(count, server) as agents,
        server.client() as client,
    ):
        drain_own(server, client)
        began = time.monotonic()
        agents.join(server)
        joining_s = time.monotonic() - began
        print(f"  {count} joined in {joining_s:.1f} s", flush=True)
        began = time.monotonic()
        agents.serve()
        wait_up(client, agents)
        up_s = time.monotonic() - began
        print(f"  all were up {up_s:.1f} s later", flush=True)
        wait_calm(agents)
        pids = {"server": server.process.pid, "messages": server.pid_of(MESSAGES_LOCK)}
        before_memory = {who: memory_kb(pid)["pss"] / 1024 for who, pid in pids.items()}
        with sampled(pids["server"], "the server at rest", wanted=options.profile):
            at_rest = rest(server, agents, rest_s)
        rounds = rounds_of(agents.tell()["compared"], count)
        passes = time_passes(client, PASSES)
        batch_rate(server, client, 20)
        with sampled(pids["server"], "the server with a batch", wanted=options.profile):
            rate = batch_rate(server, client, jobs)
        uvloop.run(offer(server, seconds / 10))
        server.wait_finished(client)
        with sampled(pids["server"], "the server with single submissions", wanted=options.profile):
            load = uvloop.run(offer(server, seconds))
        server.wait_finished(client)
        launched = agents.tell()["launched"]
        still_up = client.get_json("/status")["nodes_up"] - 1
        memory = {who: memory_kb(pid)["pss"] / 1024 for who, pid in pids.items()}
    return sum_up(
        count, joining_s, up_s, at_rest, rounds, passes, rate, load, before_memory, memory, launched, still_up
    )


def sum_up(
    count: int,
    joining_s: float,
    up_s: float,
    at_rest: dict[str, float],
    rounds: list[float],
    passes: list[float],
    rate: float,
    load: Load,
    before_memory: dict[str, float],
    memory: dict[str, float],
    launched: int,
    still_up: int,
) -> Report:
    ms = {name: 1_000 * percentile(load.latencies_s, share) for name, share in SHARES.items()}
    round_ms = 1_000 * median(rounds) if rounds else None
    pass_ms = median(passes)
    table(
        [
            (f"{count} agents with {GPUS} GPUs each", "figure"),
            ("joined, per second", f"{count / joining_s:.0f}"),
            ("from the start of all to all up", f"{up_s:.1f} s"),
            ("server at rest", f"{at_rest['server']:.1f} % of a core"),
            ("messages' server at rest", f"{at_rest['messages']:.1f} % of a core"),
            ("the agents themselves at rest", f"{at_rest['agents']:.1f} % of a core"),
            ("beats", f"{at_rest['beats']:.0f}/s"),
            (
                "asking all nodes for their tasks",
                "not seen" if round_ms is None else f"{round_ms:.0f} ms, {len(rounds)} seen",
            ),
            ("a pass that reads everything anew", f"{pass_ms:.0f} ms"),
            ("no-op jobs of a batch", f"{rate:.0f}/s"),
            (f"submissions at {RATE}/s, p50", f"{ms['p50']:.1f} ms"),
            (f"submissions at {RATE}/s, p99", f"{ms['p99']:.1f} ms"),
            (
                "server, PSS at rest and at the end",
                f"{before_memory['server']:.0f}, {memory['server']:.0f} MB",
            ),
            ("messages' server, PSS", f"{before_memory['messages']:.0f}, {memory['messages']:.0f} MB"),
            ("nodes up at the end", still_up),
        ]
    )
    report = Report(f"what one server carries: {count} agents")
    report.figures = {
        "agents": count,
        "joined_per_s": count / joining_s,
        "up_s": up_s,
        "rest": at_rest,
        "round_ms": round_ms,
        "rounds_seen": len(rounds),
        "pass_ms": pass_ms,
        "jobs_per_s": rate,
        "submit_ms": ms,
        "refused": load.refused,
        "pss_mb_at_rest": before_memory,
        "pss_mb": memory,
        "launched": launched,
        "nodes_up": still_up,
    }
    report.said = (
        f"server {at_rest['server']:.0f} % of a core at rest with {at_rest['beats']:.0f} beats/s,"
        f" {rate:.0f} jobs/s, submit p99 {ms['p99']:.0f} ms, {memory['server']:.0f} MB"
    )
    report.verdicts = [Verdict(f"{still_up / count:.2f} of the agents up at the end", "1", still_up == count)]
    return report


if __name__ == "__main__":
    run("many_agents", measure, "agents")
