"""Tasks of other people: run with their rights and nothing of ours."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from danlu.core.task import Account, Ending
from tests.agent.story import Node

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run tasks as somebody else")


@pytest.fixture
def wang(folder: Path) -> Account:
    """A second account on this machine, with a home and a group besides its own."""
    home = folder / "home"
    home.mkdir()
    os.chown(home, 54321, 54321)
    return Account("wang", 54321, 54321, (54321, 54399), str(home), "/bin/bash")


async def test_a_task_has_the_accounts_rights_and_no_others(node: Node, wang: Account) -> None:
    output = await node.output_of(
        "id -u; id -ru; id -g; id -G; umask; grep -E 'CapEff|CapPrm' /proc/self/status",
        account=wang,
        directory=wang.home,
    )
    uid, real, gid, groups, mask, *capabilities = output.splitlines()
    assert (uid, real, gid, mask) == ("54321", "54321", "54321", "0022")
    assert set(groups.split()) == {"54321", "54399"}
    assert all(int(line.split()[1], 16) == 0 for line in capabilities)


async def test_a_task_sees_the_accounts_name_and_home_and_nothing_of_the_server(
    a_node, wang: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DANLU_SECRET", "do not tell")
    monkeypatch.setenv("LC_PAPER", "C")
    node = await a_node()
    output = await node.output_of("env", account=wang, directory=wang.home)
    seen = dict(line.split("=", 1) for line in output.splitlines())
    assert (seen["HOME"], seen["USER"], seen["LOGNAME"], seen["SHELL"]) == (
        wang.home,
        "wang",
        "wang",
        "/bin/bash",
    )
    assert "do not tell" not in output
    assert not {"DANLU_SECRET", "LC_PAPER", "PYTEST_CURRENT_TEST"} & set(seen)
    keeper = Path(f"/proc/{node.keeper()}/environ").read_text()
    assert "do not tell" not in keeper


async def test_a_task_cannot_write_where_its_account_cannot(node: Node, wang: Account) -> None:
    private = node.folder / "private"
    private.mkdir(mode=0o700)
    end = await node.run("true", account=wang, directory=wang.home, stdout=str(private / "out"))
    assert (end.ending, end.problem) == (Ending.SETUP_FAILED, "output_unwritable")
    end = await node.run("true", account=wang, directory=wang.home, stdout=str(node.folder / "out"))
    assert end.problem == "output_unwritable"
    end = await node.run("true", account=wang, directory=str(private))
    assert end.problem == "directory_missing"


async def test_files_belong_to_the_account(node: Node, wang: Account) -> None:
    order = node.a_task("touch made; mkdir folder", account=wang, directory=wang.home, stderr="errors")
    await node.agent.launch(order)
    assert (await node.end_of(order.key)).wait_status == 0
    made = [Path(wang.home) / name for name in ("made", "folder", "errors")]
    assert {path.stat().st_uid for path in made} == {54321}
    log = Path(order.log_path).stat()
    assert (log.st_uid, log.st_gid, log.st_mode & 0o777) == (54321, 54321, 0o600)


@pytest.mark.parametrize("shebang", ["", "#!/bin/sh\n", "#!/usr/bin/env -S bash -e\n"])
async def test_a_script_runs_and_is_gone_afterwards(node: Node, wang: Account, shebang: str) -> None:
    script = f'{shebang}echo "$# $1" $(id -u)\nstat -c "%a %u" "$0"\necho "$0"'
    output = await node.output_of(script, account=wang, directory=wang.home, arguments=("a b",))
    counted, rights, path = output.splitlines()
    assert (counted, rights) == ("1 a b 54321", "500 54321")
    assert not Path(path).exists()


async def test_a_python_script_of_the_account(node: Node, wang: Account) -> None:
    script = "#!/usr/bin/python3\nimport os, sys\nprint(os.getuid(), sys.argv[1:])"
    output = await node.output_of(script, account=wang, directory=wang.home, arguments=("x",))
    assert output == "54321 ['x']\n"


async def test_an_account_cannot_reach_the_keeper(node: Node, wang: Account) -> None:
    end = await node.run(f"ls {node.keeper_folder}", account=wang, directory=wang.home)
    assert os.waitstatus_to_exitcode(end.wait_status) != 0


async def test_a_stop_reaches_the_accounts_processes(node: Node, wang: Account) -> None:
    order = await node.started("setsid sleep 4242 & sleep 4242", account=wang, directory=wang.home)
    await node.agent.stop(order.key, grace_s=5)
    assert (await node.end_of(order.key)).ending is Ending.STOPPED
    assert subprocess.run(["pgrep", "-u", "54321"], check=False, stdout=subprocess.DEVNULL).returncode == 1


async def test_an_environment_is_looked_for_with_the_accounts_rights(node: Node, wang: Account) -> None:
    hidden = node.folder / "private" / "venv"
    hidden.mkdir(parents=True)
    (hidden / "pyvenv.cfg").touch()
    hidden.parent.chmod(0o700)
    end = await node.run(account=wang, directory=wang.home, environment=str(hidden))
    assert end.problem == "environment_missing"
