"""Backups of servers at work, and what becomes of them when they are restored."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import preloaded
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import make_member
from tests.support.postgres import Postgres, require_postgres

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One server for the tests that only make backups of it."""
    with live_server(tmp_path_factory.mktemp("busy") / "danlu", "--simulate", "4") as running:
        make_member(running, "li")
        yield running


def restore(archive: Path, data: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return preloaded.run(
        ["restore", str(archive), "--data", str(data), *words],
        {**os.environ, "LC_ALL": "C.UTF-8", **environment},
    )


def all_jobs(server: LiveServer) -> dict[str, dict]:
    found: dict[str, dict] = {}
    for area in ("waiting", "running", "history"):
        page = server.http.get("/jobs", params={"area": area, "limit": 1000}).json()
        found |= {str(job["id"]): job for job in page["jobs"]}
    return found


@contextlib.contextmanager
def a_crowd(server: LiveServer) -> Iterator[None]:
    """A client submits all the time."""
    over = threading.Event()

    def submit() -> None:
        with server.client(server.token) as client:
            while not over.is_set():
                client.post("/jobs", json={"command": "true", "directory": "/tmp", "gpus": 0})

    crowd = [threading.Thread(target=submit) for _ in range(2)]
    for each in crowd:
        each.start()
    try:
        yield
    finally:
        over.set()
        for each in crowd:
            each.join()


@pytest.mark.parametrize("target", ["sqlite", "postgresql"])
def test_a_server_under_load_lives_on_in_its_backup(server: LiveServer, tmp_path: Path, target: str) -> None:
    postgres = Postgres(require_postgres()).start() if target == "postgresql" else None
    try:
        words = ("--database", postgres.new_database()) if postgres else ()
        _live_on(server, tmp_path, words)
    finally:
        if postgres:
            postgres.remove()


def _live_on(server: LiveServer, tmp_path: Path, words: tuple[str, ...]) -> None:
    make_member(server, "li")
    token = server.http.post("/me/tokens", json={"name": "laptop"}).json()["secret"]
    ended = server.submit("echo to be read later; exit 7")
    server.wait_ended(ended)
    ran = tmp_path / "ran"
    running = server.submit(f"echo once >> {ran}; sleep 600", gpus=4)
    server.wait_state(running, "running")
    wait_until(ran.exists, what="its command")
    waiting = server.submit(f"touch {tmp_path}/waited", gpus=1)
    archive = tmp_path / "danlu.tar.gz"
    with a_crowd(server):
        said = server.cli("backup", str(archive), "--with-logs").stdout
    assert str(archive) in said
    assert archive.stat().st_mode & 0o777 == 0o600
    original, story = all_jobs(server), server.http.get(f"/jobs/{ended}/events").json()
    assert not list(server.data.glob("backup-*"))
    server.http.post(f"/jobs/{running}/cancel")
    server.wait_ended(running)
    server.stop()

    data = tmp_path / "restored"
    done = restore(archive, data, *words)
    assert done.returncode == 0, done.stderr
    assert "on hold" in done.stdout
    with live_server(data, "--simulate", "4") as restored:
        assert restored.http.get(f"/jobs/{ended}/events").json() == story
        assert restored.http.get(f"/jobs/{ended}/log").text == "to be read later\n"
        found = all_jobs(restored)
        assert found[str(ended)] == original[str(ended)]
        # Its history ends with the moment of the backup, and has no gaps before.
        assert found.keys() <= original.keys()
        assert sorted(map(int, found)) == list(range(1, len(found) + 1))

        assert restored.client(token).get("/me").status_code == 200
        login = {"name": "li", "password": "second secret"}
        assert restored.client().post("/auth/token", json=login).status_code == 200

        assert restored.state(running) == "held"
        assert ran.read_text() == "once\n"
        assert restored.http.get("/status").json()["gpus_used"] == 0
        restored.wait_ended(waiting)
        assert (tmp_path / "waited").exists()
        assert restored.submit("true") > max(map(int, found))
        restored.http.post(f"/jobs/{running}/release")
        restored.wait_state(running, "running")
        wait_until(lambda: ran.read_text() == "once\nonce\n", what="its second attempt")


def test_a_backup_is_for_administrators(busy: LiveServer) -> None:
    login = busy.client().post("/auth/token", json={"name": "li", "password": "second secret"}).json()
    refused = busy.client(login["secret"]).post("/backup", json={})
    assert (refused.status_code, refused.json()["code"]) == (403, "admin_only")
    refused = busy.client(login["secret"]).post("/scheduling/pass")
    assert (refused.status_code, refused.json()["code"]) == (403, "admin_only")


def test_no_file_is_overwritten_unless_asked(busy: LiveServer, tmp_path: Path) -> None:
    archive = tmp_path / "danlu.tar.gz"
    archive.write_text("dear")
    refused = busy.cli("backup", str(archive), check=False)
    assert (refused.returncode, archive.read_text()) == (1, "dear")
    assert "--force" in refused.stderr
    busy.cli("backup", str(archive), "--force")
    with tarfile.open(archive) as tar:
        assert {"danlu.db", "manifest.json"} <= set(tar.getnames())
        assert not {"local-token", "server.json", "lock"} & set(tar.getnames())
    assert [path.name for path in tmp_path.iterdir()] == ["danlu.tar.gz"]


def test_it_works_from_elsewhere(busy: LiveServer) -> None:
    from danlu.sdk.client import Client

    with Client(busy.url, busy.token) as client:
        pieces = list(client.service.backup())
    assert b"".join(pieces).startswith(b"\x1f\x8b")


def test_whoever_hangs_up_leaves_nothing_behind_and_blocks_nobody(busy: LiveServer, tmp_path: Path) -> None:
    taken = busy.http.get("/backups").json()
    large = busy.data / "logs" / "1000000" / "1.log"
    large.parent.mkdir()
    with large.open("wb") as file:
        for _ in range(40):
            file.write(os.urandom(1 << 20))
    try:
        with busy.http.stream("POST", "/backup", json={"with_logs": True}) as reply:
            assert reply.status_code == 200
            pieces = reply.iter_raw()
            next(pieces)
            second = busy.client(busy.token).post("/backup", json={})
            assert (second.status_code, second.json()["code"]) == (409, "backup_running")

        def another() -> bool:
            return busy.client(busy.token).post("/backup", json={}).status_code == 200

        wait_until(another, what="the end of the backup that no client reads")
        with_logs = [each for each in busy.http.get("/backups").json() if each["with_logs"]]
        assert with_logs == [each for each in taken if each["with_logs"]], "what no client has whole is none"
        assert not list(busy.data.glob("backup-*"))
    finally:
        large.unlink()


def test_a_full_disk_is_told_and_nothing_stays(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        with live_server(disk / "danlu", "--simulate", "1") as small:
            filler = disk / "filler"
            with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
                while True:
                    file.write(b"x" * 4096)
            refused = small.cli("backup", str(tmp_path / "x.tar.gz"), check=False)
            assert refused.returncode == 1
            assert "full" in refused.stderr or "space" in refused.stderr
            assert not (tmp_path / "x.tar.gz").exists()
            assert not list(small.data.glob("backup-*"))
            filler.unlink()
            small.cli("backup", str(tmp_path / "x.tar.gz"))
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_restore_goes_into_an_empty_folder_or_nowhere(busy: LiveServer, tmp_path: Path) -> None:
    archive = tmp_path / "danlu.tar.gz"
    busy.cli("backup", str(archive))
    full = tmp_path / "full"
    full.mkdir()
    (full / "thesis.tex").write_text("dear")
    refused = restore(archive, full)
    assert refused.returncode == 1
    assert "not empty" in refused.stderr
    assert [path.name for path in full.iterdir()] == ["thesis.tex"]

    damaged = tmp_path / "damaged.tar.gz"
    content = archive.read_bytes()
    damaged.write_bytes(content[: len(content) // 2])
    refused = restore(damaged, tmp_path / "missing")
    assert refused.returncode == 1
    assert str(damaged) in refused.stderr
    assert not (tmp_path / "missing").exists()

    refused = restore(archive, tmp_path / "missing", DANLU_DATABASE="postgresql://li:secret@127.0.0.1:1/x")
    assert refused.returncode == 1
    assert "secret" not in refused.stderr
    assert not (tmp_path / "missing").exists()

    empty = tmp_path / "empty"
    empty.mkdir()
    assert restore(archive, empty).returncode == 0
    assert (empty / "danlu.db").stat().st_mode & 0o777 == 0o600
    assert restore(archive, empty).returncode == 1


def test_a_pass_on_demand_says_what_it_did(busy: LiveServer) -> None:
    jobs = [busy.submit("sleep 600", gpus=4) for _ in range(3)]
    busy.wait_state(jobs[0], "running")
    assert busy.cli("scheduling", "pass").stdout == "0 started, 2 waiting.\n"
    passes = [threading.Thread(target=busy.http.post, args=("/scheduling/pass",)) for _ in range(8)]
    for each in passes:
        each.start()
    busy.http.post(f"/jobs/{jobs[0]}/cancel")
    for each in passes:
        each.join()
    busy.wait_state(jobs[1], "running")
    assert busy.http.get("/status").json()["gpus_used"] == 4
    for job in jobs[1:]:
        busy.http.post(f"/jobs/{job}/cancel")
    busy.wait_ended(jobs[1])
