"""Where the output of a task goes, and what its node is told about it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from danlu.control.identity.accounts import own_account
from danlu.control.running.orders import make_order
from danlu.control.running.outputs import log_path, output_paths, stored_paths, task_outputs
from danlu.core.errors import Invalid
from danlu.core.job import Job, JobSpec, Task
from danlu.core.resources import Allocation
from danlu.core.states import JobState
from danlu.core.task import TaskKey, UnixAccount
from danlu.settings import Settings
from tests.control.world import World

LOGS = Path("/data/logs")


def a_job(**spec: Any) -> Job:
    spec = {"command": "train", "name": "nets", "directory": "/project", **spec}
    return Job(12, "ann", JobSpec(**spec), JobState.STARTING, 2, 12.0, 0.0, attempt=3)


def paths(**spec: Any) -> tuple[str, str]:
    return output_paths(a_job(**spec), 3, 0, "forge", LOGS)


def test_by_default_both_streams_go_to_the_jobs_own_log() -> None:
    assert paths() == ("/data/logs/12/3.log", "/data/logs/12/3.log")


def test_the_next_rank_has_its_own() -> None:
    assert output_paths(a_job(), 3, 2, "forge", LOGS)[0] == "/data/logs/12/3.2.log"


def test_names_are_relative_to_the_jobs_directory() -> None:
    assert paths(stdout="logs/out", stderr="err") == ("/project/logs/out", "/project/err")


def test_an_absolute_name_stays_where_it_is() -> None:
    assert paths(stdout="/tmp/out", stderr="../err") == ("/tmp/out", "/project/../err")


def test_a_named_stdout_takes_stderr_along() -> None:
    assert paths(stdout="out") == ("/project/out", "/project/out")


def test_a_named_stderr_leaves_stdout_in_the_log() -> None:
    assert paths(stderr="err") == ("/data/logs/12/3.log", "/project/err")


@pytest.mark.parametrize("other", ["out", "./out", "/project/out"])
def test_the_same_file_by_another_spelling_is_one_merged_stream(other: str) -> None:
    stdout, stderr = paths(stdout="out", stderr=other)
    assert stdout == stderr


def test_a_tilde_is_the_home_of_the_account_that_runs_it() -> None:
    job = a_job(stdout="~/out/$JOB_ID", stderr="a/~/err")
    found = output_paths(job, 3, 0, "forge", LOGS, "/home/ann")
    assert found == ("/home/ann/out/12", "/project/a/~/err")
    assert output_paths(a_job(stdout="./~x"), 3, 0, "forge", LOGS, "/home/ann")[0] == "/project/~x"


async def test_an_order_has_the_home_in_it(world: World) -> None:
    await world.submit("ann", stdout="~/logs/o", stderr="~/e")
    agents = world.agents
    await world.until_true(lambda: len(agents.launched) == 1)
    home = own_account().home
    assert (agents.launched[0].stdout, agents.launched[0].stderr) == (f"{home}/logs/o", f"{home}/e")


@pytest.mark.parametrize("field", ["stdout", "stderr"])
async def test_the_home_of_somebody_else_is_refused_by_name(world: World, field: str) -> None:
    with pytest.raises(Invalid, match="other_home") as refused:
        await world.submit(**{field: "~bo/o"})
    assert (refused.value.field, refused.value.facts["name"]) == (field, "~bo")


def test_dev_null_discards() -> None:
    assert paths(stdout="/dev/null", stderr="err") == ("/dev/null", "/project/err")
    assert paths(stderr="/dev/null")[1] == "/dev/null"


@pytest.mark.parametrize(
    ("named", "becomes"),
    [
        ("$JOB_ID.log", "/project/12.log"),
        ("${JOB_ID}-${ATTEMPT}.log", "/project/12-3.log"),
        ("$NODE/$USER/$JOB_NAME-$RANK", "/project/forge/ann/nets-0"),
        ("$UNKNOWN-$JOB_ID", "/project/$UNKNOWN-12"),
        ("cost-$$5", "/project/cost-$5"),
        ("100%-$", "/project/100%-$"),
    ],
)
def test_names_may_speak_of_the_job(named: str, becomes: str) -> None:
    assert paths(stdout=named)[0] == becomes


def test_a_slash_in_the_jobs_name_opens_no_other_folder() -> None:
    assert paths(stdout="$JOB_NAME.log", name="../../etc/x")[0] == "/project/.._.._etc_x.log"


class TestOrders:
    settings = Settings(data=Path("/data"), starter="ann", kill_leftovers=False)

    def order(self, account: UnixAccount | None = None, **spec: Any) -> Any:
        job = a_job(**spec)
        kept = stored_paths(output_paths(job, 3, 0, "forge", LOGS), log_path(LOGS, job.id, 3, 0))
        task = Task(0, Allocation("forge", (1, 3), 2, 0), *kept, "boot-1")
        return make_order(job, task, account, self.settings)

    def test_an_order_carries_all_a_node_needs(self) -> None:
        order = self.order(
            arguments=("a",),
            environment="torch",
            gpu_arg="--gpus",
            nice=12,
            variables={"K": "v"},
            time_limit_s=60.0,
            grace_s=3.0,
        )
        assert order.key == TaskKey(12, 3, 0)
        assert (order.node, order.user, order.job_name, order.directory) == (
            "forge",
            "ann",
            "nets",
            "/project",
        )
        assert (order.command, order.arguments, order.environment) == ("train", ("a",), "torch")
        assert (order.gpu_ids, order.gpu_arg, order.variables) == ((1, 3), "--gpus", {"K": "v"})
        assert order.nice == 12
        assert (order.time_limit_s, order.grace_s, order.kill_leftovers) == (60.0, 3.0, False)

    def test_only_paths_that_the_user_chose_are_given_as_paths(self) -> None:
        own, named, half = self.order(), self.order(stdout="out"), self.order(stderr="err")
        assert (own.stdout, own.stderr, own.log_path) == (None, None, "/data/logs/12/3.log")
        assert (named.stdout, named.stderr) == ("/project/out", "/project/out")
        assert (half.stdout, half.stderr) == (None, "/project/err")

    def test_the_jobs_own_log_is_found_wherever_the_data_folder_is_now(self) -> None:
        task = Task(0, Allocation("forge"), "", "/project/err", "boot-1")
        assert task_outputs(Path("/moved/logs"), 12, 3, task) == ("/moved/logs/12/3.log", "/project/err")

    def test_it_says_whom_to_run_as(self) -> None:
        bo = UnixAccount("bo", 1001, 1001, (1001,), "/home/bo")
        assert self.order(bo).account == bo
        assert self.order().account is None
