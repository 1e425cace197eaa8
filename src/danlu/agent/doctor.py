"""Looks a node over: what would make jobs fail here, found before one does."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import os
import platform
import resource
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from danlu.agent.aside import Hangs, run_aside
from danlu.agent.files.plain_files import read_plain
from danlu.core.nodes.doctor import (
    DISK_PROBLEM_BYTES,
    DISK_WARNING_SHARE,
    LONGEST_PROOF,
    OPEN_FILES_AT_LEAST,
    PROOF_FILE,
    SKEW_PROBLEM_S,
    SKEW_WARNING_S,
    Check,
    Question,
    SharedFolder,
)
from danlu.core.nodes.node import Finding, FindingLevel

PATIENCE_S = 5.0
TRIED_BYTES = 1 << 16
DOCKER_SOCKET = "/var/run/docker.sock"
GPU_DEVICE_FILE = "/dev/nvidiactl"
_CONDA_HOMES = ("/opt/conda", "/opt/miniconda3", "/opt/anaconda3", "/usr/local/miniconda3")

OK, WARNING, PROBLEM = FindingLevel.OK, FindingLevel.WARNING, FindingLevel.PROBLEM


async def diagnose(
    question: Question, data: Path, address: str, version: str, cpu_guard: str, memory_guard: str
) -> list[Finding]:
    """Everything that can be said of this node now. What hangs is a finding, and holds up no other."""
    asked_at = time.time()
    found = await asyncio.gather(
        *(_look_at(folder) for folder in question.folders),
        _aside("driver", str(data), judge_driver_here),
        _aside("disk", str(data), lambda: judge_disk(data)),
        _aside("docker", DOCKER_SOCKET, lambda: judge_docker(DOCKER_SOCKET)),
        _aside("conda", "/opt", lambda: judge_conda(os.environ)),
    )
    return [
        *found[: len(question.folders)],
        judge_clock(asked_at - question.clock),
        found[-4],
        judge_version(version, question.version),
        judge_python(platform.python_version(), question.python),
        judge_address(address),
        found[-3],
        judge_limits(resource.getrlimit(resource.RLIMIT_NOFILE)[1]),
        judge_guards(cpu_guard, memory_guard),
        *found[-2:],
    ]


async def _look_at(folder: SharedFolder) -> Finding:
    try:
        return await run_aside(lambda: judge_folder(folder), folder.path, None, PATIENCE_S)
    except Hangs:
        return Finding(Check.FOLDER, PROBLEM, "hangs", {"path": folder.path})


async def _aside(check: str, path: str, work: Callable[[], Finding]) -> Finding:
    try:
        return await run_aside(work, path, None, PATIENCE_S)
    except Hangs:
        return Finding(check, PROBLEM, "hangs", {"path": path})


def judge_folder(folder: SharedFolder) -> Finding:
    """Whether a folder is there, can be used, and is the one that the server has."""
    facts: dict[str, str | int | float] = {"path": folder.path}
    try:
        next(Path(folder.path).iterdir(), None)
    except FileNotFoundError:
        return Finding(Check.FOLDER, PROBLEM, "missing", facts)
    except OSError as error:
        return Finding(
            Check.FOLDER, PROBLEM, "unreadable", {**facts, "reason": os.strerror(error.errno or 0)}
        )
    if not folder.proof:
        return Finding(Check.FOLDER, WARNING, "unproved", facts)
    try:
        seen = read_plain(f"{folder.path}/{PROOF_FILE}", LONGEST_PROOF).strip()
    except OSError:
        seen = ""
    if seen != folder.proof:
        return Finding(Check.FOLDER, PROBLEM, "different", facts)
    if not os.access(folder.path, os.W_OK):
        return Finding(Check.FOLDER, WARNING, "read_only", facts)
    return Finding(Check.FOLDER, OK, "same", facts)


def judge_clock(skew_s: float) -> Finding:
    """`skew_s`: how far the clock here is ahead of the server's. The way of the question counts as ahead."""
    level = PROBLEM if abs(skew_s) > SKEW_PROBLEM_S else WARNING if abs(skew_s) > SKEW_WARNING_S else OK
    code = "same" if level is OK else "ahead" if skew_s > 0 else "behind"
    return Finding(Check.CLOCK, level, code, {"seconds": round(abs(skew_s), 1)})


def judge_driver_here() -> Finding:
    """Asks NVML anew: the driver may have been changed below the processes that have it open."""
    import pynvml

    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        if Path(GPU_DEVICE_FILE).exists():
            return Finding(Check.DRIVER, PROBLEM, "broken", {"reason": str(error)})
        return Finding(Check.DRIVER, OK, "none")
    try:
        facts: dict[str, str | int | float] = {
            "driver": pynvml.nvmlSystemGetDriverVersion(),
            "cuda": _cuda_version(),
            "gpus": pynvml.nvmlDeviceGetCount(),
        }
    except pynvml.NVMLError as error:
        return Finding(Check.DRIVER, PROBLEM, "broken", {"reason": str(error)})
    finally:
        with contextlib.suppress(pynvml.NVMLError):
            pynvml.nvmlShutdown()
    return Finding(Check.DRIVER, OK, "works", facts)


def _cuda_version() -> str:
    import pynvml

    try:
        number = pynvml.nvmlSystemGetCudaDriverVersion()
    except pynvml.NVMLError:
        return "?"
    return f"{number // 1000}.{number % 1000 // 10}"


def judge_version(here: str, server: str) -> Finding:
    facts: dict[str, str | int | float] = {"here": here, "server": server}
    return Finding(
        Check.VERSION, OK if here == server else WARNING, "same" if here == server else "other", facts
    )


def judge_python(here: str, server: str) -> Finding:
    """Functions travel between the two: bytes of one minor version are not read by another."""
    facts: dict[str, str | int | float] = {"here": here, "server": server}
    same = here.split(".")[:2] == server.split(".")[:2]
    return Finding(Check.PYTHON, OK if same else WARNING, "same" if same else "other", facts)


def judge_address(address: str) -> Finding:
    """Whether the address that others are told is one of this machine, and can be listened at."""
    facts: dict[str, str | int | float] = {"address": address}
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family) as listener:
            listener.bind((address, 0))
            listener.listen(1)
            with socket.create_connection(listener.getsockname()[:2], timeout=PATIENCE_S):
                return Finding(Check.ADDRESS, OK, "mine", facts)
    except OSError as error:
        return Finding(Check.ADDRESS, PROBLEM, "not_mine", {**facts, "reason": str(error)})


def judge_disk(data: Path) -> Finding:
    usage = shutil.disk_usage(data)
    facts: dict[str, str | int | float] = {
        "path": str(data),
        "free_bytes": usage.free,
        "total_bytes": usage.total,
    }
    try:
        _try_writing(data)
    except OSError as error:
        return Finding(
            Check.DISK, PROBLEM, "unwritable", {"path": str(data), "reason": os.strerror(error.errno or 0)}
        )
    if usage.free < DISK_PROBLEM_BYTES:
        return Finding(Check.DISK, PROBLEM, "full", facts)
    nearly = usage.free < usage.total * DISK_WARNING_SHARE
    return Finding(Check.DISK, WARNING if nearly else OK, "nearly_full" if nearly else "room", facts)


def _try_writing(folder: Path) -> None:
    """What every task needs that starts here. That there are free bytes does not say that there are free
    inodes, or that the disk takes them. Raises OSError."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(TRIED_BYTES))
        file.flush()
        os.fsync(file.fileno())


def judge_limits(open_files: int) -> Finding:
    enough = open_files == resource.RLIM_INFINITY or open_files >= OPEN_FILES_AT_LEAST
    facts: dict[str, str | int | float] = {"open_files": open_files, "wanted": OPEN_FILES_AT_LEAST}
    return Finding(Check.LIMITS, OK if enough else WARNING, "enough" if enough else "few_files", facts)


def judge_guards(cpu_guard: str, memory_guard: str) -> Finding:
    code = {(True, True): "both", (True, False): "only_cpus", (False, True): "only_memory"}.get(
        (bool(cpu_guard), bool(memory_guard)), "none"
    )
    facts: dict[str, str | int | float] = {"cpus": cpu_guard, "memory": memory_guard}
    return Finding(Check.GUARDS, OK if code == "both" else WARNING, code, facts)


def judge_docker(path: str) -> Finding:
    """Whether the Docker Engine answers, and which it is."""
    if not Path(path).exists():
        return Finding(Check.DOCKER, OK, "none")
    try:
        status, version = _ask_docker(path)
    except (OSError, http.client.HTTPException) as error:
        return Finding(Check.DOCKER, WARNING, "silent", {"reason": str(error)})
    if status != http.HTTPStatus.OK:
        return Finding(Check.DOCKER, WARNING, "silent", {"reason": f"HTTP {status}"})
    return Finding(Check.DOCKER, OK, "works", {"version": version})


def _ask_docker(path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("docker", timeout=PATIENCE_S)
    connection.sock = socket.socket(socket.AF_UNIX)
    with contextlib.closing(connection):
        connection.sock.settimeout(PATIENCE_S)
        connection.sock.connect(path)
        connection.request("GET", "/_ping")
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.getheader("Api-Version") or ""


def judge_conda(environment: Mapping[str, str]) -> Finding:
    homes: Iterable[str] = (
        *_CONDA_HOMES,
        *(str(Path(home).expanduser()) for home in ("~/miniconda3", "~/anaconda3")),
    )
    found = shutil.which("conda", path=environment.get("PATH")) or next(
        (f"{home}/bin/conda" for home in homes if os.access(f"{home}/bin/conda", os.X_OK)), None
    )
    return Finding(Check.CONDA, OK, "there", {"path": found}) if found else Finding(Check.CONDA, OK, "none")
