"""Machines that are made nodes from the master over a real ssh, a file of them, and an upgrade under load."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

import danlu
from danlu.launch.install.runtime import current_name
from tests.support.hosts import MESSAGES_PORT, Host, Master, hosts
from tests.support.installation import wait_until
from tests.support.people import make_member
from tests.support.sshd import sshd

pytestmark = pytest.mark.e2e

OLDER = "0.0.9"
"""One minor version before the master's."""


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    with hosts(3, tmp_path_factory.mktemp("ssh")) as made:
        yield made


@pytest.fixture(scope="module")
def master(machines) -> Master:
    one = machines[0]
    server = one.up("--cluster", "--advertise", one.address)
    yield server
    server.kill()


@pytest.fixture(scope="module")
def door(machines, tmp_path_factory):
    with sshd(machines[1], tmp_path_factory.mktemp("door") / "sshd") as opened:
        yield opened


def test_a_key_that_is_not_let_in(master, machines, door):
    done = master.cli(
        "nodes", "add", f"root@{machines[1].address}", "--identity", str(door.stranger), check=False
    )
    assert done.returncode == 1
    assert "does not let the server in" in done.stderr
    own = (master.data / "ssh" / "id_ed25519.pub").read_text().strip()
    assert own in done.stderr


def test_a_machine_that_is_not_there(master, machines):
    done = master.cli("nodes", "add", f"root@{machines[2].address}", check=False)
    assert done.returncode == 1
    assert "cannot be reached by ssh" in done.stderr
    assert "sshd" in done.stderr


def test_a_machine_without_python(master, machines, door):
    done = master.cli(
        *("nodes", "add", f"root@{machines[1].address}", "--identity", str(door.identity)),
        *("--python", "/nowhere/python3"),
        check=False,
    )
    assert done.returncode == 1
    assert re.search(r"There is no Python on .* needs Python \d", done.stderr)


def test_a_member_may_not(master):
    """A user who may have machines installed may do anything there."""
    member = make_member(master, "li", account=False)
    asked = [
        member.post("/nodes/installations", json={"host": "10.0.0.1"}),
        member.post("/nodes/upgrades", json={}),
        member.get("/nodes/installations"),
        member.get("/nodes/installations/1/follow"),
    ]
    assert [reply.status_code for reply in asked] == [403] * 4


def test_a_machine_becomes_a_node(master, machines, door):
    two = machines[1]
    done = master.cli(
        *("nodes", "add", f"root@{two.address}", "--identity", str(door.identity)),
        *("--folder", str(two.data), "--name", "two", "--role", "compute"),
        timeout_s=110,
    )
    assert "is now node two" in done.stdout
    assert done.stdout.count("✓") == 6
    assert master.wait_node("two")["version"] == danlu.__version__
    job = master.submit("echo $0 here; hostname", node="two")
    assert master.wait_ended(job)["job"]["state"] == "succeeded"
    assert current_name(two.data).startswith(danlu.__version__)
    tokens = master.http.get("/join-tokens").json()
    assert all(token["revoked_at"] for token in tokens if token["uses"])


def test_again_is_no_harm(master, machines, door):
    """Nothing is sent twice, the agent is started anew, and jobs go on."""
    two = machines[1]
    before = two.pids_of("agent")
    job = master.submit("sleep 1000", node="two")
    master.wait_state(job, "running")
    done = master.cli(
        *("nodes", "add", f"root@{two.address}", "--identity", str(door.identity), "--folder", str(two.data)),
        timeout_s=110,
    )
    assert "is now node two" in done.stdout
    assert two.pids_of("agent") != before
    assert state_of(master, job) == ("running", 1)
    master.cli("cancel", str(job))
    master.wait_ended(job)


def state_of(master: Master, job: int) -> tuple[str, int]:
    row = master.job(job)["job"]
    return row["state"], row["attempt"]


def write_list(master: Master, *lines: dict) -> None:
    fresh = master.data / "nodes.json.new"
    fresh.write_text(json.dumps(lines))
    fresh.replace(master.data / "nodes.json")


def test_a_file_of_nodes(master, machines):
    """A new line is tried at once, a line that goes is drained, what it says of GPUs is compared."""
    two = {"name": "two", "ip": machines[1].address, "user_name": "root", "gpu_count": 2}
    ghost = {"name": "ghost", "ip": machines[2].address, "user_name": "root"}
    write_list(master, two, ghost)

    def tried() -> list[dict]:
        rows = master.http.get("/nodes/installations").json()
        return [row for row in rows if row["from_file"] and row["state"] == "failed"]

    row = wait_until(tried, 40, "a try of the new line")[0]
    assert row["target"] == f"root@{machines[2].address}"
    assert row["problem"]["code"] == "install_unreachable"
    shown = master.cli("nodes", "installations").stdout
    assert "node file" in shown
    assert "2 node(s)" in shown

    def finding() -> list[dict]:
        return [each for each in master.node("two")["findings"] if each["check"] == "node_file"]

    assert wait_until(finding, 20, "a finding")[0]["facts"] == {"said": 2, "found": 0}
    write_list(master, ghost)
    wait_until(lambda: master.node("two")["drained"], 20, "two drained")
    assert master.node("two")["state"] == "up"
    write_list(master, two, {"name": "broken"})
    wait_until(lambda: not master.node("two")["drained"], 20, "two undrained")
    (master.data / "nodes.json").write_text("[{")
    wait_until(lambda: file_problem(master) == "node_file_bad_json", 20, "the complaint")
    assert not master.node("two")["drained"]
    write_list(master, two)


def file_problem(master: Master) -> str | None:
    read = master.http.get("/nodes/installations/file").json()
    return read["problems"][0]["code"] if read["problems"] else None


def age(data: Path, template: Path) -> str:
    """Give a machine the runtime of another, as it was a minor version before."""
    name = f"{OLDER}-older"
    own = data / "runtime" / name
    own.parent.mkdir(parents=True)
    shutil.copytree(template, own, symlinks=True)
    (package,) = own.glob("lib/python*/site-packages/danlu/__init__.py")
    package.write_text(package.read_text().replace(f'"{danlu.__version__}"', f'"{OLDER}"'))
    (own / "bundle.json").write_text(json.dumps({"name": name, "version": OLDER}))
    (data / "runtime" / "current").symlink_to(name)
    return name


def join_older(master: Master, host: Host, template: Path) -> None:
    age(host.data, template)
    token = master.make_join_token()
    host.run(
        *(str(host.data / "runtime" / "current" / "bin" / "danlu"), "join"),
        *(f"{master.host.address}:{MESSAGES_PORT}", "--token", token, "--daemon"),
    )
    assert master.wait_node("three")["version"] == OLDER


def test_an_upgrade_under_load(master, machines):
    """The agent becomes another version under its old number; jobs go on, and more start meanwhile."""
    three = machines[2]
    join_older(master, three, machines[1].data / "runtime" / current_name(machines[1].data))
    (agent,) = three.pids_of("agent")
    keeper = three.pids_of("keeper")
    marks = three.data.parent / "marks"
    long = master.submit(f"while :; do echo x >> {marks}; sleep 0.05; done", node="three")
    master.wait_state(long, "running")
    jobs = [master.submit("sleep 0.3", node="three") for _ in range(20)]
    done = master.cli("nodes", "upgrade", timeout_s=110)
    assert f"Upgraded to {danlu.__version__}: three" in done.stdout
    assert master.node("three")["version"] == danlu.__version__
    assert three.pids_of("agent") == {agent}
    assert three.pids_of("keeper") == keeper
    program = Path(f"/proc/{agent}/cmdline").read_bytes().split(b"\0")[0].decode()
    assert f"/runtime/{danlu.__version__}-" in program
    for job in jobs:
        master.wait_ended(job)
        assert state_of(master, job) == ("succeeded", 1)
    count = len(marks.read_text())
    wait_until(lambda: len(marks.read_text()) > count, 10, "the long job going on")
    assert state_of(master, long) == ("running", 1)
    again = master.cli("nodes", "upgrade")
    assert "already" in again.stdout
    master.cli("cancel", str(long))
    master.wait_ended(long)
