"""Two people at once: what one does the other sees without a reload; what is gone is said to be gone."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import expect

from tests.support.browser import Person
from tests.support.installation import LiveServer, wait_until
from tests.support.people import make_member
from tests.web.job_lists import BAR, choose, names, row, submit, tab

pytestmark = pytest.mark.web


@pytest.fixture(scope="module")
def li(server: LiveServer) -> httpx.Client:
    """A member; and a cluster that is full, so that what is submitted waits."""
    member = make_member(server, "li")
    for _ in range(2):
        server.wait_state(server.submit("sleep 1000", gpus=4), "running")
    return member


def test_what_one_does_the_other_sees(
    person: Callable[..., Person], server: LiveServer, li: httpx.Client
) -> None:
    for name in ("first", "second"):
        submit(li, name)
    hers = person(client=li).sign_in("/jobs?area=waiting")
    admins = person().sign_in("/jobs?area=waiting")
    for page in (hers, admins):
        expect(names(page)).to_have_text(["first", "second"])
        # Gone as soon as the page is loaded anew.
        page.evaluate("window.sameWindow = true")

    choose(hers, "first", re.compile("^As a new job It gets a new number"))
    expect(names(admins)).to_have_text(["first", "second", "first"])
    expect(tab(admins, "Waiting")).to_contain_text("3")

    row(admins, "second").focus()
    admins.keyboard.press("Alt+ArrowUp")
    expect(names(hers)).to_have_text(["second", "first", "first"])

    choose(admins, "second", "Hold")
    expect(row(hers, "second")).to_contain_text("held")

    choose(hers, "second", "Cancel")
    hers.get_by_role("dialog", name="Cancel this job?").get_by_role("button", name="Cancel job").click()
    expect(row(admins, "second")).to_have_count(0)
    tab(admins, "History").click()
    expect(row(admins, "second")).to_contain_text("cancelled")
    for page in (hers, admins):
        assert page.evaluate("window.sameWindow")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_acting_on_what_is_already_gone_says_so(
    person: Callable[..., Person], server: LiveServer, li: httpx.Client, language: str
) -> None:
    words = {
        "en": ("Cancel", "Cancel job", "1 refused"),
        "zh": ("取消", "取消任务", "1 个未成功"),
    }
    cancel, really, refused = words[language]
    gone = submit(li, f"gone-{language}")
    page = person(language=language).sign_in("/jobs?area=waiting")
    choose(page, f"gone-{language}", cancel)
    asking = page.get_by_role("dialog")
    expect(asking).to_contain_text(f"gone-{language}")

    # While the other thinks it over, its owner deletes it.
    assert li.delete(f"/jobs/{gone}").status_code == 200
    expect(row(page, f"gone-{language}")).to_have_count(0)
    expect(asking).to_contain_text(f"gone-{language}")
    asking.get_by_role("button", name=really, exact=True).click()
    told = page.get_by_role("alert").filter(has_text=refused)
    said = server.http.post(f"/jobs/{gone}/cancel", headers={"Accept-Language": language}).json()["message"]
    expect(told).to_contain_text(said)
    expect(told).to_contain_text(f"gone-{language}")
    expect(asking).to_be_hidden()


def test_what_was_selected_and_has_left_is_told(
    person: Callable[..., Person], server: LiveServer, li: httpx.Client
) -> None:
    """Selected by one, deleted by the other: the bar says that it has left the list."""
    kept, gone = submit(li, "kept"), submit(li, "leaves")
    page = person(client=li).sign_in("/jobs?area=waiting")
    for name in ("kept", "leaves"):
        row(page, name).get_by_role("checkbox").click()
    assert server.http.delete(f"/jobs/{gone}").status_code == 200
    bar = page.get_by_role("region", name=BAR)
    expect(bar).to_contain_text("2 selected")
    expect(bar).to_contain_text("1 no longer in this list")
    bar.get_by_role("button", name="Hold").click()
    told = page.get_by_role("alert").filter(has_text="1 held, 1 refused")
    expect(told).to_contain_text("leaves")
    wait_until(lambda: server.state(kept) == "held")
