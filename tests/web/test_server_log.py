"""The server's own log as a page: live, filtered, and smooth however long it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Person, check_accessibility
from tests.support.installation import LiveServer, live_server, wait_until
from tests.web.conftest import ENTRY

pytestmark = pytest.mark.web

Enter = Callable[..., Person]
EARLIER = 2_000


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """One that has been running for long: its log of before is remembered."""
    data = tmp_path_factory.mktemp("log") / "danlu"
    data.mkdir()
    lines = [
        f"2026-01-01 00:{n // 60 % 60:02}:{n % 60:02},000 {'INFO' if n % 100 else 'WARNING'} danlu.loop"
        f" pass number {n} over\n"
        for n in range(EARLIER)
    ]
    (data / "server.log").write_text("".join(lines))
    with live_server(data, "--simulate", "1x1", entry=ENTRY) as running:
        yield running


def knock(server: LiveServer, times: int = 1) -> None:
    """Has something logged."""
    for _ in range(times):
        refused = server.client().post("/auth/link", json={"code": "no such code"})
        assert refused.status_code == 401


def entries(page: Page):
    return page.get_by_role("log").locator(".serverlog-entry")


def test_it_is_live_and_only_what_is_in_sight_is_in_the_page(person: Enter, server: LiveServer):
    page = person().sign_in("/server-log")
    expect(entries(page).last).to_be_visible()
    knock(server)
    news = entries(page).filter(has_text="a login with a used or unknown link")
    expect(news).to_be_visible()
    expect(news).to_contain_text("Warning")
    assert entries(page).count() < 120
    check_accessibility(page)

    log = page.get_by_role("log")
    oldest = page.get_by_text("pass number 0 over", exact=True)
    for _ in range(EARLIER // 100):
        if oldest.count():
            break
        log.evaluate("box => { box.scrollTop = 0; }")
        older = "box => box.scrollTop > 40 || box.innerText.includes('number 0 over')"
        wait_until(lambda older=older: log.evaluate(older), what="older entries")
    expect(oldest).to_be_visible()
    expect(page.get_by_text("This is the oldest entry the server has kept.")).to_be_visible()
    assert entries(page).count() < 120

    # Reading what was is not disturbed by what comes; one click leads back to it.
    knock(server)
    expect(oldest).to_be_visible()
    page.get_by_role("button", name="Go to newest").click()
    expect(news.last).to_be_visible()
    expect(page.get_by_role("button", name="Go to newest")).to_have_count(0)


def test_level_and_text_stand_in_the_address(person: Enter, server: LiveServer):
    page = person().sign_in("/server-log?level=warning")
    expect(entries(page).filter(has_text="pass number 1900 over")).to_be_visible()
    expect(entries(page).filter(has_text="pass number 1901 over")).to_have_count(0)
    field = page.get_by_role("searchbox", name="Text in the log")
    field.fill("NUMBER 1700")
    expect(entries(page)).to_have_count(1)
    expect(page).to_have_url(re.compile(r"level=warning&text=NUMBER(%20|\+)1700"))
    expect(field).to_be_focused()
    # What is filtered out does not come in live either.
    knock(server)
    expect(entries(page)).to_have_count(1)
    page.reload()
    expect(entries(page)).to_have_count(1)
    expect(field).to_have_value("NUMBER 1700")
    field.fill("nothing like this")
    expect(page.get_by_text("No entry matches this level and text.")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("button", name="Show all").click()
    expect(entries(page).last).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?level=debug$"))


@pytest.mark.parametrize(("language", "pause", "resume"), [("en", "Pause", "Resume"), ("zh", "暂停", "继续")])
def test_it_can_be_halted_and_goes_on_where_it_was(
    person: Enter, server: LiveServer, language, pause, resume
):
    # What else the server has to log meanwhile does not count.
    knock(server)
    page = person(language=language, width=390).sign_in("/server-log?level=debug&text=unknown+link")
    expect(entries(page).last).to_be_visible()
    page.get_by_role("button", name=pause).click()
    before = entries(page).last.inner_text()
    knock(server, 3)
    expect(page.get_by_role("button", name=re.compile(rf"{resume}.*3"))).to_be_visible()
    assert entries(page).last.inner_text() == before
    page.get_by_role("button", name=re.compile(resume)).click()
    expect(entries(page).last).to_contain_text("a login with a used or unknown link")
    expect(page.get_by_role("button", name=pause)).to_be_visible()
