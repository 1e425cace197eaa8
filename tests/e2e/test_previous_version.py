"""A data folder of the version before is taken over as it is, with what ran when its server died."""

from __future__ import annotations

import getpass
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.installation import LiveServer, live_server, wait_until

KEPT = Path(__file__).parents[1] / "fixtures" / "version_0_1_0"

pytestmark = pytest.mark.e2e


def lay_out(data: Path) -> None:
    """The folder as that version left it."""
    records = data / "node" / "tasks"
    records.mkdir(parents=True, mode=0o700)
    (data / "logs" / "8").mkdir(parents=True)
    (data / "logs" / "8" / "1.log").write_text("began\nended\n")
    words = {"@DATA@": str(data), "@USER@": getpass.getuser(), "@FOLDER@": str(records.stat().st_ino)}

    def filled(name: str) -> str:
        text = (KEPT / name).read_text()
        for word, meaning in words.items():
            text = text.replace(word, meaning)
        return text

    with sqlite3.connect(data / "danlu.db") as database:
        database.executescript(filled("danlu.sql"))
    database.close()
    (records / "8-1-0").write_text(filled("8-1-0"))
    (records / "8-1-0.claim").symlink_to(filled("8-1-0.claim").strip())
    for path in (data / "danlu.db", records / "8-1-0"):
        path.chmod(0o600)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    data = tmp_path_factory.mktemp("previous") / "danlu"
    data.mkdir(mode=0o711)
    lay_out(data)
    with live_server(data, "--simulate", "4", "--cgroups", "none") as running:
        yield running


def job(server: LiveServer, number: int) -> dict[str, Any]:
    return dict(server.http.get(f"/jobs/{number}").json()["job"])


def fields(server: LiveServer, number: int) -> dict[str, Any]:
    return dict(server.http.get(f"/jobs/{number}").json()["fields"])


def test_its_jobs_are_there_as_they_were(server: LiveServer) -> None:
    rows = {
        row["id"]: row
        for row in server.http.get("/jobs", params={"area": "history", "limit": 100}).json()["jobs"]
    }
    seen = {number: (rows[number]["name"], rows[number]["state"]) for number in (1, 2, 3, 4, 5)}
    assert seen == {
        1: ("trained", "succeeded"),
        2: ("broken", "failed"),
        3: ("many", "succeeded"),
        4: ("auto", "succeeded"),
        5: ("under-way", "cancelled"),
    }
    said = fields(server, 1)
    assert (said["variables"], sorted(said["retry_on"])) == ({"SEED": "7"}, ["exit_code", "signal"])
    assert job(server, 2)["exit_code"] == 3


def test_what_ended_while_there_was_no_server_is_known(server: LiveServer) -> None:
    wait_until(lambda: job(server, 8)["state"] == "failed", what="the end of job 8")
    assert (job(server, 8)["exit_code"], job(server, 8)["end_reason"]) == (5, "exit_code")
    assert server.cli("logs", "8").stdout == "began\nended\n"


def test_what_waited_there_runs(server: LiveServer) -> None:
    assert (job(server, 6)["state"], job(server, 7)["state"]) == ("held", "waiting")
    server.cli("release", "6")
    for number, said in ((6, "released\n"), (7, "after\n")):
        wait_until(lambda: job(server, number)["state"] == "succeeded", what=f"the end of job {number}")  # noqa: B023
        assert server.cli("logs", str(number)).stdout == said


def test_it_takes_new_jobs_with_the_defaults_and_settings_of_before(server: LiveServer) -> None:
    number = int(server.cli("submit", "-g", "1", "--", "sh", "-c", "echo $LAB").stdout)
    assert number == 9
    wait_until(lambda: job(server, number)["state"] == "succeeded", what="the end of the new job")
    assert server.cli("logs", str(number)).stdout == "1\n"
    assert fields(server, number)["retries"] == 1
    assert server.http.get("/settings").json()["auto_gpus"] == 4
