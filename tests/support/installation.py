"""A real Danlu in a folder of its own: started, killed, started again, asked over HTTP and by its CLI."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import httpx

from tests.support import preloaded

REPOSITORY = Path(__file__).parents[2]
Process = subprocess.Popen[bytes] | preloaded.Forked


def wait_until(question, timeout_s: float = 30.0, what: str = "it"):
    """Ask until the answer is truthy; tests wait for states, never for a time to pass."""
    deadline = time.monotonic() + timeout_s
    while not (answer := question()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not happen within {timeout_s:.0f} s")
        time.sleep(0.02)
    return answer


class LiveServer:
    """One data folder and the server that runs on it, if any. Jobs that say nothing of GPUs run on the CPU,
    unless `default_gpus` says otherwise (None: as Danlu has it): most tests are about something else."""

    def __init__(
        self,
        data: Path,
        *options: str,
        entry: tuple[str, ...] = preloaded.DANLU,
        default_gpus: int | None = 0,
    ) -> None:
        self.data = data
        self.options = options
        self.entry = entry
        self.default_gpus = default_gpus
        self.process: Process | None = None
        self._http: httpx.Client | None = None

    def start(self, entry: tuple[str, ...] | None = None) -> LiveServer:
        """Start and wait until it answers."""
        out = (self.data.parent / f"{self.data.name}.out").open("ab")
        words = ("up", "--data", str(self.data), "--port", "0", *self.options)
        if preloaded.is_enough(os.environ):
            self.process = preloaded.start(entry or self.entry, words, out)
        else:
            argv, null = [sys.executable, *(entry or self.entry), *words], subprocess.DEVNULL
            self.process = subprocess.Popen(
                argv, stdin=null, stdout=out, stderr=out, cwd=REPOSITORY, start_new_session=True
            )
        out.close()
        self._wait_up()
        self._set_default_gpus()
        return self

    def _set_default_gpus(self) -> None:
        """Once: the setting stays with the data folder."""
        has_gpus = "--simulate" in self.options or "FAKE_NVML" in os.environ
        if self.default_gpus is not None and has_gpus:
            reply = self.http.patch("/settings", json={"default_gpus": self.default_gpus})
            assert reply.status_code == 200, reply.text
            self.default_gpus = None

    def _wait_up(self) -> None:
        self._forget_connection()
        wait_until(self._is_up, 60, f"the start of the server on {self.data}:\n{self.output()}")

    def _is_up(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            raise AssertionError(f"the server ended with {self.process.returncode}:\n{self.output()}")
        try:
            found = json.loads((self.data / "server.json").read_text())
        except (OSError, ValueError):
            return False
        return found["pid"] == self.process.pid

    def output(self) -> str:
        path = self.data.parent / f"{self.data.name}.out"
        return path.read_text(errors="replace") if path.exists() else ""

    def log(self) -> str:
        path = self.data / "server.log"
        return path.read_text(errors="replace") if path.exists() else ""

    @property
    def url(self) -> str:
        return str(json.loads((self.data / "server.json").read_text())["url"])

    @property
    def token(self) -> str:
        return (self.data / "local-token").read_text().strip()

    @property
    def http(self) -> httpx.Client:
        """A client signed in as the user who started the server."""
        if self._http is None:
            self._http = self.client(self.token)
        return self._http

    def client(self, token: str | None = None, **headers: str) -> httpx.Client:
        if token:
            headers["Authorization"] = f"Bearer {token}"
        # Let go of a quiet connection before the server does: else a request may meet its end.
        limits = httpx.Limits(keepalive_expiry=2)
        # Whether a certificate is believed is for the tests of just that; to load all that are takes long.
        return httpx.Client(
            base_url=f"{self.url}/api/v1", headers=headers, timeout=30, verify=False, limits=limits
        )

    def _forget_connection(self) -> None:
        if self._http is not None:
            self._http.close()
            self._http = None

    def kill(self) -> None:
        """kill -9, as power failures and out-of-memory killers do."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._forget_connection()

    def wait_dead(self, timeout_s: float = 30.0) -> None:
        assert self.process is not None
        self.process.wait(timeout_s)
        self._forget_connection()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)
        self._forget_connection()

    def cli(
        self,
        *words: str,
        check: bool = True,
        text_in: str = "",
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        timeout_s: float = 60,
    ) -> subprocess.CompletedProcess[str]:
        """Run `danlu WORDS` as a user of this machine would."""
        environment = {**os.environ, "DANLU_DATA": str(self.data), "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        done = preloaded.run(words, environment | (env or {}), text_in=text_in, cwd=cwd, timeout_s=timeout_s)
        if check and done.returncode != 0:
            raise AssertionError(
                f"danlu {' '.join(words)} -> {done.returncode}\n{done.stdout}\n{done.stderr}"
            )
        return done

    def submit(self, command: str, **fields: object) -> int:
        reply = self.http.post("/jobs", json={"command": command, "directory": "/tmp", **fields})
        assert reply.status_code == 201, reply.text
        return int(reply.json()["id"])

    def insist(self, fields: dict[str, object], key: str, pause_s: float = 0.02) -> int:
        """As a user who does not give up: submit with a key until a server says the id, whatever dies."""
        while True:
            with contextlib.suppress(httpx.HTTPError, OSError, ValueError):
                reply = httpx.post(
                    f"{self.url}/api/v1/jobs",
                    json=fields,
                    headers={"Authorization": f"Bearer {self.token}", "Idempotency-Key": key},
                    timeout=10,
                    verify=False,
                )
                if reply.status_code == 201:
                    return int(reply.json()["id"])
                assert reply.status_code in (401, 503), reply.text
            time.sleep(pause_s)

    def job(self, job_id: int) -> dict:
        reply = self.http.get(f"/jobs/{job_id}")
        assert reply.status_code == 200, reply.text
        return reply.json()

    def state(self, job_id: int) -> str:
        return self.job(job_id)["job"]["state"]

    def wait_state(self, job_id: int, *states: str, timeout_s: float = 30.0) -> dict:
        def reached() -> dict | None:
            detail = self.job(job_id)
            return detail if detail["job"]["state"] in states else None

        return wait_until(reached, timeout_s, f"job {job_id} in {states} (it is {self.state(job_id)})")

    def wait_ended(self, job_id: int, timeout_s: float = 30.0) -> dict:
        return self.wait_state(job_id, "succeeded", "failed", "cancelled", timeout_s=timeout_s)

    def keeper_pids(self) -> list[int]:
        """The keeper of this data folder, found as an administrator would: by its name and command line.

        A task's wrapper is a fork of it and, for a moment, looks the same; its parent tells.
        """
        needle = str(self.data / "node").encode()
        parents: dict[int, int] = {}
        for path in Path("/proc").iterdir():
            if path.name.isdigit():
                with contextlib.suppress(OSError):
                    words = (path / "cmdline").read_bytes().split(b"\0")
                    if needle in words and (path / "comm").read_text() == "danlu keeper\n":
                        parents[int(path.name)] = int(
                            (path / "stat").read_text().rpartition(")")[2].split()[1]
                        )
        return [pid for pid, parent in parents.items() if parent not in parents]


@contextlib.contextmanager
def live_server(data: Path, *options: str, **extra: object) -> Iterator[LiveServer]:
    """A running server, and at the end nothing left of it: neither jobs nor keeper."""
    server = LiveServer(data, *options, **extra)  # type: ignore[arg-type]
    try:
        yield server.start()
    finally:
        clear_away(server)


def end_jobs(server: LiveServer) -> None:
    """Cancel whatever waits or runs; its nodes must be there to hear of it."""
    for area in ("waiting", "running"):
        for job in server.http.get("/jobs", params={"area": area, "limit": 1000}).json()["jobs"]:
            server.http.post(f"/jobs/{job['id']}/cancel")
    wait_until(lambda: server.http.get("/status").json()["running"] == 0, 60, "the end of all jobs")


def clear_away(server: LiveServer) -> None:
    if server.process is None or server.process.poll() is not None:
        with contextlib.suppress(AssertionError):
            server.start(entry=preloaded.DANLU)
    if server.process is not None and server.process.poll() is None:
        end_jobs(server)
        server.stop()
    wait_until(lambda: not server.keeper_pids(), 20, "the keeper's leaving")
