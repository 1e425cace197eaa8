"""`danlu top`: what it shows, live, and what its keys do; against real servers."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from danlu.cli.session import Session
from danlu.cli.top.dashboard import Dashboard
from danlu.cli.top.detail import JobScreen
from danlu.cli.top.dialogs import Confirm
from danlu.cli.top.lines import Lines
from tests.support.drivers import FakeDriver
from tests.support.installation import LiveServer, live_server

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A real server with two GPUs behind a fake driver, which one test kills and starts again."""
    folder = tmp_path_factory.mktemp("top")
    driver = FakeDriver(folder)
    driver.plug("NVIDIA A100", "NVIDIA A100")
    driver.set(0, load=73, temperature=61, power=244)
    with driver.in_charge(), live_server(folder / "danlu") as server:
        yield server


@pytest.fixture
def server(served: LiveServer) -> Iterator[LiveServer]:
    yield served
    for area in ("waiting", "running"):
        for job in served.http.get("/jobs", params={"area": area}).json()["jobs"]:
            served.http.post(f"/jobs/{job['id']}/cancel")


@contextlib.asynccontextmanager
async def dashboard(
    server: LiveServer, size: tuple[int, int] = (100, 30), **variables: str
) -> AsyncIterator[Pilot]:
    environment = {"DANLU_DATA": str(server.data), "LANG": "en_US.UTF-8", **variables}
    app = Dashboard(Session(environment), "root", server.url)
    async with app.run_test(size=size) as pilot:
        yield Pilot(app, pilot)


class Pilot:
    """Presses keys and reads the screen."""

    def __init__(self, app: Dashboard, pilot) -> None:
        self.app = app
        self._pilot = pilot

    async def press(self, *keys: str) -> None:
        await self._pilot.press(*keys)

    @property
    def screen(self) -> str:
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in strips)

    async def until(self, question: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + 30
        while not question():
            assert time.monotonic() < deadline, f"{what}:\n{self.screen}"
            await asyncio.sleep(0.05)

    async def sees(self, *words: str) -> None:
        await self.until(lambda: all(word in self.screen for word in words), f"not seen: {words}")

    async def choose(self, job: int) -> None:
        jobs = self.app.query_one("#jobs", Lines)
        await self.until(lambda: str(job) in self.app._rows, f"job {job} in the list")
        await self.press("home")
        while jobs.chosen != str(job):
            before = jobs.chosen
            await self.press("down")
            assert jobs.chosen != before, f"job {job} cannot be chosen"


async def test_gpus_and_jobs_are_seen_as_they_change(server):
    async with dashboard(server) as top:
        await top.sees("73%", "61°C", "244W", "free", "Running 0")
        job = server.submit("sleep 60", gpus=1, name="train.py")
        await top.sees("Running 1", "train.py", f"#{job} root", "1/2 GPUs in use")
        server.http.post(f"/jobs/{job}/cancel")
        await top.sees("Running 0", "cancelled")


@pytest.mark.parametrize("size", [(80, 24), (160, 48)])
async def test_why_a_job_waits_is_a_whole_sentence_below(server, size):
    running = server.submit("sleep 60", gpus=2)
    server.wait_state(running, "running")
    job = server.submit("true", gpus=2, name="patient.py")
    async with dashboard(server, size) as top:
        await top.choose(job)
        sentence = server.job(job)["job"]["why"][0]["message"]
        await top.until(lambda: " ".join(sentence.split())[:40] in " ".join(top.screen.split()), sentence)


async def test_chinese_is_spoken(server):
    job = server.submit("sleep 60", gpus=1)
    async with dashboard(server, LANG="zh_CN.UTF-8") as top:
        await top.sees("运行中 1", "等待中 0", "退出")
        await top.choose(job)
        await top.press("c")
        await top.sees(f"取消任务 {job}")


async def test_a_job_is_cancelled_only_after_a_yes(server):
    job = server.submit("sleep 60", gpus=1, name="train.py")
    server.wait_state(job, "running")
    async with dashboard(server) as top:
        await top.choose(job)
        for keys in (["n"], ["escape"], ["enter"]):
            await top.press("c")
            await top.sees(f"Cancel job {job} (train.py, root)?")
            await top.press(*keys)
            await top.until(lambda: not isinstance(top.app.screen, Confirm), "the end of the question")
        assert server.state(job) == "running"
        await top.press("c", "y")
        await top.sees("Running 0")
        await top.until(lambda: server.state(job) == "cancelled", "the end of the job")


async def test_one_that_is_being_stopped_is_ended_at_once(server):
    job = server.submit("trap '' TERM; while :; do sleep 1; done", name="deaf.py", gpus=1, grace_s=3600)
    server.wait_state(job, "running")
    server.http.post(f"/jobs/{job}/cancel")
    async with dashboard(server) as top:
        await top.sees("stopping")
        await top.choose(job)
        await top.press("c")
        await top.sees("is being stopped. Kill it")
        await top.press("y")
        await top.until(lambda: server.state(job) == "cancelled", "the end of the job")


async def test_the_log_is_followed_to_its_end_and_facts_stand_above(server, tmp_path):
    gate, script = tmp_path / "gate", tmp_path / "train.sh"
    wait = f"while [ ! -e {gate} ]; do sleep 0.05; done"
    script.write_text(f"echo epoch 1; printf '10%%\\r20%%'; {wait}; echo; echo epoch 2\n")
    job = server.submit(f"sh {script}", name="train.py")
    async with dashboard(server) as top:
        await top.choose(job)
        await top.press("enter")
        await top.sees("epoch 1", "20%", "train.py", "running")
        assert "10%" not in top.screen
        gate.touch()
        await top.sees("epoch 2", "end of the log: succeeded")
        await top.press("l")
        await top.until(lambda: "train.py" not in top.screen, "the log alone")
        await top.press("escape")
        await top.sees("Ended")
        await top.press("l")
        await top.until(lambda: isinstance(top.app.screen, JobScreen), "the log")
        await top.sees("epoch 2")


async def test_the_list_is_narrowed_by_words(server):
    kept = server.submit("sleep 60", name="resnet.py")
    server.submit("sleep 60", name="vit.py")
    async with dashboard(server) as top:
        await top.sees("resnet.py", "vit.py")
        await top.press("slash", *"resnet")
        await top.until(lambda: "vit.py" not in top.screen, "the filter")
        # Letters go into the filter, not to the keys of the same names.
        await top.press("enter")
        assert top.app.query_one("#jobs", Lines).chosen == str(kept)
        await top.press("escape")
        await top.sees("resnet.py", "vit.py")


async def test_mine_are_those_of_whoever_looks(server):
    async with dashboard(server) as top:
        await top.sees("Running")
        await top.press("m")
        await top.sees("Running 0 · mine")
        await top.press("m")
        await top.until(lambda: "mine" not in top.screen.replace("mine/all", ""), "all of them")


async def test_a_lost_server_is_told_and_found_again(server):
    async with dashboard(server) as top:
        await top.sees("Running 0")
        server.kill()
        await top.sees("No connection")
        await asyncio.to_thread(server.start)
        await top.until(lambda: "No connection" not in top.screen, "the way back")
        job = await asyncio.to_thread(server.submit, "sleep 60", name="after.py")
        await top.sees("after.py", "Running 1")
        assert str(job) in top.app._rows


async def test_an_interrupted_reading_does_not_end_it(server):
    """A server that does not answer for a while, as over a bad line."""
    assert server.process is not None
    async with dashboard(server) as top:
        await top.sees("Running 0")
        os.kill(server.process.pid, signal.SIGSTOP)
        try:
            await top.press("down", "up", "slash", "x", "escape")
            assert top.app.is_running
        finally:
            os.kill(server.process.pid, signal.SIGCONT)
        job = await asyncio.to_thread(server.submit, "sleep 60", name="later.py")
        await top.sees("later.py")
        assert job


def test_without_a_terminal_it_says_what_to_use_instead(server, tmp_path: Path):
    done = server.cli("top", check=False)
    assert done.returncode == 2
    assert "danlu ps" in done.stderr
