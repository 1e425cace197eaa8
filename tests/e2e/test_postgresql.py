"""A whole installation on PostgreSQL: whatever dies, nothing that was answered is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import preloaded
from tests.support.installation import LiveServer, clear_away, live_server, wait_until
from tests.support.postgres import Postgres, database_of, running_postgres

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.new_database()


@pytest.fixture
def danlu(tmp_path: Path, url: str) -> Iterator[LiveServer]:
    with live_server(tmp_path / "on-postgres", "--simulate", "4", "--database", url) as running:
        yield running


def start_refused(*words: str, env: dict[str, str] | None = None) -> str:
    """What `danlu up` says when it does not start."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", **(env or {})}
    done = preloaded.run(["up", "--port", "0", *words], environment)
    assert done.returncode in (1, 2), done
    assert "Traceback" not in done.stderr
    return done.stderr


def test_jobs_live_through_the_death_of_either(danlu: LiveServer, postgres: Postgres, tmp_path: Path) -> None:
    flag = tmp_path / "flag"
    job = danlu.submit(f"echo begun; until [ -e {flag} ]; do sleep 0.05; done; echo done", gpus=1)
    danlu.wait_state(job, "running")
    done = danlu.submit("true")
    danlu.wait_ended(done)

    danlu.kill()
    danlu.start()
    assert danlu.state(job) == "running"

    postgres.kill()
    refused = danlu.http.post("/jobs", json={"command": "true", "directory": "/tmp"})
    assert (refused.status_code, refused.json()["code"]) == (503, "database_unreachable")
    assert danlu.http.get(f"/jobs/{job}/events").status_code == 503
    postgres.start()
    later = danlu.submit("true")
    assert later > job
    danlu.wait_ended(later)

    flag.touch()
    assert danlu.wait_ended(job, 60)["job"]["state"] == "succeeded"
    log = danlu.http.get(f"/jobs/{job}/log").text
    assert "begun" in log
    assert "done" in log


def test_an_end_that_happens_while_the_database_is_away_is_not_lost(
    danlu: LiveServer, postgres: Postgres, tmp_path: Path
) -> None:
    flag = tmp_path / "flag"
    job = danlu.submit(f"until [ -e {flag} ]; do sleep 0.05; done; exit 3")
    danlu.wait_state(job, "running")
    postgres.stop()
    flag.touch()
    wait_until(lambda: "could not record" in danlu.log(), 30, "the report of the end")
    postgres.start()
    ended = danlu.wait_ended(job, 60)
    assert (ended["job"]["state"], ended["job"]["exit_code"]) == ("failed", 3)


def test_a_second_server_is_refused_and_told_who_the_first_is(
    danlu: LiveServer, url: str, tmp_path: Path
) -> None:
    assert danlu.process is not None
    said = start_refused("--data", str(tmp_path / "other"), "--database", url)
    assert f"pid {danlu.process.pid}" in said


def test_the_choice_is_remembered_in_a_file_of_its_owners(danlu: LiveServer, url: str) -> None:
    kept = danlu.data / "database-url"
    assert kept.stat().st_mode & 0o777 == 0o600
    job = danlu.submit("true")
    danlu.wait_ended(job)
    danlu.stop()
    danlu.options = ("--simulate", "4")
    danlu.start()
    assert danlu.state(job) == "succeeded"
    assert not (danlu.data / "danlu.db").exists()
    shown = danlu.cli("database", "show").stdout
    assert "PostgreSQL" in shown
    assert database_of(url) in shown


def test_another_database_is_not_taken_up_by_the_way(danlu: LiveServer, postgres: Postgres) -> None:
    danlu.stop()
    said = start_refused("--data", str(danlu.data), "--database", postgres.new_database())
    assert "danlu database move" in said


def test_a_used_folder_does_not_change_to_postgresql_by_the_way(server: LiveServer, url: str) -> None:
    server.stop()
    said = start_refused("--data", str(server.data), env={"DANLU_DATABASE": url})
    assert "danlu database move" in said
    assert str(server.data / "danlu.db") in said


def test_no_password_is_ever_said(tmp_path: Path) -> None:
    secret = "hunter2hunter2"
    data = tmp_path / "danlu"
    said = start_refused("--data", str(data), "--database", f"mysql://li:{secret}@127.0.0.1:1/danlu")
    assert secret not in said
    said = start_refused("--data", str(data), "--database", f"postgresql://li:{secret}@127.0.0.1:1/danlu")
    assert secret not in said
    assert "DANLU_DATABASE" in said
    assert secret not in (data / "server.log").read_text()
    # What could not even be opened is not remembered.
    assert not (data / "database-url").exists()


def test_an_installation_moves_there_and_back(server: LiveServer, postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.new_database()
    flag = tmp_path / "flag"
    ended, running = server.submit("exit 4"), server.submit(f"until [ -e {flag} ]; do sleep 0.05; done")
    server.wait_ended(ended)
    server.wait_state(running, "running")
    token = server.http.post("/me/tokens", json={"name": "laptop"}).json()["secret"]
    refused = server.cli("database", "move", url, check=False)
    assert refused.returncode == 1
    assert "danlu down" in refused.stderr
    history = server.http.get("/jobs", params={"area": "history"}).json()

    server.stop()
    moved = server.cli("database", "move", url)
    assert "jobs: 2/2" in moved.stderr
    assert not (server.data / "danlu.db").exists()
    server.start()
    assert server.http.get("/jobs", params={"area": "history"}).json() == history
    assert server.client(token).get("/me").status_code == 200
    assert server.state(running) == "running"
    flag.touch()
    server.wait_ended(running)
    third = server.submit("true")
    assert third == running + 1

    server.stop()
    server.cli("database", "move", "sqlite")
    assert not (server.data / "database-url").exists()
    server.start()
    assert server.state(third) in ("succeeded", "waiting", "starting", "running")
    assert server.submit("true") == third + 1


def test_a_move_that_is_killed_changes_nothing(server: LiveServer, postgres: Postgres) -> None:
    job = server.submit("true")
    server.wait_ended(job)
    server.stop()
    target = postgres.new_database()
    moving = subprocess.Popen(
        [sys.executable, "-c", KILLED_MOVE, str(server.data), target],
        stderr=subprocess.PIPE,
        text=True,
    )
    _, said = moving.communicate(timeout=60)
    assert moving.returncode == -9, said
    assert not (server.data / "database-url").exists()
    server.start()
    assert server.state(job) == "succeeded"
    server.stop()
    # What was carried half way is gone, so the same target can be named again.
    assert postgres.sql("SELECT count(*) FROM pg_tables WHERE tablename = 'jobs'", database_of(target)) == "0"
    server.cli("database", "move", target)


KILLED_MOVE = """
import os, signal, sys
from pathlib import Path
from danlu.launch.database.commands import run_move

def die_at_events(table, done, total):
    if table == "events" and done:
        os.kill(os.getpid(), signal.SIGKILL)

run_move(Path(sys.argv[1]), sys.argv[2], "en", die_at_events)
"""


def test_a_target_that_is_in_use_is_refused(danlu: LiveServer, url: str, server: LiveServer) -> None:
    job = server.submit("true")
    server.wait_ended(job)
    server.stop()
    said = server.cli("database", "move", url, check=False)
    assert said.returncode == 1
    assert "pid" in said.stderr
    danlu.stop()
    said = server.cli("database", "move", url, check=False)
    assert "not empty" in said.stderr
    server.start()
    assert server.state(job) == "succeeded"


def test_two_starts_at_once_make_one_server(url: str, tmp_path: Path) -> None:
    servers = [LiveServer(tmp_path / name, "--simulate", "1", "--database", url) for name in ("a", "b")]
    processes = []
    for server in servers:
        out = (tmp_path / f"{server.data.name}.out").open("ab")
        words = ["up", "--data", str(server.data), "--port", "0", *server.options]
        server.process = preloaded.start(preloaded.DANLU, words, out)
        processes.append(server.process)
        out.close()

    def settled() -> bool:
        up = [server for server in servers if (server.data / "server.json").exists()]
        gone = [process for process in processes if process.poll() is not None]
        return len(up) == 1 and len(gone) == 1

    wait_until(settled, 60, "one server up and the other gone")
    for server in servers:
        if server.process is not None and server.process.poll() is None:
            clear_away(server)


def test_a_folder_that_meets_a_database_with_a_history_starts_nothing_twice(
    danlu: LiveServer, url: str, tmp_path: Path
) -> None:
    """The folder was lost, or an admin tries another one: the keeper of the old one still has its tasks."""
    ran = tmp_path / "ran"
    running = danlu.submit(f"echo once >> {ran}; sleep 600")
    danlu.wait_state(running, "running")
    wait_until(ran.exists, what="its command")
    danlu.stop()
    with live_server(tmp_path / "another", "--simulate", "4", "--database", url) as another:
        assert another.state(running) == "held"
        another.wait_ended(another.submit("true"))
        assert ran.read_text() == "once\n"
