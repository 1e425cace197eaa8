"""More nodes than a user looks over one by one: those that they want are found."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Person, check_accessibility
from tests.support.installation import LiveServer, live_server
from tests.web.conftest import ENTRY

pytestmark = pytest.mark.web

NODES = 120
WORDS = {
    "en": {
        "find": "Find a node",
        "state": "State",
        "drained": "drained (1)",
        "clear": "Clear",
        "more": "more",
    },
    "zh": {"find": "查找节点", "state": "状态", "drained": "排空（1）", "clear": "清除", "more": "再显示"},
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    data = tmp_path_factory.mktemp("many") / "danlu"
    with live_server(data, "--simulate", f"{NODES}x2", entry=ENTRY) as running:
        running.http.post("/nodes/sim110/drain")
        yield running


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("zh", 390)])
def test_the_list_is_folded_searched_and_filtered(
    person: Callable[..., Person], language: str, width: int
) -> None:
    words = WORDS[language]
    page = person(language=language, width=width).sign_in("/nodes")
    links = page.locator("[data-row-link]")
    expect(links).to_have_count(100)
    page.get_by_role("button", name=words["more"]).click()
    expect(links).to_have_count(NODES)
    expect(page.get_by_role("button", name=words["more"])).to_have_count(0)

    page.get_by_label(words["find"], exact=True).fill("sim11")
    expect(links).to_have_text(["sim11", *(f"sim{number}" for number in range(110, 120))])
    page.get_by_role("combobox", name=words["state"], exact=True).click()
    page.get_by_title(words["drained"], exact=True).click()
    expect(links).to_have_text(["sim110"])
    expect(page).to_have_url(re.compile(r"/nodes\?.*condition=drained"))
    check_accessibility(page)
    assert fits(page)
    page.reload()
    expect(links).to_have_text(["sim110"])
    page.get_by_label(words["find"], exact=True).fill("nowhere")
    expect(links).to_have_count(0)
    page.get_by_role("button", name=words["clear"]).last.click()
    expect(links).to_have_count(100)


def test_the_overview_shows_the_first_and_finds_the_others(person: Callable[..., Person]) -> None:
    page = person().sign_in("/")
    cards = page.get_by_role("article")
    expect(cards).to_have_count(48)
    page.get_by_label("Find a node", exact=True).fill("sim99")
    expect(cards).to_have_count(1)
    expect(cards.first).to_contain_text("sim99")
    check_accessibility(page)
