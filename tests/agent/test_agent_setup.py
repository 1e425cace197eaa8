"""The pure part of setting a task up."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from danlu.agent.keeper.isolation.accounts import is_for_another, settle_account
from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.wrapper.environments import Environment, find_environment
from danlu.agent.keeper.wrapper.script import Script, script_of
from danlu.agent.keeper.wrapper.setup import DEFAULT_PATH, Person, behind_sources, build_argv, build_variables
from danlu.agent.task_json import order_to_json
from danlu.core.task import LaunchOrder, TaskKey, UnixAccount

LI = Person("li", "/home/li", "/bin/zsh")


def an_order(**fields: Any):
    settings = {"command": "train", "job_name": "melting", "user": "li", "node": "n1", "directory": "/"}
    return order_to_json(LaunchOrder(key=TaskKey(7, 2, 1), **(settings | fields)), [])


def a_spec(order):
    return {"key": order["key"], "token": "abc", "script_path": "/s", "order": order}


def variables_of(inherited=None, environment=None, **fields: Any) -> dict[str, str]:
    order = an_order(**fields)
    return build_variables(a_spec(order), order, LI, inherited or {}, environment)


def test_only_the_allowed_is_inherited() -> None:
    keeper = {"PATH": "/opt/bin", "LANG": "zh_CN.UTF-8", "LC_TIME": "C", "TZ": "Asia/Shanghai", "TOKEN": "x"}
    variables = variables_of(keeper)
    assert variables.items() >= (keeper.items() - {("TOKEN", "x")})
    assert "TOKEN" not in variables


def test_somebody_elses_task_inherits_nothing() -> None:
    variables = variables_of()
    assert variables["PATH"] == DEFAULT_PATH
    assert variables["HOME"] == "/home/li"
    assert variables["DANLU_TASK"] == "7-2-1:abc"
    assert (variables["DANLU_JOB_ID"], variables["DANLU_ATTEMPT"], variables["DANLU_RANK"]) == ("7", "2", "1")


@pytest.mark.parametrize("name", ["CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "DANLU_RANK", "DANLU_X"])
def test_what_protects_others_cannot_be_overridden(name: str) -> None:
    assert variables_of(variables={name: "mine"}).get(name) != "mine"


def test_one_server_is_named_and_all_of_them() -> None:
    several = variables_of(server="https://a#x", servers=("https://a#x", "https://b#y"))
    assert several["DANLU_SERVER"] == "https://a#x"
    assert several["DANLU_SERVERS"] == "https://a#x,https://b#y"
    assert not {"DANLU_SERVER", "DANLU_SERVERS"} & variables_of().keys()


def test_everything_else_can() -> None:
    mine = {"HOME": "/tmp/h", "PATH": "/mine", "PYTHONUNBUFFERED": "0", "CUDA_DEVICE_ORDER": "FASTEST_FIRST"}
    assert variables_of(variables=mine).items() >= mine.items()


def test_a_venv_goes_in_front_of_the_users_own_path() -> None:
    venv = Environment("venv", "/envs/torch", "torch")
    variables = variables_of(environment=venv, variables={"PATH": "/mine", "PYTHONHOME": "/usr"})
    assert variables["PATH"] == "/envs/torch/bin:/mine"
    assert variables["VIRTUAL_ENV"] == "/envs/torch"
    assert "PYTHONHOME" not in variables


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("train", None),
        ("train\n", "train\n"),
        ("a\nb", "a\nb\n"),
        ("a\r\nb", "a\nb\n"),
        ("#!/bin/sh", "#!/bin/sh\n"),
    ],
)
def test_what_counts_as_a_script(command: str, script: str | None) -> None:
    assert script_of(an_order(command=command)) == (None if script is None else Script(script))


def test_a_line_too_long_for_the_kernel_becomes_a_script_with_all_its_words() -> None:
    words = tuple(f"{number:06} it's" for number in range(2000))
    order = an_order(command="train", arguments=words, gpu_arg="--gpus", gpu_ids=(0, 2))
    script = script_of(order)
    assert script is not None
    assert shlex.split(script.text) == ["train", *words, "--gpus", "0,2"]
    assert build_argv(order, "/bin/bash", script, "/s") == ["/bin/bash", "/s"]


def argv_of(sourced: tuple[str, ...] = (), **fields: Any) -> list[str]:
    order = an_order(**fields)
    argv = build_argv(order, "/bin/bash", script_of(order), "/s")
    return behind_sources(argv, "/bin/bash", sourced)


def test_a_line_is_for_the_shell_and_arguments_are_quoted() -> None:
    assert argv_of(command="a | b ", arguments=("x y", "$z")) == ["/bin/bash", "-c", "a | b 'x y' '$z'"]


def test_the_gpu_argument_needs_gpus() -> None:
    assert argv_of(gpu_arg="--gpus")[-1] == "train"
    assert argv_of(gpu_arg="--gpus", gpu_ids=(0, 2))[-1] == "train --gpus 0,2"
    assert argv_of(command="a\nb", gpu_arg="-x --gpus", gpu_ids=(2,))[1:] == ["/s", "-x", "--gpus", "2"]


@pytest.mark.parametrize(
    ("shebang", "interpreter"),
    [
        ("#!/usr/bin/python3", ["/usr/bin/python3"]),
        ("#! /usr/bin/env  python3 -u", ["/usr/bin/env", "python3 -u"]),
        ("#!", ["/bin/bash"]),
    ],
)
def test_a_shebang_is_read_as_the_kernel_reads_it(shebang: str, interpreter: list[str]) -> None:
    assert argv_of(command=f"{shebang}\npass") == [*interpreter, "/s"]


def test_activation_scripts_are_sourced_first() -> None:
    argv = argv_of(sourced=("/envs/a b.sh",))
    assert argv == [
        "/bin/bash",
        "-c",
        ". '/envs/a b.sh'\nexec \"$@\"",
        "/bin/bash",
        "/bin/bash",
        "-c",
        "train",
    ]


def a_venv(path: Path) -> Path:
    path.mkdir(parents=True)
    (path / "pyvenv.cfg").touch()
    return path


def a_conda(path: Path) -> Path:
    (path / "conda-meta").mkdir(parents=True)
    return path


@pytest.mark.parametrize(
    "place", ["envs", ".virtualenvs", ".venvs", "miniconda3/envs", "mambaforge/envs", ".conda/envs"]
)
def test_names_are_looked_up_in_the_usual_places(tmp_path: Path, place: str) -> None:
    prefix = a_venv(tmp_path / place / "torch")
    assert find_environment("torch", str(tmp_path), []) == Environment("venv", str(prefix), "torch")


def test_the_areas_of_the_node_come_first(tmp_path: Path) -> None:
    a_venv(tmp_path / "envs" / "torch")
    shared = a_conda(tmp_path / "shared" / "torch")
    found = find_environment("torch", str(tmp_path), [str(tmp_path / "shared")])
    assert found == Environment("conda", str(shared), "torch")


def test_base_is_condas_own(tmp_path: Path) -> None:
    root = a_conda(tmp_path / "miniforge3")
    assert find_environment("base", str(tmp_path), []).prefix == str(root)


def test_what_conda_has_noted_down_is_found(tmp_path: Path) -> None:
    prefix = a_conda(tmp_path / "elsewhere" / "torch")
    (tmp_path / ".conda").mkdir()
    (tmp_path / ".conda" / "environments.txt").write_text(f"/gone/torch\n{prefix}/\n")
    assert find_environment("torch", str(tmp_path), []).prefix == str(prefix)


def test_a_path_is_taken_as_it_is(tmp_path: Path) -> None:
    prefix = a_venv(tmp_path / "deep" / "env")
    assert find_environment(str(prefix), "/nowhere", []).prefix == str(prefix)
    assert find_environment("~/deep/env", str(tmp_path), []).prefix == str(prefix)


@pytest.mark.parametrize("wanted", ["torch", "..", "./torch", "/nowhere/torch"])
def test_a_missing_environment_is_a_problem(tmp_path: Path, wanted: str) -> None:
    a_venv(tmp_path / "home")
    with pytest.raises(SetupProblem, match="environment_missing"):
        find_environment(wanted, str(tmp_path / "home" / "li"), [str(tmp_path / "home")])


class TestAnAgentThatIsNotRoot:
    WANG = UnixAccount("wang", 1001, 1001, (1001,), "/home/wang")

    @pytest.mark.parametrize(
        "account",
        [
            None,
            WANG,
            replace(WANG, uid=1002, is_servers_own=True),
            UnixAccount("root", 0, 0, (), "/", "", True),
        ],
    )
    def test_runs_as_itself_what_the_server_would_run_as_itself(self, account: UnixAccount | None) -> None:
        order = an_order(account=account)
        assert settle_account(order["account"], 1001) is None
        assert not is_for_another(order["account"], 1001)

    def test_refuses_whom_it_cannot_become(self) -> None:
        with pytest.raises(SetupProblem, match="wang"):
            settle_account(an_order(account=self.WANG)["account"], 1002)
