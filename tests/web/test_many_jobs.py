"""Lists of 100,000 jobs in history and 2,000 in the queue, in a real browser: they scroll, filter and
page."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Person, at_rest, check_accessibility, worst_shift
from tests.support.installation import LiveServer, live_server, wait_until
from tests.web.conftest import ENTRY
from tests.web.job_lists import BAR, row, rows, tab

pytestmark = pytest.mark.web

ENDED, WAITING = 100_000, 2_000
NEEDLE, NEEDLE_NAME = 4_321, "needle-in-the-hay"
MOST_ROWS = 150
"""However long the list: so many rows are in the page at most."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    data: Path = tmp_path_factory.mktemp("many") / "danlu"
    with live_server(data, "--simulate", "1x4", entry=ENTRY) as running:
        running.wait_ended(running.submit("true", name="train", gpus=1))
        running.stop()
        copy_into_history(data / "danlu.db")
        running.start()
        running.wait_state(running.submit("sleep 1000", name="holds all GPUs", gpus=4), "running")
        fields = {"command": "true", "directory": "/tmp", "gpus": 4}
        batch = {"jobs": [{**fields, "name": f"waits-{n}"} for n in range(1, WAITING + 1)]}
        made = running.http.post("/jobs/batch", json=batch)
        assert made.status_code == 201, made.text
        yield running
        cancel = {"action": "cancel", "jobs": [str(job_id) for job_id in made.json()["ids"]]}
        for part in (slice(0, 1_000), slice(1_000, None)):
            running.http.post("/jobs/actions", json={**cancel, "jobs": cancel["jobs"][part]})


def copy_into_history(path: Path) -> None:
    """One job that really ran, and many copies of its row: every tenth failed, one ended every minute."""
    changed = {
        "id": "n",
        "owner": "CASE n % 5 WHEN 0 THEN 'li' ELSE owner END",
        "name": f"CASE n WHEN {NEEDLE} THEN '{NEEDLE_NAME}' ELSE 'train-' || n END",
        "state": "CASE n % 10 WHEN 0 THEN 'failed' ELSE 'succeeded' END",
        "end_reason": "CASE n % 10 WHEN 0 THEN 'exit_code' ELSE 'completed' END",
        "exit_code": "n % 10 = 0",
        "position": "n",
        "idempotency_key": "NULL",
        **{name: f"{name} - 60.0 * ({ENDED} - n)" for name in ("submitted_at", "started_at", "ended_at")},
    }
    with contextlib.closing(sqlite3.connect(path)) as database:
        columns = [str(row[1]) for row in database.execute("PRAGMA table_info(jobs)")]
        database.execute(
            f"WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < {ENDED})"
            f" INSERT INTO jobs ({', '.join(columns)})"
            f" SELECT {', '.join(changed.get(name, name) for name in columns)} FROM numbers, jobs"
            " WHERE jobs.id = 1"
        )
        database.execute("UPDATE counters SET value = ? WHERE name = 'job'", (ENDED,))
        database.execute("ANALYZE")
        database.commit()


def check_few_rows(page: Page) -> None:
    count = rows(page).count()
    assert 0 < count <= MOST_ROWS, count


def test_history_scrolls_page_by_page_and_keeps_few_rows_in_the_page(person: Callable[..., Person]) -> None:
    page = person().sign_in("/jobs?area=history")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/v1/jobs?" in request.url else None)
    expect(tab(page, "History")).to_contain_text("100,000")
    expect(tab(page, "Waiting")).to_contain_text("2,000")
    expect(row(page, f"train-{ENDED}")).to_be_visible()
    # The 1,001st of the list is ten pages down.
    deep = row(page, f"train-{ENDED - 1000}")
    for number in range(100, 1_001, 100):
        page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
        expect(row(page, f"train-{ENDED - number}")).to_be_attached()
        check_few_rows(page)
    deep.scroll_into_view_if_needed()
    expect(deep).to_be_in_viewport()
    check_few_rows(page)
    assert len({url for url in asked if "cursor=" in url}) == len([url for url in asked if "cursor=" in url])


def test_the_queue_is_walked_to_its_end_by_keyboard(person: Callable[..., Person]) -> None:
    page = person().sign_in("/jobs?area=waiting")
    expect(row(page, "waits-1")).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(row(page, "waits-1")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(row(page, "waits-2")).to_be_focused()
    page.keyboard.press("End")
    last = row(page, f"waits-{WAITING}")
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport()
    expect(last.get_by_role("gridcell").nth(1)).to_have_text(str(WAITING))
    expect(page.get_by_text("2,000 jobs, end of list")).to_be_visible()
    check_few_rows(page)
    page.keyboard.press("Home")
    expect(row(page, "waits-1")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/jobs/\d+$"))
    page.go_back()
    expect(row(page, "waits-1")).to_be_visible()


def test_filters_find_the_right_rows_and_stand_in_the_address(person: Callable[..., Person]) -> None:
    page = person().sign_in("/jobs?area=history")
    box = page.get_by_role("textbox", name="Search in the lists")
    box.fill("needle-in")
    expect(rows(page)).to_have_count(1)
    expect(row(page, NEEDLE_NAME)).to_be_visible()
    expect(page).to_have_url(re.compile("search=needle-in"))
    expect(tab(page, "Waiting")).to_contain_text("0")
    page.get_by_role("button", name="Clear all").click()
    expect(row(page, f"train-{ENDED}")).to_be_visible()

    page.get_by_role("combobox", name="State").click()
    page.locator(".ant-select-item-option", has_text="failed").click()
    page.get_by_role("button", name="li", exact=True).first.click()
    expect(page).to_have_url(re.compile("state=failed"))
    expect(page).to_have_url(re.compile("owner=li"))
    expect(row(page, f"train-{ENDED - 1}")).to_have_count(0)
    expect(rows(page).first).to_contain_text("exit code 1")
    page.go_back()
    expect(page).not_to_have_url(re.compile("owner=li"))

    # The same list for a user who is sent the link, in its own order.
    page.goto(f"{page.url.split('?')[0]}?area=history&owner=li&state=failed&sort=oldest")
    expect(row(page, "train-10")).to_be_visible()
    names = [each.inner_text() for each in rows(page).get_by_role("link").all()[:3]]
    assert names == ["train-10", "train-20", "train-30"]


def test_all_that_match_are_acted_on_by_the_server_and_taken_back(
    person: Callable[..., Person], server: LiveServer
) -> None:
    page = person().sign_in("/jobs?area=waiting&search=waits-")
    expect(row(page, "waits-1")).to_be_visible()
    page.get_by_role("checkbox", name="Select all loaded jobs").check()
    bar = page.get_by_role("region", name=BAR)
    expect(bar).to_contain_text("100 of 2,000 selected")
    bar.get_by_role("button", name="Select all 2,000 that match").click()
    expect(bar).to_contain_text("All 2,000 that match are selected")
    # Another user submits one more while they think: it was not meant.
    late = server.submit("true", name="waits-late", gpus=4)
    bar.get_by_role("button", name="Hold").click()
    asking = page.get_by_role("dialog", name="Hold 2,000 jobs?")
    expect(asking).to_contain_text("“waits-”")
    check_accessibility(page)
    asking.get_by_role("button", name="Hold 2,000 jobs").click()
    progress = page.get_by_role("region", name="Action on many jobs")
    expect(progress).to_contain_text(re.compile(r"Holding: [\d,]+ of 2,000"))
    # A user who closes the page stops nothing and finds it again, done by then or not.
    page.reload()
    expect(progress).to_contain_text(re.compile(r"Holding: [\d,]+ of 2,000|2,000 held"))
    expect(progress).to_contain_text("2,000 held", timeout=60_000)
    held = {"area": "waiting", "state": "held"}
    assert server.http.get("/bulk-actions/matching", params=held).json()["total"] == WAITING
    assert server.state(late) == "waiting"
    check_accessibility(page)
    progress.get_by_role("button", name="Undo").click()
    expect(progress).to_contain_text("2,000 released", timeout=60_000)
    progress.get_by_role("button", name="Close").click()
    expect(progress).to_be_hidden()
    assert server.http.get("/bulk-actions/matching", params=held).json()["total"] == 0
    server.http.post(f"/jobs/{late}/cancel")


SEEN = """() => [...document.querySelectorAll('[role="row"][data-ref]')]
  .map((row) => row.getBoundingClientRect())
  .filter(({ top, bottom }) => top >= 56 && bottom <= innerHeight).length"""
SMALL = """() => [...document.querySelectorAll('.jobs-line button, .jobs-line label')]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.className, each.getBoundingClientRect()])
  .filter(([, box]) => box.width < 40 || box.height < 40).map(([name]) => name)"""


def test_twenty_jobs_are_seen_at_once_and_the_first_say_all_of_their_reasons(
    person: Callable[..., Person],
) -> None:
    user = person(width=1280, height=900)
    user.watch_shifts()
    page = user.sign_in("/jobs?area=waiting")
    first = row(page, "waits-1")
    reason = first.locator(".jobs-why")
    expect(reason).to_have_text(re.compile("needs 4 free"))
    assert reason.evaluate("(each) => each.scrollWidth <= each.clientWidth")
    # The column has the place, and who goes first stands above.
    expect(row(page, "waits-2").get_by_role("gridcell").nth(1)).to_have_text("2")
    expect(row(page, "waits-2").locator(".jobs-why")).to_have_count(0)
    wait_until(lambda: page.evaluate(SEEN) >= 20, what="twenty jobs in sight")
    check_accessibility(page)
    compact = page.get_by_role("button", name="Compact rows")
    expect(compact).to_have_attribute("aria-pressed", "true")
    compact.press("Enter")
    expect(compact).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(first).to_be_visible()
    wait_until(lambda: page.evaluate(SEEN) < 15, what="comfortable rows")
    check_accessibility(page)
    share, moved = worst_shift(page)
    assert share < 0.1, moved
    page.goto(f"{page.url.split('?')[0]}?area=waiting&search=waits-7")
    expect(row(page, "waits-7").locator(".jobs-why")).to_contain_text("number 7 in the queue, behind job")


def test_the_table_stays_a_table_down_to_800_pixels(person: Callable[..., Person]) -> None:
    user = person(width=800, height=900)
    page = user.sign_in("/jobs?area=waiting")
    expect(row(page, "waits-1")).to_be_visible()
    head = page.get_by_role("columnheader", name="Place")
    expect(head).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 800
    page.set_viewport_size({"width": 390, "height": 844})
    expect(head).to_be_hidden()
    wait_until(lambda: not page.evaluate(SMALL), what="targets for a finger")


def test_what_is_read_stays_where_it_is_while_others_come_on_top(
    person: Callable[..., Person], server: LiveServer
) -> None:
    page = person().sign_in("/jobs?area=history")
    expect(rows(page).first).to_be_visible()
    page.mouse.move(700, 600)
    page.mouse.wheel(0, 1_500)
    wait_until(lambda: page.evaluate("window.scrollY") > 1_000, what="the scrolling")
    at_rest(page, lambda: page.evaluate("window.scrollY"))
    read = rows(page).nth(15)
    ref, before = read.get_attribute("data-ref"), read.bounding_box()
    server.wait_ended(server.submit("true", name="comes on top", gpus=0))
    pill = page.get_by_role("button", name=re.compile(r"Show \d+ new jobs at the top"))
    expect(pill).to_be_visible()
    after = page.locator(f'[data-ref="{ref}"]').bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) <= 1
    pill.click()
    expect(row(page, "comes on top")).to_be_in_viewport()
    expect(pill).to_be_hidden()
