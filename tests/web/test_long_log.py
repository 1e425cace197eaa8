"""A log of 500 MB in the page: opened, followed, searched, jumped in, at the price of a small one."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Person, at_rest
from tests.support.installation import LiveServer, wait_until

pytestmark = pytest.mark.web

SIZE = 500 << 20
MOST_ROWS = 2000
MOST_BYTES = 5 << 20
LINES_IN_BLOCK = 10_000
NEEDLE = "the-needle-in-the-middle"


@pytest.fixture
def log(server: LiveServer, tmp_path: Path) -> Iterator[tuple[int, Path, Path]]:
    """A running job with a log of 500 MB, and the file whose coming ends it."""
    go = tmp_path / "go"
    job_id = server.submit(f"echo begun; while [ ! -e {go} ]; do sleep 0.05; done", name="long")
    server.wait_state(job_id, "running")
    info = f"/jobs/{job_id}/log/info"
    wait_until(lambda: server.http.get(info).json()["size"], what="its first line")
    path = Path(server.http.get(info).json()["path"])
    write_long_log(path)
    yield job_id, path, go
    go.touch()
    server.wait_ended(job_id)
    path.unlink(missing_ok=True)


def write_long_log(path: Path) -> None:
    """The same ten thousand lines again and again; a needle in the middle, and trouble behind it."""
    lines = (f"step {n:05d}  loss 0.{n:04d}  丹炉 {'.' * 70}\n" for n in range(LINES_IN_BLOCK))
    block = "".join(lines).encode()
    blocks = SIZE // len(block) + 1
    marks = {blocks // 2: NEEDLE.encode() + b"\n", blocks * 3 // 4: b"RuntimeError: CUDA out of memory\n"}
    with path.open("ab", buffering=0) as file:
        for number in range(blocks):
            os.writev(file.fileno(), [marks.get(number, b""), block])
    assert path.stat().st_size > SIZE


class Meter:
    """What the page has fetched from the API, as the browser itself counts it."""

    def __init__(self, person: Person) -> None:
        self.bytes = 0
        self._ours: set[str] = set()
        session = person.context.new_cdp_session(person.page)
        session.on("Network.requestWillBeSent", self._note)
        session.on("Network.dataReceived", self._count)
        session.send("Network.enable")

    def _note(self, event: dict) -> None:
        if "/api/" in event["request"]["url"]:
            self._ours.add(event["requestId"])

    def _count(self, event: dict) -> None:
        if event["requestId"] in self._ours:
            self.bytes += event["dataLength"]


def rows(page: Page) -> list[str]:
    shown = page.locator(".log-row").all_inner_texts()
    assert len(shown) <= MOST_ROWS
    return shown


def check_no_gaps(page: Page) -> None:
    """Lines follow each other as they do in the file."""
    steps = [int(found[1]) for text in rows(page) if (found := re.match(r"step (\d+)", text))]
    assert len(steps) > 30
    assert all(after == (before + 1) % LINES_IN_BLOCK for before, after in pairwise(steps))


def first_offset(page: Page) -> int:
    return int(page.locator(".log-row").first.get_attribute("data-offset") or 0)


def append(path: Path, text: str) -> None:
    with path.open("ab", buffering=0) as file:
        file.write(text.encode())


def test_a_log_of_500_mb_costs_no_more_than_a_small_one(
    server: LiveServer, person: Callable[..., Person], log: tuple[int, Path, Path]
) -> None:
    job_id, path, go = log
    li = person(width=1280, height=900)
    li.sign_in()
    meter = Meter(li)
    page = li.go(f"/jobs/{job_id}")
    text = page.get_by_role("region", name="Log text")

    # Open: the end of it, and it is followed.
    last = f"step {LINES_IN_BLOCK - 1:05d}"
    expect(text.get_by_text(last)).to_be_in_viewport()
    expect(page.get_by_text("Following")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^50\d MB · last \d\S* KB in view$"))).to_be_visible()
    check_no_gaps(page)
    append(path, "a new line 新的一行\n")
    expect(text.get_by_text("a new line 新的一行")).to_be_in_viewport()

    # Search: 250 MB away, marked and counted.
    field = page.get_by_role("textbox", name="Search the log")
    field.fill(NEEDLE.upper())
    expect(text.locator("mark", has_text=NEEDLE)).to_be_in_viewport()
    expect(page.get_by_text("1 of 1", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Follow")).to_be_visible()
    check_no_gaps(page)

    # A link to that line costs no more: its place is known, and its number is not made up.
    text.locator(".log-row", has=page.locator("mark")).locator(".log-row-number").click()
    expect(page).to_have_url(re.compile(r"at=\d{9}$"))
    page.reload()
    expect(text.locator(".log-row-marked")).to_have_text(NEEDLE)
    expect(text.locator(".log-row-marked")).to_be_in_viewport()
    expect(page.get_by_role("button", name=re.compile(r"^Byte 2\d\d,"))).to_be_visible()
    expect(page.get_by_text("Paused")).to_be_visible()
    expect(text.locator("[data-number]")).to_have_count(0)
    check_no_gaps(page)

    # Jump: to the next error, to a place on the scrollbar, to the beginning and to the end.
    page.get_by_role("button", name="Next error").click()
    expect(text.get_by_text("CUDA out of memory")).to_be_in_viewport()
    field.fill("")
    bar = page.get_by_role("scrollbar", name="Position in the log")
    box = bar.bounding_box()
    assert box is not None
    bar.click(position={"x": box["width"] / 2, "y": box["height"] / 4})
    wait_until(lambda: 20 <= int(bar.get_attribute("aria-valuenow") or 0) <= 30, what="the jump")
    expect(text.get_by_text("CUDA out of memory")).to_have_count(0)
    expect(page.get_by_text(re.compile(r"^50\d MB · \d\S* KB in view, at 2\d%$"))).to_be_visible()
    check_no_gaps(page)
    text.press("Home")
    expect(text.get_by_text("begun", exact=True)).to_be_in_viewport()
    text.press("End")
    expect(text.get_by_text("a new line 新的一行")).to_be_in_viewport()
    expect(page.get_by_text("Following")).to_be_visible()

    # Scroll: upwards through many screens, and nothing is left out or comes twice.
    text.hover()
    before = first_offset(page)
    for _ in range(40):
        page.mouse.wheel(0, -1500)
        assert page.locator(".log-row").count() <= MOST_ROWS
    expect(page.get_by_text("Paused")).to_be_visible()
    check_no_gaps(page)
    assert first_offset(page) < before - 100_000

    # Its end is told as it comes.
    page.get_by_role("button", name="Follow").click()
    go.touch()
    expect(text.get_by_text("Attempt 1 ended: exit code 0")).to_be_in_viewport()
    check_no_gaps(page)
    assert meter.bytes <= MOST_BYTES, f"{meter.bytes} bytes"
    server.wait_ended(job_id)


FLOOD = """
import pathlib, sys, time
n = 0
while not pathlib.Path(sys.argv[1]).exists():
    lines = (f"line {n + k} of a job that writes and writes\\n" for k in range(4000))
    print("".join(lines), end="", flush=True)
    n += 4000
    time.sleep(0.1)
"""

FIRST_SEEN = """() => {
  const box = document.querySelector(".log-box").getBoundingClientRect();
  const rows = [...document.querySelectorAll(".log-row")].map((row) => [row, row.getBoundingClientRect()]);
  const seen = rows.filter(([, { bottom, top }]) => bottom > box.top && top < box.bottom);
  return seen.map(([row, { top }]) => [row.dataset.offset, top, row.innerText]);
}"""


def test_a_pause_holds_whatever_a_job_writes(
    server: LiveServer, person: Callable[..., Person], tmp_path: Path
) -> None:
    """40,000 lines a second: the button holds the rows where they are, and so does who scrolls up."""
    go = tmp_path / "go"
    (tmp_path / "flood.py").write_text(FLOOD)
    job_id = server.submit(f"python3 {tmp_path}/flood.py {go}", name="flood")
    try:
        page = person(width=1280, height=900).sign_in(f"/jobs/{job_id}")
        text = page.get_by_role("region", name="Log text")
        expect(page.get_by_text("Growing fast")).to_be_visible()
        for pause in (
            lambda: page.get_by_role("button", name="Pause").click(),
            lambda: (text.hover(), page.mouse.wheel(0, -700)),
        ):
            expect(page.get_by_role("button", name="Pause")).to_be_visible()
            pause()
            expect(page.get_by_text("Paused")).to_be_visible()
            before = at_rest(page, lambda: page.evaluate(FIRST_SEEN))
            assert len(before) > 20
            # Far more than is kept in memory has come meanwhile.
            expect(page.get_by_text(re.compile(r"^\+ about \d+ thousand lines"))).to_be_visible()
            expect(page.get_by_text(re.compile(r"\(\d\d(\.\d)? MB\)"))).to_be_visible()
            assert page.evaluate(FIRST_SEEN) == before
            page.get_by_role("button", name="Follow").click()
            wait_until(lambda seen=before: _is_past(page, seen), what="the end of the log")
    finally:
        go.touch()
        server.wait_ended(job_id)
    expect(text.get_by_text("Attempt 1 ended: exit code 0")).to_be_in_viewport()


def _is_past(page: Page, before: list) -> bool:
    return int(page.evaluate(FIRST_SEEN)[0][0]) > int(before[-1][0])
