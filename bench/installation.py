"""A real Danlu in a temporary folder, and nothing left of it afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from harness import CannotRun, temporary_folder, wait_until

from danlu.sdk.client import Client

SLOTS = 16
"""Declared slots of the one node, for Danlu and its peers alike: more than two cores can keep busy."""


class Installation:
    def __init__(self, data: Path, *options: str) -> None:
        self.data = data
        self._said = data.parent / f"{data.name}.out"
        argv = [sys.executable, "-m", "danlu.main", "up", "--data", str(data), "--port", "0", *options]
        with self._said.open("wb") as out:
            self.process = subprocess.Popen(
                argv, stdout=out, stderr=out, stdin=subprocess.DEVNULL, start_new_session=True
            )

    def wait_up(self) -> None:
        wait_until(self._is_up, 60, "the start of the server")

    def _is_up(self) -> bool:
        if self.process.poll() is not None:
            raise CannotRun(f"danlu up ended with {self.process.returncode}: {self._said.read_text()}")
        return (self.data / "server.json").exists()

    @property
    def url(self) -> str:
        return str(json.loads((self.data / "server.json").read_text())["url"])

    @property
    def token(self) -> str:
        return (self.data / "local-token").read_text().strip()

    def client(self) -> Client:
        return Client(self.url, self.token)

    def environment(self) -> dict[str, str]:
        """For commands that shall find this server."""
        found = {**os.environ, "DANLU_DATA": str(self.data), "LC_ALL": "C.UTF-8"}
        # An installed program has its compiled modules.
        found.pop("PYTHONDONTWRITEBYTECODE", None)
        return found

    def wait_finished(self, client: Client, timeout_s: float = 600.0, pause_s: float = 0.025) -> None:
        """Wait until nothing waits and nothing runs."""

        def idle() -> bool:
            status = client.get_json("/status")
            return bool(status["waiting"] == 0 and status["running"] == 0)

        wait_until(idle, timeout_s, "the end of all jobs", pause_s)

    def check_all_succeeded(self, client: Client, expected: int) -> None:
        """A throughput of jobs that failed says nothing."""
        for state in ("failed", "cancelled"):
            if client.get_json("/jobs", {"state": state, "limit": 1})["jobs"]:
                raise CannotRun(f"some jobs of this run {state}")
        done = client.get_json("/jobs", {"area": "history", "limit": 1})["counts"]["history"]
        if done < expected:
            raise CannotRun(f"only {done} of {expected} jobs are in the history")

    def pids(self) -> dict[str, list[int]]:
        """The processes of this installation by what they are; tasks and their wrappers are `others`."""
        keepers = self._keepers()
        return {"server": [self.process.pid], "keeper": keepers[:1], "others": keepers[1:]}

    def _keepers(self) -> list[int]:
        return [pid for pid in processes_of(self.data) if pid != self.process.pid]

    def stop(self) -> None:
        """Stop it with its jobs; by force where it does not listen."""
        self.stop_server()
        end_processes(self.data)

    def stop_server(self) -> None:
        if self.process.poll() is None:
            with contextlib.suppress(Exception):
                self.client().api.json_call("POST", "/server/stop", body={"stop_jobs": True})
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


@contextlib.contextmanager
def installation(*options: str, prepare: Callable[[Path], None] | None = None) -> Iterator[Installation]:
    """A running server. `prepare(data)` may fill its data folder before it starts."""
    with temporary_folder() as folder:
        data = folder / "danlu"
        if prepare is not None:
            data.mkdir()
            prepare(data)
        with running_on(data, *options) as running:
            yield running


@contextlib.contextmanager
def running_on(data: Path, *options: str) -> Iterator[Installation]:
    """A server on a data folder that stays."""
    running = Installation(data, *options)
    try:
        running.wait_up()
        yield running
    finally:
        running.stop()


def processes_of(data: Path) -> list[int]:
    """All processes that have this data folder among their words."""
    # With what follows a folder's name: that of another may begin with it.
    needles = (f"{data}/".encode(), f"{data}\0".encode())
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            with contextlib.suppress(OSError):
                words = (path / "cmdline").read_bytes()
                if any(needle in words for needle in needles):
                    found.append(int(path.name))
    return sorted(found)


def end_processes(data: Path, patience_s: float = 10.0) -> None:
    """Wait until they have left; those that do not are killed."""
    deadline = time.monotonic() + patience_s
    while (left := processes_of(data)) and time.monotonic() < deadline:
        time.sleep(0.05)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def memory_kb(pid: int) -> dict[str, int]:
    """Pss and Rss of a process in kB."""
    found = {}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        name, _, rest = line.partition(":")
        if name in ("Pss", "Rss"):
            found[name.lower()] = int(rest.split()[0])
    return found


def cpu_s(pid: int, *, children: bool = False) -> float:
    """CPU seconds that a process has used so far; or those of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    user, system = fields[13:15] if children else fields[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
