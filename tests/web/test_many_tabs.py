"""Twenty tabs of one browser on running jobs: one connection carries what all of them follow."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.support.browser import HIDE, Person
from tests.support.installation import LiveServer, wait_until

pytestmark = pytest.mark.web

Enter = Callable[..., Person]
TABS = 20
MORE_THAN_CONNECTIONS = 8
"""A browser opens six connections to a server: with one stream a tab, the seventh tab would get none."""

WITHOUT_WORKER = "delete window.SharedWorker;"
WITHOUT_LOCKS = "delete Navigator.prototype.locks;"
FREEZE = """
const { postMessage } = BroadcastChannel.prototype;
let unsaid = null;
BroadcastChannel.prototype.postMessage = function (said) {
  if (unsaid) unsaid.push(() => postMessage.call(this, said));
  else postMessage.call(this, said);
};
window.freeze = (now) => {
  const late = unsaid ?? [];
  unsaid = now ? [] : null;
  for (const say of late) say();
};
"""
"""To the others a frozen tab is one that has the lock and says nothing until it wakes."""


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
        self._open: dict[Request, Page] = {}
        context.on("request", self._note)
        context.on("requestfinished", self._forget)
        context.on("requestfailed", self._forget)

    @property
    def holders(self) -> list[Page]:
        """Whose they are. The end of those of a closed tab is not reported."""
        return [page for page in self._open.values() if not page.is_closed()]

    def holder(self, page: Page) -> Page:
        """The tab that has the only one, once there is only one."""
        wait_until(lambda: _turn(page) and len(self.holders) == 1, what="one stream for all tabs")
        return self.holders[0]

    def _note(self, request: Request) -> None:
        if request.url.endswith(("/live", "/follow")):
            self._open[request] = request.frame.page

    def _forget(self, request: Request) -> None:
        self._open.pop(request, None)


def open_tabs(user: Person, server: LiveServer, jobs: Jobs, count: int) -> list[Page]:
    """Each is in front for a moment, and shows a log that grows. All but the last are hidden in the end."""
    tabs = [user.page, *(user.open_tab() for _ in range(count - 1))]
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
    user = person()
    user.prepare(HIDE)
    streams = Streams(user.alter())
    user.sign_in()
    tabs = open_tabs(user, server, jobs, TABS)
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
    assert not streams.holders

    # All hear of what happens, the hidden ones too; and a button in the twentieth works.
    tabs[-1].get_by_role("button", name="Cancel").first.click()
    tabs[-1].get_by_role("dialog").get_by_role("button", name="Cancel").first.click()
    cancelled = (TABS - 1) % len(jobs.ids)
    server.wait_state(jobs.ids[cancelled], "cancelled")
    for tab in (tabs[-1], tabs[cancelled]):
        expect(tab.get_by_role("heading", level=1)).to_contain_text("cancelled")


def test_where_tabs_can_share_nothing_only_the_one_in_view_holds_a_stream(
    person: Enter, server: LiveServer, jobs: Jobs
) -> None:
    user = person()
    user.prepare(WITHOUT_WORKER + WITHOUT_LOCKS + HIDE)
    streams = Streams(user.alter())
    user.sign_in()
    tabs = open_tabs(user, server, jobs, 5)
    front = tabs[-1]
    for number in (0, 3):
        jobs.say(number, "without anything")
        front = turn_to(tabs[number], front)
        jobs.say(number, "live without anything")
        expect(tabs[number].locator("#log-text")).to_contain_text("live without anything")
        assert tabs[number].locator("#log-text").inner_text().count("live without anything") == 1
        assert streams.holder(tabs[0]) is front


def test_without_a_shared_worker_one_tab_leads_and_another_when_it_goes(
    person: Enter, server: LiveServer, jobs: Jobs
) -> None:
    user = person()
    user.prepare(WITHOUT_WORKER + FREEZE + HIDE)
    streams = Streams(user.alter())
    user.sign_in()
    tabs = open_tabs(user, server, jobs, MORE_THAN_CONNECTIONS)
    front = tabs.pop()
    job = (MORE_THAN_CONNECTIONS - 1) % len(jobs.ids)

    def all_hear(words: str, cancelled: int) -> None:
        """The log in view, and what happens to a job on a hidden page."""
        jobs.say(job, words)
        expect(front.locator("#log-text")).to_contain_text(words)
        assert front.locator("#log-text").inner_text().count(words) == 1
        server.http.post(f"/jobs/{jobs.ids[cancelled]}/cancel")
        expect(tabs[cancelled].get_by_role("heading", level=1)).to_contain_text("cancelled")

    first = streams.holder(front)
    assert first is tabs[0]
    all_hear("while the first leads", 4)

    # Said between one leader and the next.
    jobs.say(job, "meanwhile")
    first.close()
    second = streams.holder(front)
    assert second is tabs[1]
    all_hear("after the first was closed", 5)
    assert front.locator("#log-text").inner_text().count("meanwhile") == 1

    # One that is frozen has the lock, and does not answer: the tab in view takes it.
    second.evaluate("freeze(true)")
    all_hear("after the second was frozen", 6)
    assert streams.holder(front) is front
    # It wakes, and follows.
    second.evaluate("freeze(false)")
    server.http.post(f"/jobs/{jobs.ids[1]}/cancel")
    expect(second.get_by_role("heading", level=1)).to_contain_text("cancelled")


def _turn(page: Page) -> bool:
    """Lets the browser tell what happened."""
    page.wait_for_timeout(20)
    return True


@pytest.mark.parametrize(
    ("language", "cancel", "words"),
    [
        ("en", "Cancel", "The server has not answered for 30 seconds. It may still have done what you asked"),
        ("zh", "取消", "服务器已有 30 秒没有应答。您的请求可能已被执行"),
    ],
)
def test_a_button_that_gets_no_answer_says_so(
    person: Enter, server: LiveServer, jobs: Jobs, language: str, cancel: str, words: str
) -> None:
    user = person(language=language)
    page = user.sign_in(f"/jobs/{jobs.ids[0]}")
    user.alter().clock.install()
    # Taken, and never answered.
    page.route(re.compile("/cancel"), lambda _route: None)
    page.get_by_role("button", name=re.compile(cancel)).first.click()
    with page.expect_request(re.compile("/cancel")):
        page.get_by_role("dialog").get_by_role("button", name=re.compile(cancel)).first.click()
    page.clock.fast_forward(31_000)
    expect(page.get_by_text(words)).to_be_visible()
