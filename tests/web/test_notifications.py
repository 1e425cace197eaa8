"""The browser tells when a job of mine ends, once for all tabs; where it may not, the page tells."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import HIDE, Person, check_accessibility
from tests.support.installation import LiveServer, wait_until
from tests.support.people import make_member

pytestmark = pytest.mark.web

Enter = Callable[..., Person]

RECORDING = """
window.Notification = class {
  static permission = localStorage.getItem('test.permission') ?? 'default';
  static async requestPermission() {
    this.permission = '%s';
    localStorage.setItem('test.permission', this.permission);
    return this.permission;
  }
  constructor(title, { body, tag }) {
    window.told({ title, body, tag });
    window.shown = this;
  }
  close() {}
};
"""


def equip(person: Person, answer: str) -> list[dict[str, str]]:
    """A browser that answers so when asked, and remembers what it was to show, whichever tab showed it."""
    told: list[dict[str, str]] = []
    person.alter().expose_function("told", lambda each: told.append(each))  # noqa: PLW0108 a plain method is refused
    person.prepare(RECORDING % answer + HIDE)
    return told


def heard(page: Page, told: list[dict[str, str]], least: int) -> bool:
    # What tabs say is taken in while something is asked of a page.
    page.evaluate("0")
    return len(told) >= least


def submit(client: httpx.Client, command: str, **fields: object) -> int:
    answer = client.post("/jobs", json={"command": command, "directory": "/tmp", **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def test_the_end_of_my_job_is_told_once_however_many_tabs_there_are(
    server: LiveServer, person: Enter
) -> None:
    li, wang = make_member(server, "li"), make_member(server, "wang")
    job = submit(li, "true", name="train", hold=True)
    user = person(client=li)
    told = equip(user, "granted")
    page = user.sign_in(f"/jobs/{job}")
    page.get_by_role("button", name="Notify me when it ends").click()
    expect(page.get_by_text("You will be notified when your jobs end.")).to_be_visible()
    expect(page.get_by_role("button", name="Notify me when it ends")).to_have_count(0)
    for path in ("/", "/jobs/new"):
        tab = user.open_tab()
        tab.goto(f"{server.url}{path}")
        expect(tab.get_by_role("heading", level=1)).to_be_visible()
    for tab in user.tabs:
        tab.evaluate("hide(true)")

    # What I cancel myself I know, and others' jobs are none of mine.
    mine = submit(li, "sleep 1000")
    li.post(f"/jobs/{mine}/cancel")
    server.wait_state(mine, "cancelled")
    server.wait_ended(submit(wang, "true"))
    li.post(f"/jobs/{job}/release")
    wait_until(lambda: heard(page, told, 1), what="the end of the job")
    assert told[0]["title"].startswith(f"✓ {job} train: succeeded after ")
    expect(page).to_have_title(f"✓ {job} train · succeeded – Danlu")

    # An array counts once, and what another user cancels is news.
    array = submit(li, "exit 3", array="0-4", name="sweep")
    wait_until(lambda: heard(page, told, 2), what="the end of the array")
    assert told[1]["title"].startswith(f"✗ {array} sweep: failed")
    taken = submit(li, "sleep 1000", name="taken")
    server.wait_state(taken, "running")
    server.http.post(f"/jobs/{taken}/cancel")
    wait_until(lambda: heard(page, told, 3), what="the end that another user made")
    assert told[2]["title"].startswith(f"✗ {taken} taken: cancelled")
    assert len({each["tag"] for each in told}) == len(told) == 3

    teller = next(each for each in user.tabs if each.evaluate("'shown' in window"))
    teller.evaluate("shown.onclick()")
    expect(teller.get_by_role("heading", level=1)).to_contain_text("taken")


def test_where_the_browser_blocks_it_the_page_tells(server: LiveServer, person: Enter) -> None:
    chen = make_member(server, "chen")
    user = person(client=chen, language="zh", width=390)
    told = equip(user, "denied")
    page = user.sign_in("/account")
    page.get_by_role("switch", name="我的任务结束时通知我").click()
    expect(page.get_by_text("本浏览器已阻止丹炉的通知")).to_be_visible()
    check_accessibility(page)
    page.evaluate("hide(true)")
    job = submit(chen, "exit 7", name="short")
    server.wait_ended(job)
    page.evaluate("hide(false)")
    expect(page.get_by_role("alert").filter(has_text=f"✗ {job} short：失败")).to_be_visible()
    page.get_by_role("alert").filter(has_text=str(job)).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("short")
    page.goto(f"{server.url}/account")
    page.get_by_role("switch", name="我的任务结束时通知我").click()
    page.reload()
    expect(page.get_by_role("switch", name="我的任务结束时通知我")).not_to_be_checked()
    assert told == []
