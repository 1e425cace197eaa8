"""Fifty open pages and nothing happening: the database is not asked anything."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import uvicorn
from fastapi import FastAPI
from sqlalchemy import Engine, event

from danlu.api.app import make_app
from danlu.api.logs import log_following
from danlu.launch.locations import prepare_folders, wait_until_unlocked
from danlu.launch.serve.installation import open_installation
from danlu.settings import Settings

pytestmark = pytest.mark.e2e

PAGES = 50


class Served:
    """A whole server in this process, so that its statements can be counted, behind a real socket."""

    def __init__(self, url: str, secret: str, installation, app: FastAPI) -> None:
        self.url = url
        self.app = app
        self.control = installation.control
        self.access = installation.access
        self.starter = installation.starter
        self.client = httpx.AsyncClient(
            base_url=f"{url}/api/v1",
            headers={"Authorization": f"Bearer {secret}"},
            timeout=30,
            limits=httpx.Limits(max_connections=None),
        )


@contextlib.asynccontextmanager
async def served(data: Path, **choices: object) -> AsyncIterator[Served]:
    settings = Settings(data=data, starter=getpass.getuser(), simulate=(2, 2), **choices)  # type: ignore[arg-type]
    prepare_folders(settings)
    listener = socket.create_server(("127.0.0.1", 0))
    async with open_installation(settings) as installation:
        app = make_app(installation.control, installation.access, lambda _stop_jobs: None)
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
        server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
        serving = asyncio.create_task(server.serve([listener]))
        secret = installation.access.make_local_secret()
        here = Served(f"http://127.0.0.1:{listener.getsockname()[1]}", secret, installation, app)
        try:
            async with here.client:
                yield here
            await installation.control.stop_jobs()
        finally:
            installation.control.bus.close()
            server.should_exit = True
            await serving
    await asyncio.to_thread(wait_until_unlocked, settings.node_folder)


class Page:
    """An open page: it counts what it hears."""

    def __init__(self, client: httpx.AsyncClient, path: str = "/events?readings=true") -> None:
        self.path = path
        self.heartbeats = 0
        self.heard: dict[str, int] = {}
        self._client = client
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async with self._client.stream("GET", self.path) as reply:
            assert reply.status_code == 200, await reply.aread()
            async for line in reply.aiter_lines():
                if line.startswith(":") or line == "event: ping":
                    self.heartbeats += 1
                elif line.startswith("event: "):
                    name = line.removeprefix("event: ")
                    self.heard[name] = self.heard.get(name, 0) + 1


@contextlib.asynccontextmanager
async def open_pages(client: httpx.AsyncClient, count: int, *path: str) -> AsyncIterator[list[Page]]:
    pages = [Page(client, *path) for _ in range(count)]
    try:
        await until(lambda: all(page.heard or page.heartbeats for page in pages), pages)
        yield pages
    finally:
        for page in pages:
            page.reading.cancel()
        await asyncio.gather(*(page.reading for page in pages), return_exceptions=True)


async def until(question, pages: list[Page]) -> None:
    async with asyncio.timeout(60):
        while not question():
            for page in pages:
                if page.reading.done():
                    page.reading.result()
                    raise AssertionError("a stream ended")
            await asyncio.sleep(0.02)


class Statements:
    def __init__(self) -> None:
        self.seen: list[str] = []

    def __call__(self, _connection, _cursor, statement, *_) -> None:
        self.seen.append(statement)


@contextlib.contextmanager
def statements():
    found = Statements()
    event.listen(Engine, "before_cursor_execute", found)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", found)


async def several_rounds(here: Served, pages: list[Page], hear: str) -> list[str]:
    """What the database is asked while every page hears several heartbeats (or readings), the nodes are
    looked at many times and compared with the store at least thrice."""
    compared = 0
    ask = here.control.agents.tasks

    async def ask_and_count():
        nonlocal compared
        compared += 1
        return await ask()

    here.control.agents.tasks = ask_and_count
    looks = here.control.monitor.looks

    def heard(page: Page) -> int:
        return page.heartbeats if hear == "heartbeat" else page.heard.get(hear, 0)

    before = [heard(page) for page in pages]
    try:
        with statements() as found:
            await until(
                lambda: (
                    compared >= 3
                    and here.control.monitor.looks >= looks + 5
                    and all(heard(page) >= was + 3 for page, was in zip(pages, before, strict=True))
                ),
                pages,
            )
    finally:
        here.control.agents.tasks = ask
    return found.seen


async def becomes_silent(here: Served, pages: list[Page], hear: str) -> bool:
    """What has just happened is over after a while."""
    async with asyncio.timeout(60):
        while await several_rounds(here, pages, hear):
            pass
    return True


async def test_fifty_open_pages_and_nothing_happening_ask_the_database_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_following, "HEARTBEAT_S", 0.3)
    quick = {"heartbeat_s": 0.3, "resync_s": 0.3, "gpu_poll_s": 0.1}
    async with served(tmp_path / "danlu", **quick) as here, open_pages(here.client, PAGES) as pages:
        assert await becomes_silent(here, pages, "heartbeat")
        assert await several_rounds(here, pages, "heartbeat") == []
        assert {page.heard["readings"] for page in pages} == {1}, "an idle cluster is quiet"

        submitted = await here.client.post(
            "/jobs", json={"command": "sleep 120", "gpus": 1, "directory": "/"}
        )
        assert submitted.status_code == 201
        assert await becomes_silent(here, pages, "readings"), "what a job makes its GPU do is not stored"
        assert await several_rounds(here, pages, "readings") == []

        log = f"/jobs/{submitted.json()['id']}/log/follow"
        async with open_pages(here.client, 5, log) as followers:
            assert await becomes_silent(here, followers, "heartbeat"), "nor what a quiet log does not say"
            assert await several_rounds(here, followers, "heartbeat") == []

        with statements() as found:
            await here.client.get("/nodes")
        assert found.seen, "the counting counts"


async def test_a_stream_ends_when_its_session_does(tmp_path: Path) -> None:
    async with (
        served(tmp_path / "danlu", heartbeat_s=3600.0, session_lifetime_s=3.0) as here,
        httpx.AsyncClient(base_url=here.client.base_url, timeout=60) as browser,
    ):
        await browser.get("/version")
        session = await here.access.open_session(here.starter)
        browser.cookies["danlu_session"] = session.secret
        page = Page(browser)
        async with asyncio.timeout(30):
            await page.reading
        assert page.heard["hello"] == 1
        assert (await browser.get("/me")).status_code == 401
