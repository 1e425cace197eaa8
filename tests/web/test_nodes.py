"""Nodes: what they do now and did lately, and taking them out of use."""

from __future__ import annotations

import re
import time
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browser import check_accessibility
from tests.support.installation import wait_until
from tests.support.people import make_member

pytestmark = pytest.mark.web

WORDS = {
    "en": {
        "nodes": "Nodes",
        "drain": "Drain sim2",
        "undrain": "Undrain sim2",
        "ask": "Drain node sim2?",
        "drained": "drained",
        "up": "up",
        "gpu": "Drain GPU 1 of sim2",
        "ask_gpu": "Drain GPU 1 of sim2?",
        "undrain_gpu": "Undrain GPU 1 of sim2",
        "free": "free",
        "gpus": "GPUs",
    },
    "zh": {
        "nodes": "节点",
        "drain": "排空 sim2",
        "undrain": "取消排空 sim2",
        "ask": "排空节点 sim2？",
        "drained": "排空",
        "up": "在线",
        "gpu": "排空 sim2 的 GPU 1",
        "ask_gpu": "排空 sim2 的 GPU 1？",
        "undrain_gpu": "取消排空 sim2 的 GPU 1",
        "free": "空闲",
        "gpus": "GPU",
    },
}


def row(page: Page, node: str):
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=node, exact=True))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_draining_asks_first_and_others_see_it_without_a_reload(person, server, language):
    words = WORDS[language]
    member = make_member(server, f"member-{language}")
    page = person(language=language).sign_in("/nodes")
    other = person(language=language, client=member).sign_in("/nodes")
    expect(row(other, "sim2")).to_contain_text(words["up"])
    assert other.get_by_role("button", name=words["drain"]).count() == 0

    page.get_by_role("button", name=words["drain"], exact=True).click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text(words["ask"])
    question.get_by_role("button").first.click()
    expect(question).to_be_hidden()
    assert not server.http.get("/nodes/sim2").json()["drained"], "asked, and not answered with yes"
    page.get_by_role("button", name=words["drain"], exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=words["drain"], exact=True).click()
    for each in (page, other):
        expect(row(each, "sim2").locator(".mark")).to_have_text(words["drained"])
    page.get_by_role("button", name=words["undrain"], exact=True).click()
    for each in (page, other):
        expect(row(each, "sim2").locator(".mark")).to_have_text(words["up"])

    row(page, "sim2").get_by_role("link").click()
    row(other, "sim2").get_by_role("link").click()
    page.get_by_role("button", name=words["gpu"], exact=True).click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text(words["ask_gpu"])
    question.get_by_role("button", name=words["gpu"], exact=True).click()
    states = other.get_by_role("region", name=words["gpus"], exact=True).locator(".mark")
    free, drained = words["free"], words["drained"]
    expect(states).to_have_text([free, drained, free, free])
    page.get_by_role("button", name=words["undrain_gpu"], exact=True).click()
    expect(states).to_have_text([free] * 4)
    assert other.get_by_role("button", name=re.compile("sim2")).count() == 0
    for path in ("/nodes/sim2/drain", "/nodes/sim2/gpus/1/drain"):
        assert member.post(path).status_code == 403


def test_the_keyboard_opens_a_node_whose_curves_go_on_without_asking_again(person, server):
    job = server.submit("sleep 300", node="sim1", gpu_ids=[2], name="curves", grace_s=0)
    server.wait_state(job, "running")
    user = person()
    asked: list[str] = []
    user.page.on("request", lambda request: asked.append(request.url))
    page = user.sign_in("/nodes")
    expect(row(page, "sim1")).to_contain_text("3 of 4 free")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("link", name="sim2", exact=True)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.url}/nodes/sim1")

    for title in ("CPU", "Memory", "Network", "GPU load", "GPU memory", "GPU temperature", "GPU power"):
        expect(page.get_by_role("img", name=title, exact=True).locator("canvas")).to_be_visible()
    time = page.get_by_role("img", name="GPU load", exact=True).locator(".u-legend .u-value").first
    expect(time).to_have_text(re.compile(r"\d\d:\d\d:\d\d"))
    asked.clear()
    for _ in range(2):
        expect(time).not_to_have_text(time.inner_text())
    assert not [url for url in asked if "/api/" in url], "what is new comes by the stream"

    gpus = page.get_by_role("region", name="GPUs", exact=True)
    expect(gpus.get_by_role("row").nth(3)).to_contain_text(f"#{job}")
    expect(page.get_by_role("region", name="Processes on the GPUs")).to_contain_text(f"#{job}")
    expect(page.get_by_role("region", name="Jobs on this node")).to_contain_text("curves")
    expect(page.get_by_role("region", name="Now")).to_contain_text("/data")
    server.http.post(f"/jobs/{job}/cancel")
    expect(page.get_by_role("region", name="Jobs on this node")).to_contain_text("No jobs are running here.")
    expect(gpus.locator(".mark")).to_have_text(["free"] * 4)


@pytest.mark.parametrize(
    ("language", "looks"), [("en", [(390, "dark")]), ("zh", [(1280, "light"), (1920, "dark")])]
)
def test_the_pages_are_accessible_and_fit(person, language, looks):
    user = person(language=language)
    page = user.sign_in("/nodes")
    for path in ("/nodes", "/nodes/sim1", "/nodes/nowhere"):
        user.go(path)
        expect(page.get_by_text("sim1" if "nowhere" not in path else "nowhere").first).to_be_visible()
        for width, theme in looks:
            page.set_viewport_size({"width": width, "height": 800})
            page.emulate_media(color_scheme=theme)
            expect(page.locator("html")).to_have_attribute("data-theme", theme)
            fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
            wait_until(lambda fits=fits: page.evaluate(fits), what=f"room for {path} at {width} pixels")
            check_accessibility(page)


def test_a_lost_node_stays_and_says_since_when(person, server):
    job = server.submit("sleep 300", node="sim2", gpu_ids=[0], name="stranded", grace_s=0)
    server.wait_state(job, "running")
    whole = server.options
    server.stop()
    server.options = ("--simulate", "1x4")
    server.start()
    try:
        user = person()
        page = user.sign_in("/nodes")
        expect(row(page, "sim1").locator(".mark")).to_have_text("up")
        lost = row(page, "sim2")
        expect(lost).to_contain_text(re.compile(r"lost · (now|\d+ (second|minute)s? ago)"))
        check_accessibility(page)
        lost.locator("time").hover()
        expect(page.get_by_role("tooltip")).to_have_text(re.compile(r"\d\d/\d\d/\d{4}, \d\d:\d\d:\d\d"))
        lost.get_by_role("link").click()
        expect(page.get_by_role("region", name="GPUs", exact=True).locator(".mark")).to_have_text(
            ["node lost"] * 4
        )
        expect(page.get_by_role("region", name="Now")).not_to_contain_text("NaN")
        user.go("/")
        expect(page.get_by_role("article", name="sim2")).to_contain_text("lost")
        expect(page.get_by_role("region", name="The cluster in numbers")).to_contain_text("1 / 2")
    finally:
        server.stop()
        server.options = whole
        server.start()
    server.http.post(f"/jobs/{job}/cancel")
    server.wait_ended(job)


def test_a_lost_server_is_listed_and_an_administrator_forgets_it(person, server):
    """Servers that stand by need PostgreSQL: the answer of this one is given the row of another."""
    lost = {"url": "https://gone.lab:8642", "role": "lost", "since": time.time() - 3600, "fingerprint": None}
    forgotten: list[str] = []

    def answer(route: Route) -> None:
        if route.request.method == "DELETE":
            forgotten.append(parse_qs(urlsplit(route.request.url).query)["url"][0])
            route.fulfill(status=204)
        else:
            there = route.fetch().json()
            route.fulfill(json=there if forgotten else [*there, lost])

    member = person(client=make_member(server, "onlooker"))
    admin = person()
    for each in (member, admin):
        each.context.route("**/api/v1/servers?*", answer)
    page = member.sign_in("/nodes")
    expect(page.get_by_text("Lost: https://gone.lab:8642, last seen")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("No standby left")
    expect(page.get_by_role("button", name="Forget")).to_have_count(0)
    page = admin.sign_in("/nodes")
    expect(page.get_by_text("Lost: https://gone.lab:8642, last seen 1 hour ago")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_text("https://gone.lab:8642 is no longer listed")).to_be_visible()
    expect(page.get_by_text("Lost: ")).to_have_count(0)
    assert forgotten == ["https://gone.lab:8642"]
