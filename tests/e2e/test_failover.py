"""Two servers on one PostgreSQL: whichever dies, stops or is cut off, the other goes on, and never both act.

Three hosts: `one` and `two` have a server each, `three` runs the jobs.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import signal
import threading
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import LiteralString

import httpx
import psycopg
import pytest

from tests.support.hosts import TESTS, Host, JoinedNode, Master, hosts
from tests.support.installation import wait_until
from tests.support.postgres import Postgres, database_of, require_postgres

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]

ROUNDS = int(os.environ.get("DANLU_FAILOVER_ROUNDS", "5"))
LEADER_LEASE_S = 2.0
NO_SERVER = {"DANLU_DATA": ""}
"""For commands of a user who has no server of their own, only a login."""
_BEGAN = re.compile(r"^(\S+ \S+) WARNING \S+ leading, with fence (\d+)$", re.MULTILINE)
_ENDED = re.compile(
    r"^(\S+ \S+) \w+ \S+ (?:no longer leading, with|the leadership with) fence (\d+)", re.MULTILINE
)


class Pair:
    """The two servers, and the node on which everything runs."""

    def __init__(self, postgres: Postgres, machines: tuple[Host, ...], folder: Path) -> None:
        one, two, three = machines
        self.postgres = postgres
        self.url = postgres.new_database()
        self.runs = folder / "runs"
        self.runs.mkdir()
        self.killed_at: dict[int, float] = {}
        # Asked all the time: a program for each question would cost more than all servers together.
        where = {"host": str(postgres.folder), "user": "danlu", "dbname": database_of(self.url)}
        self._line = psycopg.connect(**where, autocommit=True)
        # The first that stands by finds no leader, and leads.
        self.servers = [Master(host, "--standby", "--database", self.url) for host in (one, two)]
        self.servers[0].start()
        wait_until(lambda: "is leading" in self.servers[0].output(), 60, f"the first leader:\n{self.logs()}")
        self.node: JoinedNode = three.join(self.servers[0], "--simulate", "4")
        self.servers[1].start()
        self.token = self.servers[0].http.post("/me/tokens", json={"name": "client"}).json()["secret"]

    def fence(self) -> int:
        return int(self._ask("SELECT coalesce(max(fence), 0) FROM leadership"))

    @property
    def leader(self) -> Master:
        """Whose session the database says it is."""
        mark = self._ask("SELECT holder FROM leadership").split()[-1]
        return next(server for server in self.servers if mark.startswith(_id_of(server)))

    @property
    def standby(self) -> Master:
        return next(server for server in self.servers if server is not self.leader)

    def wait_fence(self, after: int) -> None:
        wait_until(lambda: self.fence() > after, 60, f"a leader after {after}:\n{self.logs()}")

    def wait_leader(self, after: int) -> Master:
        """The next one that leads, once it answers."""
        self.wait_fence(after)
        leader = self.leader
        wait_until(lambda: self.answers(leader), 60, f"the leader's answer:\n{self.logs()}")
        return leader

    def answers(self, server: Master) -> bool:
        with contextlib.suppress(httpx.HTTPError, OSError, ValueError), server.client(self.token) as client:
            return client.get("/status").status_code == 200
        return False

    def kill(self, server: Master) -> None:
        self.killed_at[self.fence()] = time.time()
        server.kill()

    def logs(self) -> str:
        return "\n".join(f"--- {server.host.name}\n{server.log()[-3000:]}" for server in self.servers)

    def reigns(self) -> list[tuple[int, float, float]]:
        """(fence, began, ended) of every leadership, as the servers themselves logged it."""
        text = "\n".join(server.log() for server in self.servers)
        ended = dict(self.killed_at)
        for at, fence in _ENDED.findall(text):
            # What it did last is what counts, and that it began to close comes first.
            ended[int(fence)] = min(_seconds(at), ended.get(int(fence), float("inf")))
        return sorted(
            (int(f), _seconds(at), ended.get(int(f), float("inf"))) for at, f in _BEGAN.findall(text)
        )

    def check_one_at_a_time(self) -> None:
        reigns = self.reigns()
        assert len({fence for fence, _, _ in reigns}) == len(reigns)
        for (_, _, ended), (_, began, _) in itertools.pairwise(reigns):
            assert ended <= began + 0.001, reigns

    def _ask(self, question: LiteralString) -> str:
        row = self._line.execute(question).fetchone()
        return str(row[0]) if row else ""


class Submitter(threading.Thread):
    """A user who goes from one server to the other until each job is accepted."""

    def __init__(self, pair: Pair) -> None:
        super().__init__(daemon=True)
        self._pair = pair
        self.enough = threading.Event()
        self.ids: dict[int, int] = {}

    def run(self) -> None:
        for number in itertools.count():
            if self.enough.is_set():
                return
            self.ids[number] = self._insist(number)

    def _insist(self, number: int) -> int:
        fields = {
            "command": f"echo ran >> {self._pair.runs}/{number}",
            "directory": "/tmp",
            "gpus": number % 3,
            "name": f"job {number}",
        }
        for server in itertools.cycle(self._pair.servers):
            with contextlib.suppress(httpx.HTTPError, OSError, ValueError):
                with server.client(self._pair.token, **{"Idempotency-Key": f"key {number}"}) as client:
                    reply = client.post("/jobs", json=fields, timeout=40)
                if reply.status_code == 201:
                    return int(reply.json()["id"])
                assert reply.status_code == 503, reply.text
            time.sleep(0.05)
        raise AssertionError


@contextlib.contextmanager
def submitting(pair: Pair) -> Iterator[Submitter]:
    submitter = Submitter(pair)
    submitter.start()
    try:
        yield submitter
    finally:
        submitter.enough.set()
        submitter.join(60)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("failover")
    environment = {"DANLU_LEADER_LEASE_S": str(LEADER_LEASE_S)}
    with hosts(3, folder, lease_s=20, environment=environment) as machines:
        postgres = Postgres(require_postgres(), listen=TESTS)
        try:
            yield Pair(postgres.start(), machines, folder)
        finally:
            for host in machines:
                host.power_off()
            postgres.remove()


def check_all_ran_once(pair: Pair, ids: dict[int, int]) -> None:
    """Nothing lost, nothing twice: by what the server says, and by what is on the disk."""
    assert len(set(ids.values())) == len(ids)
    leader = pair.leader
    with leader.client(pair.token) as client:

        def ended() -> bool:
            status = client.get("/status")
            return status.status_code == 200 and not (status.json()["waiting"] or status.json()["running"])

        wait_until(ended, 90, f"the end of all jobs:\n{pair.logs()}")
        for number, job_id in ids.items():
            job = client.get(f"/jobs/{job_id}").json()["job"]
            assert (job["name"], job["state"], job["attempt"]) == (f"job {number}", "succeeded", 1), job
            assert (pair.runs / str(number)).read_text() == "ran\n"


def test_a_standby_answers_as_the_leader_does(pair: Pair) -> None:
    standby, leader = pair.standby, pair.leader
    with standby.client(pair.token) as client:
        made = client.post("/jobs", json={"command": "echo hello", "directory": "/tmp"})
        assert made.status_code == 201, made.text
        job_id = made.json()["id"]
    assert leader.wait_ended(job_id)["job"]["state"] == "succeeded"
    # Its own local token is good for the command line there.
    assert "succeeded" in standby.cli("show", str(job_id)).stdout
    assert standby.cli("logs", str(job_id)).stdout == "hello\n"
    with standby.client(standby.token) as client:
        with client.stream("GET", f"/jobs/{job_id}/log", params={"follow": "true"}) as stream:
            assert b"".join(stream.iter_raw())
        refused = client.post("/jobs", json={}, headers={"Accept-Language": "zh"})
        assert refused.status_code == 422
        assert re.search("[\u4e00-\u9fff]", refused.json()["message"])
        large = b"x" * 3_000_000
        kept = client.post("/calls", content=iter([large]))
        assert kept.status_code == 201, kept.text
        stopped = client.post("/server/stop", json={"stop_jobs": True})
        assert (stopped.status_code, stopped.json()["code"]) == (409, "standing_by")
        known = client.get("/servers").json()
    assert [each["role"] for each in known] == ["leader", "standby"]
    assert f"Standby: {known[1]['url']}" in standby.cli("status").stdout
    forged = {"X-Danlu-Passed-On": "e30=.00"}
    with leader.client(**forged) as client:
        assert client.get("/status").status_code == 403


def log_in(pair: Pair) -> tuple[list[str], str]:
    """A user logs in to the leader from the node: where the servers are, and what they were told."""
    with pair.leader.client(pair.token) as client:
        urls = [server["url"] for server in client.get("/servers").json()]
    words = ("login", urls[0], "--token-stdin")
    return urls, pair.node.host.danlu(*words, text_in=pair.token, **NO_SERVER).stdout


def told_to_jobs(leader: Master) -> list[str]:
    """The one server that a job is told of, and then all of them."""
    job = leader.submit("echo $DANLU_SERVER,$DANLU_SERVERS")
    leader.wait_ended(job)
    return leader.cli("logs", str(job)).stdout.strip().split(",")


def test_who_logs_in_and_what_runs_there_knows_both_servers(pair: Pair) -> None:
    leader, standby = pair.leader, pair.standby
    urls, said = log_in(pair)
    assert urls[1] in said
    # The leader looks only now and then who stands by.
    wait_until(lambda: told_to_jobs(leader) == [urls[0], *urls], 30, f"jobs that know both:\n{pair.logs()}")
    assert standby.host.address in urls[1]
    assert f"Leader:  {urls[0]}" in pair.node.host.danlu("nodes", **NO_SERVER).stdout


def test_nothing_is_lost_or_done_twice_while_leaders_are_killed(pair: Pair) -> None:
    call = pair.leader.http.post("/calls", content=b"a function" * 10_000).json()["digest"]
    with submitting(pair) as submitter:
        for number in range(ROUNDS):
            fence, victim = pair.fence(), pair.leader
            before = len(submitter.ids)
            wait_until(lambda before=before: len(submitter.ids) > before + 5, 60, f"jobs:\n{pair.logs()}")
            pair.kill(victim)
            if number % 2:
                # It is back at once, and may be as fast as the other.
                victim.start()
                pair.wait_leader(fence)
            else:
                pair.wait_fence(fence)
                victim.start()
                assert pair.wait_leader(fence) is not victim
    check_all_ran_once(pair, submitter.ids)
    pair.check_one_at_a_time()
    assert len(pair.reigns()) >= ROUNDS + 1
    # What was handed in for jobs to come is there, whichever server has to hand it out.
    for server in pair.servers:
        assert list(server.data.glob(f"calls/*/{call}")), server.host.name


def test_a_leader_that_was_stopped_for_a_while_does_nothing_any_more(pair: Pair) -> None:
    fence, sleeper = pair.fence(), pair.leader
    assert sleeper.process is not None
    log_in(pair)
    with submitting(pair) as submitter:
        wait_until(lambda: len(submitter.ids) > 5, 60, "jobs")
        os.kill(sleeper.process.pid, signal.SIGSTOP)
        pair.killed_at[fence] = time.time()
        try:
            # A user who logged in there is neither refused nor kept waiting until it is given up as dead.
            began = time.monotonic()
            submitted = pair.node.host.danlu("submit", "--", "true", **NO_SERVER)
            assert int(submitted.stdout) > 0
            assert time.monotonic() - began < 50
            leader = pair.wait_leader(fence)
        finally:
            os.kill(sleeper.process.pid, signal.SIGCONT)
        assert leader is not sleeper
        now = pair.fence()
        wait_until(
            lambda: f"fence {fence} is lost" in sleeper.log(), 30, f"the loss:\n{sleeper.log()[-3000:]}"
        )
        wait_until(lambda: pair.answers(sleeper), 30, "what it passes on")
    check_all_ran_once(pair, submitter.ids)
    assert pair.fence() == now
    assert pair.leader is leader


def test_a_leader_whose_machine_is_cut_off_is_succeeded(pair: Pair) -> None:
    fence, lonely = pair.fence(), pair.leader
    running = lonely.submit(f"until [ -e {pair.runs}/go-on ]; do sleep 0.05; done; echo $DANLU_ATTEMPT")
    lonely.wait_state(running, "running")
    log_in(pair)
    lonely.host.cut(all_cables=True)
    try:
        leader = pair.wait_leader(fence)
        assert leader is not lonely
        # A user who logged in goes on with whichever is there.
        assert leader.host.address in pair.node.host.danlu("whoami", **NO_SERVER).stdout
        with leader.client(pair.token) as client:
            # It is not one that stands by, and the answer says that none does.
            rows = client.get("/servers", params={"lost": True}).json()
            assert [row["role"] for row in rows] == ["leader", "lost"], rows
            assert [row["role"] for row in client.get("/servers").json()] == ["leader"]
        assert "no standby is left" in leader.cli("status").stdout
        # It stops by its own clock, before the other begins.
        wait_until(lambda: f"fence {fence} is lost" in lonely.log(), 30, "the loss")
        # And says so at once, to clients that are still there.
        said = lonely.cli("status", check=False)
        assert "cannot reach the database" in said.stderr, said
        with leader.client(pair.token) as client:
            wait_until(
                lambda: client.get(f"/nodes/{pair.node.name}").json()["state"] == "up",
                60,
                "the node's return",
            )
            (pair.runs / "go-on").touch()
        ended = leader.wait_ended(running)["job"]
        assert (ended["state"], ended["attempt"]) == ("succeeded", 1)
    finally:
        lonely.host.heal()
    wait_until(lambda: pair.answers(lonely), 60, f"what it passes on:\n{pair.logs()}")
    assert pair.leader is leader
    wait_until(lambda: "Standby:" in leader.cli("status").stdout, 30, f"its return:\n{pair.logs()}")
    pair.check_one_at_a_time()


def test_servers_of_an_old_copy_leave_the_node_to_the_later_one(pair: Pair) -> None:
    """As if an older state of the database had been put back: it knows nothing of who led last."""
    first, second = pair.servers
    for server in pair.servers:
        server.stop()
    pair._line.execute("UPDATE leadership SET fence = 5, holder = ''")

    def refuses() -> bool:
        with contextlib.suppress(httpx.HTTPError, OSError, ValueError), first.client(pair.token) as client:
            answer = client.get("/status")
            return answer.status_code == 503 and answer.json()["code"] == "database_superseded"
        return False

    first.start()
    wait_until(refuses, 60, f"a refusal:\n{pair.logs()}")
    assert "database reinstate" in first.cli("status", check=False).stderr
    # Nor does another server of that copy.
    with pytest.raises(AssertionError, match="another copy"):
        second.start()
    first.stop()
    first.cli("database", "reinstate")
    first.start()
    wait_until(lambda: pair.answers(first), 60, f"what it leads:\n{pair.logs()}")
    with first.client(pair.token) as client:
        wait_until(
            lambda: client.get(f"/nodes/{pair.node.name}").json()["state"] == "up", 60, "the node's return"
        )


def _id_of(server: Master) -> str:
    return (server.data / "server-id").read_text().strip()


def _seconds(text: str) -> float:
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S,%f").timestamp()
