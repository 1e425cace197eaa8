"""The one search, by keyboard and on a phone: jobs, nodes, users, pages and actions by their names."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.support.browser import Person, check_accessibility
from tests.support.installation import LiveServer
from tests.support.people import make_member

pytestmark = pytest.mark.web

Enter = Callable[..., Person]


def field(page: Page) -> Locator:
    return page.get_by_role("combobox", name=re.compile("^(Search|搜索)$"))


def look_for(page: Page, text: str) -> Locator:
    """Types it after Ctrl+K; what Enter would choose."""
    page.keyboard.press("Control+k")
    expect(field(page)).to_be_focused()
    page.keyboard.type(text)
    return page.get_by_role("option", selected=True)


def test_everything_is_found_by_its_name_without_a_mouse(person: Enter, server: LiveServer) -> None:
    job = server.submit("sleep 1000", name="finetune-whale", hold=True)
    make_member(server, "wang")
    page = person().sign_in("/jobs?area=waiting")
    box = page.get_by_role("combobox", name="Search", exact=True)

    # Empty, it offers where the user was and what is done most; Esc goes back to the field that was in use.
    used = page.get_by_placeholder("Number, name, owner or tag:…")
    used.fill("fine")
    expect(page).to_have_url(re.compile("search=fine"))
    expect(page.get_by_role("grid")).to_have_attribute("aria-busy", "false")
    used.press("Control+k")
    expect(box).to_be_focused()
    expect(page.get_by_role("group", name="My latest jobs")).to_contain_text("finetune-whale")
    expect(page.get_by_role("group", name="Actions")).to_contain_text("New job")
    expect(page.get_by_role("group", name="Actions")).to_contain_text("Pause scheduling")
    check_accessibility(page)
    page.keyboard.press("Escape")
    expect(used).to_be_focused()
    expect(used).to_have_value("fine")
    expect(page.get_by_role("listbox")).to_have_count(0)

    # A job by its name and by its number, a node, a user, a page in the other language.
    expect(look_for(page, "whale")).to_contain_text("finetune-whale")
    check_accessibility(page)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.url}/jobs/{job}")
    expect(look_for(page, "sim2")).to_have_text("sim2")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.url}/nodes/sim2")
    look_for(page, str(job))
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.url}/jobs/{job}")
    expect(look_for(page, "wang")).to_have_text("Jobs of wang")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("owner=wang"))
    expect(look_for(page, "备份")).to_have_text("Backups")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{server.url}/admin/backups")

    # The arrows go round, Home and End to the ends. The list of jobs takes any other text.
    page.keyboard.press("Control+k")
    options = page.get_by_role("option")
    expect(options.first).to_have_attribute("aria-selected", "true")
    for key, place in (("ArrowUp", options.last), ("ArrowDown", options.first), ("End", options.last)):
        page.keyboard.press(key)
        expect(place).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Home")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.type("no such thing")
    expect(options).to_have_text(["All jobs with “no such thing”"])
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/jobs\?.*search=no"))

    # What the page that is open offers, and what is there on every page; what cannot be undone asks first.
    page.goto(f"{server.url}/jobs/{job}")
    expect(page.get_by_role("button", name="Cancel job")).to_be_visible()
    expect(look_for(page, "cancel job")).to_have_text(f"Cancel job {job}")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    # Over a dialog the search does not open.
    page.keyboard.press("Control+k")
    expect(box).not_to_be_focused()
    page.get_by_role("dialog").get_by_role("button", name="Keep").click()
    expect(page.locator(".ant-modal-wrap, .ant-modal-mask").filter(visible=True)).to_have_count(0)
    expect(look_for(page, "dark mode")).to_have_text("Dark appearance")
    page.keyboard.press("Enter")
    expect(page.locator(":root")).to_have_attribute("data-theme", "dark")
    expect(look_for(page, "switch to chinese")).to_have_text("Switch to Chinese")
    page.keyboard.press("Enter")
    expect(page.get_by_role("navigation").get_by_text("任务").first).to_be_visible()
    server.http.post(f"/jobs/{job}/cancel")


def test_half_a_word_of_an_input_method_chooses_nothing(person: Enter) -> None:
    page = person(language="zh").sign_in("/nodes")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option").first).to_be_visible()
    method = page.context.new_cdp_session(page)
    method.send("Input.imeSetComposition", {"text": "shili", "selectionStart": 5, "selectionEnd": 5})
    expect(field(page)).to_have_value("shili")
    page.keyboard.press("Enter")
    expect(field(page)).to_be_focused()
    expect(page).to_have_url(re.compile("/nodes$"))
    method.send("Input.insertText", {"text": "示例"})
    expect(page.get_by_role("option", selected=True)).to_have_text("示例")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/examples$"))
    assert not [url for url in asked if "shili" in url]


def test_the_last_answer_counts_and_without_a_server_pages_and_actions_are_found(
    person: Enter, server: LiveServer
) -> None:
    kept = [server.submit("true", name=name, hold=True) for name in ("slow-one", "slow-two")]
    page = person(width=390, height=844).sign_in("/nodes")
    late: list[Route] = []

    def keep_back(route: Route) -> None:
        late.append(route)

    page.route("**/api/v1/jobs?*search=slow-one*", keep_back)
    field(page).click()
    page.keyboard.type("slow-one")
    expect(page.get_by_role("status").get_by_text("Searching…")).to_be_visible()
    field(page).fill("slow-two")
    expect(page.get_by_role("option").first).to_contain_text("slow-two")
    for each in late:
        each.abort()
    expect(page.get_by_role("option").first).to_contain_text("slow-two")
    # On a phone the search has the whole screen, and a button that closes it.
    panel = page.locator(".search-panel").bounding_box()
    assert panel is not None
    assert panel["width"] == 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    check_accessibility(page)
    page.get_by_role("button", name="Close search").click()
    expect(page.get_by_role("listbox")).to_have_count(0)

    page.route("**/api/v1/jobs?**", lambda route: route.abort())
    field(page).click()
    field(page).fill("account")
    expect(page.get_by_text("Pages and actions can still be found.")).to_be_visible()
    expect(page.get_by_role("option", selected=True)).to_have_text("Account")
    page.get_by_role("option", name="Account", exact=True).click()
    expect(page).to_have_url(re.compile("/account$"))
    for job in kept:
        server.http.post(f"/jobs/{job}/cancel")
