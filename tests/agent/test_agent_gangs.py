"""The tasks of a gang are told of each other in the words of each framework, and real processes read them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.agent.keeper.wrapper.gang import gang_variables, host_file, port_of
from danlu.agent.keeper.wrapper.hosts import check_hosts
from danlu.agent.keeper.wrapper.hosts import is_host as keeper_takes
from danlu.agent.keeper.wrapper.interfaces import add_interface, find_interface
from danlu.agent.keeper.wrapper.launchers import under_launcher
from danlu.core.bounds import is_host
from danlu.core.task import TaskEnding
from tests.agent.gangs import GangStory
from tests.agent.story import eventually, is_alive
from tests.support.unix_accounts import two_accounts

BASH = "/bin/bash"
TORCHRUN = (
    "-m torch.distributed.run --nnodes 2 --nproc-per-node 4 --node-rank 1 --master-addr 10.0.0.1"
    " --master-port 4000 --local-addr 10.0.0.2"
)
LAUNCHERS = ("plain", "torchrun", "tensorflow", "jax", "mpi", "ray")
TELL = (
    "import json, os; print(json.dumps({**os.environ, 'hosts': open(os.environ['DANLU_HOSTFILE']).read()}))"
)
RAY = Path(__file__).with_name("counting_ray")


@pytest.fixture
async def gang(folder: Path) -> AsyncIterator[GangStory]:
    async with GangStory(folder, ("127.0.0.1", "127.0.0.2")) as story:
        yield story


async def told(gang: GangStory, launcher: str, **fields: Any) -> list[dict[str, str]]:
    """The variables that each task saw."""
    (gang.directory / "tell.py").write_text(TELL)
    outputs = await gang.outputs_of(f"{sys.executable} tell.py", launcher, **fields)
    return [json.loads(output) for output in outputs]


def a_gang(*addresses: str, launcher: str = "torchrun", gpus: int = 0) -> Any:
    members = [{"node": f"n{rank}", "address": each, "gpus": gpus} for rank, each in enumerate(addresses)]
    return {"members": members, "port": 4000, "second_port": 5000, "launcher": launcher}


async def test_everybody_knows_everybody(gang: GangStory) -> None:
    seen = await told(gang, "plain", gpu_ids=(0, 1))
    assert [(each["NODE_RANK"], each["DANLU_RANK"], each["RANK"]) for each in seen] == [
        ("0",) * 3,
        ("1",) * 3,
    ]
    for each in seen:
        assert (each["NNODES"], each["WORLD_SIZE"], each["MASTER_ADDR"]) == ("2", "2", "127.0.0.1")
        assert (each["DANLU_NODES"], each["DANLU_NODE_ADDRESSES"]) == ("n0,n1", "127.0.0.1,127.0.0.2")
        assert each["hosts"] == "127.0.0.1 slots=2\n127.0.0.2 slots=2\n"
    assert seen[0]["MASTER_PORT"] == seen[1]["MASTER_PORT"]
    assert {each["DANLU_CHECKPOINT_DIR"] for each in seen} == {str(gang.directory / ".danlu/checkpoints/1")}
    assert (gang.directory / ".danlu/checkpoints/1").is_dir()
    assert not list(gang.nodes[0].keeper_folder.glob("scripts/*")), "its files go with the task"


async def test_tensorflow_and_jax(gang: GangStory) -> None:
    configs = [json.loads(each["TF_CONFIG"]) for each in await told(gang, "tensorflow")]
    assert [config["task"] for config in configs] == [{"type": "worker", "index": rank} for rank in (0, 1)]
    workers = configs[0]["cluster"]["worker"]
    assert workers == configs[1]["cluster"]["worker"]
    assert [worker.rpartition(":")[0] for worker in workers] == ["127.0.0.1", "127.0.0.2"]
    for rank, each in enumerate(await told(gang, "jax")):
        assert each["JAX_COORDINATOR_ADDRESS"] == f"127.0.0.1:{each['MASTER_PORT']}"
        assert (each["JAX_NUM_PROCESSES"], each["JAX_PROCESS_ID"]) == ("2", str(rank))


async def test_its_owner_has_the_last_word_but_not_on_ours(gang: GangStory) -> None:
    mine = {"MASTER_PORT": "1", "GLOO_SOCKET_IFNAME": "ib0", "DANLU_NODES": "mine"}
    for each in await told(gang, "plain", variables=mine):
        assert (each["MASTER_PORT"], each["GLOO_SOCKET_IFNAME"]) == ("1", "ib0")
        assert (each["DANLU_NODES"], each["NCCL_SOCKET_IFNAME"]) == ("n0,n1", "=lo")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can run tasks as another account")
async def test_another_account_reads_its_files_and_nobody_else_does(gang: GangStory, folder: Path) -> None:
    wang, _ = two_accounts(folder)
    gang.directory.chmod(0o777)
    command = (
        'cat "$DANLU_HOSTFILE" "$DANLU_JOB_SECRET_FILE"; stat -c "%a %u" "$DANLU_HOSTFILE" '
        '"$DANLU_JOB_SECRET_FILE" "$DANLU_CHECKPOINT_DIR"; echo "$DANLU_SERVER"'
    )
    outputs = await gang.outputs_of(command, account=wang, job_secret="hush\n", server="https://furnace:7322")
    hosts = "127.0.0.1 slots=1\n127.0.0.2 slots=1\n"
    rights = f"440 0\n440 0\n755 {wang.uid}\n"
    assert outputs == [f"{hosts}hush\n{rights}https://furnace:7322\n"] * 2


async def test_a_job_that_is_no_gang_gets_nothing_of_it(gang: GangStory) -> None:
    node = gang.nodes[0]
    output = await node.output_of("env", checkpoint_dir=str(gang.directory / "c"), job_secret="hush")
    names = {line.partition("=")[0] for line in output.splitlines()}
    assert {"DANLU_CHECKPOINT_DIR", "DANLU_JOB_SECRET_FILE"} <= names
    assert not {"WORLD_SIZE", "NODE_RANK", "MASTER_ADDR", "DANLU_NODES", "GLOO_SOCKET_IFNAME"} & names
    assert "hush" not in output
    assert not (gang.directory / "c").exists(), "small jobs leave no empty folders behind"


RSH = """
import os, shlex, subprocess, sys
# As mpirun does it: a host of the file, and a command line for the shell over there.
host = open(os.environ["OMPI_MCA_orte_default_hostfile"]).read().split()[2]
agent = shlex.split(os.environ["OMPI_MCA_plm_rsh_agent"])
assert agent == [os.environ["HYDRA_LAUNCHER_EXEC"], os.environ["HYDRA_LAUNCHER_EXTRA_ARGS"]]
there = subprocess.run([*agent, "-x", host, "echo", "'over here'", "$DANLU_NODE;", "exit", "5"])
print("it ended with", there.returncode)
os.environ["DANLU_JOB_SECRET_FILE"] = "another"
open("another", "w").write("guessed")
print("refused with", subprocess.run([*agent, host, "touch intruded"], stderr=subprocess.DEVNULL).returncode)
"""


async def test_mpi_starts_its_processes_on_the_other_nodes_without_ssh(gang: GangStory) -> None:
    (gang.directory / "mpirun.py").write_text(RSH)
    orders = gang.orders("python3 mpirun.py", "mpi", job_secret="hush")
    await gang.launch(orders)
    end = await gang.nodes[0].end_of(orders[0].key)
    assert (end.ending, gang.nodes[0].log(orders[0])) == (
        TaskEnding.EXITED,
        "it ended with 5\nrefused with 1\n",
    )
    assert gang.nodes[1].log(orders[1]) == "over here n1\n"
    assert not (gang.directory / "intruded").exists()
    facts = await gang.nodes[1].agent.tasks()
    assert [fact.end for fact in facts] == [None], "the other holds its place until it is stopped"


async def test_what_mpi_started_elsewhere_ends_with_it(gang: GangStory) -> None:
    command = 'exec python3 "$HYDRA_LAUNCHER_EXTRA_ARGS" n1 "echo began; exec sleep 98.7"'
    orders = gang.orders(command, "mpi", job_secret="hush")
    await gang.launch(orders)
    there = gang.nodes[1].folder / "logs" / f"{orders[1].key}.log"
    await eventually(lambda: there.exists() and "began" in there.read_text())
    sleepers = [int(each.name) for each in Path("/proc").iterdir() if each.name.isdigit()]
    sleepers = [pid for pid in sleepers if is_alive(pid, "sleep\x0098.7")]
    await gang.nodes[0].agent.stop(orders[0].key, grace_s=2)
    await eventually(lambda: not any(is_alive(pid, "98.7") for pid in sleepers))


async def test_ray_is_there_before_the_command_and_gone_with_it(gang: GangStory) -> None:
    """A stand-in for Ray that counts the nodes: they come late, and the command has to wait for them."""
    variables = {"PATH": f"{RAY}:/usr/bin:/bin", "PYTHONPATH": str(RAY), "COUNTING": str(gang.directory)}
    ends = await gang.run('cat nodes-*; echo "at $RAY_ADDRESS $RAY_AUTH_MODE"; exit 3', "ray",
                          variables=variables, gpu_ids=(0, 1), job_secret="hush")  # fmt: skip
    assert os.waitstatus_to_exitcode(ends[0].wait_status) == 3
    log = (gang.nodes[0].folder / "logs" / "1-1-0.log").read_text()
    seen = [line for line in log.splitlines() if line.startswith(("head", "worker", "at "))]
    port = seen[-1].split()[1].rpartition(":")[2]
    assert seen == [
        f"head at 127.0.0.1 port {port} with 2 GPUs, locked",
        "worker at 127.0.0.2 with 2 GPUs, locked",
        f"at 127.0.0.1:{port} token",
    ]
    assert not list(gang.directory.glob("nodes-*")), "the head went first, by itself; the other was stopped"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("python train.py --lr 0.1", "python RUN train.py --lr 0.1"),
        ("python3.11 -u train.py 'a b' \"$X\"", "python3.11 RUN train.py 'a b' \"$X\""),
        ("/envs/t/bin/python -m lab.train x", "/envs/t/bin/python RUN -m lab.train x"),
        ("OMP_NUM_THREADS=4 python train.py", "OMP_NUM_THREADS=4 python RUN train.py"),
        ("train.py a", "py RUN train.py a"),
        ("./lab/train.py", "py RUN ./lab/train.py"),
        ("A=1 ./train.py", "A=1 py RUN ./train.py"),
        ("torchrun train.py", "torchrun train.py"),
        ("python -m torch.distributed.run --max-restarts 1 t.py", None),
    ],
)
def test_what_torchrun_makes_of_a_command(line: str, expected: str | None) -> None:
    gang = a_gang("10.0.0.1", "10.0.0.2", gpus=4)
    argv = under_launcher([BASH, "-c", line], gang, 1, BASH, "py", "/s/7-1-1")
    assert argv == [BASH, "-c", (expected or line).replace("RUN", TORCHRUN)]


@pytest.mark.parametrize(
    "line",
    [
        "./simulate --steps 3",
        "python -O train.py",
        "cd lab && python t.py",
        "python t.py | tee log",
        "python t.py 'a;b' \"$1\"",
        "cython train.pyx",
    ],
)
def test_a_line_that_is_more_than_a_python_script_runs_as_a_whole_under_torchrun(line: str) -> None:
    gang = a_gang("10.0.0.1", "10.0.0.2", gpus=4)
    argv = under_launcher([BASH, "-c", line], gang, 1, BASH, "py", "/s/7-1-1")
    words = ["py", *TORCHRUN.split(), "--no-python", BASH, "-c", line]
    assert argv == [BASH, "-c", 'exec "$@"', BASH, *words]


EVIL = "10.0.0.1; touch /tmp/danlu-was-here; echo $(id) `id` '\""


@pytest.mark.parametrize("line", ["python train.py", "train.py", "./simulate", "cd x && ./y"])
def test_no_address_is_read_by_a_shell(line: str, tmp_path: Path) -> None:
    """Those that a node tells are refused long before; if one were not, it would be a word like others."""
    argv = under_launcher([BASH, "-c", line], a_gang(EVIL), 0, BASH, "echo", "/s/7-1-0")
    (tmp_path / "python").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "python").chmod(0o755)
    argv = [str(tmp_path / "python") if word == "echo" else word for word in argv]
    argv = [word.replace("echo -m", f"{tmp_path / 'python'} -m") for word in argv]
    said = subprocess.run(
        argv, check=True, capture_output=True, text=True, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}
    )
    assert said.stdout.splitlines().count(EVIL) == 2


def test_a_gang_at_what_is_no_address_is_refused() -> None:
    check_hosts(None)
    check_hosts(a_gang("10.0.0.1", "fd00::1", "node-3"))
    with pytest.raises(ValueError, match="neither an IP address"):
        check_hosts(a_gang("10.0.0.1", EVIL))


@given(st.text(alphabet="ab1.:%-_; $\n[é", max_size=12) | st.ip_addresses().map(str))
def test_the_keeper_takes_the_addresses_that_the_control_side_takes(text: str) -> None:
    assert keeper_takes(text) == is_host(text)


def test_a_script_runs_as_a_whole_under_torchrun() -> None:
    argv = under_launcher(["/bin/sh", "/s/7-1-0", "a b"], a_gang("h"), 0, BASH, "py", "/s/7-1-0")
    assert argv[:7] == [BASH, "-c", 'exec "$@"', BASH, "py", "-m", "torch.distributed.run"]
    assert argv[-4:] == ["--no-python", "/bin/sh", "/s/7-1-0", "a b"]


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_a_launcher_on_one_node(launcher: str) -> None:
    gang = a_gang("10.0.0.1", launcher=launcher, gpus=2)
    variables = gang_variables(gang, 0, "/s/7-1-0")
    assert (variables["NNODES"], variables["NODE_RANK"]) == ("1", "0")
    assert variables["WORLD_SIZE"] == ("2" if launcher in ("torchrun", "mpi") else "1")
    assert under_launcher([BASH, "-c", "train"], gang, 0, BASH, "py", "/s")


@given(
    st.lists(st.sampled_from(["10.0.0.1", "10.0.0.2", "fd00::1", "node-3"]), min_size=1, max_size=8),
    st.sampled_from(LAUNCHERS),
    st.integers(0, 8),
)
def test_all_ranks_are_told_the_same_world(addresses: list[str], launcher: str, gpus: int) -> None:
    gang = a_gang(*addresses, launcher=launcher, gpus=gpus)
    told = [gang_variables(gang, rank, "/s") for rank in range(len(addresses))]
    assert [each["NODE_RANK"] for each in told] == [str(rank) for rank in range(len(addresses))]
    for name in ("NNODES", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"):
        assert len({each[name] for each in told}) == 1
    places = {(each, port_of(gang, rank, 4000)) for rank, each in enumerate(addresses)}
    assert len(places) == len(addresses), "no two listen at the same place"
    assert len(host_file(gang).splitlines()) == len(addresses)
    if launcher == "tensorflow":
        configs = [json.loads(each["TF_CONFIG"]) for each in told]
        assert len({str(config["cluster"]) for config in configs}) == 1
        assert len(set(configs[0]["cluster"]["worker"])) == len(addresses)


def test_the_interface_of_an_address() -> None:
    assert find_interface("127.0.0.1") == "lo"
    assert find_interface("203.0.113.77") is None
    assert find_interface("no such host") is None
    if socket.has_ipv6 and Path("/proc/net/if_inet6").exists():
        assert find_interface("::1") in ("lo", None)
    assert add_interface({"A": "1"}, "203.0.113.77") == {"A": "1"}
