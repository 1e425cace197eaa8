"""The overview and the big screen: what the GPUs are doing, seen without reloading."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import check_accessibility
from tests.support.drivers import FakeDriver
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import make_member
from tests.web.conftest import ENTRY

pytestmark = pytest.mark.web

WORDS = {
    "en": {
        "free": "free",
        "used": "in use",
        "shared": "shared",
        "drained": "drained",
        "mine": "My jobs",
        "running": "running",
        "failed": "failed",
    },
    "zh": {
        "free": "空闲",
        "used": "使用中",
        "shared": "共享",
        "drained": "排空",
        "mine": "我的任务",
        "running": "运行",
        "failed": "失败",
    },
}


@pytest.fixture
def submit(server: LiveServer) -> Iterator[Callable[..., int]]:
    """Jobs that are gone when the test is."""
    jobs: list[int] = []

    def submit(command: str, **fields) -> int:
        jobs.append(server.submit(command, grace_s=0, **fields))
        return jobs[-1]

    yield submit
    for job in jobs:
        server.http.post(f"/jobs/{job}/cancel")
        server.wait_ended(job)


def gpu(page: Page, node: str, index: int) -> Locator:
    return page.get_by_role("article", name=node).get_by_role("listitem", name=f"GPU {index}", exact=True)


def word(page: Page, node: str, index: int) -> Locator:
    return gpu(page, node, index).locator(".mark")


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_cells_and_my_jobs_follow_what_happens(person, server, submit, language):
    words = WORDS[language]
    page = person(language=language).sign_in()
    for node in ("sim1", "sim2"):
        for index in range(4):
            expect(word(page, node, index)).to_have_text(words["free"])

    alone = submit("sleep 300", node="sim1", gpu_ids=[0], name="alone")
    shared = submit("sleep 300", node="sim1", gpu_ids=[1], share=True, gpu_memory_mb=2000, name="open")
    expect(word(page, "sim1", 0)).to_have_text(words["used"])
    expect(gpu(page, "sim1", 0)).to_contain_text(f"#{alone}")
    expect(word(page, "sim1", 1)).to_have_text(words["shared"])
    expect(gpu(page, "sim1", 0)).not_to_contain_text("0 / 24 GB")  # its memory is being read
    server.http.post("/nodes/sim2/gpus/3/drain")
    expect(word(page, "sim2", 3)).to_have_text(words["drained"])
    mine = page.get_by_role("complementary", name=words["mine"])
    expect(mine.get_by_role("listitem").filter(has_text=f"#{alone} ")).to_contain_text(words["running"])

    server.http.post("/nodes/sim2/gpus/3/undrain")
    expect(word(page, "sim2", 3)).to_have_text(words["free"])
    failed = submit("exit 3", name="doomed")
    expect(mine.get_by_role("listitem").filter(has_text=f"#{failed} ")).to_contain_text(words["failed"])
    gpu(page, "sim1", 0).get_by_role("link").click()
    expect(page).to_have_url(f"{server.url}/jobs/{alone}")
    for job in (alone, shared):
        server.http.post(f"/jobs/{job}/cancel")
        server.wait_ended(job)
    page.go_back()
    expect(word(page, "sim1", 0)).to_have_text(words["free"])
    expect(word(page, "sim1", 1)).to_have_text(words["free"])


def test_a_waiting_job_says_why_and_a_newcomer_is_shown_where_to_begin(person, server, submit):
    blocker = submit("sleep 300", gpus=4, node="sim1", name="blocker")
    waiting = submit("true", gpus=1, node="sim1", name="patient")
    page = person().sign_in()
    row = page.get_by_role("complementary", name="My jobs").get_by_role("listitem").filter(has_text="patient")
    why = server.http.get(f"/jobs/{waiting}/why", headers={"Accept-Language": "en"}).json()["message"]
    expect(row).to_contain_text(why)

    other = person(client=make_member(server, "newcomer")).sign_in()
    mine = other.get_by_role("complementary", name="My jobs")
    expect(mine).to_contain_text("You have no jobs yet")
    expect(gpu(other, "sim1", 0)).to_contain_text(f"#{blocker}")
    check_accessibility(other)
    mine.get_by_role("link", name="Start an example").click()
    expect(other).to_have_url(f"{server.url}/examples")


def test_compact_is_remembered_and_says_the_same(person, server, submit):
    job = submit("sleep 300", node="sim2", gpu_ids=[2], name="small")
    user = person(width=390)
    page = user.sign_in()
    page.get_by_role("button", name="Compact").click()
    tiles = page.get_by_role("article", name="sim2").get_by_role("listitem")
    owner = server.job(job)["job"]["owner"]
    expect(tiles.nth(2)).to_contain_text(owner)
    expect(tiles.nth(0)).to_contain_text("free")
    user.go("/")
    expect(page.get_by_role("button", name="Compact")).to_have_attribute("aria-pressed", "true")
    expect(tiles.nth(2)).to_contain_text(owner)
    assert fits(page)
    check_accessibility(page)


def test_the_overview_is_accessible_and_fits(person):
    """In Chinese; test_every_page has it in English."""
    page = person(width=390, dark=True, language="zh").sign_in()
    expect(gpu(page, "sim1", 0)).to_be_visible()
    wait_until(lambda: fits(page), what="room on a phone")
    check_accessibility(page)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.emulate_media(color_scheme="light")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    wait_until(lambda: fits(page), what="room on a desk")
    check_accessibility(page)


def test_the_wall_fills_the_screen_and_is_left_with_escape(person, server, submit):
    page = person(width=3840, height=2160).sign_in("/wall")
    job = submit("sleep 300", node="sim1", gpu_ids=[3], name="on-the-wall")
    expect(gpu(page, "sim1", 3)).to_contain_text("in use")
    expect(gpu(page, "sim1", 3)).to_contain_text(server.job(job)["job"]["owner"])
    expect(page.get_by_text("on-the-wall")).to_be_visible()
    for width, height in ((3840, 2160), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        wait_until(
            lambda height=height: page.evaluate("document.documentElement.scrollHeight") == height,
            what=f"a wall of {height} pixels",
        )
        for node in ("sim1", "sim2"):
            for index in range(4):
                expect(gpu(page, node, index)).to_be_in_viewport(ratio=0.99)
        assert fits(page)
        check_accessibility(page)
    server.http.post(f"/jobs/{job}/cancel")
    expect(gpu(page, "sim1", 3)).to_contain_text("free")
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Overview")).to_be_attached()


HOLD_LIVE = """
delete window.SharedWorker;
const reallyFetch = window.fetch;
const opened = new Promise((open) => { window.letLiveOpen = open; });
window.fetch = async (...asked) => {
  if (String(asked[0]?.url ?? asked[0]).endsWith("/live")) await opened;
  return reallyFetch(...asked);
};
"""
"""The page's live connection comes late: only once `letLiveOpen` is called."""


def test_what_happens_before_the_live_connection_is_open_is_not_missed(person, server, submit):
    user = person()
    user.prepare(HOLD_LIVE)
    page = user.sign_in("/wall")
    expect(gpu(page, "sim1", 3)).to_contain_text("free")
    job = submit("sleep 300", node="sim1", gpu_ids=[3], name="early")
    server.wait_state(job, "running")
    page.evaluate("letLiveOpen()")
    expect(gpu(page, "sim1", 3)).to_contain_text(server.job(job)["job"]["owner"])
    expect(page.get_by_text("early")).to_be_visible()


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> FakeDriver:
    driver = FakeDriver(tmp_path_factory.mktemp("driver"))
    driver.plug("NVIDIA H200", "NVIDIA H200", "NVIDIA H200", memory_mb=143_771)
    return driver


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, driver: FakeDriver) -> Iterator[LiveServer]:
    """A machine whose driver is a fake: others may sit on its GPUs, and they may break."""
    with driver.in_charge(), live_server(tmp_path_factory.mktemp("lab") / "danlu", entry=ENTRY) as running:
        yield running


def test_strangers_and_broken_gpus_are_shown_as_they_come_and_go(person, lab, driver):
    (node,) = (each["name"] for each in lab.http.get("/nodes").json())
    page = person(server=lab).sign_in()
    expect(word(page, node, 1)).to_have_text("free")
    as_nobody = {"user": "nobody"} if os.geteuid() == 0 else {}
    stranger = subprocess.Popen(["sleep", "300"], **as_nobody)
    try:
        driver.occupy(1, (stranger.pid, 9000))
        expect(word(page, node, 1)).to_have_text("in use by others")
        (process,) = lab.http.get("/nodes").json()[0]["gpus"][1]["processes"]
        expect(gpu(page, node, 1)).to_contain_text(process["user"])
        driver.break_gpu(2)
        expect(word(page, node, 2)).to_have_text("faulty")
        expect(gpu(page, node, 2)).to_contain_text("NVML error 15")
        numbers = page.get_by_role("list", name="What the colours mean")
        expect(numbers).to_contain_text("1 in use by others")
        expect(numbers).to_contain_text("1 faulty")
        check_accessibility(page)

        page.get_by_role("link", name=node, exact=True).click()
        row = page.get_by_role("region", name="Processes on the GPUs").get_by_role("row").last
        expect(row).to_contain_text(str(stranger.pid))
        expect(row).to_contain_text("not started by Danlu")
        check_accessibility(page)
        driver.mend_gpu(2)
        driver.occupy(1)
        expect(page.get_by_role("region", name="GPUs", exact=True).locator(".mark")).to_have_text(
            ["free", "free", "free"]
        )
    finally:
        stranger.kill()
        stranger.wait()
    wait_until(lambda: all(each["state"] == "free" for each in lab.http.get("/nodes").json()[0]["gpus"]))
