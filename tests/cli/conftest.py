"""A terminal, a folder and a server that remembers what it was asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from danlu.cli.program import run
from tests.sdk.servers import RecordingServer


class Said(NamedTuple):
    """What a command line said, and its exit code."""

    code: int
    out: str
    err: str


class Terminal:
    """Runs command lines in this process, at home in a folder of their own."""

    def __init__(self, home: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self.environment = {"HOME": str(home), "LANG": "en_US.UTF-8", "PATH": os.environ["PATH"]}
        self._capture = capture

    def __call__(self, *words: str, lang: str = "en_US.UTF-8", **variables: str) -> Said:
        self._capture.readouterr()
        code = run(words, {**self.environment, "LANG": lang, **variables})
        out, err = self._capture.readouterr()
        return Said(code, out, err)

    def spawn(self, *words: str, **options: Any) -> subprocess.Popen[bytes]:
        """The same command line as a process of its own."""
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [sys.executable, "-m", "danlu.main", *words]
        return subprocess.Popen(command, env=self.environment, **{**pipes, **options})


@pytest.fixture
def server() -> Iterator[RecordingServer]:
    with RecordingServer() as server:
        yield server


@pytest.fixture
def alone(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal on a machine where no server runs."""
    monkeypatch.chdir(tmp_path)
    return Terminal(tmp_path, capsys)


@pytest.fixture
def danlu(alone: Terminal, server: RecordingServer) -> Terminal:
    """A terminal on the machine of the server."""
    folder = alone.home / "data"
    folder.mkdir()
    (folder / "server.json").write_text(json.dumps({"url": server.url, "pid": os.getpid()}))
    (folder / "local-token").write_text("local\n")
    alone.environment["DANLU_DATA"] = str(folder)
    return alone
