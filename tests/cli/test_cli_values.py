"""Values of options, and the command behind them."""

from __future__ import annotations

import io
import sys

import pytest

from danlu.cli import values
from danlu.cli.command_line import WhatToRun, what_to_run
from danlu.cli.job_options import field_named
from danlu.cli.layout import clean, pad, shorten, table, width_of, wrap
from danlu.cli.refusals import Refused, UnreadableValue


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (values.COUNT, "0", 0),
        (values.JOB_IDS, "12,13", [12, 13]),
        (values.JOB_IDS, "12 , 13", [12, 13]),
        (values.GPU_IDS, "0,3", [0, 3]),
        (values.DURATION, "1d12h", 129_600.0),
        (values.MEMORY_MB, "16G", 16_384),
        (values.VARIABLE, "A=b=c", ("A", "b=c")),
        (values.VARIABLE, "A=", ("A", "")),
        (values.LIST, "a@b,c@d", ["a@b", "c@d"]),
        (values.CLUSTER, "3x8", "3x8"),
    ],
)
def test_good_values(kind, text, value):
    assert kind.convert(text, None, None) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (values.COUNT, "-1"),
        (values.COUNT, "two"),
        (values.COUNT, "1.5"),
        (values.COUNT, "9" * 5000),
        (values.COUNT, "²"),
        (values.POSITION, "0"),
        (values.PORT, "65536"),
        (values.JOB_IDS, ""),
        (values.JOB_IDS, "0"),
        (values.JOB_IDS, "12;13"),
        (values.GPU_IDS, "-1"),
        (values.GPU_IDS, "٣"),
        (values.DURATION, "2x"),
        (values.MEMORY_MB, "lots"),
        (values.VARIABLE, "A"),
        (values.VARIABLE, "1A=2"),
        (values.VARIABLE, "=2"),
        (values.LIST, " , "),
        (values.KEY, "é"),
        (values.CLUSTER, "0"),
        (values.CLUSTER, "3x"),
    ],
)
def test_bad_values_are_refused(kind, text):
    with pytest.raises(UnreadableValue):
        kind.convert(text, None, None)


def test_a_field_may_be_called_by_its_option():
    assert field_named("mem") == field_named("--mem") == field_named("memory_mb") == "memory_mb"
    with pytest.raises(UnreadableValue) as mistyped:
        field_named("memmory_mb")
    assert mistyped.value.facts["close"] == "memory_mb"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_words_behind_the_dashes_are_a_command_quoted_as_they_were(folder):
    (folder / "train.sh").write_text("echo hi")
    job = what_to_run(["python", "train.py", "--note", "a b"], dashed=True)
    assert job == WhatToRun("python train.py --note 'a b'", "train.py")
    assert what_to_run(["train.sh"], dashed=True) == WhatToRun("train.sh", "train.sh")


def test_a_file_is_a_script_and_further_words_are_its_arguments(folder):
    (folder / "train.sh").write_text("#!/bin/bash\necho $1\n")
    job = what_to_run(["train.sh", "a b", "--lr"], dashed=False)
    assert job == WhatToRun("#!/bin/bash\necho $1\n", "train.sh", ["a b", "--lr"])


def test_a_python_file_without_a_first_line_of_its_own_is_run_by_python(folder):
    (folder / "train.py").write_text("print(1)")
    job = what_to_run(["train.py", "--lr", "1"], dashed=False)
    assert job == WhatToRun(f"python {folder}/train.py --lr 1", "train.py")


def test_a_program_is_run_where_it_is(folder):
    job = what_to_run([sys.executable, "-V"], dashed=False)
    assert job is not None
    assert job.command.endswith(" -V")
    assert job.arguments == []


def test_a_script_from_standard_input(folder, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"echo 1\necho 2\n")))
    assert what_to_run(["-", "x"], dashed=False) == WhatToRun("echo 1\necho 2\n", "stdin", ["x"])


@pytest.mark.parametrize("dashed", [True, False])
def test_one_quoted_word_is_a_command_line(folder, dashed):
    line = "A=1 python -u train.py | tee log"
    assert what_to_run([line], dashed=dashed) == WhatToRun(line, "train.py")
    assert what_to_run(["echo " + "x" * 5000], dashed=dashed) is not None


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["torchrun", "--nproc", "2", "src/train.py", "eval.py"], "train.py"),
        (["/usr/bin/nvidia-smi"], "nvidia-smi"),
        (["A=1", "make"], "make"),
        (["bash", "-c", "python train.py"], "train.py"),
        (["WANDB_API_KEY=hunter2", "env", "TOKEN=a b", "./train"], "train"),
        (["echo 'unbalanced"], "echo"),
    ],
)
def test_a_job_is_named_after_its_script_or_program(folder, words, name):
    job = what_to_run(words, dashed=True)
    assert job is not None
    assert job.name == name


@pytest.mark.parametrize(
    ("words", "key"),
    [
        (["tran.sh"], "cli.no_such_script"),
        (["./tran"], "cli.no_such_script"),
        (["."], "cli.no_such_script"),
        (["empty.sh"], "cli.script_empty"),
        (["picture.png"], "cli.script_not_text"),
        (["latin.sh"], "cli.script_not_text"),
        (["huge.sh"], "cli.script_too_large"),
        ([""], "cli.no_command"),
        (["  "], "cli.no_command"),
    ],
)
def test_what_cannot_be_run_is_refused(folder, words, key):
    (folder / "empty.sh").write_text("\n \n")
    (folder / "picture.png").write_bytes(b"\x89PNG\0")
    (folder / "latin.sh").write_bytes("echo é".encode("latin-1"))
    (folder / "huge.sh").write_bytes(b"#" * 1_000_001)
    with pytest.raises(Refused) as refused:
        what_to_run(words, dashed=False)
    assert refused.value.key == key


def test_chinese_takes_two_columns_each():
    assert width_of("丹炉 ok") == 7
    assert width_of("\x1b[31mred\x1b[0m") == 3
    assert width_of("e\u0301") == 1
    assert pad("丹", 4) == "丹  "
    assert shorten("丹炉丹炉", 5) == "丹炉…"
    assert shorten("丹炉", 4) == "丹炉"


def test_tables_stand_straight_in_both_languages():
    lines = table(["任务", "NAME", "WHY"], [["1", "丹炉训练", "x"], ["22", "a", "y"]]).split("\n")
    assert {width_of(line[: line.rindex(" ")]) for line in lines} == {16 - 1}


def test_wrapping_breaks_chinese_anywhere_but_not_before_a_comma():
    assert wrap("丹炉丹炉，丹炉", 8) == ["丹炉丹炉，", "丹炉"]
    assert wrap("one two three", 8) == ["one two", "three"]
    assert wrap("", 8) == [""]


def test_other_peoples_text_cannot_move_the_cursor():
    assert clean("a\x1b[2Jb\tc\n") == "a\ufffd[2Jb\tc\n"
