"""What a job needs to begin is looked for before it is accepted, with the rights of its account."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from danlu.agent.files import folder_probe_process
from danlu.agent.files.path_check import check_paths
from danlu.api.errors import problem_of
from danlu.control.identity.accounts import AccountBook
from danlu.control.jobs.start_check import StartCheck
from danlu.control.jobs.start_needs import StartNeeds, program_of
from danlu.core.errors import Invalid
from danlu.core.states import JobState
from danlu.core.user import Role, User
from danlu.settings import ClusterSettings
from danlu.wire.jobs import JobEdit, JobFields
from tests.agent.hung_disk import hung_disk
from tests.control.agents import RecordingAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import World
from tests.support.people import UNIX_ACCOUNT

ANN = User("ann", Role.ADMIN, 0.0)
BO = User("bo", Role.MEMBER, 0.0, unix_account=UNIX_ACCOUNT)


@pytest.fixture
def shelf() -> Iterator[Path]:
    """A folder that every account can reach, with a program, a file and an environment in it."""
    with tempfile.TemporaryDirectory(prefix="danlu-shelf-") as name:
        shelf = Path(name).resolve()
        shelf.chmod(0o755)
        for file, mode in (("tool", 0o755), ("notes.txt", 0o644)):
            (shelf / file).write_text("#!/bin/sh\n")
            (shelf / file).chmod(mode)
        (shelf / "venv" / "bin").mkdir(parents=True)
        (shelf / "venv" / "pyvenv.cfg").write_text("")
        (shelf / "venv" / "bin" / "train-it").write_text("#!/bin/sh\n")
        (shelf / "venv" / "bin" / "train-it").chmod(0o755)
        (shelf / "closed").mkdir(mode=0o700)
        yield shelf


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("python train.py --lr=0.1", "python"),
        ("./run.sh 'a b' $HOME", "./run.sh"),
        ("train --out x > log 2>&1", None),
        ("train | tee log", None),
        ("train || echo failed", None),
        ("cd /data && train", None),
        ("(train)", None),
        ("LR=0.1 train", None),
        ("$PROGRAM --help", None),
        ("~/bin/train", None),
        ("exec train", None),
        ("echo hello", None),
        ("true", None),
        ("if x; then y; fi", None),
        ("train\nmore\n", None),
        ("#!/usr/bin/python", None),
        ("train 'unclosed", None),
        ("", None),
    ],
)
def test_the_program_of_a_command(command: str, program: str | None) -> None:
    assert program_of(command) == program


def found(shelf: Path, **wanted: Any) -> dict[str, str]:
    question = {"directory": str(shelf), "environment": None, "program": None, "shared": None, "path": "/bin"}
    return check_paths({**question, "home": str(shelf), "environments": [], **wanted})


class TestPaths:
    def test_folders(self, shelf: Path) -> None:
        assert found(shelf) == {"directory": "ok"}
        assert found(shelf, directory=str(shelf / "gone")) == {"directory": "missing"}
        assert found(shelf, directory=str(shelf / "tool")) == {"directory": "no_folder"}
        assert found(shelf, directory=str(shelf / "tool" / "x")) == {"directory": "missing"}

    def test_environments(self, shelf: Path) -> None:
        for name in (str(shelf / "venv"), "./venv", "~/venv"):
            assert found(shelf, environment=name)["environment"] == "ok"
        for name in (str(shelf / "gone"), "./gone", "gone"):
            assert found(shelf, environment=name)["environment"] == "missing"

    def test_programs(self, shelf: Path) -> None:
        assert found(shelf, program="sh")["program"] == "ok"
        assert found(shelf, program="train-it")["program"] == "missing"
        assert found(shelf, program="train-it", environment="./venv")["program"] == "ok"
        assert found(shelf, program="./tool")["program"] == "ok"
        assert found(shelf, program="./gone")["program"] == "missing"
        assert found(shelf, program="./notes.txt")["program"] == "not_executable"

    def test_in_doubt_nothing_is_said(self, shelf: Path) -> None:
        assert found(shelf, program="gone", path=".:/bin")["program"] == "unknown"
        assert found(shelf, program="gone", path=None)["program"] == "unknown"
        assert found(shelf, program="gone", environment="gone")["program"] == "unknown"
        nowhere = found(shelf, directory="/gone", program="./gone", environment="./gone")
        assert nowhere == {"directory": "missing", "program": "unknown", "environment": "unknown"}

    def test_what_a_conda_environment_sources_may_change_where_programs_are(self, shelf: Path) -> None:
        scripts = shelf / "conda" / "etc" / "conda" / "activate.d"
        scripts.mkdir(parents=True)
        (shelf / "conda" / "conda-meta").mkdir()
        assert found(shelf, environment="./conda", program="gone")["program"] == "missing"
        (scripts / "path.sh").write_text("")
        assert found(shelf, environment="./conda", program="gone")["program"] == "unknown"

    def test_on_a_cluster_only_shared_folders_are_the_same_elsewhere(self, shelf: Path) -> None:
        shared = [str(shelf)]
        assert found(shelf, shared=shared, program="./gone", environment="./gone") == {
            "directory": "ok",
            "program": "missing",
            "environment": "missing",
        }
        assert found(shelf, shared=shared, program="gone", environment="gone") == {
            "directory": "ok",
            "program": "unknown",
            "environment": "unknown",
        }
        assert found(shelf, shared=shared, directory="/gone") == {"directory": "unknown"}
        assert found(shelf, shared=["/not-mounted-here"], directory="/not-mounted-here/x") == {
            "directory": "unknown"
        }
        (shelf / "link").symlink_to("/")
        assert found(shelf, shared=shared, directory=str(shelf / "link" / "gone")) == {"directory": "unknown"}


def a_check(world: World, **settings: Any) -> StartCheck:
    changed = replace(world.settings, checks_paths=True, **settings)
    accounts = AccountBook("ann", runs_as_root=os.geteuid() == 0)
    return StartCheck(world.control.database, accounts, changed, world.clock)


@pytest.fixture
async def world(open_world: OpenWorld) -> World:
    return await open_world(RecordingAgents(a_machine()))


@pytest.fixture
async def check(world: World) -> AsyncIterator[StartCheck]:
    check = a_check(world)
    yield check
    await check.close()


class TestAsking:
    async def test_what_is_missing_is_named(self, check: StartCheck, shelf: Path) -> None:
        start = StartNeeds(str(shelf / "gone"), "/gone/env", "/gone/tool")
        (missing,) = await check.look(ANN, [start])
        assert [(each.code, each.field) for each in missing.problems] == [
            ("no_such_directory", "directory"),
            ("no_such_environment", "environment"),
            ("no_such_program", "command"),
        ]
        for language in ("en", "zh"):
            assert all(problem_of(language, each).hint for each in missing.problems)
        assert problem_of("en", missing.problems[0]).message == (
            f"There is no folder {shelf}/gone where the job would run."
        )
        assert problem_of("zh", missing.problems[2]).message == "任务运行的机器上没有程序 /gone/tool。"

    async def test_many_are_asked_at_once(self, check: StartCheck, shelf: Path) -> None:
        good, bad = StartNeeds(str(shelf), None, None), StartNeeds("/gone", None, None)
        missing = await check.look(ANN, [good, bad] * 500)
        assert [bool(each.problems) for each in missing] == [False, True] * 500

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can look around as another account")
    async def test_the_rights_are_those_of_the_account(self, check: StartCheck, shelf: Path) -> None:
        start = StartNeeds(str(shelf / "closed"), None, None)
        assert [(await check.look(who, [start]))[0].problems for who in (ANN, ANN)] == [(), ()]
        (missing,) = await check.look(BO, [start])
        assert [each.code for each in missing.problems] == ["directory_closed"]

    async def test_a_file_system_that_hangs_holds_up_nobody(
        self, check: StartCheck, monkeypatch: pytest.MonkeyPatch, shelf: Path
    ) -> None:
        monkeypatch.setattr(folder_probe_process, "PATIENCE_S", 1.0)
        (shelf / "hung").mkdir()
        with hung_disk(shelf / "hung") as hung:
            (missing,) = await check.look(ANN, [StartNeeds(str(hung), None, None)])
            assert (missing.problems, missing.unchecked) == ((), ("directory",))
            # No other process is sent after the one that hangs.
            (missing,) = await check.look(ANN, [StartNeeds(str(shelf), None, None)])
            assert missing.unchecked == ("directory",)
        monkeypatch.undo()
        for _ in range(600):
            # As soon as the kernel has let go of that one.
            (missing,) = await check.look(ANN, [StartNeeds(str(shelf), None, None)])
            if not missing.unchecked:
                break
            await asyncio.sleep(0.05)
        assert not missing.unchecked

    async def test_on_a_cluster_without_shared_folders_nothing_is_looked_for(self, world: World) -> None:
        check = a_check(world, cluster=ClusterSettings())
        (missing,) = await check.look(ANN, [StartNeeds("/gone", "gone", "gone")])
        assert (missing.problems, missing.unchecked) == ((), ("directory", "environment", "program"))


@pytest.fixture
async def checking_world(open_world: OpenWorld) -> World:
    """Its nodes are of paper, and yet it looks for what their jobs need."""
    return await open_world(RecordingAgents(a_machine(gpus=2)), checks_paths=True)


class TestHandingIn:
    async def test_a_job_that_could_not_begin_is_refused(self, checking_world: World, shelf: Path) -> None:
        world = checking_world
        with pytest.raises(Invalid) as refused:
            await world.submit(directory=str(shelf / "gone"), command="sh")
        assert (refused.value.code, refused.value.field) == ("no_such_directory", "directory")
        with pytest.raises(Invalid) as refused:
            await world.submit(directory=str(shelf), command="./gone --all")
        assert (refused.value.code, refused.value.field) == ("no_such_program", "command")
        assert await world.submit(directory=str(shelf), command="./tool --all")

    async def test_one_of_a_batch_is_named(self, checking_world: World, shelf: Path) -> None:
        world = checking_world
        many = [JobFields(command="./tool", directory=str(where)) for where in (shelf, shelf / "gone")]
        with pytest.raises(Invalid) as refused:
            await world.control.submissions.submit_many(await world.user("bo"), many)
        assert refused.value.field == "jobs.1.directory"

    async def test_a_predecessor_may_make_what_is_not_there(self, checking_world: World, shelf: Path) -> None:
        world = checking_world
        first = await world.submit(directory=str(shelf), command="./tool")
        gone = {"directory": str(shelf / "gone"), "command": "./tool"}
        behind = await world.submit(**gone, after=[first])
        held = await world.submit(**gone, hold=True)
        assert [await world.state(each) for each in (behind, held)] == [JobState.WAITING, JobState.HELD]
        await world.control.jobs.cancel(await world.user("bo"), first)
        with pytest.raises(Invalid):
            await world.submit(**gone, after=[first])

    async def test_a_repeated_submission_is_answered_although_its_folder_is_gone(
        self, checking_world: World, shelf: Path
    ) -> None:
        world = checking_world
        (shelf / "short").mkdir()
        fields = {"directory": str(shelf / "short"), "command": "sh", "key": "k"}
        first = await world.submit(**fields)
        (shelf / "short").rmdir()
        assert await world.submit(**fields) == first

    async def test_an_edit_and_a_copy_are_looked_at_too(self, checking_world: World, shelf: Path) -> None:
        world = checking_world
        (shelf / "short").mkdir()
        await world.submit(directory=str(shelf), command="./tool", gpus=2)
        job = await world.submit(directory=str(shelf / "short"), command="../tool", gpus=2)
        bo = await world.user("bo")
        (shelf / "short").rmdir()
        await world.control.jobs.edit(bo, job, JobEdit(set=JobFields(name="another")))
        with pytest.raises(Invalid):
            await world.control.jobs.edit(bo, job, JobEdit(set=JobFields(directory=str(shelf / "gone"))))
        with pytest.raises(Invalid):
            await world.control.jobs.resubmit(bo, job)

    async def test_asking_first_says_what_then_happens(self, checking_world: World, shelf: Path) -> None:
        world = checking_world
        bo = await world.user("bo")

        async def ask(**fields: Any) -> tuple[list[str], list[str], bool]:
            checked = await world.control.checking.check(bo, JobFields(**fields), [], None)
            problems = [each.code for each in checked.draft.problems]
            return problems, [each.code for each in checked.warnings], checked.foresight is not None

        gone = {"directory": str(shelf / "gone"), "command": "./tool"}
        assert await ask(directory=str(shelf), command="./tool") == ([], [], True)
        assert await ask(**gone) == (["no_such_directory"], ["start_unchecked"], False)
        assert await ask(**gone, hold=True) == ([], ["no_such_directory", "start_unchecked"], True)


async def test_nobody_looks_where_nobody_was_told_to(world: World) -> None:
    check = StartCheck(world.control.database, world.accounts, world.settings, world.clock)
    async with asyncio.timeout(30):
        (missing,) = await check.look(ANN, [StartNeeds("/gone", "gone", "gone")])
    assert (missing.problems, missing.unchecked) == ((), ())
