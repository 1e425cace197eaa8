"""What holds on every page: dark as well as light, on a phone as well as on a desk, seen as well as heard."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Person, check_accessibility, worst_shift
from tests.support.installation import LiveServer, wait_until

pytestmark = pytest.mark.web

Enter = Callable[..., Person]

# Every page, and a text of it that is there once it is drawn.
PAGES = {
    "/": "Nodes",
    "/jobs?area=running": "runs",
    "/jobs?area=waiting": "waits",
    "/jobs?area=history": "over",
    "/jobs/new": "Folder",
    "/jobs/1": "epoch 1",
    "/jobs/2": "waits",
    "/jobs/2/edit": "Folder",
    "/nodes": "sim1",
    "/nodes/sim1": "GPU 0",
    "/examples": "Examples",
    "/server-log": "Server log",
    "/admin": "Scheduling",
    "/admin/users": "root",
    "/admin/settings": "Settings",
    "/admin/backups": "Backups",
    "/admin/notices": "No notices",
    "/admin/audit": "Audit log",
    "/account": "Signed in as",
    "/wall": "sim1",
    "/no/such/page": "There is nothing here",
}

NAMED_ICONS = """() => [...document.querySelectorAll('.anticon:not([aria-hidden="true"])')]
    .map((icon) => icon.parentElement.outerHTML.slice(0, 160))"""

# What is touched with a finger. A link that is a text is as large as its text (WCAG 2.5.8); a thing that
# looks small is asked how far from its middle it is still hit.
SMALL_TARGETS = """() => {
    const shown = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const isText = (e) => e.matches('a:not(.ant-btn)') && e.textContent.trim()
        && getComputedStyle(e).backgroundColor === 'rgba(0, 0, 0, 0)';
    const whole = (e) => e.closest('.ant-checkbox-wrapper, .ant-radio-wrapper, .ant-input-affix-wrapper, '
        + '.ant-input-number, .ant-select, .ant-segmented-item, label') ?? e;
    const isHit = (e, x, y) => e.contains(document.elementFromPoint(x, y) ?? document);
    const isSmall = (e) => {
        const { width, height } = e.getBoundingClientRect();
        if (width >= 39.5 && height >= 39.5) return false;
        e.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
        const { x, y } = e.getBoundingClientRect();
        const [across, down] = [x + width / 2, y + height / 2];
        const around = [[0, -19], [0, 19], [-19, 0], [19, 0]];
        return !around.every(([dx, dy]) => isHit(e, across + dx, down + dy));
    };
    const touched = 'a, button, input, select, textarea, [role="button"], [role="tab"]';
    return [...document.querySelectorAll(touched)]
        .filter((e) => shown(e) && !isText(e) && !e.closest('[aria-hidden="true"], .only-heard, .skip-link'))
        .map(whole)
        .filter((e) => e.getBoundingClientRect().width > 0 && isSmall(e))
        .map((e) => `${e.offsetWidth}x${e.offsetHeight} ${e.outerHTML.slice(0, 140)}`);
}"""

SMALL_TEXT_FIELDS = """() => [...document.querySelectorAll(
        'input:not([type=checkbox], [type=radio], [type=hidden]), textarea, .cm-content')]
    .filter((e) => e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 16)
    .map((e) => `${getComputedStyle(e).fontSize} ${e.outerHTML.slice(0, 140)}`)"""


@pytest.fixture(scope="module")
def jobs(server: LiveServer) -> Iterator[None]:
    """Job 1 runs and writes, job 2 waits, job 3 is over."""
    training = {"command": "echo epoch 1; sleep 600", "name": "runs", "gpus": 4}
    for job in (
        training,
        {"command": "true", "name": "waits", "hold": True},
        {"command": "true", "name": "over"},
    ):
        assert server.http.post("/jobs", json={"directory": "/tmp", **job}).status_code == 201
    wait_until(lambda: server.http.get("/jobs/3").json()["job"]["state"] == "succeeded")
    yield
    server.http.post("/jobs/1/cancel", params={"now": True})


def open_page(person: Person, path: str) -> Page:
    page = person.go(path)
    expect(page.locator("#content, .wall").first).to_contain_text(PAGES[path])
    expect(page.locator('[aria-busy="true"]')).to_have_count(0)
    return page


def test_in_the_dark_every_page_can_be_read_and_heard_and_has_a_title_of_its_own(person: Enter, jobs: None):
    reader = person(dark=True)
    reader.sign_in("/")
    titles: dict[str, str] = {}
    for path in PAGES:
        page = open_page(reader, path)
        check_accessibility(page)
        assert not page.evaluate(NAMED_ICONS), path
        assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path
        titles[path] = page.title()
    lists = {titles.pop(path) for path in list(titles) if path.startswith("/jobs?")}
    assert lists == {"Jobs – Danlu"}
    assert len(set(titles.values())) == len(titles), titles


def test_on_a_phone_every_page_can_be_touched_and_stands_still(person: Enter, jobs: None):
    reader = person(width=390, height=844)
    reader.watch_shifts()
    reader.sign_in("/")
    troubles: list[str] = []
    for path in PAGES:
        page = open_page(reader, path)
        share, moved = worst_shift(page)
        troubles += [f"{path} too small: {each}" for each in page.evaluate(SMALL_TARGETS)]
        troubles += [f"{path} text too small: {each}" for each in page.evaluate(SMALL_TEXT_FIELDS)]
        if share > 0.1:
            troubles.append(f"{path} moves by {share:.2f}: {moved}")
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            troubles.append(f"{path} is {wide} px too wide")
    assert not troubles, "\n".join(troubles)
