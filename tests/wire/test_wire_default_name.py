"""The name of a job that was given none: told to all users, so nothing secret may get into it."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.wire.default_name import LONGEST, default_name

SECRET = "hunter2hunter2"


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("python train.py --epochs 9", "train.py"),
        ("bash /home/ann/run.sh x", "run.sh"),
        ("cd /data && python -u 训练.py", "训练.py"),
        ("/usr/bin/nvidia-smi -L", "nvidia-smi"),
        ("#!/bin/bash\n# a comment\n\necho hello", "echo"),
        ("#!/bin/bash\n", "script"),
        ("#!/usr/bin/env python3\nimport torch", "python3"),
        ("#!/usr/bin/env -S uv run\nimport torch", "uv"),
        ("echo 'unclosed", "echo"),
        ("''", "job"),
        ("/", "job"),
        ("x" * 500, "x" * LONGEST),
        ("a\x1b[31mb", "a[31mb"),
        ("torchrun --nproc 2 src/train.py eval.py", "train.py"),
        ("python -m lab.train --fast", "lab.train"),
        ("sh -c 'cd /data; python3.12 -W ignore train.py'", "train.py"),
        ("env -u A B=1 nice -n 5 timeout -k 5 1h ./train", "train"),
        ("for seed in 1 2; do python train.py $seed; done", "train.py"),
        ("if [ -f done ]; then exit; fi", "exit"),
        ("$(which python) train.py", "train.py"),
        ("make > log 2>&1 < /dev/null", "make"),
        ("export A=1", "export"),
        ("A=1", "job"),
        ("mkdir -p out \\\n && ./train", "train"),
        ("sleep 60", "sleep"),
    ],
)
def test_it_is_the_script_that_runs_or_else_the_program(command: str, name: str) -> None:
    assert default_name(command) == name


HIDING = [
    "KEY={} ./train",
    "A=1 KEY={} python train.py",
    "KEY+={} ./train",
    "export KEY={}; ./train",
    "export KEY={}",
    "env KEY={} ./train",
    "env -i KEY={} ./train",
    "env --unknown {} ./train",
    "env -S {} ./train",
    "sudo -u ann KEY={} ./train",
    "mpirun -x KEY={} -n 2 ./train",
    "mpirun --unknown {} ./train",
    "nohup env KEY={} ./train &",
    "./train --password {}",
    "./train {}",
    "python train.py {}",
    "python -c {}",
    "python -uc {}",
    "perl -e {}",
    "python -m train {}",
    "curl -H {} https://example.org",
    "bash -c 'KEY=\"'{}'\" ./train'",
    "#!/bin/bash\nKEY={}\n./train",
    "#!/bin/bash\n# {}\n./train",
    "#!/usr/bin/env python\nKEY = {}",
    "KEYS=({} b)\n./train",
    "KEY=$(echo {}) ./train",
    "KEY=`echo {}` ./train",
    "KEY=${{OTHER:-{}}} ./train",
    "cat <<EOF\n{}\nEOF\n./train",
    "read KEY <<< {}",
    "source ./secrets {}",
    "./train < {}",
    "docker run -e KEY={} image",
    "declare -x KEY={}",
]


@pytest.mark.parametrize("command", HIDING)
def test_nothing_that_may_be_a_secret_gets_into_it(command: str) -> None:
    for secret in (SECRET, f"two words {SECRET}", f"{SECRET} with it's quote", f"{SECRET}\nlines {SECRET}"):
        assert SECRET not in default_name(command.format(shlex.quote(secret)))


@given(st.sampled_from(HIDING[:8]), st.text("ab '\"\\$(){}`;&|#\n=", max_size=20))
def test_however_a_secret_is_written(command: str, around: str) -> None:
    secret = around + SECRET + around
    assert SECRET not in default_name(command.format(shlex.quote(secret)))
    assert SECRET not in default_name(
        command.format("$'" + secret.replace("\\", "\\\\").replace("'", "\\'") + "'")
    )


@given(st.text(max_size=200))
def test_every_text_has_a_name_that_can_be_shown(command: str) -> None:
    name = default_name(command)
    assert name
    assert name.isprintable()
    assert len(name) <= LONGEST
