"""Twenty tabs of one browser on running jobs: one connection carries what all of them follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.support.browser import Person
from tests.support.installation import LiveServer, wait_until

pytestmark = pytest.mark.web

Enter = Callable[..., Person]
TABS = 20

HIDE = """
let hidden = false;
Object.defineProperty(document, "visibilityState", { get: () => (hidden ? "hidden" : "visible") });
window.hide = (now) => {
  hidden = now;
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
"""Without a screen all tabs are in front: a test says which are not."""

WITHOUT = {
    "a shared worker": "delete window.SharedWorker;",
    "anything shared": "delete window.SharedWorker; delete Navigator.prototype.locks;",
}


class Jobs:
    """Running jobs that each write what a test wants them to."""

    def __init__(self, server: LiveServer, folder: Path, count: int) -> None:
        self._files = [folder / f"said-{number}" for number in range(count)]
        for file in self._files:
            file.touch()
        self.ids = [server.submit(f"tail -n +1 -f {file}", gpus=1) for file in self._files]
        for each in self.ids:
            server.wait_state(each, "running")

    def say(self, number: int, words: str) -> None:
        with self._files[number].open("a") as file:
            file.write(f"{words}\n")


@pytest.fixture
def jobs(server: LiveServer, tmp_path: Path) -> Iterator[Jobs]:
    made = Jobs(server, tmp_path, 8)
    yield made
    for each in made.ids:
        server.http.post(f"/jobs/{each}/cancel")


class Streams:
    """The streams that tabs hold by themselves, not through a worker."""

    def __init__(self, context: BrowserContext) -> None:
        self.open: set[Request] = set()
        context.on("request", self._note)
        context.on("requestfinished", self._forget)
        context.on("requestfailed", self._forget)

    def _note(self, request: Request) -> None:
        if request.url.endswith(("/live", "/follow", "/events")):
            self.open.add(request)

    def _forget(self, request: Request) -> None:
        self.open.discard(request)


def open_tabs(somebody: Person, server: LiveServer, jobs: Jobs, count: int) -> list[Page]:
    """Each is in front for a moment, and shows a log that grows. All but the last are hidden in the end."""
    tabs = [somebody.page, *(somebody.context.new_page() for _ in range(count - 1))]
    for number, tab in enumerate(tabs):
        if number > 0:
            tabs[number - 1].evaluate("hide(true)")
        job = number % len(jobs.ids)
        tab.goto(f"{server.url}/jobs/{jobs.ids[job]}")
        expect(tab.locator("#log-text")).to_be_visible()
        jobs.say(job, f"seen by tab {number}")
        expect(tab.locator("#log-text")).to_contain_text(f"seen by tab {number}")
    return tabs


def turn_to(tab: Page, before: Page) -> Page:
    before.evaluate("hide(true)")
    tab.evaluate("hide(false)")
    return tab


@pytest.mark.timeout(300)
def test_twenty_tabs_on_running_jobs(person: Enter, server: LiveServer, jobs: Jobs) -> None:
    somebody = person()
    somebody.context.add_init_script(HIDE)
    streams = Streams(somebody.context)
    somebody.sign_in()
    tabs = open_tabs(somebody, server, jobs, TABS)
    front = tabs[-1]
    for number in (0, 10, TABS - 1):
        job = number % len(jobs.ids)
        jobs.say(job, f"while hidden {number}")
        front = turn_to(tabs[number], front)
        jobs.say(job, f"in front {number}")
        log = front.locator("#log-text")
        expect(log).to_contain_text(f"in front {number}")
        # Neither lost nor told twice.
        lines = log.inner_text()
        assert [lines.count(f"{words} {number}") for words in ("while hidden", "in front")] == [1, 1], lines
    assert not streams.open

    # All hear of what happens, the hidden ones too; and a button in the twentieth works.
    tabs[-1].get_by_role("button", name="Cancel").first.click()
    tabs[-1].get_by_role("dialog").get_by_role("button", name="Cancel").first.click()
    cancelled = (TABS - 1) % len(jobs.ids)
    server.wait_state(jobs.ids[cancelled], "cancelled")
    for tab in (tabs[-1], tabs[cancelled]):
        expect(tab.get_by_role("heading", level=1)).to_contain_text("cancelled")


@pytest.mark.parametrize("lacks", WITHOUT)
def test_without_a_shared_worker_only_one_tab_holds_a_stream(
    person: Enter, server: LiveServer, jobs: Jobs, lacks: str
) -> None:
    somebody = person()
    somebody.context.add_init_script(WITHOUT[lacks] + HIDE)
    streams = Streams(somebody.context)
    somebody.sign_in()
    tabs = open_tabs(somebody, server, jobs, 5)
    front = tabs[-1]
    for number in (0, 3):
        jobs.say(number, f"without {lacks}")
        front = turn_to(tabs[number], front)
        jobs.say(number, f"live without {lacks}")
        expect(tabs[number].locator("#log-text")).to_contain_text(f"live without {lacks}")
        assert tabs[number].locator("#log-text").inner_text().count(f"live without {lacks}") == 1
        wait_until(lambda: _turn(tabs[0]) and len(streams.open) == 1, what="one stream for all tabs")


def _turn(page: Page) -> bool:
    """Lets the browser tell what happened."""
    page.wait_for_timeout(20)
    return True
