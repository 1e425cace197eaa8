"""Machines join, work, fail and leave, while jobs run: real processes on three hosts."""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
import tempfile
from pathlib import Path

import pytest

from danlu.launch.cluster.join import REMOVED
from tests.support.hosts import Host, JoinedNode, Master, hosts
from tests.support.installation import wait_until
from tests.support.people import UNIX_ACCOUNT, make_member

pytestmark = pytest.mark.e2e

OTHER_CERTIFICATE = "A" * 43
OLD_DANLU = "import sys, danlu; danlu.__version__ = '0.99.0'; from danlu.main import main; sys.exit(main())"


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    with hosts(4, tmp_path_factory.mktemp("growing")) as made:
        yield made


@pytest.fixture(scope="module")
def master(machines) -> Master:
    return machines[0].up("--cluster")


@pytest.fixture(scope="module")
def node(machines, master) -> JoinedNode:
    return machines[1].join(master)


@pytest.fixture
def folder(tmp_path) -> Path:
    """Where jobs leave their marks; all hosts see it."""
    shared = Path(tempfile.gettempdir())
    for each in (tmp_path, *(parent for parent in tmp_path.parents if shared in parent.parents)):
        each.chmod(0o755)
    tmp_path.chmod(0o777)
    return tmp_path


def slow_job(folder: Path, name: str) -> str:
    """Leaves a mark when it begins and when it ends; ends when it is told to."""
    return (
        f"echo begun >> {folder}/{name}.begun; while [ ! -e {folder}/go ]; do sleep 0.05; done; "
        f"echo ended >> {folder}/{name}.ended; echo {name} is done"
    )


def wait_begun(folder: Path, *names: str) -> None:
    wait_until(lambda: all((folder / f"{name}.begun").exists() for name in names), 30, f"{names} beginning")


def assert_ran_once(folder: Path, *names: str) -> None:
    for name in names:
        for mark in ("begun", "ended"):
            assert (folder / f"{name}.{mark}").read_text().split() == [mark], name


def ask_to_join(host: Host, *words: str) -> tuple[int, str]:
    done = host.danlu("join", *words, check=False)
    return done.returncode, done.stderr


def test_a_joined_machine_runs_jobs_and_its_logs_are_read_from_everywhere(master, node):
    job = master.submit("hostname; echo hello from here", node=node.name)
    assert master.wait_ended(job)["job"]["state"] == "succeeded"
    assert master.cli("logs", str(job)).stdout == "two\nhello from here\n"
    assert not (master.data / "logs" / str(job)).exists()
    wait_until(lambda: master.node("two")["address"] == node.host.address, 30, "its address being known")
    listed = master.cli("nodes").stdout.splitlines()
    assert [line.split()[0] for line in listed[1:]] == ["one", "two"]
    assert node.host.address in listed[2]
    assert master.cli("nodes", "two", "--json").returncode == 0


def test_a_node_that_is_drained_gets_no_job_until_it_is_undrained(master, node):
    master.cli("drain", node.name)
    job = master.submit("true", node=node.name)
    assert "drained" in master.cli("why", str(job)).stdout
    master.cli("undrain", node.name)
    assert master.wait_ended(job)["job"]["state"] == "succeeded"


def test_who_has_no_good_token_is_told_so(machines, master):
    three = machines[2]
    address = f"{master.host.address}:7323"
    good = master.make_join_token()
    secret, _, fingerprint = good.partition(".")
    code, text = ask_to_join(three, address, "--token", f"{secret[:-1]}.{fingerprint}")
    assert (code, "does not know the join token" in text) == (1, True), text
    code, text = ask_to_join(three, address, "--token", f"{secret}.{OTHER_CERTIFICATE}")
    assert (code, "its certificate differs" in text) == (1, True), text
    assert not (three.data / "member.json").exists()


def test_a_machine_with_another_version_is_refused_with_the_remedy(machines, master):
    three = machines[2]
    done = three.run(
        sys.executable,
        *("-c", OLD_DANLU, "join", f"{master.host.address}:7323"),
        check=False,
        DANLU_JOIN_TOKEN=master.make_join_token(),
        DANLU_LANG="zh",
    )
    assert done.returncode == 1
    assert "0.99.0" in done.stderr
    assert "请在本机安装丹炉" in done.stderr


def test_a_machine_with_a_copied_disk_is_told_and_joins_under_a_name_of_its_own(
    machines, master, node, folder
):
    two, three = machines[1], machines[2]
    job = master.submit(slow_job(folder, "original"), node="two")
    wait_begun(folder, "original")
    three.data.mkdir(exist_ok=True)
    shutil.copy(two.data / "member.json", three.data)
    copy = JoinedNode(three, master)
    copy.start_again()
    wait_until(lambda: "uses the same credentials" in copy.output(), 30, "the copy being told")
    assert "node two is refused: another machine uses the same credentials" in master.log()
    assert master.node("two")["state"] == "up"

    copy.start("join", f"{master.host.address}:7323", "--token", master.make_join_token(), "--name", "copy")
    assert copy.name == "copy"
    on_copy = master.submit("hostname", node="copy")
    assert master.wait_ended(on_copy)["job"]["state"] == "succeeded"
    assert master.cli("logs", str(on_copy)).stdout == "three\n"
    three.danlu("leave")
    copy.process.wait(20)
    (folder / "go").touch()
    assert master.wait_ended(job)["job"]["state"] == "succeeded"
    assert_ran_once(folder, "original")


def test_whatever_dies_jobs_go_on_and_nothing_runs_twice(machines, master, node, folder):
    one, two, _, _ = machines
    names = ("here", "there")
    jobs = [
        master.submit(slow_job(folder, name), node=host)
        for name, host in zip(names, ("one", "two"), strict=True)
    ]
    wait_begun(folder, *names)
    two.kill("keeper")
    one.kill("agent")
    one.kill("nats")
    node.kill()
    master.kill()
    node.start_again()
    master.start()
    master.wait_node("one")
    master.wait_node("two")
    wait_until(lambda: one.pids_of("agent") and one.pids_of("nats"), 30, "agent and messages being back")
    (folder / "go").touch()
    assert [master.wait_ended(job)["job"]["state"] for job in jobs] == ["succeeded", "succeeded"]
    assert [master.cli("logs", str(job)).stdout for job in jobs] == [f"{name} is done\n" for name in names]
    assert_ran_once(folder, *names)


def test_a_job_of_another_account_reaches_nothing_that_makes_its_node_a_member(master, node, folder):
    data = node.host.data
    kept = ["member.json", "agent.json", "agent.log", "agent.lock", "node/lease", "node/fence", "node"]
    sockets = [path for path in (data / "node").rglob("*") if path.is_socket()]
    assert sockets
    assert (data / "node" / "lease").exists()
    program = folder / "look.py"
    program.write_text(
        "import json, os, socket, sys\n"
        "found = []\n"
        "for path in sys.argv[2].split(','):\n"
        "    try:\n"
        "        os.listdir(path) if os.path.isdir(path) else open(path).close()\n"
        "        found.append(path)\n"
        "    except PermissionError:\n"
        "        pass\n"
        "for path in sys.argv[3].split(','):\n"
        "    try:\n"
        "        socket.socket(socket.AF_UNIX).connect(path)\n"
        "        found.append(path)\n"
        "    except PermissionError:\n"
        "        pass\n"
        "for pid in filter(str.isdigit, os.listdir('/proc')):\n"
        "    try:\n"
        "        words = open(f'/proc/{pid}/cmdline').read()\n"
        "    except OSError:\n"
        "        continue\n"
        "    if sys.argv[4] in words and str(os.getpid()) != pid and 'look.py' not in words:\n"
        "        found.append(words)\n"
        "print(json.dumps([os.getuid(), found, sorted(os.environ)]))\n"
    )
    paths = ",".join(str(data / name) for name in kept)
    secret = json.loads((data / "member.json").read_text())["seed"]
    client = make_member(master, "li")
    words = f"{paths} {','.join(str(path) for path in sockets)} --token"
    made = client.post(
        "/jobs",
        json={
            "command": f"/usr/bin/python3 {program} x {words}",
            "directory": "/tmp",
            "node": node.name,
        },
    )
    assert made.status_code == 201, made.text
    job = made.json()["id"]
    assert master.wait_ended(job)["job"]["state"] == "succeeded", master.cli("logs", str(job)).stdout
    uid, found, variables = json.loads(master.cli("logs", str(job)).stdout)
    assert uid != os.getuid(), UNIX_ACCOUNT
    assert found == []
    assert not [name for name in variables if "TOKEN" in name or "SEED" in name]
    assert secret not in master.log()
    asked = [
        client.post("/join-tokens", json={}),
        client.get("/join-tokens"),
        client.delete("/join-tokens/1"),
        client.delete("/nodes/two"),
        client.patch("/nodes/two", json={"role": "login"}),
        client.post("/nodes/two/declare-dead"),
    ]
    assert {reply.status_code for reply in asked} == {403}


def test_a_machine_leaves_when_nothing_runs_there_and_may_come_back(machines, master, node, folder):
    two = machines[1]
    job = master.submit(slow_job(folder, "last"), node="two")
    wait_begun(folder, "last")
    refused = two.danlu("leave", check=False)
    assert (refused.returncode, f"two has unfinished jobs: {job}" in refused.stderr) == (1, True)
    (folder / "go").touch()
    assert master.wait_ended(job)["job"]["state"] == "succeeded"
    two.danlu("leave")
    assert node.process.wait(20) in (0, REMOVED)
    assert not (two.data / "member.json").exists()
    assert [row["name"] for row in master.http.get("/nodes").json()] == ["one"]
    assert "does not belong to a cluster" in two.danlu("join", check=False).stderr

    back = two.join(master, "--role", "debug")
    assert master.node("two")["role"] == "debug"
    assert master.cli("logs", str(job)).stdout == "last is done\n"
    master.cli("nodes", "role", "two", "compute")

    (folder / "go").unlink()
    job = master.submit(slow_job(folder, "removed"), node="two")
    refused = master.cli("nodes", "remove", "two", check=False)
    assert (refused.returncode, "danlu drain two" in refused.stderr) == (1, True), refused.stderr
    (folder / "go").touch()
    assert master.wait_ended(job)["job"]["state"] == "succeeded"
    master.cli("nodes", "remove", "two")
    assert back.process.wait(20) == REMOVED
    assert "was removed from its cluster" in back.output()
    refused = master.cli("nodes", "remove", "one", check=False)
    assert "the machine that the server runs on" in refused.stderr


def test_a_machine_in_the_background_leaves_by_force_with_its_jobs(machines, master, folder):
    four = machines[3]
    token = master.make_join_token()
    said = four.danlu("join", master.host.address, "--daemon", "--name", "deux", DANLU_JOIN_TOKEN=token)
    assert "in the background" in said.stdout
    master.wait_node("deux")
    assert "is already running" in four.danlu("join", check=False).stderr
    job = master.submit(slow_job(folder, "forced"), node="deux")
    wait_begun(folder, "forced")
    four.danlu("leave", "--force")
    detail = master.wait_ended(job)
    assert detail["job"]["state"] == "failed", detail
    assert not four.pids_of("agent")
    assert "deux" not in {row["name"] for row in master.http.get("/nodes").json()}
    (folder / "go").touch()
    wait_until(lambda: not four.pids_of("keeper"), 30, "the keeper's leaving")
    assert not (folder / "forced.ended").exists()


def test_a_single_machine_becomes_a_cluster_with_its_jobs_and_history(machines, folder):
    three = machines[2]
    alone = three.up("--policy", "fifo")
    assert alone.http.post("/join-tokens", json={}).json()["code"] == "not_a_cluster"
    before = alone.submit("echo of old")
    alone.wait_ended(before)
    job = alone.submit(slow_job(folder, "through"))
    wait_begun(folder, "through")
    alone.cli("down")
    alone.wait_dead()

    cluster = three.up("--cluster")
    assert "danlu join 10.214.0.3:7323 --token" in cluster.output()
    assert cluster.state(job) == "running"
    (folder / "go").touch()
    assert cluster.wait_ended(job)["job"]["state"] == "succeeded"
    assert_ran_once(folder, "through")
    assert cluster.cli("logs", str(before)).stdout == "of old\n"
    assert cluster.cli("logs", str(job)).stdout == "through is done\n"

    cluster.cli("down")
    cluster.wait_dead()
    assert not three.pids_of("agent")
    assert not three.pids_of("nats")
    again = three.up("--policy", "fifo")
    assert again.http.get("/join-tokens").status_code == 200
    assert socket.gethostname() not in {row["name"] for row in again.http.get("/nodes").json()}


def test_the_messages_port_may_be_another_at_the_next_start(machines):
    four = machines[3]
    first = four.up("--cluster")
    first.wait_node("four")
    first.kill()
    moved = four.up("--messages-port", "7400")
    job = moved.submit("echo over the other port", node="four")
    assert moved.wait_ended(job)["job"]["state"] == "succeeded"
    assert "danlu join 10.214.0.4:7400" in moved.http.post("/join-tokens", json={}).text
