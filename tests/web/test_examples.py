"""Examples: started with one click, watched to the end, made one's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Person, check_accessibility
from tests.support.installation import LiveServer

pytestmark = pytest.mark.web

Enter = Callable[..., Person]

END_MS = 90_000


def started(page: Page) -> list[int]:
    page.wait_for_url("**/examples?started=*")
    return [int(each) for each in re.findall(r"\d+", unquote(page.url.split("started=")[1]))]


def test_an_example_is_started_watched_and_made_ones_own(server: LiveServer, person: Enter) -> None:
    page = person().sign_in("/examples")
    page.get_by_role("button", name="Start: Two jobs, one after the other").click()
    first, second = started(page)
    assert server.job(second)["after_ok"] == [first]
    # The address keeps what was started.
    page.reload()
    jobs = page.locator(".started-job")
    expect(jobs).to_have_count(2)
    expect(jobs.nth(1)).to_contain_text("loss", timeout=END_MS)
    expect(page.get_by_role("status").filter(has_text="That was a complete job")).to_be_visible(
        timeout=END_MS
    )
    for place in (0, 1):
        expect(jobs.nth(place).locator(".mark")).to_have_text("succeeded")
    assert {server.state(first), server.state(second)} == {"succeeded"}
    page.get_by_role("link", name="Make it yours").click()
    page.wait_for_url(lambda url: f"like={second}" in unquote(url).replace('"', ""))
    page.locator(".cm-content").wait_for()
    expect(page.get_by_role("textbox", name="Command", exact=True)).to_contain_text("import")


def test_an_array_tells_how_its_elements_fare(server: LiveServer, person: Enter) -> None:
    page = person(width=390, height=844).sign_in("/examples")
    page.get_by_role("button", name="Start: Six learning rates at once").click()
    (job,) = started(page)
    expect(page.locator(".started-job")).to_contain_text("of 6 elements have ended")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(page.get_by_role("link", name=f"Open job {job}")).to_be_visible()
    server.http.post(f"/jobs/{job}/cancel")
    expect(page.get_by_text("It did not succeed.")).to_be_visible(timeout=END_MS)
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".started")).to_have_count(0)


@pytest.mark.parametrize(("language", "dark"), [("en", True), ("zh", False)])
def test_the_page_is_accessible(server: LiveServer, person: Enter, language: str, dark: bool) -> None:
    job = server.submit("echo hello", name="to-look-at")
    server.wait_ended(job)
    page = person(language=language, dark=dark).sign_in(f"/examples?started={job}")
    expect(page.locator(".started-job-log")).to_contain_text("hello")
    page.locator("summary").first.click()
    expect(page.locator(".example")).to_have_count(5)
    expect(page.get_by_role("heading", name="训练一个小分类器")).to_have_count(1 if language == "zh" else 0)
    check_accessibility(page)
