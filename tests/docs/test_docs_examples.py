"""What the guides tell people to type works, typed into a real server with simulated GPUs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.docs.guides import Example, blocks_of, examples_of
from tests.support.installation import LiveServer, live_server

pytestmark = pytest.mark.e2e

TRAIN = 'print("epoch 1 loss 0.90")\nprint("epoch 2 loss 0.81")\n'
SCRIPT = '#!/bin/bash\necho "training $1 on $CUDA_VISIBLE_DEVICES"\npython train.py\n'


@dataclass
class Reader:
    """A user with a terminal who types in what a guide says.

    Ids in a guide are examples: where it shows one as the answer to a command, that id stands for the one the
    server really gave, to the end of the section. Such a number must mean nothing else there.
    """

    server: LiveServer
    project: Path
    ids: dict[str, str] = field(default_factory=dict)
    section: str = ""

    def type(self, example: Example) -> None:
        if example.section != self.section:
            self.section, self.ids = example.section, {}
        command = re.sub(r"(?<![\w.\-=])\d+(?![\w.])", lambda m: self.ids.get(m[0], m[0]), example.command)
        done = self._run(command)
        assert done.returncode == example.exit_code, f"$ {command}\n{done.stdout}{done.stderr}"
        if len(example.output) == 1 and example.output[0].isdigit():
            assert done.stdout.strip().isdigit(), f"$ {command}\n{done.stdout}{done.stderr}"
            self.ids[example.output[0]] = done.stdout.strip()
        for line in example.output:
            if line.startswith("epoch "):
                assert line in done.stdout.splitlines(), f"$ {command}\n{done.stdout}{done.stderr}"

    def _run(self, command: str) -> subprocess.CompletedProcess[str]:
        """One line in a shell that remembers the variables and functions of the lines before."""
        memory = self.project.parent / "memory"
        keep = f"{{ export -p; declare -f; }} > {memory}"
        script = f"[ -e {memory} ] && . {memory}\n{command}\ncode=$?\n{keep}\nexit $code\n"
        return subprocess.run(
            ["bash", "-c", script],
            cwd=self.project,
            env={**os.environ, "DANLU_DATA": str(self.server.data), "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One for all pages, found by the PATH of a user who followed the README."""
    folder = tmp_path_factory.mktemp("installation")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        patch.delenv("DANLU_LANG", raising=False)
        with live_server(folder / "danlu", "--simulate", "4", default_gpus=None) as running:
            yield running


@pytest.fixture
def reader(server: LiveServer, tmp_path: Path) -> Reader:
    project = tmp_path / "project"
    project.mkdir()
    for name in ("train.py", "prepare.py", "report.py"):
        (project / name).write_text(TRAIN)
    (project / "train.sh").write_text(SCRIPT)
    return Reader(server, project)


@pytest.mark.parametrize("page", ["README.md", "docs/user-guide.md", "docs/admin-guide.md"])
def test_the_examples_run(page, reader):
    examples = examples_of(Path(page))
    assert examples
    for example in examples:
        if "curl" not in example.command or shutil.which("curl"):
            reader.type(example)


def test_the_python_example_runs(reader):
    (program,) = [block for block in blocks_of(Path("docs/user-guide.md")) if block.language == "python"]
    (reader.project / "example.py").write_text("\n".join(program.lines))
    reader.type(Example("", "python example.py"))


def test_the_examples_of_the_sdk_run(reader):
    """All of them as one program, as a reader would have typed them one after the other."""
    blocks = [block.lines for block in blocks_of(Path("docs/sdk.md")) if block.language == "python"]
    assert blocks == [
        block.lines for block in blocks_of(Path("docs/sdk.zh.md")) if block.language == "python"
    ]
    (reader.project / "example.py").write_text("\n".join(line for lines in blocks for line in lines))
    reader.type(Example("", "python example.py"))
