"""What a task is given: its outputs, its variables, its command line."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.agent.story import Node, eventually

BOTH = "echo out; echo err >&2; echo more"


async def test_without_paths_both_streams_go_to_the_log(node: Node) -> None:
    assert await node.output_of(BOTH) == "out\nerr\nmore\n"


async def test_separate_files(node: Node) -> None:
    await node.run(BOTH, stdout="o.txt", stderr="e.txt")
    assert (node.folder / "o.txt").read_text() == "out\nmore\n"
    assert (node.folder / "e.txt").read_text() == "err\n"


async def test_the_same_file_merges_whatever_it_is_called(node: Node) -> None:
    (node.folder / "again.txt").symlink_to("both.txt")
    await node.run(BOTH, stdout="both.txt", stderr="both.txt")
    await node.run(BOTH, stdout="both.txt", stderr="./again.txt")
    assert (node.folder / "both.txt").read_text() == "out\nerr\nmore\n" * 2


async def test_stderr_follows_stdout_unless_it_has_its_own(node: Node) -> None:
    await node.run(BOTH, stdout="o.txt")
    assert (node.folder / "o.txt").read_text() == "out\nerr\nmore\n"
    assert await node.output_of(BOTH, stderr="e.txt") == "out\nmore\n"
    assert (node.folder / "e.txt").read_text() == "err\n"


async def test_dev_null_discards(node: Node) -> None:
    assert (await node.run(BOTH, stdout="/dev/null", stderr="/dev/null")).wait_status == 0
    assert await node.output_of(BOTH, stderr="/dev/null") == "out\nmore\n"


async def test_outputs_are_appended_to(node: Node) -> None:
    (node.folder / "o.txt").write_text("before\n")
    await node.run("echo out", stdout="o.txt")
    assert (node.folder / "o.txt").read_text() == "before\nout\n"


async def test_stdin_is_empty_and_sigpipe_is_the_usual_one(node: Node) -> None:
    assert await node.output_of("wc -c; yes | head -1; echo ${PIPESTATUS[0]}") == "0\ny\n141\n"


async def test_nothing_of_the_keeper_is_open_in_the_task(node: Node) -> None:
    output = await node.output_of(f"{sys.executable} -c 'import os; print(os.listdir(\"/proc/self/fd\"))'")
    assert output == "['0', '1', '2', '3']\n"


async def test_variables_and_gpus(node: Node) -> None:
    order = node.a_task(
        'echo "$LR $CUDA_VISIBLE_DEVICES $NVIDIA_VISIBLE_DEVICES $CUDA_DEVICE_ORDER"'
        ' $DANLU_JOB_ID $DANLU_ATTEMPT $DANLU_RANK $DANLU_NODE "$DANLU_JOB_NAME" $DANLU_USER $DANLU_GPU_IDS',
        gpu_ids=(0, 2),
        variables={"LR": "0.1", "CUDA_VISIBLE_DEVICES": "7", "DANLU_ATTEMPT": "9"},
    )
    await node.agent.launch(order)
    await node.end_of(order.key)
    assert node.log(order) == f"0.1 0,2 0,2 PCI_BUS_ID {order.key.job} 1 0 furnace-1 melting li 0,2\n"


async def test_a_task_without_gpus_sees_none(node: Node) -> None:
    output = await node.output_of('echo "[$CUDA_VISIBLE_DEVICES] $NVIDIA_VISIBLE_DEVICES"')
    assert output == "[] void\n"


async def test_the_gpu_argument_comes_last(node: Node) -> None:
    one_line = {"gpu_ids": (1, 3), "gpu_arg": "--gpus", "arguments": ("a b",)}
    assert await node.output_of("echo run", **one_line) == "run a b --gpus 1,3\n"
    assert await node.output_of("#!/bin/bash\necho $# $*", **one_line) == "3 a b --gpus 1,3\n"


async def test_python_output_is_not_held_back(node: Node) -> None:
    order = await node.started(f"{sys.executable} -c 'import time; print(\"now\"); time.sleep(60)'")
    await eventually(lambda: node.log(order) == "now\n")


async def test_several_lines_are_a_script(node: Node) -> None:
    script = "for word in melt pour\r\ndo echo $word $1\r\ndone"
    assert await node.output_of(script, arguments=("iron",)) == "melt iron\npour iron\n"


async def test_a_venv_is_activated(node: Node) -> None:
    venv = node.folder / "envs" / "torch"
    (venv / "bin").mkdir(parents=True)
    (venv / "pyvenv.cfg").touch()
    (venv / "bin" / "python").symlink_to("/bin/echo")
    command = "python $VIRTUAL_ENV"
    assert await node.output_of(command, environment="envs/torch") == f"{venv}\n"


async def test_a_conda_environment_by_name_with_its_activation_scripts(a_node, folder: Path) -> None:
    prefix = a_conda_prefix(folder / "envs" / "torch")
    node = await a_node(roots=(str(folder / "envs"),))
    expected = f"{prefix} torch 1 set by a package {prefix}/bin\n"
    shown = 'echo $CONDA_PREFIX $CONDA_DEFAULT_ENV $CONDA_SHLVL "$FROM_PACKAGE" ${PATH%%:*}'
    assert await node.output_of(shown, environment="torch") == expected
    assert await node.output_of(f"#!/bin/sh\n{shown}", environment="torch") == expected


def a_conda_prefix(prefix: Path) -> Path:
    (prefix / "conda-meta").mkdir(parents=True)
    (prefix / "conda-meta" / "history").touch()
    (prefix / "bin").mkdir()
    scripts = prefix / "etc" / "conda" / "activate.d"
    scripts.mkdir(parents=True)
    (scripts / "b.sh").write_text('export FROM_PACKAGE="$FROM_PACKAGE by a package"\n')
    (scripts / "a.sh").write_text("export FROM_PACKAGE=set\n")
    (scripts / "c.fish").write_text("this is not for a shell\n")
    return prefix


async def test_the_log_is_private_to_its_owner(node: Node) -> None:
    order = node.a_task()
    await node.agent.launch(order)
    await node.end_of(order.key)
    assert os.stat(order.log_path).st_mode & 0o777 == 0o600


async def test_a_task_tells_where_its_output_began_in_files_that_are_appended_to(node: Node) -> None:
    (node.folder / "o").write_text("before\n")
    order = await node.started("echo more; sleep 600", stdout="o", stderr="e")
    fact = node.known[order.key]
    assert fact.stdout_at is not None
    assert fact.stderr_at is not None
    assert (fact.stdout_at.inode, fact.stdout_at.offset) == ((node.folder / "o").stat().st_ino, 7)
    assert (fact.stderr_at.inode, fact.stderr_at.offset) == ((node.folder / "e").stat().st_ino, 0)
    await node.kill_keeper()
    (again,) = await node.agent.tasks()
    assert (again.stdout_at, again.stderr_at) == (fact.stdout_at, fact.stderr_at)
    await node.agent.stop(order.key, 0.1)
    await node.end_of(order.key)
    assert node.known[order.key].stdout_at == fact.stdout_at


async def test_nothing_is_told_of_danlus_own_log_and_of_what_is_no_file(node: Node) -> None:
    for outputs in ({}, {"stdout": "/dev/null", "stderr": "/dev/null"}):
        order = node.a_task("echo hello", **outputs)
        await node.agent.launch(order)
        await node.end_of(order.key)
        assert (node.known[order.key].stdout_at, node.known[order.key].stderr_at) == (None, None)
