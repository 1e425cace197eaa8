"""Slurm on this machine: Debian's packages, several `slurmd` on one host, tuned for throughput.

Tuned for many short jobs after its High Throughput Computing Administration Guide: munge with ten threads;
no accounting, no job completion log, no process tracking through cgroups, no affinity; a basic priority;
`sched/builtin`; little logging; `defer`; jobs forgotten soon.
What it leaves to the site is set to what was fastest here.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import CannotRun, temporary_folder, wait_until
from peers import find_program, need_programs

NODES, GPUS = 4, 4
SUBMITTERS = 4
MANY_SLOTS = f"{4 * NODES * GPUS} slots"
SCHEDULING = "defer,batch_sched_delay=0,sched_min_interval=100000,sched_interval=1,default_queue_depth=1000"

CONFIGURATION = """\
ClusterName=bench
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort={port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
SlurmctldDebug=error
SlurmdDebug=error
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
PriorityType=priority/basic
SchedulerType={scheduler}
SchedulerParameters={scheduling}
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
MaxJobCount=100000
MaxArraySize=100001
MinJobAge=2
MessageTimeout=100
CompleteWait=0
KillOnBadExit=0
JobRequeue=0
TreeWidth=65533
GresTypes=gpu
{nodes}
PartitionName=bench Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Slurm:
    """A running Slurm in a folder, and its commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

    def command(self, *words: str) -> str:
        done = subprocess.run(
            [*words], env=self.environment, capture_output=True, text=True, check=False, cwd=self.folder
        )
        if done.returncode != 0:
            raise CannotRun(f"{words[0]}: {done.stderr.strip()[-300:]}")
        return done.stdout

    def submit(self, *options: str) -> None:
        out = f"--output={self.folder}/out/%j-%a.log"
        self.command("sbatch", "--quiet", "--gres=gpu:1", "-n1", out, *options, "--wrap", "true")

    def wait_finished(self, timeout_s: float = 900.0) -> None:
        """Wait until nothing waits, runs or completes. Asked seldom: each question costs the controller."""
        wait_until(lambda: not self.command("squeue", "--noheader").strip(), timeout_s, "Slurm's jobs", 0.25)


@contextlib.contextmanager
def slurm(*, nodes: int = NODES, gpus: int = GPUS) -> Iterator[Slurm]:
    """A Slurm that is up, and gone at the end. Raises CannotRun."""
    need_programs(("slurmctld", "slurmd", "munged", "sbatch"), ("slurm-wlm", "munge"))
    if os.geteuid() != 0:
        raise CannotRun("its daemons need root")
    with temporary_folder() as folder, contextlib.ExitStack() as daemons:
        folder.chmod(0o755)
        _write_configuration(folder, nodes, gpus)
        _start_munge(folder, daemons)
        running = Slurm(folder)
        try:
            _start(daemons, running, "slurmctld", "-D", "-c")
            for number in range(nodes):
                _start(daemons, running, "slurmd", "-D", "-N", f"n{number}")
            wait_until(lambda: _all_idle(running, nodes), 60, "the start of Slurm", 0.2)
        except CannotRun as problem:
            raise CannotRun(f"{problem}; its log: {_tail(folder / 'slurmctld.log')}") from None
        yield running


def slurm_rates(jobs: int, _rounds: int) -> dict[str, float]:
    """Jobs/s from the first `sbatch` to the end of the last job. Measured once: it goes by its own clock,
    one round of starts a second, and does not vary."""
    found = {}
    with slurm() as running:
        running.submit()
        running.wait_finished()
        found["one by one"] = _measure(running, jobs, 1)
        found[f"by {SUBMITTERS} clients"] = _measure(running, jobs, SUBMITTERS)
    with slurm(gpus=4 * GPUS) as running:
        running.submit()
        running.wait_finished()
        found[f"by {SUBMITTERS} clients, {MANY_SLOTS}"] = _measure(running, jobs, SUBMITTERS)
    return found


def slurm_array(tasks: int, _rounds: int) -> dict[str, float]:
    """Tasks/s of one array, submitted to finished, and the seconds of submitting one ten times as large."""
    with slurm() as running:
        running.submit()
        running.wait_finished()
        started = time.perf_counter()
        running.submit(f"--array=0-{tasks - 1}")
        running.wait_finished()
        rate = tasks / (time.perf_counter() - started)
        started = time.perf_counter()
        running.submit(f"--array=0-{10 * tasks - 1}", "--hold")
        return {"rate": rate, "submit_large_s": time.perf_counter() - started}


def _measure(running: Slurm, jobs: int, submitters: int) -> float:
    started = time.perf_counter()
    with ThreadPoolExecutor(submitters) as pool:
        list(pool.map(lambda _: running.submit(), range(jobs)))
    running.wait_finished()
    return jobs / (time.perf_counter() - started)


def _write_configuration(folder: Path, nodes: int, gpus: int) -> None:
    for name in ("munge", "state", "out", "gpus"):
        (folder / name).mkdir(mode=0o755)
    host = socket.gethostname().partition(".")[0]
    port, *ports = _free_ports(nodes + 1)
    lines, resources = [], []
    for number in range(nodes):
        lines.append(
            f"NodeName=n{number} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[number]}"
            f" CPUs={gpus} RealMemory=1000 Gres=gpu:{gpus} State=UNKNOWN"
        )
        for index in range(gpus):
            (folder / "gpus" / f"n{number}-{index}").touch()
        resources.append(f"NodeName=n{number} Name=gpu File={folder}/gpus/n{number}-[0-{gpus - 1}]")
    text = CONFIGURATION.format(
        host=host,
        port=port,
        folder=folder,
        scheduler="sched/builtin",
        scheduling=SCHEDULING,
        nodes="\n".join(lines),
    )
    (folder / "slurm.conf").write_text(text)
    (folder / "gres.conf").write_text("\n".join(resources) + "\n")
    (folder / "cgroup.conf").write_text("CgroupAutomount=no\n")


def _start_munge(folder: Path, daemons: contextlib.ExitStack) -> None:
    room = folder / "munge"
    key = room / "key"
    key.touch(0o600)
    key.write_bytes(secrets.token_bytes(128))
    words = [f"--{name}={room / name}" for name in ("socket", "pid-file", "log-file", "seed-file")]
    argv = [find_program("munged") or "munged", "--foreground", "--force", f"--key-file={key}", *words]
    daemons.enter_context(_process([*argv, "--num-threads=10"], dict(os.environ), room / "out"))
    wait_until((room / "socket").exists, 10, "the start of munge")


def _start(daemons: contextlib.ExitStack, running: Slurm, program: str, *words: str) -> None:
    out = running.folder / f"{program}{'-'.join(words)}.out"
    daemons.enter_context(_process([find_program(program) or program, *words], running.environment, out))


@contextlib.contextmanager
def _process(argv: list[str], environment: dict[str, str], out: Path) -> Iterator[None]:
    with out.open("wb") as file:
        daemon = subprocess.Popen(argv, env=environment, stdout=file, stderr=file, start_new_session=True)
    try:
        yield
    finally:
        daemon.terminate()
        try:
            daemon.wait(15)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()


def _all_idle(running: Slurm, nodes: int) -> bool:
    with contextlib.suppress(CannotRun):
        states = running.command("sinfo", "--noheader", "-N", "-o", "%T").split()
        return states == ["idle"] * nodes
    return False


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        listeners = [stack.enter_context(socket.socket()) for _ in range(count)]
        for listener in listeners:
            listener.bind(("127.0.0.1", 0))
        return [int(listener.getsockname()[1]) for listener in listeners]


def _tail(path: Path) -> str:
    return path.read_text(errors="replace")[-400:] if path.exists() else "none"
