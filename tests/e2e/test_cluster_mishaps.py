"""Whatever is wrong with a machine that joins, or has joined, it is told what it is and what to do.

Three hosts: `one` has the server, `two` joins with its clock wrong and without the shared folder, `three` is
not let in.
"""

from __future__ import annotations

import json
import re
import socketserver
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.hosts import TESTS, Host, JoinedNode, Master, hosts
from tests.support.installation import wait_until
from tests.support.shifted_clock import ShiftedClock

pytestmark = pytest.mark.e2e

OFF_S = -3 * 86_400.0
"""Further than a site would let the beginning of a certificate lie in the past."""


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Host, ...]]:
    with hosts(3, tmp_path_factory.mktemp("mishaps")) as made:
        yield made


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What all should see; `two` has something else mounted where it should lie."""
    folder = tmp_path_factory.mktemp("pool") / "data"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> ShiftedClock:
    return ShiftedClock(tmp_path_factory.mktemp("clock") / "two")


@pytest.fixture(scope="module")
def master(machines: tuple[Host, ...], shared: Path) -> Master:
    return machines[0].up("--cluster", "--folders", str(shared))


@pytest.fixture(scope="module")
def ill(machines: tuple[Host, ...], master: Master, clock: ShiftedClock, shared: Path) -> JoinedNode:
    two = machines[1]
    clock.shift(OFF_S)
    two.environment |= clock.environment
    two.have_own_mounts()
    two.run("mount", "-t", "tmpfs", "tmpfs", str(shared.parent))
    return two.join(master)


def troubles(node: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What the doctor found of the two things that are wrong there, unless it is well."""
    found = node.get("findings", [])
    return {
        each["check"]: each
        for each in found
        if each["check"] in ("clock", "folder") and each["level"] != "ok"
    }


def wait_troubles(master: Master, *codes: str) -> dict[str, dict[str, Any]]:
    def found() -> dict[str, dict[str, Any]] | None:
        seen = troubles(master.node("two"))
        return (
            seen if [f"{check}.{each['code']}" for check, each in sorted(seen.items())] == [*codes] else None
        )

    wait_until(lambda: found() is not None, 30, f"{codes}: {master.node('two').get('findings')}")
    return found() or {}


def doctor(master: Master, **environment: str) -> tuple[int, str]:
    """The two things, as `danlu doctor` tells them, in one line each."""
    done = master.cli("doctor", "two", check=False, env=environment)
    return done.returncode, " ".join(done.stdout.split())


def test_what_is_wrong_with_a_machine_is_known_as_soon_as_it_has_joined(
    master: Master, ill: JoinedNode, shared: Path
):
    found = wait_troubles(master, "clock.behind", "folder.missing")
    assert found["folder"]["facts"] == {"path": str(shared)}
    assert found["clock"]["facts"]["seconds"] == pytest.approx(-OFF_S, abs=60)
    assert "(problems: " in next(
        line for line in master.cli("nodes").stdout.splitlines() if line.startswith("two")
    )

    told = " ".join(master.cli("nodes", "two").stdout.split())
    assert "s behind the server's. Switch on time synchronisation (chrony" in told
    assert f"The shared folder {shared} is not there. Mount it on this node at the same path" in told
    chinese = master.http.get("/nodes/two", headers={"Accept-Language": "zh"}).json()
    assert "请启用时间同步" in troubles(chinese)["clock"]["message"]
    assert "请在本节点上把它挂载到与服务器相同的路径" in troubles(chinese)["folder"]["message"]
    assert troubles(master.node("one")) == {}


def test_an_empty_folder_where_something_should_be_mounted_and_the_right_one(
    master: Master, ill: JoinedNode, shared: Path
):
    ill.host.run("mkdir", str(shared))
    code, text = doctor(master)
    assert (code, f"{shared} is a different folder from the server" in text) == (1, True), text
    assert "Mount the shared file system at this path." in text
    ill.host.run("umount", str(shared.parent))
    code, text = doctor(master, DANLU_LANG="zh")
    assert (code, str(shared) in text, "请启用时间同步" in text) == (1, False, True), text
    assert list(troubles(master.node("two"))) == ["clock"]


def test_a_clock_that_is_ahead_and_one_that_is_right_again(
    master: Master, ill: JoinedNode, clock: ShiftedClock
):
    clock.shift(90)
    code, text = doctor(master)
    assert code == 1
    assert re.search(r"The clock is (89|9\d)\.\d s ahead of the server's\. Switch on time", text), text
    # Nothing starts there meanwhile, and a user who waits for it is told why.
    assert "(out of service)" in master.cli("nodes", "two").stdout
    job = master.submit("true", node="two")
    wait_until(lambda: "its clock is wrong" in master.cli("why", str(job)).stdout, 20, "the reason")
    clock.shift(2.5)
    code, text = doctor(master)
    # It is worth a word, but keeps nothing from working.
    assert re.search(r"! The clock is [23]\.\d s ahead", text), text
    assert troubles(master.node("two"))["clock"]["level"] == "warning"
    clock.shift(0)
    code, text = doctor(master)
    assert "clock" not in text, text
    assert troubles(master.node("two")) == {}
    assert "clock" not in master.cli("nodes", "two").stdout
    assert master.node("two")["out_of_service"] == ""
    assert master.wait_ended(job)["job"]["state"] == "succeeded"


def join(host: Host, address: str, token: str, **environment: str) -> tuple[int, str]:
    done = host.danlu("join", address, check=False, DANLU_JOIN_TOKEN=token, **environment)
    assert "Traceback" not in done.stderr
    assert not (host.data / "member.json").exists()
    return done.returncode, done.stderr


def test_a_token_that_has_expired(machines: tuple[Host, ...], master: Master):
    three, address = machines[2], f"{master.host.address}:7323"
    made = json.loads(master.cli("nodes", "token", "--expires", "1s", "--json").stdout)
    wait_until(lambda: time.time() > made["expires_at"], 10, "the token's end")
    assert "expired" in master.cli("nodes", "tokens").stdout
    code, text = join(three, address, made["token"])
    assert (code, text) == (
        1,
        "The join token has expired.\nAsk an administrator for a new one: danlu nodes token\n",
    )
    code, text = join(three, address, made["token"], DANLU_LANG="zh")
    assert (code, text) == (1, "加入令牌已过期。\n请管理员新建一个：danlu nodes token\n")


def test_a_token_that_was_revoked(machines: tuple[Host, ...], master: Master):
    made = json.loads(master.cli("nodes", "token", "--json").stdout)
    assert {row["id"]: row["uses"] for row in master.http.get("/join-tokens").json()}[made["id"]] == 0
    master.cli("nodes", "revoke", str(made["id"]))
    code, text = join(machines[2], f"{master.host.address}:7323", made["token"])
    assert (code, text) == (
        1,
        "The join token was revoked.\nAsk an administrator for a new one: danlu nodes token\n",
    )


class SilentServer(socketserver.BaseRequestHandler):
    """Takes the call and says nothing until the caller gives up."""

    def handle(self) -> None:
        while self.request.recv(4096):
            pass


@contextmanager
def listening(handler: type[socketserver.BaseRequestHandler]) -> Iterator[str]:
    with socketserver.ThreadingTCPServer((TESTS, 0), handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"{TESTS}:{server.server_address[1]}"
        server.shutdown()


def test_a_master_that_cannot_be_reached(machines: tuple[Host, ...], master: Master):
    """Asked all at once: some need seconds to be sure."""
    three, token = machines[2], master.make_join_token()
    web = f"{master.host.address}:{master.url.rpartition(':')[2]}"
    with listening(SilentServer) as mute:
        expected = {
            f"{three.address}:7323": ("nothing listens on that port", "danlu up --cluster"),
            "10.214.0.99:7323": ("cannot be reached from here", "Is it switched on"),
            mute: ("nothing comes back", "firewall"),
            web: ("it is not a Danlu cluster", "use the address that danlu nodes token prints"),
            "no.such.host.invalid:7323": ("no machine of that name is known", "use its IP address"),
        }
        asked = {
            address: three.popen(
                *(sys.executable, "-m", "danlu.main", "join", address),
                output=f"unreachable{number}.out",
                DANLU_JOIN_TOKEN=token,
            )
            for number, address in enumerate(expected)
        }
        codes = {address: process.wait(60) for address, process in asked.items()}
    assert codes == dict.fromkeys(expected, 1)
    for number, (address, words) in enumerate(expected.items()):
        text = " ".join((three.data.parent / f"unreachable{number}.out").read_text().split())
        assert text.startswith(f"No cluster answers at {address}: "), text
        assert all(word in text for word in words), text
        assert "Traceback" not in text
    code, text = join(three, f"{three.address}:7323", token, DANLU_LANG="zh")
    assert (code, "该机器在线，但这个端口上没有服务" in text) == (1, True), text
    code, text = join(three, f"{three.address}:99999", token)
    assert (code, "Check the address" in text) == (1, True), text


def test_a_server_that_is_not_running_though_its_messages_are(machines: tuple[Host, ...], master: Master):
    """The last of them: it stays so."""
    token = master.make_join_token()
    master.kill()
    assert machines[0].pids_of("nats")
    code, text = join(machines[2], f"{master.host.address}:7323", token)
    assert (code, "its server is not running at the moment.\nStart it (danlu up" in text) == (1, True), text
