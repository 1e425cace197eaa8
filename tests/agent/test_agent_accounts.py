"""Tasks of other people: run with their rights and nothing of ours."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.core.task import Staging, TaskEnding, UnixAccount
from tests.agent.story import Node, eventually
from tests.support.unix_accounts import two_accounts

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run tasks as another account")


@pytest.fixture
def wang(folder: Path) -> UnixAccount:
    """A second account on this machine, with a home."""
    return two_accounts(folder)[0]


async def test_a_task_has_the_accounts_rights_and_no_others(node: Node, wang: UnixAccount) -> None:
    """Its groups are those that it has on the node: elsewhere the same groups may have other numbers."""
    elsewhere = replace(wang, gid=54321, groups=(54321, 0))
    output = await node.output_of(
        "id -u; id -ru; id -g; id -G; umask; grep -E 'CapEff|CapPrm' /proc/self/status",
        account=elsewhere,
        directory=wang.home,
    )
    uid, real, gid, groups, mask, *capabilities = output.splitlines()
    assert (uid, real, gid, mask) == (str(wang.uid), str(wang.uid), str(wang.gid), "0022")
    assert {int(group) for group in groups.split()} == set(os.getgrouplist(wang.name, wang.gid))
    assert all(int(line.split()[1], 16) == 0 for line in capabilities)


class TestWhomARootAgentRefuses:
    async def test_an_order_without_an_account(self, node: Node) -> None:
        """What a server sends that is not root, and older than this agent."""
        end = await node.run("id -u > ran", account=None)
        assert (end.ending, end.problem) == (TaskEnding.SETUP_FAILED, "no_account")
        assert "none is named" in end.detail
        assert not (node.folder / "ran").exists()

    async def test_nothing_of_such_an_order_is_touched_as_root(self, node: Node, folder: Path) -> None:
        staging = Staging((str(folder),), str(folder))
        end = await node.run("true", account=None, directory="/nowhere", staging=staging, stdout="/x/y")
        assert end.problem == "no_account"
        assert not list(folder.glob("danlu-*"))

    async def test_root_unless_it_is_the_servers_own(self, node: Node) -> None:
        root = UnixAccount("root", 0, 0, (0,), "/root")
        end = await node.run("true", account=root)
        assert (end.ending, end.problem) == (TaskEnding.SETUP_FAILED, "no_account")
        assert await node.output_of("id -u", account=replace(root, is_servers_own=True)) == "0\n"

    async def test_the_own_account_of_a_server_that_is_not_root_is_that_account(
        self, node: Node, wang: UnixAccount
    ) -> None:
        output = await node.output_of(
            "id -un", account=replace(wang, is_servers_own=True), directory=wang.home
        )
        assert output == f"{wang.name}\n"

    async def test_a_number_that_is_somebody_elses_here(self, node: Node, folder: Path) -> None:
        wang, zhao = two_accounts(folder)
        mixed_up = replace(wang, uid=zhao.uid)
        end = await node.run("touch made", account=mixed_up, directory=zhao.home)
        assert (end.ending, end.problem) == (TaskEnding.SETUP_FAILED, "no_account")
        assert end.detail == f"{wang.name} is uid {zhao.uid} on the server and uid {wang.uid} on this node"
        assert not list(Path(zhao.home).iterdir())

    async def test_an_account_that_this_node_does_not_have(self, node: Node, wang: UnixAccount) -> None:
        end = await node.run(account=replace(wang, name="no-such-account-here"), directory=wang.home)
        assert end.problem == "no_account"
        assert f"no-such-account-here (uid {wang.uid})" in end.detail


async def test_a_task_sees_the_accounts_name_and_home_and_nothing_of_the_server(
    a_node, wang: UnixAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DANLU_SECRET", "do not tell")
    monkeypatch.setenv("LC_PAPER", "C")
    node = await a_node()
    output = await node.output_of("env", account=wang, directory=wang.home)
    seen = dict(line.split("=", 1) for line in output.splitlines())
    assert (seen["HOME"], seen["SHELL"]) == (wang.home, "/bin/bash")
    assert (seen["USER"], seen["LOGNAME"]) == (wang.name, wang.name)
    assert "do not tell" not in output
    assert not {"DANLU_SECRET", "LC_PAPER", "PYTEST_CURRENT_TEST"} & set(seen)
    keeper = Path(f"/proc/{node.keeper()}/environ").read_text()
    assert "do not tell" not in keeper


async def test_a_task_cannot_write_where_its_account_cannot(node: Node, wang: UnixAccount) -> None:
    private = node.folder / "private"
    private.mkdir(mode=0o700)
    end = await node.run("true", account=wang, directory=wang.home, stdout=str(private / "out"))
    assert (end.ending, end.problem) == (TaskEnding.SETUP_FAILED, "output_unwritable")
    end = await node.run("true", account=wang, directory=wang.home, stdout=str(node.folder / "out"))
    assert end.problem == "output_unwritable"
    end = await node.run("true", account=wang, directory=str(private))
    assert end.problem == "directory_missing"


async def test_files_belong_to_the_account(node: Node, wang: UnixAccount) -> None:
    order = node.a_task("touch made; mkdir folder", account=wang, directory=wang.home, stderr="errors")
    await node.agent.launch(order)
    assert (await node.end_of(order.key)).wait_status == 0
    made = [Path(wang.home) / name for name in ("made", "folder", "errors")]
    assert {path.stat().st_uid for path in made} == {wang.uid}
    log = Path(order.log_path).stat()
    assert (log.st_uid, log.st_gid, log.st_mode & 0o777) == (wang.uid, wang.gid, 0o600)


@pytest.mark.parametrize("shebang", ["", "#!/bin/sh\n", "#!/usr/bin/env -S bash -e\n"])
async def test_a_script_runs_and_is_gone_afterwards(node: Node, wang: UnixAccount, shebang: str) -> None:
    script = f'{shebang}echo "$# $1" $(id -u)\nstat -c "%a %u" "$0"\necho "$0"'
    output = await node.output_of(script, account=wang, directory=wang.home, arguments=("a b",))
    counted, rights, path = output.splitlines()
    assert (counted, rights) == (f"1 a b {wang.uid}", "550 0")
    assert not Path(path).exists()


async def test_what_lies_in_run_for_an_account_cannot_be_grown_by_it(
    node: Node, folder: Path, wang: UnixAccount
) -> None:
    """There is little room there, and the whole machine needs it."""
    data = Path(wang.home) / "set"
    data.write_text("")
    data.chmod(0o644)
    try_all = """#!/bin/bash
    cat "$DANLU_JOB_SECRET_FILE"
    for path in "$0" "$DANLU_JOB_SECRET_FILE" "$DANLU_STAGED"; do
        case $path in /run/*) ;; *) echo "$path is elsewhere" ;; esac
        chmod u+w "$path" 2>/dev/null && echo "may change $path"
        (echo more >> "$path" || echo more > "$path/more") 2>/dev/null && echo "may write $path"
    done
    ls "$DANLU_STAGED"
    """
    staging = Staging((str(data),), str(folder))
    fields = {"account": wang, "directory": wang.home, "job_secret": "hush\n", "staging": staging}
    output = await node.output_of(try_all, **fields)
    assert [line for line in output.splitlines() if not line.startswith("danlu:")] == ["hush", "set"]


async def test_nobody_else_reads_the_secret_of_a_task(node: Node, folder: Path) -> None:
    wang, zhao = two_accounts(folder)
    command = 'echo "$DANLU_JOB_SECRET_FILE"; sleep 1000'
    order = await node.started(command, account=wang, directory=wang.home, job_secret="hush")
    await eventually(lambda: node.log(order).endswith("\n"))
    peek = f"cat {node.log(order).strip()} 2>&1 || true"
    assert "Permission denied" in await node.output_of(peek, account=zhao, directory=zhao.home)


async def test_a_python_script_of_the_account(node: Node, wang: UnixAccount) -> None:
    script = "#!/usr/bin/python3\nimport os, sys\nprint(os.getuid(), sys.argv[1:])"
    output = await node.output_of(script, account=wang, directory=wang.home, arguments=("x",))
    assert output == f"{wang.uid} ['x']\n"


async def test_an_account_cannot_reach_the_keeper(node: Node, wang: UnixAccount) -> None:
    end = await node.run(f"ls {node.keeper_folder}", account=wang, directory=wang.home)
    assert os.waitstatus_to_exitcode(end.wait_status) != 0


async def test_a_stop_reaches_the_accounts_processes(node: Node, wang: UnixAccount) -> None:
    sleep = f"sleep 4242.{os.getpid()}"
    order = await node.started(f"setsid {sleep} & {sleep}", account=wang, directory=wang.home)
    await node.agent.stop(order.key, grace_s=5)
    assert (await node.end_of(order.key)).ending is TaskEnding.STOPPED
    left = subprocess.run(["pgrep", "-u", str(wang.uid), "-f", sleep], check=False, capture_output=True)
    assert left.returncode == 1


async def test_an_environment_is_looked_for_with_the_accounts_rights(node: Node, wang: UnixAccount) -> None:
    hidden = node.folder / "private" / "venv"
    hidden.mkdir(parents=True)
    (hidden / "pyvenv.cfg").touch()
    hidden.parent.chmod(0o700)
    end = await node.run(account=wang, directory=wang.home, environment=str(hidden))
    assert end.problem == "environment_missing"
