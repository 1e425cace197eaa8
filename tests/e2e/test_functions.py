"""Python functions on a whole server: through restarts, as another account, large, and in numbers."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from danlu import ApiError, Client, JobFailed, Unreachable
from danlu.agent.keeper.wrapper.setup import DEFAULT_PATH
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import UNIX_ACCOUNT, make_member

pytestmark = pytest.mark.e2e
PATIENCE_S = 60


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("functions") / "danlu", "--simulate", "4") as running:
        yield running


@pytest.fixture
def server(shared: LiveServer) -> LiveServer:
    return shared


@pytest.fixture
def client(server: LiveServer) -> Iterator[Client]:
    with Client(data=server.data) as client:
        yield client


def until_there(path: Path) -> Callable[[], str]:
    def hold() -> str:
        while not path.exists():
            time.sleep(0.01)
        return path.read_text()

    return hold


def test_a_script_of_somebodys_own(server, tmp_path):
    """Its own functions, classes and modules come along or are found; its exceptions come back as its own."""
    (tmp_path / "helper.py").write_text("def double(x):\n    return 2 * x\n")
    (tmp_path / "script.py").write_text(
        textwrap.dedent("""
            from dataclasses import dataclass
            from danlu import Client
            import helper

            @dataclass
            class Score:
                value: float

            class Diverged(Exception):
                pass

            def train(rate):
                if rate > 1:
                    raise Diverged(f"rate {rate}")
                return Score(helper.double(rate))

            client = Client()
            good, bad = client.submit(train, 0.5, gpus=1), client.submit(train, 5)
            assert good.result(60) == Score(1.0), good.result()
            try:
                bad.result(60)
            except Diverged as error:
                assert "in train" in str(error.__cause__)
                print("as expected")
        """)
    )
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env={**os.environ, "DANLU_DATA": str(server.data)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("as expected\n", 0), done.stderr


def test_large_arguments_and_results_arrive_whole(client):
    data = os.urandom(50 << 20)
    assert client.submit(lambda data: data[::-1], data).result(PATIENCE_S) == data[::-1]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run jobs as another account")
def test_a_function_as_another_unix_account(server):
    """It cannot get at our Python, nor into the data folder; the system's Python has no cloudpickle."""
    member = make_member(server, "wei")
    token = member.post("/me/tokens", json={"name": "sdk"}).json()["secret"]

    def look(data):
        try:
            return list(Path(f"{data}/calls").iterdir())
        except PermissionError:
            return os.getuid()

    with Client(server.url, token) as client:
        future = client.submit(look, str(server.data), directory="/")
        if version_of("python3") == version_of(sys.executable):
            assert future.result(PATIENCE_S) == pwd.getpwnam(UNIX_ACCOUNT).pw_uid
        else:
            with pytest.raises(JobFailed, match="but the job runs Python"):
                future.result(PATIENCE_S)


def version_of(python: str) -> str:
    """As an account finds it that has nothing but the usual PATH."""
    asked = "import sys; print(*sys.version_info[:2])"
    return subprocess.run(
        ["/usr/bin/env", f"PATH={DEFAULT_PATH}", python, "-c", asked],
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_calls_and_results_are_closed_to_everybody_else(server, client):
    client.submit(abs, 1).result(PATIENCE_S)
    for place in ("calls", "results"):
        found = [server.data / place, *(server.data / place).rglob("*")]
        assert len(found) > 2
        for path in found:
            assert path.stat().st_mode & 0o077 == 0, path


def test_waiting_goes_on_through_restarts_of_the_server(tmp_path):
    """Killed, away for a while, back on another port with another token: the future never notices."""
    running = live_server(tmp_path / "danlu", "--simulate", "4")
    with running as server, Client(data=server.data, patience_s=0.1) as client:
        first = client.submit(until_there(tmp_path / "one"))
        second = client.submit(until_there(tmp_path / "two"))
        waiting = client.submit(abs, -3, after=[second])
        wait_until(lambda: first.running() and second.running(), PATIENCE_S, "the start")
        server.kill()
        (tmp_path / "one").write_text("while it was away")
        with pytest.raises(Unreachable):
            client.jobs.list()
        server.start()
        assert first.result(PATIENCE_S) == "while it was away"
        server.stop()
        server.start()
        (tmp_path / "two").write_text("after it came back")
        assert second.result(PATIENCE_S) == "after it came back"
        assert waiting.result(PATIENCE_S) == 3


def test_followers_go_on_through_restarts_on_the_same_port(tmp_path):
    """The new server answers there before its new token is written; followers read that anew."""
    with live_server(tmp_path / "danlu", "--simulate", "1") as server, Client(data=server.data) as client:
        server.options += ("--port", str(urlsplit(server.url).port))
        goal = tmp_path / "go"
        script = f"echo begin; while [ ! -e {goal} ]; do sleep 0.1; done; echo end; exit 7"
        command = [sys.executable, "-m", "danlu.main", "--data", str(server.data), "run", "--", script]
        run = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=tmp_path)
        assert run.stdout is not None
        assert run.stdout.readline() == b"begin\n"
        lines = client.job(1).logs(follow=True)
        assert next(lines) == "begin"
        for leave in (server.kill, server.stop):
            leave()
            server.start()
            assert client.job(1).state == "running"
        goal.touch()
        assert list(lines) == ["end"]
        assert run.communicate(timeout=PATIENCE_S)[0] == b"end\n"
        assert run.returncode == 7


def test_an_account_that_is_locked_learns_so_instead_of_waiting_for_ever(server, tmp_path):
    member = make_member(server, "mei")
    token = member.post("/me/tokens", json={"name": "sdk"}).json()["secret"]
    with Client(server.url, token, patience_s=1) as client:
        future = client.submit(until_there(tmp_path / "never"), directory="/", hold=True)
        server.http.patch("/users/mei", json={"locked": True})
        error = future.exception(PATIENCE_S)
    assert isinstance(error, ApiError)
    assert error.status in (401, 403)


def test_the_command_line_shows_and_resubmits_a_function(server, client):
    future = client.submit(pow, 7, 2, name="seventh")
    assert future.result(PATIENCE_S) == 49
    shown = server.cli("show", str(future.job.id)).stdout
    assert "seventh" in shown
    again = int(server.cli("resubmit", str(future.job.id)).stdout)
    assert client.job(again).result(PATIENCE_S) == 49
