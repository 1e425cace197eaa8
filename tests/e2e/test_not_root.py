"""A server that is not root: one person's own installation, without any special rights."""

from __future__ import annotations

import contextlib
import os
import pwd
import signal
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.installation import REPOSITORY, LiveServer, clear_away, wait_until
from tests.support.ports import free_port
from tests.support.processes import processes_of, remove_when_left

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(os.geteuid() != 0, reason="any other test shows it when the tests are not root's"),
]

# Another account may not execute a Python that lives in root's home: the system's own runs what we have.
PYTHON = "/usr/bin/python3"
PACKAGES = f"{REPOSITORY / 'src'}:{sysconfig.get_path('purelib')}"
PROGRAMS = f"/usr/bin:/bin:{sysconfig.get_path('scripts')}"
ACCOUNT = 65534
NAME = pwd.getpwuid(ACCOUNT).pw_name


class UnprivilegedServer(LiveServer):
    """A server started by an account that owns nothing but its folder."""

    def start(self, entry: tuple[str, ...] | None = None) -> LiveServer:
        out = (self.data.parent / f"{self.data.name}.out").open("ab")
        self.process = subprocess.Popen(
            [PYTHON, "-m", "danlu.main", "up", "--data", str(self.data), "--port", "0", *self.options],
            user=ACCOUNT,
            group=ACCOUNT,
            extra_groups=[],
            env={"PATH": PROGRAMS, "PYTHONPATH": PACKAGES, "HOME": str(self.data.parent)},
            cwd="/",
            stdout=out,
            stderr=out,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        out.close()
        self._wait_up()
        return self


def check_reachable() -> None:
    """The system's Python must be able to run the packages of this environment, from that account."""
    tried = subprocess.run(
        [PYTHON, "-c", "import danlu.launch.serve.server"],
        user=ACCOUNT,
        group=ACCOUNT,
        extra_groups=[],
        env={"PYTHONPATH": PACKAGES},
        capture_output=True,
        cwd="/",
        check=False,
    )
    if tried.returncode != 0:
        pytest.skip(f"another account cannot run this checkout: {tried.stderr.decode()[-200:]}")


@pytest.fixture
def home() -> Iterator[Path]:
    check_reachable()
    home = Path(tempfile.mkdtemp(prefix="danlu-not-root-"))
    os.chown(home, ACCOUNT, ACCOUNT)
    yield home
    remove_when_left(home)


@pytest.fixture
def server(home: Path) -> Iterator[LiveServer]:
    running = UnprivilegedServer(home / "data", "--simulate", "2")
    try:
        yield running.start()
    finally:
        clear_away(running)


def test_a_root_agent_runs_its_jobs_as_its_account_and_never_as_root(home: Path) -> None:
    port = free_port()
    server = UnprivilegedServer(
        home / "data", "--cluster", "--messages-port", str(port), "--advertise", "127.0.0.1"
    )
    try:
        server.start()
        token = server.http.post("/join-tokens", json={}).json()["token"]
        words = ["join", f"127.0.0.1:{port}", "--token", token, "--name", "rooted"]
        environment = {**os.environ, "DANLU_DATA": str(home / "agent")}
        argv = [sys.executable, "-m", "danlu.main", *words]
        subprocess.Popen(argv, env=environment, cwd=home, start_new_session=True)
        wait_until(
            lambda: server.http.get("/nodes/rooted").json().get("runs_as_root"), 60, "the root agent's coming"
        )
        job_id = server.submit("id -un; id -G", directory=str(home), node="rooted", stdout="out.log")
        ended = server.wait_ended(job_id)
        assert ended["job"]["state"] == "succeeded", ended
        # Also what it wrote is read through the root agent as that account.
        assert server.http.get(f"/jobs/{job_id}/log").text.splitlines()[0] == NAME
        assert (home / "out.log").stat().st_uid == ACCOUNT
    finally:
        # Agents and the messages' server outlive the server.
        for pid in processes_of(home):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def test_jobs_run_as_the_server_itself_and_survive_it(server):
    job_id = server.submit("id -u; id -G; trap '' TERM; sleep 60", gpus=1)
    server.wait_state(job_id, "running")
    server.kill()
    server.start()
    assert server.state(job_id) == "running"
    assert server.http.get("/nodes").json()[0]["runs_as_root"] is False
    server.http.post(f"/jobs/{job_id}/cancel")
    ended = server.wait_ended(job_id)
    assert ended["job"]["state"] == "cancelled"
    assert server.http.get(f"/jobs/{job_id}/log").text.splitlines() == [str(ACCOUNT), str(ACCOUNT)]


def test_other_peoples_jobs_run_as_the_server_too(server):
    server.http.post("/users", json={"name": "ada", "password": "first secret"})
    login = server.client().post("/auth/token", json={"name": "ada", "password": "first secret"}).json()
    ada = server.client(login["secret"])
    ada.post("/me/password", json={"old": "first secret", "new": "second secret"})
    job_id = ada.post("/jobs", json={"command": "id -u", "directory": "/tmp"}).json()["id"]
    server.wait_ended(job_id)
    assert ada.get(f"/jobs/{job_id}/log").text == f"{ACCOUNT}\n"
    me = ada.get("/me").json()
    assert (me["runs_as"], me["runs_all_as_one"]) == (NAME, True)
    # It promises no user an account that it cannot become.
    refused = server.http.patch("/users/ada", json={"unix_account": "daemon"})
    assert (refused.status_code, refused.json()["code"]) == (422, "account_unmappable")
    assert (refused.json()["field"], NAME in refused.json()["hint"]) == ("unix_account", True)
    assert server.http.patch("/users/ada", json={"unix_account": NAME}).status_code == 200
