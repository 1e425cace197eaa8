"""What would make jobs fail on a node is found before one does."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.agent.doctor import (
    diagnose,
    judge_address,
    judge_clock,
    judge_conda,
    judge_disk,
    judge_docker,
    judge_folder,
    judge_guards,
    judge_limits,
    judge_python,
    judge_version,
)
from danlu.control.nodes.doctor import prove
from danlu.core.nodes.doctor import OF_CONTROL, PROOF_FILE, Check, Question, SharedFolder
from danlu.core.nodes.node import Finding, FindingLevel
from danlu.wording.catalogue import messages, say
from tests.agent.small_disk import small_disk
from tests.support.drivers import FakeDriver


def verdict(finding: Finding) -> tuple[str, str]:
    return finding.level.value, finding.code


class TestFolders:
    def test_the_folder_that_the_server_has(self, tmp_path: Path):
        assert verdict(judge_folder(prove(tmp_path))) == ("ok", "same")

    def test_the_proof_stays(self, tmp_path: Path):
        assert prove(tmp_path) == prove(tmp_path)

    def test_a_folder_that_is_not_mounted_is_empty(self, tmp_path: Path):
        (tmp_path / "server").mkdir()
        (tmp_path / "node").mkdir()
        proof = prove(tmp_path / "server").proof
        assert verdict(judge_folder(SharedFolder(str(tmp_path / "node"), proof))) == ("problem", "different")

    def test_another_installations_folder(self, tmp_path: Path):
        prove(tmp_path)
        assert verdict(judge_folder(SharedFolder(str(tmp_path), "0" * 32))) == ("problem", "different")

    def test_no_folder(self, tmp_path: Path):
        assert verdict(judge_folder(SharedFolder(str(tmp_path / "no"), "x"))) == ("problem", "missing")

    def test_a_file_in_its_place(self, tmp_path: Path):
        (tmp_path / "file").touch()
        finding = judge_folder(SharedFolder(str(tmp_path / "file"), "x"))
        assert verdict(finding) == ("problem", "unreadable")
        assert finding.facts["reason"] == "Not a directory"

    def test_where_the_server_may_not_write(self, tmp_path: Path):
        assert verdict(judge_folder(SharedFolder(str(tmp_path)))) == ("warning", "unproved")
        assert prove(tmp_path / "no").proof == ""

    def test_the_proof_can_be_read_by_everybody(self, tmp_path: Path):
        prove(tmp_path)
        assert (tmp_path / PROOF_FILE).stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize(
    ("skew_s", "expected"),
    [
        (0.2, ("ok", "same")),
        (-0.9, ("ok", "same")),
        (2.0, ("warning", "ahead")),
        (-2.0, ("warning", "behind")),
        (60.0, ("problem", "ahead")),
        (-60.0, ("problem", "behind")),
    ],
)
def test_clock(skew_s: float, expected: tuple[str, str]):
    assert verdict(judge_clock(skew_s)) == expected


def test_versions():
    assert verdict(judge_version("0.5.0", "0.5.0")) == ("ok", "same")
    assert verdict(judge_version("0.4.2", "0.5.0")) == ("warning", "other")
    assert verdict(judge_python("3.11.2", "3.11.9")) == ("ok", "same")
    assert verdict(judge_python("3.12.1", "3.11.9")) == ("warning", "other")


def test_an_address_of_this_machine_and_one_that_is_not():
    assert verdict(judge_address("127.0.0.1")) == ("ok", "mine")
    assert verdict(judge_address("203.0.113.7")) == ("problem", "not_mine")


def test_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for free, expected in ((1 << 20, "full"), (3 << 30, "nearly_full"), (90 << 30, "room")):
        usage = type("Usage", (), {"free": free, "total": 100 << 30})
        monkeypatch.setattr("danlu.agent.doctor.shutil.disk_usage", lambda _path, usage=usage: usage)
        assert judge_disk(tmp_path).code == expected


def test_guards():
    assert verdict(judge_guards("v2", "v1")) == ("ok", "both")
    assert verdict(judge_guards("v2", "")) == ("warning", "only_cpus")
    assert verdict(judge_guards("", "v1")) == ("warning", "only_memory")
    assert verdict(judge_guards("", "")) == ("warning", "none")


def test_limits():
    assert verdict(judge_limits(1024)) == ("warning", "few_files")
    assert verdict(judge_limits(65_536)) == ("ok", "enough")


def test_a_driver_that_works_and_one_that_does_not(tmp_path: Path):
    driver = FakeDriver(tmp_path)
    driver.plug("RTX 4090", "RTX 4090")
    ask = (
        "from danlu.agent.doctor import judge_driver_here\n"
        "found = judge_driver_here()\n"
        "print(found.code, found.facts.get('gpus'), found.facts.get('cuda'))"
    )

    def seen() -> str:
        with driver.in_charge():
            return subprocess.check_output([sys.executable, "-c", ask], text=True).strip()

    assert seen() == "works 2 12.8"
    driver.unload()
    assert seen().split()[0] in {"none", "broken"}


@pytest.fixture
def a_socket(tmp_path: Path) -> Iterator[tuple[str, socket.socket]]:
    path = str(tmp_path / "docker.sock")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(1)
        yield path, listener


class TestDocker:
    def test_none(self, tmp_path: Path):
        assert verdict(judge_docker(str(tmp_path / "no.sock"))) == ("ok", "none")

    def test_one_that_answers(self, a_socket: tuple[str, socket.socket]):
        path, listener = a_socket

        def answer() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.1 200 OK\r\nApi-Version: 1.47\r\nContent-Length: 2\r\n\r\nOK")

        threading.Thread(target=answer, daemon=True).start()
        finding = judge_docker(path)
        assert verdict(finding) == ("ok", "works")
        assert finding.facts == {"version": "1.47"}

    def test_one_that_hangs_up(self, a_socket: tuple[str, socket.socket]):
        path, listener = a_socket

        def hang_up() -> None:
            listener.accept()[0].close()

        threading.Thread(target=hang_up, daemon=True).start()
        assert verdict(judge_docker(path)) == ("warning", "silent")


def test_conda(tmp_path: Path):
    (tmp_path / "conda").write_text("#!/bin/sh\n")
    (tmp_path / "conda").chmod(0o755)
    assert judge_conda({"PATH": str(tmp_path)}).facts == {"path": str(tmp_path / "conda")}
    assert judge_conda({"PATH": str(tmp_path / "no")}).code in {"none", "there"}


async def test_the_whole_examination_has_words_for_everything(tmp_path: Path):
    question = Question(0.0, "0.5.0", "3.11.0", (prove(tmp_path), SharedFolder("/no/such/folder", "x")))
    findings = await diagnose(question, tmp_path, "127.0.0.1", "0.5.0", "v2", "v2")
    assert {finding.check for finding in findings} == {check.value for check in set(Check) - OF_CONTROL}
    for finding in findings:
        for language in ("en", "zh"):
            assert "{" not in say(language, f"doctor.{finding.check}.{finding.code}", **finding.facts)
    levels = {finding.check: finding.level for finding in findings}
    assert levels["clock"] is FindingLevel.PROBLEM


def test_every_finding_has_its_words():
    source = Path(diagnose.__code__.co_filename).read_text()
    checks = {check.value for check in set(Check) - OF_CONTROL}
    known = {key.rpartition(".")[2] for key in messages("doctor") if key.split(".")[1] in checks}
    assert {word for word in known if f'"{word}"' not in source} == set()


def test_a_disk_that_takes_nothing_is_found_although_there_are_free_bytes(tmp_path: Path):
    """As when it has no inode left, or was mounted anew for reading alone."""
    with small_disk(tmp_path / "disk", "size=32m,nr_inodes=2") as disk:
        (disk / "the last one").touch()
        found = judge_disk(disk)
        assert verdict(found) == ("problem", "unwritable")
        assert "No space" in str(found.facts["reason"])
