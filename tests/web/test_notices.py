"""Notices in the browser: posted on one page, seen at once on another, dismissed by one user alone."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Person, check_accessibility
from tests.support.installation import LiveServer
from tests.support.people import make_member

pytestmark = pytest.mark.web

Enter = Callable[..., Person]


@pytest.fixture(scope="module")
def li(server: LiveServer) -> httpx.Client:
    return make_member(server, "li")


def in_dialog(page: Page, button: str) -> None:
    page.get_by_role("dialog").get_by_role("button", name=button, exact=True).click()


def test_a_notice_is_posted_seen_dismissed_changed_and_removed(person: Enter, server: LiveServer, li):
    member = person(client=li, language="zh", width=390).sign_in("/jobs")
    page = person().sign_in("/admin/notices")
    expect(page.get_by_text("No notices")).to_be_visible()
    page.get_by_role("button", name="Post a notice").click()
    in_dialog(page, "Post")
    expect(page.get_by_role("dialog")).to_contain_text("Write a text")
    page.get_by_label("Text in English").fill("Maintenance on **Friday**. <img src=x onerror=alert(1)>")
    page.get_by_label("Text in Chinese").fill("**周五**维护。")
    expect(page.get_by_role("region", name="Preview").locator("strong")).to_have_text("Friday")
    check_accessibility(page)
    in_dialog(page, "Post")
    expect(page.get_by_role("row").filter(has_text="Maintenance")).to_contain_text("all users")
    banner = page.get_by_role("status").filter(has_text="Maintenance on Friday.")
    expect(banner).to_be_visible()
    expect(banner.locator("img")).to_have_count(0)
    check_accessibility(page)

    expect(member.get_by_text("周五维护。")).to_be_visible()
    check_accessibility(member)
    member.get_by_role("button", name="不再显示此公告").click()
    expect(member.get_by_text("周五维护。")).to_have_count(0)
    assert li.get("/notices").json()["notices"] == []
    expect(banner).to_be_visible()

    page.get_by_role("button", name="Edit notice 1").click()
    page.get_by_label("Text in Chinese").fill("改在**周六**维护。")
    page.get_by_label("Show on the sign-in page, too").check()
    in_dialog(page, "Save")
    expect(member.get_by_text("改在周六维护。")).to_be_visible()
    stranger = person(client=None).page
    stranger.goto(server.url)
    expect(stranger.get_by_text("Maintenance on Friday.")).to_be_visible()

    page.get_by_role("button", name="Remove notice 1").click()
    in_dialog(page, "Remove")
    expect(page.get_by_text("No notices")).to_be_visible()
    expect(member.get_by_text("改在周六维护。")).to_have_count(0)
