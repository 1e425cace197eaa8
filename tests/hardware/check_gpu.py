"""Danlu on a machine with a real NVIDIA GPU, tried by hand:

    python tests/hardware/check_gpu.py

Needs Danlu (on PYTHONPATH or installed), PyTorch with CUDA, and nothing else; leaves nothing behind. Each
line says PASS, FAIL or SKIP; the exit code counts the failures. No test of the suite runs it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HOLD_MB = 2048
HOLD = f"""
import os, sys, time, torch
block = torch.empty({HOLD_MB} * 2**20, dtype=torch.uint8, device="cuda")
torch.cuda.synchronize()
print("sees", torch.cuda.device_count(), os.environ.get("CUDA_VISIBLE_DEVICES"), flush=True)
while not os.path.exists(sys.argv[1]):
    time.sleep(0.1)
"""
BLIND = """
import errno, torch
print("available", torch.cuda.is_available())
try:
    open("/dev/nvidia0", "rb").close()
    print("opened")
except OSError as problem:
    print(errno.errorcode[problem.errno])
"""
OTHERS = """
import errno, glob, re
for path in sorted(glob.glob("/dev/nvidia[0-9]*")):
    try:
        open(path, "rb").close()
        print(path, "opened")
    except OSError as problem:
        print(path, errno.errorcode[problem.errno])
"""


class Server:
    """A real server in a folder of its own, asked over HTTP."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "danlu"
        self._out = (folder / "server.out").open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "danlu.main", "up", "--data", str(self.data), "--port", "0"],
            stdin=subprocess.DEVNULL,
            stdout=self._out,
            stderr=self._out,
            start_new_session=True,
        )
        wait(self._is_up, "the server's start", 60)

    def _is_up(self) -> bool:
        if self._process.poll() is not None:
            raise SystemExit(f"the server ended:\n{(self.folder / 'server.out').read_text()}")
        return (self.data / "server.json").exists()

    def ask(self, path: str, method: str = "GET", **body: Any) -> Any:
        url = json.loads((self.data / "server.json").read_text())["url"]
        request = urllib.request.Request(
            f"{url}/api/v1{path}",
            method=method,
            data=json.dumps(body).encode() if method != "GET" else None,
            headers={
                "Authorization": f"Bearer {(self.data / 'local-token').read_text().strip()}",
                "Content-Type": "application/json",
            },
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            return json.loads(reply.read() or b"null")

    def gpus(self) -> list[dict[str, Any]]:
        return [gpu for node in self.ask("/nodes") for gpu in node["gpus"]]

    def submit(self, script: str, *words: str, gpus: int = 0) -> int:
        file = self.folder / f"script{time.monotonic_ns()}.py"
        file.write_text(script)
        command = " ".join([sys.executable, str(file), *words])
        return int(self.ask("/jobs", "POST", command=command, directory=str(self.folder), gpus=gpus)["id"])

    def state(self, job_id: int) -> str:
        return str(self.ask(f"/jobs/{job_id}")["job"]["state"])

    def log(self, job_id: int) -> str:
        attempts = self.ask(f"/jobs/{job_id}")["attempts"]
        path = Path(attempts[-1]["tasks"][0]["stdout_path"]) if attempts else None
        return path.read_text() if path and path.exists() else ""

    def wait_ended(self, job_id: int) -> str:
        ended = ("succeeded", "failed", "cancelled")
        wait(lambda: self.state(job_id) in ended, f"the end of job {job_id}", 120)
        return self.state(job_id)

    def clear(self) -> None:
        """End whatever is left of a part that broke off."""
        for job in self.ask("/jobs?area=running")["jobs"] + self.ask("/jobs?area=waiting")["jobs"]:
            with contextlib.suppress(OSError):
                self.ask(f"/jobs/{job['id']}/cancel", "POST")
        wait(lambda: self.ask("/status")["running"] == 0, "the end of all jobs", 60)

    def close(self) -> None:
        self.clear()
        self._process.send_signal(signal.SIGTERM)
        self._process.wait(30)
        self._out.close()


def wait(question: Callable[[], Any], what: str, within_s: float = 60.0) -> Any:
    deadline = time.monotonic() + within_s
    while not (answer := question()):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{what} did not happen within {within_s:.0f} s")
        time.sleep(0.1)
    return answer


class Trial:
    def __init__(self) -> None:
        self.failures = 0

    def check(self, what: str, passed: bool, found: object = "") -> None:
        self.failures += not passed
        print(f"{'PASS' if passed else 'FAIL'}  {what}" + (f"  [{found}]" if found != "" else ""), flush=True)

    def skip(self, what: str, why: str) -> None:
        print(f"SKIP  {what}  [{why}]", flush=True)

    @contextlib.contextmanager
    def part(self, what: str) -> Iterator[None]:
        """One that breaks off is a failure, and the next goes on."""
        try:
            yield
        except Exception as problem:
            self.check(what, False, f"{type(problem).__name__}: {problem}")


def check_readings(trial: Trial, server: Server) -> None:
    cards = server.gpus()
    trial.check("the GPUs are found", bool(cards), ", ".join(gpu["name"] for gpu in cards))
    for gpu in cards:
        told = {name: gpu[name] for name in ("used_mb", "load", "temperature_c", "power_w", "power_limit_w")}
        trial.check(f"GPU {gpu['index']} tells what it is doing", None not in told.values(), told)
        trial.check(
            f"GPU {gpu['index']} is well and free", gpu["state"] == "free", gpu["fault"] or gpu["state"]
        )
    from danlu.agent.gpus.nvml import NvmlGpus

    probe = NvmlGpus()
    probe.look()
    began = time.perf_counter()
    for _ in range(20):
        probe.look()
    look_ms = (time.perf_counter() - began) / 20 * 1000
    trial.check("a look is cheap", look_ms < 100, f"{look_ms:.1f} ms")
    devices = probe.look().devices
    trial.check("the device files are known", len(devices) == len(cards), devices)


def check_job(trial: Trial, server: Server) -> None:
    stop = server.folder / "stop-job"
    job_id = server.submit(HOLD, str(stop), gpus=1)
    wait(lambda: "sees" in server.log(job_id), f"the job's CUDA ({server.log(job_id)})", 120)
    trial.check("a job sees exactly its GPU", "sees 1 " in server.log(job_id), server.log(job_id).strip())

    def its_process() -> dict[str, Any] | None:
        found = (each for gpu in server.gpus() for each in gpu["processes"] if each["job"] == job_id)
        return next(found, None)

    process = wait(its_process, "the job's process on its GPU", 20)
    trial.check("its process and memory are its own", process["memory_mb"] >= HOLD_MB, process)
    (gpu,) = [gpu for gpu in server.gpus() if job_id in gpu["jobs"]]
    trial.check("its GPU is in use by it", gpu["state"] == "used", f"{gpu['used_mb']} MB used")
    stop.touch()
    trial.check("it ends well", server.wait_ended(job_id) == "succeeded")
    wait(lambda: all(gpu["state"] == "free" for gpu in server.gpus()), "the GPU being free again", 20)
    trial.check("its GPU is free again", True)


def check_guard(trial: Trial, server: Server) -> None:
    guard = server.ask("/nodes")[0]["device_guard"]
    job_id = server.submit(BLIND)
    server.wait_ended(job_id)
    said = server.log(job_id)
    trial.check("a job without GPUs sees none", "available False" in said, said.strip().replace("\n", ", "))
    if not guard:
        trial.skip("a job without GPUs cannot open /dev/nvidia0", "no device cgroup here")
        return
    trial.check(f"a job without GPUs cannot open /dev/nvidia0 (guard {guard})", "EPERM" in said)
    job_id = server.submit(OTHERS, gpus=1)
    server.wait_ended(job_id)
    allowed = [line for line in server.log(job_id).splitlines() if not line.endswith("EPERM")]
    trial.check("a job with one GPU may open exactly one", len(allowed) == 1, server.log(job_id).strip())


def check_foreign(trial: Trial, server: Server) -> None:
    stop = server.folder / "stop-foreign"
    script = server.folder / "foreign.py"
    script.write_text(HOLD)
    everything = len(server.gpus())
    foreigner = subprocess.Popen([sys.executable, str(script), str(stop)], stdout=subprocess.DEVNULL)
    try:
        wait(lambda: any(gpu["state"] == "foreign" for gpu in server.gpus()), "the foreign process", 120)
        (gpu,) = [gpu for gpu in server.gpus() if gpu["state"] == "foreign"]
        seen = [each for each in gpu["processes"] if each["pid"] == foreigner.pid]
        trial.check("a foreign process is listed with its owner", bool(seen and seen[0]["user"]), seen)
        job_id = server.submit("print('at last')", gpus=everything)
        time.sleep(5)
        why = server.ask(f"/jobs/{job_id}/why")["message"]
        trial.check("it keeps a job waiting", server.state(job_id) == "waiting", why)
    finally:
        stop.touch()
        foreigner.wait(30)
    trial.check("the job starts once it is gone", server.wait_ended(job_id) == "succeeded")


def main() -> int:
    trial = Trial()
    folder = Path(tempfile.mkdtemp(prefix="danlu-trial-"))
    folder.chmod(0o755)
    server = Server(folder)
    try:
        trial.check("runs as root" if os.geteuid() == 0 else "runs as itself", True)
        for part in (check_readings, check_job, check_guard, check_foreign):
            with trial.part(part.__name__.replace("_", " ")):
                part(trial, server)
            server.clear()
        print(
            subprocess.run(
                [sys.executable, "-m", "danlu.main", "gpus", "--data", str(server.data)],
                check=False,
                capture_output=True,
                text=True,
            ).stdout
        )
    finally:
        server.close()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{trial.failures} failure(s)")
    return min(trial.failures, 100)


if __name__ == "__main__":
    sys.exit(main())
