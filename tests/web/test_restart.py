"""The server dies and comes back under open pages: they say so, catch up, and lose nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.agent.small_disk import fill_disk, small_disk
from tests.support.browser import Person, worst_shift
from tests.support.installation import LiveServer, live_server, wait_until
from tests.web.conftest import ENTRY

pytestmark = pytest.mark.web

Enter = Callable[..., Person]

# The buttons and links that the notice lies over.
COVERED = """() => [...document.querySelectorAll('header a, header button, main a, main button')]
    .filter((e) => {
        const { x, y, width, height } = e.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        return hit?.closest('.connection-notice') && !e.contains(hit);
    })
    .map((e) => e.outerHTML.slice(0, 140))"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One that comes back at the same port: the last one said counts."""
    data = tmp_path_factory.mktemp("restart") / "danlu"
    with live_server(data, "--simulate", "2x4", entry=ENTRY) as running:
        running.options = (*running.options, "--port", str(urlsplit(running.url).port))
        yield running


def test_the_curves_of_a_job_are_there_before_and_after_the_death_of_the_server(
    person: Enter, server: LiveServer, tmp_path: Path
):
    done = tmp_path / "done"
    running = server.submit(f"until [ -e {done} ]; do sleep 0.05; done", gpus=1, name="measured")
    server.wait_state(running, "running")
    before = wait_until(lambda: samples(server, running, 1), what="readings of the job")
    wait_until(lambda: has_written(server, before[-1]), what="what the next server will know")
    page = person().sign_in(f"/jobs/{running}")
    expect(page.get_by_role("img", name="Load", exact=True)).to_be_visible()
    server.kill()
    server.start()
    after = wait_until(lambda: samples(server, running, len(before) + 1), what="readings of both servers")
    assert after[: len(before)] == before
    expect(page.get_by_role("status").get_by_text("Reconnecting…")).to_have_count(0)
    done.touch()
    server.wait_ended(running)
    server.kill()
    server.start()
    ended = wait_until(lambda: samples(server, running, len(before)), what="the curve of a job that is over")
    assert ended[: len(before)] == before
    page.reload()
    expect(page.get_by_role("img", name="Load", exact=True)).to_be_visible()


def samples(server: LiveServer, job_id: int, least: int) -> list[float] | None:
    """When the job was looked at, once that was often enough."""
    times = server.http.get(f"/jobs/{job_id}/usage").json()["times"]
    return times if len(times) >= least else None


def has_written(server: LiveServer, at: float) -> bool:
    with closing(sqlite3.connect(server.data / "danlu.db")) as database:
        return database.execute("SELECT max(until) >= ? FROM node_readings", (at,)).fetchone() == (1,)


@pytest.mark.parametrize(
    ("language", "width", "words"), [("en", 1280, "Reconnecting…"), ("zh", 390, "正在重新连接…")]
)
def test_pages_live_through_the_death_of_the_server(
    person: Enter, server: LiveServer, tmp_path: Path, language: str, width: int, words: str
):
    done = tmp_path / "done"
    running = server.submit(
        f"until [ -e {done} ]; do sleep 0.05; done; echo at last", gpus=1, name="long-one"
    )
    server.wait_state(running, "running")
    user = person(language=language, width=width)
    user.watch_shifts()
    form = user.sign_in("/jobs/new")
    form.get_by_role("textbox", name={"en": "Command", "zh": "命令"}[language]).click()
    form.keyboard.type("echo typed before the fall")
    watching = user.open_tab()
    watching.goto(f"{server.url}/jobs/{running}")
    said = {"en": ("running", "succeeded"), "zh": ("运行", "成功")}[language]
    expect(watching.get_by_role("heading", level=1)).to_contain_text(said[0])
    lists = user.open_tab()
    lists.goto(f"{server.url}/jobs?area=history&search=born")
    expect(lists.get_by_role("heading", level=1)).to_be_visible()

    server.kill()
    for page in (form, watching, lists):
        expect(page.get_by_role("status").get_by_text(words)).to_be_visible()
        assert not page.evaluate(COVERED)
        share, moved = worst_shift(page)
        assert share < 0.1, moved
    form.keyboard.type(" and after it")
    done.touch()
    # The job ends while no server is there to see it.
    wait_until(lambda: "at last" in log_of(server, running), what="the job's last words")
    server.start()
    # Before any page asks: what they show they have to find out.
    born = server.cli("submit", "--dir", "/tmp", "--name", f"born-later-{language}", "--", "true").stdout
    assert born
    for page in (form, watching, lists):
        expect(page.get_by_role("status").get_by_text(words)).to_have_count(0)
    # The others have news to show as well.
    share, moved = worst_shift(form)
    assert share < 0.1, moved
    expect(watching.get_by_role("heading", level=1)).to_contain_text(said[1])
    expect(watching.get_by_role("main")).to_contain_text("at last")
    expect(lists.get_by_role("main")).to_contain_text(f"born-later-{language}")
    expect(form.get_by_role("main")).to_contain_text("echo typed before the fall and after it")

    # And they are live again: what happens from now on is seen as it happens.
    server.submit("true", name=f"born-even-later-{language}")
    expect(lists.get_by_role("main")).to_contain_text(f"born-even-later-{language}")


def log_of(server: LiveServer, job_id: int) -> str:
    return "".join(path.read_text() for path in (server.data / "logs" / str(job_id)).glob("*"))


@pytest.mark.parametrize(
    ("language", "history", "link", "examples", "unreachable"),
    [
        ("en", "History", "Create a link", "Examples", "cannot be reached"),
        ("zh", "历史", "生成链接", "示例", "无法连接服务器"),
    ],
)
def test_errors_go_by_themselves_when_the_server_is_back(
    person: Enter, server: LiveServer, language: str, history: str, link: str, examples: str, unreachable: str
):
    user = person(language=language)
    account = user.sign_in("/account")
    expect(account.get_by_role("button", name=link)).to_be_visible()
    jobs, elsewhere = user.open_tab(), user.open_tab()
    for page in (jobs, elsewhere):
        page.goto(f"{server.url}/jobs?area=waiting&search=nothing-of-this-name")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
    server.kill()
    # Something that was asked for, something to be shown, and a page of which nothing is there.
    account.get_by_role("button", name=link).click()
    expect(account.get_by_role("alert").filter(has_text=unreachable)).to_be_visible()
    jobs.get_by_role("main").get_by_role("link", name=history).click()
    expect(jobs.get_by_role("main").get_by_role("alert").filter(has_text=unreachable)).to_be_visible()
    elsewhere.get_by_role("navigation").get_by_role("link", name=examples).click()
    expect(elsewhere.get_by_role("main")).to_contain_text(unreachable)
    # The parts of a page come from the server as well; the browser notes those that did not.
    for noted in ("Unable to preload CSS", "dynamically imported module"):
        user.forgive(noted)
    server.start()
    for page in (account, jobs):
        expect(page.get_by_role("alert")).to_have_count(0)
    expect(jobs.get_by_role("main")).not_to_contain_text(unreachable)
    expect(elsewhere.get_by_role("heading", level=1)).to_have_text(examples)


def test_a_full_disk_is_told_on_every_page_until_there_is_room(person: Enter, tmp_path: Path):
    with (
        small_disk(tmp_path / "disk", "size=48m,mode=755") as disk,
        live_server(disk / "danlu", "--simulate", "2", entry=ENTRY) as full,
    ):
        waiting = full.submit("true", hold=True)
        page = person(server=full, client=full.http).sign_in("/jobs")
        banner = page.get_by_role("alert").filter(has_text="The server's disk is full")
        expect(page.locator(f"[data-ref='{waiting}']")).to_be_visible()
        expect(banner).to_have_count(0)
        filler = fill_disk(disk, 4096)

        def is_full() -> bool:
            full.http.post("/jobs", json={"command": "true", "directory": "/tmp"})
            return bool(full.http.get("/status").json()["disk_full"])

        wait_until(is_full, 60, "a full disk")
        expect(banner).to_be_visible()
        filler.unlink()
        wait_until(lambda: not full.http.get("/status").json()["disk_full"], 60, "room again")
        expect(banner).to_have_count(0)
