"""The command line that repeats a job: a real shell and the command's own parser read it back."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from danlu.cli.commands.submit import job_of, submit
from danlu.cli.job_options import DASHED
from danlu.cli.program import make_program
from danlu.cli.session import Session
from danlu.control.jobs.command_lines import command_line
from danlu.control.jobs.default_gpus import says_gpus, take_defaults
from danlu.control.jobs.specs import fields_of, make_spec
from danlu.core.job import JobSpec, Launcher
from danlu.core.states import RETRYABLE
from danlu.wire.job_fields import OPTIONS
from danlu.wire.jobs import JobFields

HOME = "/home/li"
READ_BY_A_SHELL = 'danlu() { printf "%s\\0" "$@"; printf "\\0"; cat; }\n'
"""Stands in for the command: its words, and behind them what it gets on standard input."""

LONG_OPTIONS = {name for param in submit.params for name in (*param.opts, *param.secondary_opts)}
"""A value that is spelled like an option of the command cannot be typed."""


def read_back(line: str, monkeypatch: pytest.MonkeyPatch) -> JobFields:
    """What `danlu submit` would send for this line, typed into bash."""
    done = subprocess.run(
        ["bash", "-c", READ_BY_A_SHELL + line],
        input=b"",
        capture_output=True,
        check=True,
        env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
    )
    words, _, script = done.stdout.partition(b"\0\0")
    arguments = [word.decode() for word in words.split(b"\0")]
    if done.stdout.startswith(b"\0"):
        raise AssertionError("the shell saw no words")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(script)))
    root = click.Context(make_program(), info_name="danlu", obj=Session({}))
    command = make_program().get_command(root, "submit")
    assert command is not None
    with command.make_context("submit", arguments[1:], parent=root) as context:
        params = dict(context.params)
        said = job_of(Session({}), params, params.pop("words"), dashed=context.meta[DASHED])
    return JobFields(**said)


# A word that is empty would end the list of words above too early; the shell keeps it, the test could not.
def words_of(characters: st.SearchStrategy[str], **sizes: Any) -> st.SearchStrategy[str]:
    return st.text(characters, min_size=1, **sizes).filter(lambda text: text not in LONG_OPTIONS)


PRINTABLE = st.characters(codec="utf-8", exclude_categories=("C", "Zl", "Zp")).filter(str.isprintable)
ANYTHING = st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=("Cs",))
LINE = words_of(PRINTABLE, max_size=30)
# The home folder of another account is refused.
OUTPUT = LINE.filter(lambda path: not path.startswith("~") or path.startswith("~/"))
TEXT = words_of(ANYTHING, max_size=40)
SHELLISH = words_of(st.sampled_from("ab 'aa\"$`\\;&|<>*?!#~=-{}()\t"), max_size=25)
COMMAND = st.one_of(
    st.sampled_from(["true", "python train.py --lr 0.1", "echo 'a b' c", "a;b", "'my prog'", "-x", "''"]),
    SHELLISH,
    TEXT,
    st.lists(SHELLISH, min_size=1, max_size=6).map("\n".join),
    st.just("#!/usr/bin/env python3\nprint('EOF')\nEOF\n"),
).filter(lambda text: bool(text.strip()))
SECONDS = st.one_of(st.integers(1, 10**7).map(float), st.floats(0.001, 10**6, allow_nan=False))
DIRECTORY = st.lists(
    st.text(PRINTABLE.filter(lambda c: c != "/"), min_size=1, max_size=8).filter(
        lambda t: t not in (".", "..")
    ),
    max_size=3,
).map(lambda parts: "/" + "/".join(parts))

JOBS = st.builds(
    JobFields,
    command=COMMAND,
    name=LINE,
    directory=DIRECTORY,
    environment=st.none() | LINE,
    node=st.none() | LINE,
    nodes=st.none(),
    launcher=st.none() | st.sampled_from(Launcher),
    spread=st.none() | st.booleans(),
    only_nodes=st.none(),
    exclude_nodes=st.none() | st.lists(st.sampled_from(["n8", "节点9"]), min_size=1, max_size=2),
    gpu_model=st.none(),
    restartable=st.none() | st.booleans(),
    service=st.none() | st.just(False),
    gpus=st.none() | st.integers(0, 16),
    gpu_ids=st.none() | st.lists(st.integers(0, 15), min_size=1, max_size=3),
    gpu_arg=st.none() | st.sampled_from(["--gpus", "-g", "gpu="]),
    cpus=st.none() | st.integers(1, 64),
    memory_mb=st.none() | st.integers(1, 2**20),
    share=st.none() | st.booleans(),
    no_sharing=st.none(),
    gpu_memory_mb=st.none(),
    nice=st.none() | st.integers(0, 19),
    array=st.none() | st.sampled_from(["0-9", "1,3,5-9", "0-99%10"]),
    time_limit_s=st.none() | SECONDS,
    grace_s=st.none() | SECONDS,
    after=st.none() | st.lists(st.integers(1, 99), min_size=1, max_size=3),
    after_ok=st.none() | st.lists(st.integers(1, 99), min_size=1, max_size=3),
    urgent=st.none() | st.booleans(),
    hold=st.none() | st.booleans(),
    retries=st.none() | st.integers(0, 9),
    retry_backoff_s=st.none() | SECONDS,
    retry_on=st.none() | st.lists(st.sampled_from(sorted(RETRYABLE)), min_size=1, max_size=3),
    stdout=st.none() | OUTPUT,
    stderr=st.none() | OUTPUT,
    variables=st.none() | st.dictionaries(st.sampled_from(["A", "LR", "_x"]), TEXT, min_size=1),
    tags=st.none() | st.dictionaries(st.sampled_from(["project", "种子"]), st.sampled_from(["vit", "a b=c"])),
    description=st.none() | TEXT,
    wait_for_hardware=st.none() | st.booleans(),
)
DEFAULTS = st.builds(
    JobFields,
    gpus=st.none() | st.integers(0, 4),
    gpu_ids=st.none() | st.lists(st.integers(0, 3), max_size=2, unique=True),
    urgent=st.none() | st.booleans(),
    grace_s=st.none() | st.sampled_from([10.0, 30.0]),
    retries=st.none() | st.integers(0, 2),
    share=st.none() | st.booleans(),
    restartable=st.none() | st.booleans(),
    launcher=st.none() | st.sampled_from(Launcher),
)


def meant(fields: JobFields) -> tuple[JobSpec, bool]:
    """The job that fields make, with what the command line spells differently made the same: the end of a
    script is the end of a line, and a command is run without the spaces around it."""
    spec = make_spec(fields, HOME)
    command = spec.command.replace("\r\n", "\n")
    script = "\n" in spec.command or spec.command.startswith("#!")
    command = command if command.endswith("\n") or not script else command + "\n"
    directory = str(Path(spec.directory).absolute())
    return replace(spec, command=command if script else command.strip(), directory=directory), bool(
        fields.hold
    )


@settings(
    max_examples=200,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example(JobFields(command="a;b", name="x", directory="/"), JobFields())
@example(JobFields(command="a", name="x", directory="/", gpus=1, cpus=0), JobFields())
@example(JobFields(command="echo x", name="--", directory="/", gpu_arg="--gpus"), JobFields(gpus=2))
@example(
    JobFields(
        command="x",
        name="x",
        directory="/",
        nodes="1:4",
        only_nodes=["n2", "n1"],
        gpu_model="RTX 4090",
        gpus=2,
        service=True,
    ),
    JobFields(),
)
@example(
    JobFields(
        command="x",
        name="x",
        directory="/",
        gpus="auto",
        nodes="auto",
        gpu_memory_mb=61_440,
        stage=["/data/a,b", "/data/-c d"],
    ),
    JobFields(gpus=1),
)
@example(
    JobFields(command="x", name="x", directory="/", gpus=2, gpu_memory_mb=1024),
    JobFields(gpus="auto", gpu_memory_mb=1024),
)
@example(
    JobFields(command="x", name="x", directory="/", gpus="auto", gpu_memory_mb=1024),
    JobFields(gpus=2, gpu_memory_mb=1024),
)
@example(
    JobFields(command="x", name="x", directory="/", gpu_ids=[0, 1]),
    JobFields(gpus="auto", gpu_memory_mb=1024),
)
@given(JOBS, DEFAULTS)
def test_the_line_makes_the_same_job(monkeypatch, fields, defaults):
    assume(not str(fields.directory).startswith("//"))
    wanted = take_defaults(fields, defaults)
    spec = make_spec(wanted, HOME)
    line = command_line(fields_of(spec), defaults, hold=bool(wanted.hold))
    again = take_defaults(read_back(line, monkeypatch), defaults)
    assert says_gpus(again), "what the lab's setting says must not matter"
    assert meant(again) == meant(wanted)


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {"command": "python train.py --lr 0.1", "gpus": 2, "time_limit_s": 7200.0},
            "danlu submit --name train.py --dir /home/li --gpus 2 --time 2h -- python train.py --lr 0.1",
        ),
        (
            {"command": "make && ./bench", "name": "b", "memory_mb": 16_384, "cpus": 8},
            "danlu submit --name b --dir /home/li --gpus 0 --cpus 8 --mem 16G -- 'make && ./bench'",
        ),
        (
            {"command": "cd x\n./run $1\n", "name": "r", "arguments": ["a b"], "after_ok": [3, 4]},
            "danlu submit --name r --dir /home/li --gpus 0 --after-ok 3,4 - 'a b' <<'EOF'\n"
            "cd x\n./run $1\nEOF",
        ),
        (
            {"command": "train", "name": "t", "arguments": ["a b"], "share": True, "gpu_memory_mb": 1500},
            "danlu submit --name t --dir /home/li --gpus 1 --share --gpu-mem 1500M -- train 'a b'",
        ),
        (
            {
                "command": "python ddp.py",
                "nodes": "1:4",
                "launcher": Launcher.TORCHRUN,
                "gpus": 8,
                "gpu_model": "A100",
                "exclude_nodes": ["n3"],
                "restartable": True,
            },
            "danlu submit --name ddp.py --dir /home/li --gpus 8 --nodes 1:4 --launcher torchrun --exclude n3 "
            "--gpu-model A100 --restartable -- python ddp.py",
        ),
    ],
)
def test_the_line_is_what_a_person_would_type(fields, line):
    spec = make_spec(JobFields(**fields), HOME)
    assert command_line(fields_of(spec), JobFields(), hold=False) == line


def test_what_the_defaults_say_is_left_out_and_what_they_say_otherwise_is_not():
    spec = make_spec(JobFields(command="x", gpus=1, urgent=False, retries=0), HOME)
    defaults = JobFields(gpus=1, urgent=True, retries=3)
    line = command_line(fields_of(spec), defaults, hold=False)
    assert line == "danlu submit --name x --dir /home/li --no-urgent --retries 0 -- x"


def test_every_option_of_a_job_can_be_written():
    """A field that is new on the command line, and that the written-out line lacks, shows here."""
    everything = JobFields(
        command="x",
        name="n",
        directory="/d",
        environment="e",
        node="n1",
        nodes="2",
        launcher=Launcher.MPI,
        spread=True,
        only_nodes=["n1"],
        exclude_nodes=["n2"],
        gpu_model="A100",
        restartable=True,
        service=True,
        gpus=3,
        gpu_ids=[1],
        gpu_arg="--gpus",
        cpus=2,
        memory_mb=5,
        share=True,
        no_sharing=False,
        gpu_memory_mb=7,
        stage=["/a,b/c d"],
        nice=4,
        array="0-3",
        time_limit_s=61.0,
        grace_s=3.0,
        after=[1],
        after_ok=[2],
        urgent=True,
        hold=True,
        retries=2,
        retry_backoff_s=4.0,
        retry_on=[sorted(RETRYABLE)[0]],
        stdout="o",
        stderr="r",
        variables={"A": "1"},
        tags={"project": "vit"},
        description="d",
        wait_for_hardware=True,
    )
    assert {f.name for f in dataclass_fields(JobFields) if getattr(everything, f.name) is None} == {
        "arguments",
        "call",
    }
    line = command_line(everything, JobFields(no_sharing=True), hold=True)
    words = {word.partition("=")[0] for word in line.partition(" -- ")[0].split() if word.startswith("--")}
    said = {
        max((n for n in names[-1].split("/")), key=len)
        for names in (field.option for field in OPTIONS.values())
    }
    unsaid = {names for names in said if names not in words and names.replace("--no-", "--") not in words}
    assert unsaid == set()
