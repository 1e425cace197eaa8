"""The administration pages: what is done there holds at once, and only administrators get in."""

from __future__ import annotations

import io
import re
import tarfile
from collections.abc import Callable
from pathlib import Path

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


def act_on(page: Page, name: str, action: str) -> None:
    page.get_by_role("button", name=f"Actions for {name}", exact=True).click()
    page.get_by_role("menuitem", name=action, exact=True).click()


def test_others_find_no_way_in(person: Enter, li: httpx.Client):
    user = person(client=li)
    page = user.sign_in("/")
    expect(page.get_by_role("link", name="Overview")).to_be_visible()
    expect(page.get_by_role("link", name="Administration")).to_have_count(0)
    for path in (
        "/admin",
        "/admin/users",
        "/admin/settings",
        "/admin/backups",
        "/admin/notices",
        "/admin/audit",
    ):
        user.go(path)
        expect(page.get_by_text("This page is for administrators")).to_be_visible()
    check_accessibility(page)
    assert li.patch("/scheduling", json={"paused": True}).status_code == 403


def test_a_pause_is_told_to_everybody_and_ended_from_the_notice(person: Enter, server: LiveServer, li):
    member = person(client=li).sign_in("/jobs")
    page = person().sign_in("/")
    page.get_by_role("link", name="Administration").click()
    expect(page.get_by_role("heading", name="Scheduling", level=1)).to_be_visible()
    page.get_by_role("button", name="Pause scheduling").click()
    expect(page.get_by_role("dialog")).to_contain_text("Running jobs continue.")
    in_dialog(page, "Cancel")
    assert not server.http.get("/scheduling").json()["paused"], "asked, and not answered with yes"
    page.get_by_role("button", name="Pause scheduling").click()
    in_dialog(page, "Pause scheduling")
    notice = re.compile("Scheduling is paused: no new jobs will start. Paused by ")
    expect(member.get_by_text(notice)).to_be_visible()
    expect(member.get_by_role("button", name="Resume")).to_have_count(0)
    check_accessibility(page)
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_text(notice)).to_be_visible()
    page.get_by_role("button", name="Resume", exact=True).click()
    for each in (page, member):
        expect(each.get_by_text(notice)).to_have_count(0)
    assert not server.http.get("/scheduling").json()["paused"]


def test_the_policy_changes_after_a_question(person: Enter, server: LiveServer):
    page = person(language="zh").sign_in("/admin")
    expect(page.get_by_role("radio", name="先来先得")).to_be_checked()
    page.get_by_text("公平分配").click()
    expect(page.get_by_role("dialog")).to_contain_text("改用“公平分配”排队？")
    in_dialog(page, "更改策略")
    expect(page.get_by_role("radio", name="公平分配")).to_be_checked()
    assert server.http.get("/scheduling").json()["policy"] == "balance"
    # By another administrator meanwhile.
    server.http.patch("/scheduling", json={"policy": "fifo"})
    expect(page.get_by_role("radio", name="先来先得")).to_be_checked()


def test_a_user_is_added_changed_locked_and_let_in_again(person: Enter, server: LiveServer):
    page = person().sign_in("/admin/users")
    page.get_by_role("button", name="Add user").click()
    page.get_by_label("Name", exact=True).fill("wang/lei")
    in_dialog(page, "Add user")
    expect(page.get_by_text("Use only letters, digits, dots, dashes and underscores")).to_be_visible()
    page.get_by_label("Name", exact=True).fill("wang.lei")
    page.get_by_label("Unix account").fill("nobody-at-all")
    in_dialog(page, "Add user")
    expect(page.get_by_role("dialog")).to_contain_text("nobody-at-all")
    page.get_by_label("Unix account").fill("")
    in_dialog(page, "Add user")
    secret = page.get_by_role("textbox", name="Password", exact=True)
    expect(secret).to_be_visible()
    check_accessibility(page)
    first = {"name": "wang.lei", "password": secret.input_value()}
    assert server.client().post("/auth/token", json=first).json()["must_change_password"]
    in_dialog(page, "I have saved it")
    row = page.get_by_role("row", name=re.compile(r"^wang\.lei"))
    expect(row).to_contain_text("member")

    act_on(page, "wang.lei", "Edit")
    page.get_by_label("Role").press("ArrowDown")
    page.get_by_title("viewer: can look but not submit").click()
    in_dialog(page, "Save")
    expect(row).to_contain_text("viewer")

    act_on(page, "wang.lei", "Lock")
    expect(page.get_by_role("dialog")).to_contain_text("signed out everywhere")
    in_dialog(page, "Lock")
    expect(row).to_contain_text("locked")
    assert server.client().post("/auth/token", json=first).status_code == 403
    act_on(page, "wang.lei", "Unlock")
    expect(row).to_contain_text("active")

    act_on(page, "wang.lei", "Reset password")
    in_dialog(page, "Reset password")
    expect(secret).not_to_have_value(first["password"])
    assert server.client().post("/auth/token", json=first).status_code == 401
    second = {"name": "wang.lei", "password": secret.input_value()}
    assert server.client().post("/auth/token", json=second).status_code == 200
    in_dialog(page, "I have saved it")


def test_the_last_administrator_stays_one_and_others_are_warned(person: Enter, server: LiveServer):
    me = server.http.get("/me").json()["name"]
    page = person().sign_in("/admin/users")
    act_on(page, me, "Lock")
    expect(page.get_by_role("alert")).to_contain_text("the only administrator who can sign in")
    expect(page.get_by_role("dialog").get_by_role("button", name="Lock", exact=True)).to_be_disabled()
    in_dialog(page, "Cancel")
    make_member(server, "second", "admin")
    expect(page.get_by_role("row", name=re.compile("^second"))).to_be_visible()
    act_on(page, me, "Lock")
    expect(page.get_by_role("alert")).to_contain_text("You are locking yourself out")
    in_dialog(page, "Cancel")
    act_on(page, "second", "Lock")
    in_dialog(page, "Lock")
    expect(page.get_by_role("row", name=re.compile("^second"))).to_contain_text("locked")


def test_the_server_log_is_opened_to_members_who_see_it_at_once(person: Enter, li: httpx.Client):
    member = person(client=li).sign_in("/server-log")
    expect(member.get_by_text("The server log is for administrators")).to_be_visible()
    expect(member.get_by_role("link", name="Server log")).to_have_count(0)
    check_accessibility(member)
    page = person().sign_in("/admin/settings")
    switch = page.get_by_role("switch", name="Members may read the server log")
    switch.click()
    expect(page.get_by_text('"Members may read the server log" is now on.')).to_be_visible()
    expect(member.get_by_role("log")).to_be_visible()
    expect(member.get_by_role("link", name="Server log")).to_be_visible()
    switch.click()
    expect(member.get_by_text("The server log is for administrators")).to_be_visible()
    assert li.get("/server/log").status_code == 403


def test_a_setting_is_changed_in_place_and_set_back(person: Enter, server: LiveServer):
    page = person().sign_in("/admin/settings")
    page.get_by_role("textbox", name="Find settings").fill("events-days")
    expect(page.get_by_role("list", name="Lab settings").get_by_role("listitem")).to_have_count(1)
    days = page.get_by_role("textbox", name="Days to keep events")
    days.fill("36501")
    problem = page.locator("form [role=alert]")
    expect(problem).to_have_text("Enter a value between 0 and 36500.")
    days.fill("30")
    days.press("Enter")
    reset = page.get_by_role("button", name='Reset "Days to keep events" to 90 days')
    expect(reset).to_be_visible()
    expect(page.get_by_text("Changed by")).to_be_visible()
    assert server.http.get("/settings").json()["events_days"] == 30
    server.http.patch("/settings", json={"events_days": 45})
    expect(days).to_have_value("45")
    reset.click()
    expect(days).to_have_value("90")
    expect(reset).to_have_count(0)

    page.get_by_role("textbox", name="Find settings").fill("")
    folder = page.get_by_role("textbox", name="Folder for staged data")
    folder.fill("not/absolute")
    folder.press("Enter")
    expect(problem).to_contain_text("not/absolute")
    folder.press("Escape")
    expect(problem).to_have_count(0)
    expect(folder).to_have_value("")


def test_a_backup_is_saved_and_noted_for_all_administrators(
    person: Enter, server: LiveServer, tmp_path: Path
):
    page = person().sign_in("/admin/backups")
    other = person(language="zh").sign_in("/admin/backups")
    expect(other.get_by_text("还没有制作过备份")).to_be_visible()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Create a backup now").click()
    assert re.fullmatch(r"danlu-\d{8}-\d{4}\.tar\.gz", saving.value.suggested_filename)
    saving.value.save_as(tmp_path / "danlu.tar.gz")
    with tarfile.open(fileobj=io.BytesIO((tmp_path / "danlu.tar.gz").read_bytes())) as archive:
        assert {"danlu.db", "manifest.json"} <= set(archive.getnames())
    expect(page.get_by_text("Saved ")).to_be_visible()
    expect(other.get_by_role("row").nth(1)).to_contain_text("数据")
    check_accessibility(page)

    # Its disk is full: said in place, and nothing is saved.
    refusal = {"code": "backup_failed", "message": "The backup failed: no space left."}
    page.route("**/api/v1/backup", lambda route: route.fulfill(status=503, json=refusal))
    page.get_by_role("button", name="Create a backup now").click()
    expect(page.get_by_role("alert")).to_contain_text("no space left")


def test_how_many_jobs_share_a_gpu_is_set_on_the_page_of_its_node(person: Enter, server: LiveServer, li):
    member = person(client=li).sign_in("/nodes/sim2")
    page = person().sign_in("/nodes/sim2")
    page.get_by_role("button", name="GPU 1 of sim2 has 1 slot: change").click()
    slots = page.get_by_role("spinbutton", name="Slots")
    slots.fill("17")
    in_dialog(page, "Save")
    expect(page.get_by_text("Enter a whole number from 1 to 16.")).to_be_visible()
    slots.fill("3")
    in_dialog(page, "Save")
    expect(page.get_by_role("button", name="GPU 1 of sim2 has 3 slots: change")).to_be_visible()
    rows = member.get_by_role("region", name="GPUs", exact=True).get_by_role("row")
    expect(rows.nth(2).get_by_role("cell").last).to_have_text("3")
    assert member.get_by_role("button", name=re.compile("slots?: change")).count() == 0
    page.get_by_role("button", name="GPU 1 of sim2 has 3 slots: change").click()
    page.get_by_role("spinbutton", name="Slots").fill("1")
    page.get_by_label("Apply to all 4 GPUs of sim2").check()
    in_dialog(page, "Save")
    expect(rows.nth(2).get_by_role("cell").last).to_have_text("1")
    assert [gpu["slots"] for gpu in server.http.get("/nodes/sim2").json()["gpus"]] == [1] * 4


@pytest.mark.parametrize(("width", "dark", "language"), [(390, True, "en"), (1280, False, "zh")])
def test_the_pages_are_accessible_and_fit(person: Enter, width, dark, language):
    user = person(width=width, dark=dark, language=language)
    page = user.sign_in("/admin")
    for path in (
        "/admin",
        "/admin/users",
        "/admin/settings",
        "/admin/backups",
        "/admin/notices",
        "/admin/audit",
    ):
        user.go(path)
        filled = page.get_by_role("heading", level=2).or_(page.get_by_role("table"))
        expect(filled.or_(page.locator(".ant-empty")).first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        check_accessibility(page)


def test_who_changed_what_is_found_exported_and_undone(person: Enter, server: LiveServer, tmp_path: Path):
    server.http.patch("/settings", json={"auto_nodes": 3})
    page = person().sign_in("/admin/audit")
    page.get_by_role("textbox", name="Object").fill("settings")
    first = page.get_by_role("row").nth(1)
    expect(first).to_contain_text("auto_nodes: 8 → 3")
    expect(first).to_contain_text("server's machine")
    check_accessibility(page)
    with page.expect_download() as saving:
        page.get_by_role("link", name="Export CSV").click()
    saving.value.save_as(tmp_path / "audit.csv")
    assert "settings.changed" in (tmp_path / "audit.csv").read_text()
    page.get_by_role("textbox", name="Object").fill("no such thing")
    page.get_by_role("button", name="Clear filters").click()
    expect(first).to_be_visible()

    page.goto(f"{server.url}/admin/settings")
    changed = page.get_by_role("row").filter(has_text="auto_nodes: 8 → 3").first
    # Changed again meanwhile: said, and done only when it is said again.
    server.http.patch("/settings", json={"auto_nodes": 4})
    expect(page.get_by_role("row").filter(has_text="auto_nodes: 3 → 4")).to_be_visible()
    changed.get_by_role("button", name="Undo").click()
    in_dialog(page, "Undo")
    expect(page.get_by_role("dialog").last).to_contain_text("these were changed again: auto_nodes")
    in_dialog(page, "Undo anyway")
    expect(page.get_by_role("row").filter(has_text="auto_nodes: 4 → 8")).to_be_visible()
    assert server.http.get("/settings").json()["auto_nodes"] == 8
