"""Tasks that are Python functions: two open files, and nothing else of ours."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from danlu.core.task import TaskEnding
from tests.agent.story import Node
from tests.support.unix_accounts import two_accounts


@pytest.fixture
def files(folder: Path) -> dict[str, str]:
    """A call, and a place for its result, where only we can go."""
    (folder / "data").mkdir(mode=0o700)
    call = folder / "data" / "call"
    call.write_text("what to call")
    call.chmod(0o600)
    return {"call_path": str(call), "result_path": str(folder / "data/results/1/1")}


async def test_a_task_reads_its_call_and_writes_its_result(node: Node, files: dict[str, str]) -> None:
    output = await node.output_of(
        "cat <&$DANLU_CALL_FD; echo; echo done >&$DANLU_RESULT_FD; ls /proc/self/fd; "
        "echo $DANLU_CALL_FD $DANLU_RESULT_FD",
        **files,
    )
    said, *opened, numbers = output.splitlines()
    assert said == "what to call"
    # Standard streams, the two, and the folder that `ls` itself has open.
    assert len(opened) == 6
    assert set(numbers.split()) < set(opened)
    result = Path(files["result_path"])
    assert result.read_text() == "done\n"
    assert stat.S_IMODE(result.stat().st_mode) == 0o600
    assert stat.S_IMODE(result.parent.stat().st_mode) == 0o700


async def test_a_plain_task_has_neither(node: Node) -> None:
    output = await node.output_of("ls /proc/self/fd | wc -l; env | grep -c _FD=; true")
    assert output.split() == ["4", "0"]


async def test_the_next_attempt_begins_with_an_empty_result(node: Node, files: dict[str, str]) -> None:
    for word in ("a long result", "short"):
        await node.output_of(f"echo {word} >&$DANLU_RESULT_FD", **files)
    assert Path(files["result_path"]).read_text() == "short\n"


async def test_a_call_cannot_be_written(node: Node, files: dict[str, str]) -> None:
    output = await node.output_of("(echo x >&$DANLU_CALL_FD) 2>/dev/null || echo refused", **files)
    assert output == "refused\n"
    assert Path(files["call_path"]).read_text() == "what to call"


@pytest.mark.parametrize("trap", ["missing", "link", "fifo"])
async def test_what_is_no_plain_file_is_not_called(node: Node, files: dict[str, str], trap: str) -> None:
    call = Path(files["call_path"])
    call.rename(call.with_name("other"))
    if trap == "link":
        call.symlink_to(call.with_name("other"))
    elif trap == "fifo":
        os.mkfifo(call)
    end = await node.run("true", **files)
    assert (end.ending, end.problem) == (TaskEnding.SETUP_FAILED, "launch_failed")
    assert str(call) in end.detail


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run tasks as another account")
async def test_another_account_has_the_two_files_and_cannot_reach_them_otherwise(
    node: Node, files: dict[str, str], folder: Path
) -> None:
    account, _ = two_accounts(folder)
    output = await node.output_of(
        "id -u; cat <&$DANLU_CALL_FD; echo; echo done >&$DANLU_RESULT_FD; "
        f"cat {files['call_path']} {files['result_path']} /proc/self/fd/$DANLU_RESULT_FD 2>&1 | "
        "grep -c denied",
        account=account,
        directory="/",
        **files,
    )
    assert output.splitlines() == [str(account.uid), "what to call", "3"]
    assert Path(files["result_path"]).read_text() == "done\n"
