"""The lists of jobs: choosing, acting, putting in order, by mouse and by keyboard."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.support.browser import Person, check_accessibility
from tests.support.drivers import FakeDriver
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import make_member
from tests.web.conftest import ENTRY
from tests.web.job_lists import BAR, choose, names, row, submit, tab

pytestmark = pytest.mark.web

GPUS = 8
FOREIGN = "Foreign processes on managed GPUs"
LATE_MOVES = """
  const send = window.fetch;
  window.fetch = async (asked, ...rest) => {
    if ((asked.url ?? String(asked)).includes("/move")) await new Promise((go) => setTimeout(go, 300));
    return send(asked, ...rest);
  };
"""


@pytest.fixture(scope="module")
def li(server: LiveServer) -> httpx.Client:
    """A member; and a cluster that is full, so that what is submitted waits."""
    member = make_member(server, "li")
    for number in (1, 2):
        server.wait_state(server.submit("sleep 1000", name=f"full-{number}", gpus=GPUS // 2), "running")
    failed = submit(member, "fails", command="exit 3", gpus=0)
    array = submit(member, "sweep", command="exit $((DANLU_ARRAY_INDEX % 2))", gpus=0, array="0-3")
    for each in (failed, array):
        server.wait_ended(each)
    return member


@pytest.fixture
def line(server: LiveServer, li: httpx.Client) -> Iterator[list[int]]:
    """Four jobs of li's in the queue, and no others."""
    yield [submit(li, f"job-{letter}") for letter in "abcd"]
    waiting = server.http.get("/jobs", params={"area": "waiting", "limit": 1000}).json()["jobs"]
    if waiting:
        server.http.post("/jobs/actions", json={"action": "delete", "jobs": [job["ref"] for job in waiting]})


def waiting_names(server: LiveServer) -> list[str]:
    return [job["name"] for job in server.http.get("/jobs", params={"area": "waiting"}).json()["jobs"]]


@pytest.mark.parametrize(
    ("language", "areas", "why", "progress"),
    [
        ("en", ("Waiting", "Running", "History"), "exit code 3", "2 succeeded, 2 failed"),
        ("zh", ("等待", "运行", "历史"), "退出码 3", "成功 2，失败 2"),
    ],
)
def test_the_three_areas_are_for_everybody(
    person: Callable[..., Person],
    li: httpx.Client,
    line: list[int],
    language: str,
    areas: tuple[str, ...],
    why: str,
    progress: str,
) -> None:
    page = person(client=li, language=language, dark=language == "zh").sign_in("/jobs")
    # Something runs, so that is what is shown first; the address says it from then on.
    expect(page).to_have_url(re.compile("area=running"))
    expect(row(page, "full-1")).to_contain_text("GPU 0–3")
    check_accessibility(page)
    tab(page, areas[0]).click()
    expect(row(page, "job-a")).to_be_visible()
    reason = li.get(f"/jobs/{line[0]}/why", headers={"Accept-Language": language}).json()["message"]
    expect(row(page, "job-a")).to_contain_text(reason)
    check_accessibility(page)
    tab(page, areas[2]).click()
    expect(row(page, "fails")).to_contain_text(why)
    expect(row(page, "sweep").get_by_role("img", name=re.compile(progress))).to_be_visible()
    check_accessibility(page)
    page.go_back()
    expect(row(page, "job-a")).to_be_visible()
    expect(tab(page, areas[0])).to_have_attribute("aria-current", "page")


def test_cancelling_many_says_what_was_refused(
    person: Callable[..., Person], server: LiveServer, li: httpx.Client, line: list[int]
) -> None:
    root = submit(server.http, "of-root")
    page = person(client=li).sign_in("/jobs?area=waiting")
    # What is another user's cannot be chosen, and offers nothing but to be looked at.
    expect(row(page, "of-root")).to_be_visible()
    expect(row(page, "of-root").get_by_role("checkbox")).to_have_count(0)
    row(page, "of-root").get_by_role("button", name=re.compile("Actions")).click()
    expect(page.get_by_role("menuitem")).to_have_text(["Open"])
    page.keyboard.press("Escape")

    row(page, "job-a").get_by_role("checkbox").click()
    row(page, "job-d").get_by_role("checkbox").click(modifiers=["Shift"])
    bar = page.get_by_role("region", name=BAR)
    expect(bar).to_contain_text("4 selected")
    row(page, "job-c").get_by_role("checkbox").click()
    expect(bar).to_contain_text("3 selected")

    # Another window of hers takes one of them away in the meantime.
    assert li.post(f"/jobs/{line[1]}/cancel").status_code == 200
    expect(bar).to_contain_text("1 no longer in this list")
    bar.get_by_role("button", name="Cancel", exact=True).click()
    asking = page.get_by_role("dialog", name="Cancel 3 jobs?")
    for name in ("job-a", "job-b", "job-d"):
        expect(asking).to_contain_text(name)
    check_accessibility(page)
    asking.get_by_role("button", name="Cancel 3 jobs").click()
    told = page.get_by_role("alert").filter(has_text="2 cancelled, 1 refused")
    expect(told).to_contain_text("job-b")
    refusal = li.post(f"/jobs/{line[1]}/cancel").json()["message"]
    expect(told).to_contain_text(refusal)
    expect(bar).to_be_hidden()
    expect(row(page, "job-a")).to_have_count(0)
    expect(row(page, "job-c")).to_be_visible()
    assert server.state(line[0]) == server.state(line[3]) == "cancelled"
    assert server.state(root) == "waiting"


def test_one_job_by_its_menu(
    person: Callable[..., Person], server: LiveServer, li: httpx.Client, line: list[int]
) -> None:
    submit(li, "follows-c", after=[line[2]])
    page = person(client=li).sign_in("/jobs?area=waiting")
    choose(page, "job-a", "Hold")
    expect(row(page, "job-a")).to_contain_text("held")
    choose(page, "job-a", "Release")
    expect(row(page, "job-a")).not_to_contain_text("held")
    choose(page, "job-b", re.compile("^As a new job It gets a new number"))
    expect(page.get_by_text(re.compile(f"Job {line[1]} was submitted again as job"))).to_be_visible()
    expect(row(page, "job-b")).to_have_count(2)
    choose(page, "job-c", "Delete")
    asking = page.get_by_role("dialog", name="Delete this job?")
    expect(asking).to_contain_text("job-c")
    asking.get_by_role("checkbox", name="Also delete all their successors").check()
    asking.get_by_role("button", name="Delete job").click()
    expect(row(page, "job-c")).to_have_count(0)
    expect(row(page, "follows-c")).to_have_count(0)
    assert server.http.get(f"/jobs/{line[2]}").status_code == 404
    choose(page, "job-d", "Edit")
    expect(page).to_have_url(re.compile(f"/jobs/{line[3]}/edit"))


def test_the_keyboard_chooses_opens_and_selects(
    person: Callable[..., Person], li: httpx.Client, line: list[int]
) -> None:
    page = person(client=li).sign_in("/jobs?area=waiting")
    expect(row(page, "job-a")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(row(page, "job-b")).to_be_focused()
    page.keyboard.press("Space")
    expect(row(page, "job-b")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Shift+ArrowDown")
    expect(page.get_by_role("region", name=BAR)).to_contain_text("2 selected")
    # The row with the focus leaves; the row in its place has it now.
    assert li.delete(f"/jobs/{line[2]}").status_code == 200
    expect(row(page, "job-d")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("region", name=BAR)).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"/jobs/{line[3]}$"))


def test_the_queue_is_put_in_order_by_mouse_and_by_keyboard(
    person: Callable[..., Person], server: LiveServer, li: httpx.Client, line: list[int]
) -> None:
    user = person()
    page = user.sign_in("/jobs?area=waiting")
    expect(row(page, "job-d")).to_be_visible()
    # A reason that comes later would push down what is about to be dragged.
    expect(row(page, "job-a").locator(".jobs-why")).to_be_visible()
    handle, target = row(page, "job-d").get_by_role("button", name=re.compile("Move job")), row(page, "job-b")
    start, end = handle.bounding_box(), target.bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 12, start["y"] + 12)
    page.mouse.down()
    page.mouse.move(start["x"] + 12, start["y"] - 20, steps=4)
    page.mouse.move(start["x"] + 12, end["y"] + 4, steps=6)
    expect(page.locator(".drop-line")).to_be_visible()
    page.mouse.up()
    expect(row(page, "job-d").get_by_role("gridcell").nth(1)).to_have_text("2")
    wait_until(lambda: waiting_names(server) == ["job-a", "job-d", "job-b", "job-c"])

    row(page, "job-a").focus()
    page.keyboard.press("Alt+ArrowDown")
    wait_until(lambda: waiting_names(server) == ["job-d", "job-a", "job-b", "job-c"])
    expect(row(page, "job-a")).to_be_focused()
    choose(page, "job-c", "Move to the top")
    wait_until(lambda: waiting_names(server) == ["job-c", "job-d", "job-a", "job-b"])
    expect(names(page)).to_have_text(["job-c", "job-d", "job-a", "job-b"])

    # Further down than the others, an urgent job leads; no other can be put before it.
    urgent = submit(li, "job-e", urgent=True)
    expect(names(page)).to_have_text(["job-e", "job-c", "job-d", "job-a", "job-b"])
    expect(row(page, "job-e").get_by_role("gridcell").nth(1)).to_have_text("1")
    moved = server.http.post(f"/jobs/{line[1]}/move", json={"position": 1}).json()
    assert moved["position"] == 2
    expect(names(page)).to_have_text(["job-e", "job-b", "job-c", "job-d", "job-a"])
    server.http.delete(f"/jobs/{urgent}")
    server.http.post(f"/jobs/{line[1]}/move", json={"position": 4})
    expect(names(page)).to_have_text(["job-c", "job-d", "job-a", "job-b"])

    # What could not be done is taken back, in words.
    user.context.set_offline(True)
    row(page, "job-b").focus()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.get_by_role("alert").filter(has_text="The server cannot be reached")).to_be_visible()
    user.context.set_offline(False)
    expect(names(page)).to_have_text(["job-c", "job-d", "job-a", "job-b"])
    # Where the queue is not seen whole, no job can be put between others.
    page.goto(f"{server.url}/jobs?area=waiting&search=job")
    expect(row(page, "job-a")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("Move job"))).to_have_count(0)


def test_nine_presses_move_a_job_nine_places_however_slow_the_server_is(
    person: Callable[..., Person], server: LiveServer, li: httpx.Client, line: list[int]
) -> None:
    for letter in "efghij":
        submit(li, f"job-{letter}")
    user = person()
    user.prepare(LATE_MOVES)
    page = user.sign_in("/jobs?area=waiting")
    expect(row(page, "job-j")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/move" in request.url else None)
    row(page, "job-j").focus()
    for _ in range(9):
        page.keyboard.press("Alt+ArrowUp")
    expect(names(page).first).to_have_text("job-j")
    wait_until(lambda: waiting_names(server) == [f"job-{letter}" for letter in "jabcdefghi"])
    expect(row(page, "job-j")).to_be_focused()
    assert len(asked) < 9
    expect(page.get_by_role("status").filter(has_text="is now ahead of job")).to_have_count(1)


def test_a_job_has_one_place_in_the_queue_wherever_it_is_seen(
    person: Callable[..., Person], server: LiveServer, li: httpx.Client, line: list[int]
) -> None:
    root = submit(server.http, "of-root")
    held = submit(server.http, "is-held", hold=True)
    last = submit(li, "job-last")
    assert li.post("/jobs/actions", json={"action": "hold", "jobs": [str(line[1])]}).status_code == 200

    def place(job: int) -> int | None:
        found = li.get("/jobs", params={"area": "waiting", "search": str(job)}).json()["jobs"][0]["place"]
        return None if found is None else int(found)

    # a, c and d of li's, then root's: one that is held stands before no other.
    wait_until(lambda: (place(root), place(last)) == (4, 5))
    assert place(held) is place(line[1]) is None
    assert "number 5 in the queue" in li.get(f"/jobs/{last}/why").json()["message"]
    page = person(client=li).sign_in("/jobs?area=waiting&search=job-last")
    expect(row(page, "job-last").get_by_role("gridcell").nth(1)).to_have_text("5")
    page.goto(f"{server.url}/jobs/{last}")
    facts = page.locator("dl, table").filter(has_text="Place in queue").first
    expect(page.get_by_text("number 5 in the queue")).to_be_visible()
    expect(facts).to_contain_text("5")
    # Another one goes, and the open page follows though nothing happened to its own job.
    assert li.post(f"/jobs/{line[0]}/cancel").status_code == 200
    expect(facts).to_contain_text("4")
    expect(page.get_by_text("number 4 in the queue")).to_be_visible()


def test_an_empty_list_says_what_to_do(person: Callable[..., Person], li: httpx.Client) -> None:
    page = person(client=li).sign_in("/jobs?area=waiting")
    expect(page.get_by_text("No waiting jobs")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("button", name="Mine").click()
    expect(page.get_by_text("No matching jobs")).to_be_visible()
    page.locator(".empty-list").get_by_role("button", name="Clear all").click()
    expect(page.get_by_text("Press n for a new job.")).to_be_visible()
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile("/jobs/new"))


def test_foreign_processes_are_listed_with_their_owner(person: Callable[..., Person], tmp_path: Path) -> None:
    driver = FakeDriver(tmp_path)
    driver.plug("NVIDIA H200", "NVIDIA H200")
    as_nobody = {"user": "nobody"} if os.geteuid() == 0 else {}
    foreigner = subprocess.Popen(["sleep", "300"], **as_nobody)
    try:
        with driver.in_charge(), live_server(tmp_path / "danlu", entry=ENTRY) as real:
            page = person(server=real).sign_in("/jobs?area=running")
            expect(page.get_by_text("No running jobs")).to_be_visible()
            expect(page.get_by_role("region", name=FOREIGN)).to_have_count(0)
            driver.occupy(1, (foreigner.pid, 900))
            listed = page.get_by_role("region", name=FOREIGN).get_by_role("row").nth(1)
            expect(listed).to_contain_text(re.compile(rf":1.*{foreigner.pid}.*sleep.*900 MB"))
            expect(listed).to_contain_text("nobody" if as_nobody else "")
            check_accessibility(page)
            driver.occupy(1)
            expect(listed).to_have_count(0)
            page.goto("about:blank")
    finally:
        foreigner.kill()
        foreigner.wait()
