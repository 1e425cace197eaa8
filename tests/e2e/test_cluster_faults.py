"""Nodes are cut off, lose their keeper, lose power: no two attempts of a job ever run at the same time, and
none is lost. Three hosts, real processes; what a job did is read from the marks that it left on disk."""

from __future__ import annotations

import itertools
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.hosts import Host, JoinedNode, Master, hosts
from tests.support.installation import wait_until

pytestmark = pytest.mark.e2e

WRITER = """\
import os, sys, time
folder, name = sys.argv[1], sys.argv[2]
attempt = os.environ["DANLU_ATTEMPT"]
marks = os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
while not os.path.exists(f"{folder}/{name}.enough"):
    os.write(marks, f"{attempt} {time.monotonic()!r} {os.uname().nodename}\\n".encode())
    time.sleep(0.05)
"""


@pytest.fixture(scope="module")
def machines(tmp_path_factory) -> Iterator[tuple[Host, ...]]:
    with hosts(3, tmp_path_factory.mktemp("faults"), environment={"DANLU_RESIZE_PAUSE_S": "2"}) as made:
        yield made


@pytest.fixture(scope="module")
def master(machines) -> Master:
    return machines[0].up("--cluster", "--simulate", "8")


@pytest.fixture(scope="module")
def two(machines, master) -> JoinedNode:
    return machines[1].join(master, "--simulate", "8")


@pytest.fixture(scope="module")
def three(machines, master) -> JoinedNode:
    return machines[2].join(master, "--simulate", "8")


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "writer.py").write_text(WRITER)
    return tmp_path


class Writers:
    """Jobs that write down every 50 ms that they live, and by which clock."""

    def __init__(self, master: Master, folder: Path) -> None:
        self._master = master
        self._folder = folder
        self.jobs: dict[str, int] = {}

    def start(self, name: str, on: JoinedNode, **fields: object) -> int:
        """Begin on this node, with the right to go on elsewhere."""
        others = [row["name"] for row in self._master.http.get("/nodes").json() if row["name"] != on.name]
        for other in others:
            self._master.http.post(f"/nodes/{other}/drain")
        command = f"python3 {self._folder}/writer.py {self._folder} {name}"
        self.jobs[name] = self._master.submit(command, gpus=1, grace_s=1, **fields)
        self._master.wait_state(self.jobs[name], "running")
        wait_until(lambda: self.marks(name), 20, f"the first mark of {name}")
        for other in others:
            self._master.http.post(f"/nodes/{other}/undrain")
        return self.jobs[name]

    def marks(self, name: str) -> list[tuple[int, float, str]]:
        """(attempt, when, host) of each mark, in the order of the file."""
        try:
            lines = (self._folder / name).read_text().splitlines()
        except FileNotFoundError:
            return []
        return [(int(line.split()[0]), float(line.split()[1]), line.split()[2]) for line in lines]

    def attempts(self, name: str) -> set[int]:
        return {attempt for attempt, _, _ in self.marks(name)}

    def wait_attempt(self, name: str, number: int, timeout_s: float = 60) -> None:
        def begun() -> bool:
            return number in self.attempts(name)

        try:
            wait_until(begun, timeout_s, f"attempt {number} of {name}")
        except AssertionError as late:
            raise AssertionError(
                f"{late}\n{self._master.job(self.jobs[name])}\n{self._master.log()[-3000:]}"
            ) from late

    def finish(self, name: str) -> dict:
        (self._folder / f"{name}.enough").touch()
        return self._master.wait_ended(self.jobs[name])

    def assert_never_two(self, name: str) -> None:
        """The last mark of each attempt is older than the first of the next one."""
        by_attempt: dict[int, list[float]] = {}
        for attempt, at, _ in self.marks(name):
            by_attempt.setdefault(attempt, []).append(at)
        numbers = sorted(by_attempt)
        for earlier, later in itertools.pairwise(numbers):
            assert max(by_attempt[earlier]) < min(by_attempt[later]), (name, earlier, later)


@pytest.fixture
def writers(master, folder) -> Writers:
    return Writers(master, folder)


def test_two_nodes_are_cut_off_one_of_them_without_a_keeper(machines, master, two, three, writers):
    """What may move stops by itself and goes on elsewhere; what may not goes on and is picked up again."""
    _, host_two, host_three = machines
    writers.start("moves", two, restartable=True)
    writers.start("stays", two)
    writers.start("serves", two, service=True)
    writers.start("keeperless", three, restartable=True)
    host_three.kill("keeper")
    for host in (host_two, host_three):
        host.cut()
    master.wait_node("two", "lost")
    master.wait_node("three", "lost")
    away = master.job(writers.jobs["stays"])
    assert away["job"]["state"] == "running"
    assert away["job"]["unreachable_since"] is not None
    assert "two" in away["message"]
    for name in ("moves", "serves", "keeperless"):
        writers.wait_attempt(name, 2)
        writers.assert_never_two(name)
        assert {host for attempt, _, host in writers.marks(name) if attempt == 2} == {"one"}
    seen = len(writers.marks("stays"))
    wait_until(lambda: len(writers.marks("stays")) > seen, 20, "the job that was left alone going on")
    for host in (host_two, host_three):
        host.heal()
    master.wait_node("two")
    master.wait_node("three")
    wait_until(
        lambda: master.job(writers.jobs["stays"])["job"]["unreachable_since"] is None,
        20,
        "it being reachable",
    )
    for name in ("moves", "keeperless", "stays"):
        done = writers.finish(name)
        assert done["job"]["state"] == "succeeded", (name, done)
        writers.assert_never_two(name)
    assert writers.attempts("stays") == {1}
    assert writers.attempts("moves") == {1, 2}
    reasons = [row["end_reason"] for row in master.job(writers.jobs["moves"])["attempts"]]
    assert reasons == ["node_lost", "completed"]
    master.http.post(f"/jobs/{writers.jobs['serves']}/cancel")
    assert master.wait_ended(writers.jobs["serves"])["job"]["state"] == "cancelled"
    writers.assert_never_two("serves")


def test_a_service_is_killed_and_its_node_goes_for_good(machines, master, two, three, writers):
    """It runs exactly once: it comes back where it was killed, and elsewhere when its node is gone."""
    _, host_two, _ = machines
    job = writers.start("service", two, service=True)
    stays = writers.start("lost", two)
    killed = [pid for pid in host_two.pids() if _words_of(pid)[-1:] == ["service"]]
    assert killed
    for name in ("one", "three"):
        master.http.post(f"/nodes/{name}/drain")
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    writers.wait_attempt("service", 2)
    for name in ("one", "three"):
        master.http.post(f"/nodes/{name}/undrain")
    host_two.power_off()
    master.wait_node("two", "lost")
    writers.wait_attempt("service", 3)
    writers.assert_never_two("service")
    assert master.job(job)["job"]["state"] in ("running", "starting")
    # Danlu cannot know that of a job which may not be run twice: an admin has to say so.
    assert master.job(stays)["job"]["state"] == "running"
    assert master.cli("nodes", "declare-dead", "two", check=False).returncode == 1
    master.cli("nodes", "declare-dead", "two", "--yes")
    ended = master.wait_ended(stays)
    assert (ended["job"]["state"], ended["job"]["end_reason"]) == ("failed", "node_lost")
    master.http.post(f"/jobs/{job}/cancel")
    master.wait_ended(job)
    writers.assert_never_two("service")
    two.start()
    master.wait_node("two")


def test_racing_gangs_start_whole_or_not_at_all(master, two, three, folder):
    """Six jobs that want two of three nodes whole: no deadlock, and no half of one ever runs alone."""
    command = (
        f"echo $DANLU_JOB_ID $NODE_RANK begun $(date +%s.%N) >> {folder}/gangs; sleep 0.3; "
        f"echo $DANLU_JOB_ID $NODE_RANK ended $(date +%s.%N) >> {folder}/gangs"
    )
    jobs: list[int] = []

    def submit() -> None:
        client = master.client(master.token)
        reply = client.post(
            "/jobs", json={"command": command, "directory": str(folder), "gpus": 8, "nodes": "2"}
        )
        assert reply.status_code == 201, reply.text
        jobs.append(reply.json()["id"])

    threads = [threading.Thread(target=submit) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for job in jobs:
        done = master.wait_ended(job, 60)
        assert done["job"]["state"] == "succeeded", done
        assert len(done["attempts"][-1]["tasks"]) == 2
        assert len({task["node"] for task in done["attempts"][-1]["tasks"]}) == 2
    marks = [line.split() for line in (folder / "gangs").read_text().splitlines()]
    assert sorted((int(job), rank, what) for job, rank, what, _ in marks) == sorted(
        (job, rank, what) for job in jobs for rank in ("0", "1") for what in ("begun", "ended")
    )
    spans = {job: [float(at) for number, _, _, at in marks if int(number) == job] for job in jobs}
    ordered = sorted(spans.values(), key=min)
    for one, other in itertools.pairwise(ordered):
        # Two of them need four nodes: they can never run at the same time.
        assert max(one) < min(other)


def test_one_rank_that_fails_ends_the_others(master, two, three, folder):
    command = f"[ $NODE_RANK = 1 ] && exit 7; echo $$ > {folder}/rank0; sleep 300"
    job = master.submit(command, gpus=1, nodes="2", directory=str(folder), grace_s=1)
    done = master.wait_ended(job)
    assert (done["job"]["state"], done["job"]["exit_code"]) == ("failed", 7)
    ends = {task["rank"]: task["ending"] for task in done["attempts"][-1]["tasks"]}
    assert ends == {0: "stopped", 1: "exited"}
    shown = master.cli("show", str(job)).stdout
    assert "two" in shown or "three" in shown


def test_each_rank_has_its_own_log_and_together_they_are_one(master, two, three, folder):
    job = master.submit("echo I am rank $NODE_RANK of $NNODES", gpus=1, nodes="3", directory=str(folder))
    assert master.wait_ended(job)["job"]["state"] == "succeeded"
    merged = master.cli("logs", str(job)).stdout.splitlines()
    assert merged == [f"[{rank}] I am rank {rank} of 3" for rank in range(3)]
    assert master.cli("logs", str(job), "--rank", "2").stdout == "I am rank 2 of 3\n"
    refused = master.cli("logs", str(job), "--rank", "3", check=False)
    assert (refused.returncode, "has no rank 3" in refused.stderr) == (1, True), refused.stderr


def test_an_elastic_job_takes_what_is_there_and_grows(master, two, three, folder):
    """It starts on the one node that is free, and goes on with more when they are."""
    for name in ("two", "three"):
        master.http.post(f"/nodes/{name}/drain")
    command = f"echo $NNODES >> {folder}/sizes.$NODE_RANK; while [ ! -e {folder}/enough ]; do sleep 0.1; done"
    job = master.submit(command, gpus=1, nodes="1:3", directory=str(folder), grace_s=1)
    master.wait_state(job, "running")
    assert len(master.job(job)["job"]["on_nodes"]) == 1
    for name in ("two", "three"):
        master.http.post(f"/nodes/{name}/undrain")
    wait_until((folder / "sizes.2").exists, 60, f"it growing to three: {master.job(job)['job']}")
    (folder / "enough").touch()
    done = master.wait_ended(job)
    assert done["job"]["state"] == "succeeded"
    assert [len(row["tasks"]) for row in done["attempts"]] == [1, 3]
    assert (folder / "sizes.0").read_text().split() == ["1", "3"]


def _words_of(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")[:-1]
    except OSError:
        return []


def test_the_master_is_killed_while_a_node_is_cut_off(machines, master, two, writers):
    """After its restart it counts from there: it cannot know when the node last heard from it."""
    _, host_two, _ = machines
    writers.start("restart", two, restartable=True)
    host_two.cut()
    master.kill()
    time.sleep(1)
    master.start()
    writers.wait_attempt("restart", 2, 90)
    writers.assert_never_two("restart")
    host_two.heal()
    master.wait_node("two")
    assert writers.finish("restart")["job"]["state"] == "succeeded"
    writers.assert_never_two("restart")
