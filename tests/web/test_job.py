"""The page of a job: how it stands, what can be done with it, and its log."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from playwright.sync_api import Page, expect

from danlu.agent.keeper.log_limit import cut_log
from tests.support.browser import Person, at_rest, check_accessibility
from tests.support.installation import LiveServer, wait_until
from tests.support.people import make_member

pytestmark = pytest.mark.web

Enter = Callable[..., Person]


class Words(NamedTuple):
    language: str
    begins: str
    waits: str
    following: str
    pause: str
    paused: str
    came: str
    follow: str
    ended: str
    cancel: str
    keep: str
    text: str


ENGLISH = Words(
    "en",
    "The log starts when the job does",
    "It is waiting for job",
    "Following",
    "Pause",
    "Paused",
    "+ 200 lines",
    "Follow",
    "Attempt 1 ended: exit code 0",
    "Cancel job",
    "Keep job",
    "Log text",
)
CHINESE = Words(
    "zh",
    "任务开始运行后，日志会自动出现在这里",
    "正在等待前驱任务",
    "正在跟随",
    "暂停",
    "已暂停",
    "+ 200 行",
    "跟随",
    "第 1 次运行结束：退出码 0",
    "取消任务",
    "保留",
    "日志内容",
)

COLOURS = r"""
printf '\033[1;31mred and bold\033[0m plain \033[38;2;0;200;0mgreen\033[0m\n'
for step in 10 50 100; do printf '\r%3d%%|#####|' $step; done; printf '\n'
printf 'downloading...\r\033[Kdone 丹炉\n'
"""


@pytest.fixture(scope="module")
def li(server: LiveServer) -> httpx.Client:
    return make_member(server, "li")


@pytest.fixture(scope="module")
def mo(server: LiveServer) -> httpx.Client:
    return make_member(server, "mo")


@pytest.fixture(scope="module")
def wide(server: LiveServer) -> int:
    """A job that wrote a short line, one of 120 columns, and one of 300."""
    job_id = server.submit("echo 1; printf '%0120d\\n' 0; printf '%0300d\\n' 0", name="wide")
    server.wait_ended(job_id)
    return job_id


def until(path: Path) -> str:
    return f"while [ ! -e {path} ]; do sleep 0.05; done"


def tag(page: Page, state: str) -> None:
    expect(page.get_by_role("heading", level=1).get_by_text(state, exact=True)).to_be_visible()


def open_menu(page: Page, action: str) -> None:
    page.get_by_role("button", name="More actions").click()
    page.get_by_role("menuitem", name=action, exact=True).click()


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_a_job_is_watched_from_waiting_to_its_end(
    server: LiveServer, person: Enter, tmp_path: Path, words: Words
) -> None:
    first_may_end, more, may_end = tmp_path / "1", tmp_path / "2", tmp_path / "3"
    first = server.submit(until(first_may_end), name="first")
    many = "for n in $(seq 200); do echo more $n; done"
    script = f"{COLOURS}\n{until(more)}\n{many}\n{until(may_end)}\necho the end"
    second = server.submit(script, name="second", after=[first], gpus=1, variables={"TOKEN": "secret-value"})
    page = person(language=words.language).sign_in(f"/jobs/{second}")
    expect(page.get_by_text(words.waits)).to_be_visible()
    expect(page.get_by_text(words.begins)).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("first"))).to_be_visible()
    check_accessibility(page)

    first_may_end.touch()
    text = page.get_by_role("region", name=words.text)
    expect(text.get_by_text("red and bold")).to_have_css("font-weight", "700")
    expect(text.get_by_text("green")).to_have_css("color", "rgb(0, 200, 0)")
    expect(text.locator(".log-row")).to_have_text(
        ["red and bold plain green", "100%|#####|", "done 丹炉"], use_inner_text=True
    )
    expect(page.get_by_text(words.following)).to_be_visible()
    assert "secret-value" not in page.content()

    page.get_by_role("button", name=words.pause, exact=True).click()
    more.touch()
    expect(page.get_by_text(words.paused)).to_be_visible()
    expect(page.get_by_text(words.came)).to_be_visible()
    expect(text.locator(".log-row")).to_have_count(3)
    page.get_by_role("button", name=words.follow, exact=True).click()
    expect(text.get_by_text("more 200", exact=True)).to_be_in_viewport()
    check_accessibility(page)

    may_end.touch()
    expect(text.get_by_text("the end")).to_be_in_viewport()
    expect(text.get_by_text(words.ended)).to_be_in_viewport()
    tag(page, {"en": "succeeded", "zh": "成功"}[words.language])


def test_each_attempt_and_each_stream_has_its_log(server: LiveServer, person: Enter, tmp_path: Path) -> None:
    job_id = server.submit(
        "echo out of $DANLU_ATTEMPT; echo err of $DANLU_ATTEMPT >&2; exit 4",
        name="again",
        retries=1,
        retry_backoff_s=0,
        directory=str(tmp_path),
        stdout="$JOB_ID-$DANLU_ATTEMPT.out",
        stderr="$JOB_ID.err",
    )
    server.wait_ended(job_id)
    page = person(width=390, dark=True).sign_in(f"/jobs/{job_id}")
    text = page.get_by_role("region", name="Log text")
    expect(text.get_by_text("out of 2")).to_be_visible()
    expect(text.get_by_text("Attempt 2 ended: exit code 4")).to_be_visible()
    page.get_by_text("Error output").click()
    expect(text.get_by_text("err of 2")).to_be_visible()
    expect(page).to_have_url(re.compile("stream=stderr"))
    page.get_by_role("combobox", name="Which attempt").click()
    page.get_by_text("Attempt 1", exact=True).click()
    expect(page).to_have_url(re.compile("attempt=1"))
    expect(text.get_by_text("Attempt 1 ended: exit code 4")).to_be_visible()
    page.reload()
    expect(text.get_by_text("Attempt 1 ended: exit code 4")).to_be_visible()
    expect(page.get_by_text("Attempt 1 ended, queued again")).to_be_visible()
    check_accessibility(page)


def test_120_columns_of_a_log_are_seen_beside_the_menu(person: Enter, wide: int) -> None:
    """Unwrapped although long lines are wrapped; what a job is stands beside its log where both have room."""
    page = person(width=1280).sign_in(f"/jobs/{wide}")
    rows = page.get_by_role("region", name="Log text").locator(".log-row")
    expect(rows).to_have_count(3)
    expect(page.get_by_text("3 lines · 424 B", exact=True)).to_be_visible()

    def is_laid_out(width: int) -> bool:
        panels = (page.locator(which) for which in (".log-card", ".job-facts-panel"))
        boxes = [each.bounding_box() for each in (rows.nth(0), rows.nth(1), *panels)]
        one, full, log, facts = (box for box in boxes if box is not None)
        is_beside, is_below = facts["x"] >= log["x"] + log["width"], facts["y"] >= log["y"] + log["height"]
        return one["height"] == full["height"] and (is_beside, is_below) == (width >= 1720, width < 1720)

    for width in (1280, 1600, 1720, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        wait_until(lambda width=width: is_laid_out(width), what=f"the layout at {width} pixels")


TOP_ROW = """() => {
  const box = document.querySelector(".log-box").getBoundingClientRect();
  const rows = [...document.querySelectorAll(".log-row")];
  return rows.find((row) => row.getBoundingClientRect().bottom > box.top + 1)?.dataset.offset;
}"""


def test_a_log_fills_the_window_and_comes_back_to_its_place(server: LiveServer, person: Enter) -> None:
    job_id = server.submit('for n in $(seq 900); do printf "$n %0$((n % 7 * 90 + 9))d\\n" 0; done')
    server.wait_ended(job_id)
    page = person().sign_in(f"/jobs/{job_id}")
    text, card = page.get_by_role("region", name="Log text"), page.locator(".log-card")
    expect(text.get_by_text("Attempt 1 ended")).to_be_in_viewport()
    end = page.evaluate(TOP_ROW)
    text.hover()
    page.mouse.wheel(0, -4000)
    wait_until(lambda: page.evaluate(TOP_ROW) not in (None, end), what="the scroll")
    place = at_rest(page, lambda: page.evaluate(TOP_ROW))
    page.locator("body").press("f")
    expect(page.get_by_role("dialog", name="Log")).to_be_visible()
    assert card.bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 800}
    assert page.evaluate(TOP_ROW) == place
    check_accessibility(page)
    inside = "document.querySelector('.log-card').contains(document.activeElement)"
    for key in ["Tab"] * 20 + ["Shift+Tab"] * 20:
        page.keyboard.press(key)
        assert page.evaluate(inside)
    page.get_by_role("textbox", name="Search the log").fill("no such line")
    page.keyboard.press("Escape")
    expect(page.get_by_role("textbox", name="Search the log")).to_have_value("")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate(TOP_ROW) == place
    page.get_by_role("button", name="Full screen").click()
    expect(page.get_by_role("dialog", name="Log")).to_be_visible()
    page.get_by_role("button", name="Leave full screen").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate(TOP_ROW) == place


def test_lines_say_when_they_were_written(
    server: LiveServer, person: Enter, wide: int, tmp_path: Path
) -> None:
    """Beside the text, not in it; and where its time is not known, that is said."""
    elsewhere = server.submit("echo x", directory=str(tmp_path), stdout="out", stderr="out")
    server.wait_ended(elsewhere)
    page = person().sign_in(f"/jobs/{wide}")
    rows = page.get_by_role("region", name="Log text").locator(".log-row")
    expect(rows).to_have_count(3)
    expect(rows.locator("[data-time]")).to_have_count(0)
    page.get_by_role("button", name="Time stamps").click()
    times = rows.locator("[data-time]")
    expect(times).to_have_count(3)
    expect(times.first).to_have_attribute("data-time", re.compile(r"^\d\d:\d\d:\d\d$"))
    expect(times.first).to_have_attribute("title", re.compile(r"^Written between .+ and .+$"))
    expect(rows.first).to_have_text("1", use_inner_text=True)
    heights = [(each.bounding_box() or {}).get("height") for each in rows.all()[:2]]
    assert heights[0] == heights[1]
    page.mouse.move(0, 0)
    expect(page.get_by_role("tooltip")).to_be_hidden()
    check_accessibility(page)
    page.goto(f"{server.url}/jobs/{elsewhere}")
    expect(page.get_by_text("It is not known when the lines of this log were written")).to_be_visible()
    page.get_by_role("button", name="Time stamps").click()
    expect(page.get_by_text("It is not known when")).to_have_count(0)


SELECTED = """() => {
  window.getSelection().selectAllChildren(document.querySelector(".log-rows"));
  return window.getSelection().toString();
}"""


def pasted(page: Page) -> str:
    """What a user gets who pastes now."""
    page.evaluate("document.body.append(Object.assign(document.createElement('textarea'), {id: 'pasted'}))")
    field = page.locator("#pasted")
    field.press("Control+v")
    text = field.input_value()
    field.evaluate("(field) => field.remove()")
    return text


@pytest.mark.parametrize("has_clipboard", [True, False], ids=["https", "plain-http"])
def test_a_link_leads_to_lines_of_a_log(server: LiveServer, person: Enter, has_clipboard: bool) -> None:
    """By a click on a number, with Shift up to another; what is copied by hand has no numbers in it."""
    job_id = server.submit("seq 3000 | sed 's/^/number /'", name="counting")
    server.wait_ended(job_id)
    writer = person()
    if not has_clipboard:
        writer.prepare("delete Navigator.prototype.clipboard")
    page = writer.sign_in(f"/jobs/{job_id}")
    text = page.get_by_role("region", name="Log text")
    number = text.locator(".log-row-number")
    expect(text.get_by_text("number 3000", exact=True)).to_be_in_viewport()
    text.press("Home")
    expect(number.nth(4)).to_have_attribute("data-number", "5")
    assert page.evaluate(SELECTED).startswith("number 1\nnumber 2\n")
    number.nth(4).click()
    expect(page).to_have_url(re.compile(r"\?attempt=1&at=36$"))
    number.nth(6).click(modifiers=["Shift"])
    expect(page).to_have_url(re.compile(r"\?attempt=1&at=36&to=54$"))
    marked = text.locator(".log-row-marked")
    expect(marked).to_have_text(["number 5", "number 6", "number 7"])
    expect(page.get_by_role("button", name="Lines 5–7")).to_be_visible()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = pasted(page)
    assert link == page.url
    check_accessibility(page)

    reader = person().sign_in(link.removeprefix(server.url))
    marked = reader.locator(".log-row-marked")
    expect(marked).to_have_text(["number 5", "number 6", "number 7"])
    expect(marked.first).to_be_in_viewport()
    reader.get_by_role("button", name="Lines 5–7").click()
    reader.get_by_role("menuitem", name="Remove the mark").click()
    expect(marked).to_have_count(0)
    expect(reader).to_have_url(re.compile(r"\?attempt=1$"))


def test_a_log_is_copied_with_or_without_its_colours(server: LiveServer, person: Enter) -> None:
    """What is selected, in view, marked or all of it, also where the browser gives pages no clipboard."""
    job_id = server.submit(f"{COLOURS}\nseq 3000", name="colourful")
    server.wait_ended(job_id)
    user = person()
    user.prepare("delete Navigator.prototype.clipboard")
    page = user.sign_in(f"/jobs/{job_id}")
    text = page.get_by_role("region", name="Log text")
    expect(text.get_by_text("3000", exact=True)).to_be_in_viewport()

    def copy(what: str, form: int, said: str) -> str:
        page.get_by_role("button", name="Copy", exact=True).first.click()
        page.get_by_role("menuitem", name=what).nth(form).click()
        expect(page.get_by_text(re.compile(f"^{said}"))).to_be_visible()
        expect(page.get_by_role("menu")).to_be_hidden()
        return pasted(page)

    whole = copy("Whole log", 0, "Copied 3,003 lines")
    assert whole.splitlines() == [
        "red and bold plain green",
        "100%|#####|",
        "done 丹炉",
        *map(str, range(1, 3001)),
    ]
    coloured = copy("Whole log", 1, "Copied 3,003 lines with colour codes")
    assert coloured.startswith(
        "\x1b[1;31mred and bold\x1b[0m plain \x1b[38;2;0;200;0mgreen\x1b[0m\n100%|#####|\n"
    )
    assert coloured.endswith("\n3000")
    seen = copy("Lines in view", 0, r"Copied \d\d lines").splitlines()
    assert seen == [str(n) for n in range(3001 - len(seen), 3001)]

    # Selected by hand, from within one line to within another.
    text.press("Home")
    expect(text.get_by_text("red and bold")).to_be_in_viewport()
    page.evaluate("""() => {
        const [first, second] = document.querySelectorAll(".log-row");
        const at = (row, text) => [...row.querySelectorAll("span")].find((each) => each.textContent === text);
        const [from, to] = [at(first, "red and bold").firstChild, second.querySelector("span:last-child")];
        window.getSelection().setBaseAndExtent(from, 4, to.firstChild, 4);
    }""")
    assert copy("Selected text", 0, "Copied 2 lines") == "and bold plain green\n100%"
    text.locator(".log-row-number").nth(2).click()
    page.get_by_role("button", name="Line 3", exact=True).click()
    page.get_by_role("menuitem", name="Copy these lines", exact=True).click()
    expect(page.get_by_text("Copied 1 line (11 B)")).to_be_visible()
    assert pasted(page) == "done 丹炉"


def test_keys_of_the_log_work_while_nobody_types(server: LiveServer, person: Enter) -> None:
    job_id = server.submit("seq 100; while :; do sleep 1; done", name="keyed", grace_s=1)
    server.wait_state(job_id, "running")
    page = person().sign_in(f"/jobs/{job_id}")
    text = page.get_by_role("region", name="Log text")
    expect(text.get_by_text("100", exact=True)).to_be_in_viewport()
    page.keyboard.press("p")
    expect(page.get_by_text("Paused")).to_be_visible()
    page.keyboard.press("p")
    expect(page.get_by_text("Following")).to_be_visible()
    page.keyboard.press("t")
    expect(text.locator("[data-time]").first).to_be_visible()
    page.keyboard.press("f")
    expect(page.get_by_role("dialog", name="Log")).to_be_visible()
    page.keyboard.press("s")
    field = page.get_by_role("textbox", name="Search the log")
    expect(field).to_be_focused()
    page.keyboard.type("tplf")
    expect(field).to_have_value("tplf")
    expect(page.get_by_role("dialog", name="Log")).to_be_visible()
    expect(text.locator("[data-time]").first).to_be_visible()
    assert "at=" not in page.url
    page.keyboard.press("Escape")
    text.focus()
    page.keyboard.press("l")
    expect(page.get_by_text("Link copied")).to_be_visible()
    expect(page).to_have_url(re.compile(r"attempt=1&at=\d+$"))
    expect(text.locator(".log-row-marked")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("?")
    for key in ("search a job's log", "pause a job's log", "show time stamps in a job's log", "copy a link"):
        expect(page.get_by_role("tooltip").get_by_text(key)).to_be_visible()
    server.http.post(f"/jobs/{job_id}/cancel")


def test_on_a_phone_a_log_has_its_most_important_tools_and_a_menu_of_the_rest(
    server: LiveServer, person: Enter, wide: int
) -> None:
    page = person(width=390, height=844).sign_in(f"/jobs/{wide}")
    text = page.get_by_role("region", name="Log text")
    expect(text.locator(".log-row")).to_have_count(3)
    text.locator(".log-row-number").first.click()
    page.get_by_role("button", name="More", exact=True).click()
    items = page.locator(".log-tools-menu [role^=menuitem]")
    expect(items).to_have_count(12)
    targets = [*page.locator(".log-card .ant-btn").all(), *items.all()]
    boxes = [(each.get_attribute("aria-label") or each.inner_text(), each.bounding_box()) for each in targets]
    assert len(boxes) >= 18
    assert [name for name, box in boxes if box and min(box["height"], box["width"]) < 40] == []
    page.get_by_role("menuitemcheckbox", name="Time stamps").click()
    expect(text.locator("[data-time]")).to_have_count(3)
    check_accessibility(page)


def test_who_reads_a_paused_log_keeps_it_when_the_job_is_tried_again(
    server: LiveServer, person: Enter, tmp_path: Path
) -> None:
    command = f"seq 300; echo round $DANLU_ATTEMPT; {until(tmp_path / 'fail')}; echo failed; exit 1"
    job_id = server.submit(command, name="flaky", retries=2, retry_backoff_s=0, grace_s=1)
    page = person().sign_in(f"/jobs/{job_id}")
    text = page.get_by_role("region", name="Log text")
    expect(text.get_by_text("round 1")).to_be_in_viewport()
    page.get_by_role("button", name="Pause").click()
    (tmp_path / "fail").touch()
    expect(
        page.get_by_text("Attempt 2 of this job has begun").or_(page.get_by_text("Attempt 3 of"))
    ).to_be_visible()
    expect(text.get_by_text("round 1")).to_be_in_viewport()
    server.wait_ended(job_id)
    expect(page.get_by_text("Attempt 3 of this job has begun")).to_be_visible()
    check_accessibility(page)
    text.press("End")
    expect(text.get_by_text("Attempt 1 ended: exit code 1")).to_be_in_viewport()
    page.get_by_role("button", name="Show it").click()
    expect(text.get_by_text("round 3")).to_be_in_viewport()
    expect(page.get_by_text("of this job has begun")).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "no_attempt", "latest", "cut", "left", "behind"),
    [
        (
            "en",
            "There is no attempt 7",
            "Show the latest",
            "were cut out",
            r"\d\S+ MB cut out, from",
            "ends before",
        ),
        ("zh", "没有第 7 次运行", "查看最近一次运行", "已被截去", "已截去 .+ 之间的", "到不了"),
    ],
)
def test_links_to_what_is_gone_and_a_log_that_was_cut_say_so(
    server: LiveServer,
    person: Enter,
    language: str,
    no_attempt: str,
    latest: str,
    cut: str,
    left: str,
    behind: str,
) -> None:
    job_id = server.submit("seq 400000", name="too-long")
    server.wait_ended(job_id)
    with Path(server.http.get(f"/jobs/{job_id}/log/info").json()["path"]).open("rb+") as file:
        assert cut_log(file.fileno(), 1 << 20)
    page = person(language=language).sign_in(f"/jobs/{job_id}?attempt=7&at=2")
    expect(page.get_by_text(no_attempt)).to_be_visible()
    page.get_by_role("link", name=latest).click()
    rows = page.locator(".log-row")
    expect(rows.get_by_text("400000", exact=True)).to_be_in_viewport()
    expect(page.get_by_text(re.compile(left))).to_be_visible()
    for offset, said, seen in (
        (1 << 20, cut, "[danlu: the log was cut here"),
        (1 << 30, behind, "400000"),
    ):
        page.goto(f"{server.url}/jobs/{job_id}?at={offset}")
        expect(page.get_by_role("status").get_by_text(said)).to_be_visible()
        expect(rows.filter(has_text=seen)).to_be_in_viewport()
        expect(page.locator(".log-row-marked")).to_have_count(0)
    # What is before the cut has its number; what is behind it is not pretended to have one.
    page.goto(f"{server.url}/jobs/{job_id}?at=2")
    expect(page.locator(".log-row-marked [data-number]")).to_have_attribute("data-number", "2")
    page.get_by_role("region").filter(has=rows).press("End")
    expect(rows.get_by_text("400000", exact=True)).to_be_in_viewport()
    expect(page.locator("[data-number]")).to_have_count(0)
    check_accessibility(page)


def test_errors_are_found_and_very_long_lines_are_cut(server: LiveServer, person: Enter) -> None:
    job_id = server.submit(
        "seq 3000; echo 'ValueError: bad'; seq 3000; head -c 20000 /dev/zero | tr '\\0' x; echo; echo last"
    )
    server.wait_ended(job_id)
    page = person().sign_in(f"/jobs/{job_id}")
    text = page.get_by_role("region", name="Log text")
    expect(text.get_by_text("last", exact=True)).to_be_visible()
    page.get_by_role("button", name="Show more of this line").click()
    expect(text.locator(".log-row", has_text="xxx")).to_have_text("x" * 20000)
    page.get_by_role("button", name="Previous error").click()
    expect(text.get_by_text("ValueError: bad")).to_be_in_viewport()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert Path(download.value.path()).read_text().endswith("x\nlast\n")
    field = page.get_by_role("textbox", name="Search the log")
    field.fill("2999")
    expect(page.get_by_text("2 of 2", exact=True).or_(page.get_by_text("1 of 2", exact=True))).to_be_visible()
    field.fill("nowhere")
    expect(page.get_by_text("Not found")).to_be_visible()


def test_the_job_of_another_shows_no_more_than_the_queue(
    server: LiveServer, person: Enter, li: httpx.Client, mo: httpx.Client
) -> None:
    fields = {"command": "echo private-words", "directory": "/tmp", "name": "paper", "gpus": 1}
    job_id = li.post("/jobs", json={**fields, "variables": {"KEY": "private-key"}}).json()["id"]
    server.wait_ended(job_id)
    page = person(client=mo).sign_in(f"/jobs/{job_id}")
    expect(page.get_by_role("heading", level=1)).to_contain_text("paper")
    expect(page.get_by_text("The rest is private")).to_be_visible()
    expect(page.get_by_text("Only li, their mentor")).to_be_visible()
    for action in ("Run again", "Ways to run it again", "More actions", "Download"):
        expect(page.get_by_role("button", name=action)).to_have_count(0)
    expect(page.locator(".log-row")).to_have_count(0)
    assert "private-" not in page.content()
    check_accessibility(page)


@pytest.mark.parametrize("words", [ENGLISH, CHINESE], ids=["en", "zh"])
def test_a_running_job_is_cancelled_once_it_is_meant(server: LiveServer, person: Enter, words: Words) -> None:
    job_id = server.submit("sleep 1000", name="mistake", grace_s=1)
    server.wait_state(job_id, "running")
    page = person(language=words.language).sign_in(f"/jobs/{job_id}")
    page.get_by_role("button", name=words.cancel).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("mistake")
    dialog.get_by_role("button", name=words.keep).click()
    expect(dialog).to_be_hidden()
    assert server.state(job_id) == "running"
    page.get_by_role("button", name=words.cancel).click()
    dialog.get_by_role("button", name=words.cancel).click()
    tag(page, {"en": "cancelled", "zh": "已取消"}[words.language])


def test_one_that_does_not_listen_is_ended_at_once(server: LiveServer, person: Enter) -> None:
    """Asked for with the cancel; or while it is being stopped, and has an hour left."""
    deaf = {"command": "trap '' TERM; while :; do sleep 1; done", "gpus": 1, "grace_s": 3600}
    jobs = [server.submit(**deaf, name=name) for name in ("first", "second")]
    for job_id in jobs:
        server.wait_state(job_id, "running")
    page = person().sign_in(f"/jobs/{jobs[0]}")
    page.get_by_role("button", name="Cancel job").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Kill at once, without the grace period").check()
    dialog.get_by_role("button", name="Cancel job").click()
    tag(page, "cancelled")
    page.goto(f"{server.url}/jobs/{jobs[1]}")
    page.get_by_role("button", name="Cancel job").click()
    dialog.get_by_role("button", name="Cancel job").click()
    tag(page, "stopping")
    page.get_by_role("button", name="Kill now").click()
    expect(dialog).to_contain_text("1h")
    dialog.get_by_role("button", name="Kill now").click()
    tag(page, "cancelled")
    expect(page.get_by_text("Killed without the grace period")).to_be_visible()


def test_a_waiting_job_is_held_released_and_copied(server: LiveServer, person: Enter) -> None:
    first = server.submit("sleep 1000", name="first")
    job_id = server.submit("true", name="patient", after=[first])
    page = person().sign_in(f"/jobs/{job_id}")
    page.get_by_role("button", name="Hold").click()
    tag(page, "held")
    page.get_by_role("button", name="Release").click()
    tag(page, "waiting")
    expect(page.get_by_text("Put on hold")).to_be_visible()
    page.get_by_role("button", name="Run again").click()
    expect(page).to_have_url(re.compile(rf"/jobs/{job_id + 1}$"))
    tag(page, "waiting")
    server.http.post(f"/jobs/{first}/cancel")
    tag(page, "succeeded")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_run_again_says_what_becomes_of_number_and_log(
    server: LiveServer, person: Enter, language: str
) -> None:
    job_id = server.submit("echo round $DANLU_ATTEMPT", name="rounds")
    server.wait_ended(job_id)
    say = {
        "en": {
            "ways": "Ways to run it again",
            "new": "As a new job",
            "same": f"As job {job_id} again",
            "consequence": "It keeps its number; the current log is kept as attempt 1.",
            "changed": f"As job {job_id} again, with changes…",
            "ended": "succeeded",
        },
        "zh": {
            "ways": "重新运行的方式",
            "new": "作为新任务",
            "same": f"仍作为任务 {job_id}",
            "consequence": "编号不变；现有日志保留为第 1 次运行。",
            "changed": f"修改后仍作为任务 {job_id}…",
            "ended": "成功",
        },
    }[language]
    page = person(language=language).sign_in(f"/jobs/{job_id}")
    ways = page.get_by_role("button", name=say["ways"])
    ways.click()
    expect(page.get_by_role("menuitem")).to_have_count(4)
    expect(page.get_by_role("menuitem").first).to_contain_text(say["new"])
    same = page.get_by_role("menuitem").filter(has_text=say["same"]).first
    expect(same).to_contain_text(say["consequence"])
    same.click()
    wait_until(lambda: server.job(job_id)["job"]["attempt"] == 2, what="the second attempt")
    server.wait_ended(job_id)
    tag(page, say["ended"])
    assert len(server.job(job_id)["attempts"]) == 2
    logs = [server.http.get(f"/jobs/{job_id}/log", params={"attempt": number}).text for number in (1, 2)]
    assert [text.strip() for text in logs] == ["round 1", "round 2"]
    # With changes it is the form of the same job; an array has no number to keep.
    ways.click()
    page.get_by_role("menuitem").filter(has_text=say["changed"]).click()
    expect(page).to_have_url(re.compile(rf"/jobs/{job_id}/edit$"))
    array = server.submit("true", name="elements", array="0-1")
    server.wait_ended(array)
    page.goto(f"{server.url}/jobs/{array}")
    ways.click()
    expect(page.get_by_role("menuitem")).to_have_count(2)


def test_deleting_asks_about_successors_and_names_those_that_run(server: LiveServer, person: Enter) -> None:
    first = server.submit("true", name="base")
    second = server.submit("sleep 1000", name="derived", after=[first], grace_s=1)
    third = server.submit("true", name="report", after_ok=[second])
    server.wait_state(second, "running")
    page = person().sign_in(f"/jobs/{first}")
    open_menu(page, "Delete")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("base")
    dialog.get_by_role("checkbox", name=re.compile(f"its successors {second}")).check()
    dialog.get_by_role("button", name="Delete").click()
    expect(dialog.get_by_role("alert")).to_contain_text(str(second))
    check_accessibility(page)
    dialog.get_by_role("radio", name="Cancel them").check()
    dialog.get_by_role("button", name="Delete").click()
    expect(page).to_have_url(re.compile(r"/jobs\?area=history"))
    expect(page.get_by_role("heading", name="Jobs")).to_be_visible()
    server.wait_state(second, "cancelled")
    assert [server.http.get(f"/jobs/{each}").status_code for each in (first, third)] == [404, 404]
    page.go_back()
    expect(page.get_by_role("heading", name=f"There is no job {first}")).to_be_visible()


def test_an_array_shows_its_elements_and_each_its_log(
    server: LiveServer, person: Enter, tmp_path: Path
) -> None:
    go = tmp_path / "go"
    command = f"test $DANLU_ARRAY_INDEX -ne 1 || exit 3; echo task $DANLU_ARRAY_INDEX; {until(go)}"
    array = server.submit(command, name="sweep", array="0-59%3", grace_s=1)
    page = person(width=1920).sign_in(f"/jobs/{array}")
    table = page.get_by_role("region", name="Elements")
    expect(table.get_by_role("row", name=re.compile(r"\[1\]")).get_by_text("exit code 3")).to_be_visible()
    expect(table.get_by_role("row")).to_have_count(51)
    page.get_by_role("button", name="Next").click()
    expect(table.get_by_role("link", name=f"{array}[59]")).to_be_visible()
    page.get_by_role("combobox", name="Show elements in state").click()
    page.get_by_title("running").click()
    expect(table.get_by_role("row")).to_have_count(4)
    check_accessibility(page)
    page.get_by_role("button", name=f"Cancel element {array}[0]").click()
    page.get_by_role("dialog").get_by_role("button", name=f"Cancel element {array}[0]").click()
    expect(table.get_by_role("link", name=f"{array}[0]", exact=True)).to_have_count(0)
    table.get_by_role("link", name=f"{array}[2]").click()
    expect(page.get_by_role("region", name="Log text").get_by_text("task 2")).to_be_visible()
    expect(page.get_by_role("link", name=f"Element of array {array}")).to_be_visible()
    server.http.post(f"/jobs/{array}/cancel")
    tag(page, "cancelled")


def test_logs_that_are_not_there_say_why(server: LiveServer, person: Enter, tmp_path: Path) -> None:
    nowhere = server.submit("echo x", stdout="/dev/null", stderr="/dev/null")
    silent = server.submit("true")
    folder = server.submit("echo x", directory=str(tmp_path), stdout="out", stderr="out")
    for each in (nowhere, silent, folder):
        server.wait_ended(each)
    (tmp_path / "out").unlink()
    (tmp_path / "out").mkdir()
    page = person().sign_in(f"/jobs/{nowhere}")
    expect(page.get_by_text("The output is discarded")).to_be_visible()
    page.goto(f"{server.url}/jobs/{silent}")
    expect(page.get_by_text("No output")).to_be_visible()
    page.goto(f"{server.url}/jobs/{folder}")
    expect(page.get_by_text("cannot be read:")).to_be_visible()
    never = server.submit("true", hold=True)
    server.http.post(f"/jobs/{never}/cancel")
    page.goto(f"{server.url}/jobs/{never}")
    expect(page.get_by_text("The job never ran, so there is no log")).to_be_visible()


def test_the_tab_says_how_the_job_stands(server: LiveServer, person: Enter) -> None:
    job = server.submit("while [ ! -e go ]; do sleep 0.05; done", name="watched", directory=str(server.data))
    server.wait_state(job, "running")
    page = person().sign_in(f"/jobs/{job}")
    expect(page).to_have_title(f"● {job} watched · running – Danlu")
    icon = page.locator('link[rel="icon"]')
    expect(icon).to_have_attribute("href", "./danlu-running.svg")
    assert page.request.get(f"{server.url}/danlu-running.svg").headers["content-type"] == "image/svg+xml"
    (server.data / "go").touch()
    expect(page).to_have_title(f"✓ {job} watched · succeeded – Danlu")
    page.get_by_role("link", name="Nodes").click()
    expect(page).to_have_title("Nodes – Danlu")
    expect(icon).to_have_attribute("href", "./danlu.svg")


def test_what_is_not_there_is_said_plainly(person: Enter, server: LiveServer) -> None:
    page = person().sign_in("/jobs")
    for path, heading, hint, way_back in (
        ("/jobs/abc", "There is no job “abc”", "Jobs have numbers, such as 12", "All jobs"),
        ("/jobs/abc/edit", "There is no job “abc”", "an element of an array is written 12[3]", "All jobs"),
        ("/jobs/999999", "There is no job 999999", "It may have been deleted, or never existed.", "All jobs"),
        ("/jobs/1[99999]", "There is no job 1[99999]", "It may have been deleted", "All jobs"),
        ("/nodes/nope", "There is no node named nope", "It may have been removed", "All nodes"),
        ("/no/such/page", "There is nothing here", "mistyped", "Go to overview"),
    ):
        page.goto(f"{server.url}{path}")
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        expect(page).to_have_title(f"{heading} – Danlu")
        main = page.get_by_role("main")
        expect(main).to_contain_text(hint)
        expect(main.get_by_role("link", name=way_back)).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)
