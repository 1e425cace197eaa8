"""One's own account: password, tokens, defaults, language, and a link for another browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from danlu.launch.addresses import usual_address
from tests.support.browser import Person, check_accessibility
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import make_member
from tests.web.conftest import ENTRY

pytestmark = pytest.mark.web

Enter = Callable[..., Person]


@pytest.fixture(scope="module")
def li(server: LiveServer) -> httpx.Client:
    return make_member(server, "li")


def section(page: Page, title: str):
    return page.get_by_role("region", name=title, exact=True)


def test_who_one_is_and_nothing_to_object_to(person: Enter, li: httpx.Client):
    page = person(client=li, dark=True).sign_in("/account")
    expect(page.get_by_text("Signed in as li, member")).to_be_visible()
    runs_as = li.get("/me").json()["runs_as"]
    expect(page.get_by_text(f"jobs run as {runs_as}")).to_be_visible()
    expect(page.get_by_role("row")).not_to_have_count(0)
    check_accessibility(page)


def test_a_token_is_shown_once_works_and_ends(person: Enter, server: LiveServer):
    client = make_member(server, "tan")
    page = person(client=client).sign_in("/account")
    page.get_by_role("button", name="New token").click()
    asked = page.get_by_role("dialog")
    asked.get_by_role("button", name="Create token").click()
    expect(asked.get_by_text("Give it a name.")).to_be_visible()
    asked.get_by_label("Name").fill("laptop")
    asked.get_by_role("button", name="Create token").click()

    shown = page.get_by_role("dialog", name='Token "laptop"')
    secret = shown.get_by_label("Token", exact=True).input_value()
    assert secret.startswith("danlu_")
    assert server.client(secret).get("/me").json()["name"] == "tan"
    check_accessibility(page)
    # Nothing but saying so makes it go away.
    page.keyboard.press("Escape")
    shown.locator(".secret").get_by_role("button", name="Copy").click()
    expect(shown.get_by_role("button", name="Copied")).to_be_visible()
    shown.get_by_role("button", name="I have saved it").click()
    expect(shown).to_be_hidden()
    assert secret not in page.content()

    row = page.get_by_role("row", name=re.compile("laptop"))
    expect(row).to_contain_text("in 2 months")
    row.get_by_role("button", name='Revoke the token "laptop"').click()
    question = page.get_by_role("dialog").filter(has_text='Revoke the token "laptop"?')
    question.get_by_role("button", name="Revoke", exact=True).click()
    expect(row).to_have_count(0)
    assert server.client(secret).get("/me").status_code == 401


def test_a_password_is_changed_and_ends_every_other_access(person: Enter, server: LiveServer):
    client = make_member(server, "wei")
    page = person(client=client).sign_in("/account")
    form = section(page, "Password")
    form.get_by_label("Current password").fill("not this")
    form.get_by_label("New password", exact=True).fill("third secret")
    form.get_by_label("Repeat the new password").fill("third secrets")
    form.get_by_role("button", name="Change password").click()
    expect(form.get_by_text("The two do not match.")).to_be_visible()
    form.get_by_label("Repeat the new password").fill("third secret")
    form.get_by_role("button", name="Change password").click()
    expect(form.get_by_role("alert")).to_contain_text("The user name or password is wrong.")
    # It was a wrong password, not a lost session.
    expect(page.get_by_role("dialog")).to_have_count(0)

    form.get_by_label("Current password").fill("second secret")
    form.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Password changed.")).to_be_visible()
    expect(form.get_by_label("New password", exact=True)).to_have_value("")
    assert client.get("/me").status_code == 401
    login = {"name": "wei", "password": "third secret"}
    assert server.client().post("/auth/token", json=login).status_code == 200
    # Who changed it is still in.
    section(page, "Another browser or phone").get_by_role("button", name="Create a link").click()
    expect(page.get_by_label("One-time link")).to_be_visible()


def test_a_viewer_sees_no_form_that_would_be_refused(person: Enter, server: LiveServer):
    job = server.submit("true", hold=True)
    eve = person(client=make_member(server, "eve", "viewer"))
    refused: list[str] = []
    eve.page.on("response", lambda reply: refused.append(reply.url) if reply.status == 403 else None)
    page = eve.sign_in("/account")
    expect(section(page, "Defaults for new jobs")).to_contain_text("Your account can only look")
    expect(page.get_by_role("button", name="Save defaults")).to_have_count(0)
    page.keyboard.press("n")
    # The help opens behind it, so the key before it has been dealt with. It names no key that does nothing.
    page.keyboard.press("?")
    keys = page.get_by_role("tooltip")
    expect(keys.get_by_text("open the row", exact=True)).to_be_visible()
    for useless in ("new job", "select the row", "move a waiting job"):
        expect(keys.get_by_text(useless, exact=True)).to_have_count(0)
    assert page.url.endswith("/account")
    for address in ("/jobs/new", f"/jobs/new?like={job}", f"/jobs/{job}/edit"):
        eve.go(address)
        expect(page.get_by_role("heading", name="Your account can only look")).to_be_visible()
        expect(page.get_by_role("textbox", name="Command")).to_have_count(0)
    for address in ("/admin", "/admin/users", "/admin/settings", "/admin/backups"):
        eve.go(address)
        expect(page.get_by_text("This page is for administrators")).to_be_visible()
        expect(page.get_by_role("navigation", name="Administration pages")).to_have_count(0)

    eve.go("/jobs?area=waiting")
    row = page.locator(f"[data-ref='{job}']")
    expect(row).to_be_visible()
    expect(page.get_by_role("grid").get_by_role("checkbox")).to_have_count(0)
    expect(page.get_by_role("link", name="New job")).to_have_count(0)
    expect(page.get_by_role("button", name="New job")).to_have_count(0)
    row.get_by_role("button", name="Actions for job").click()
    expect(page.get_by_role("menuitem")).to_have_text(["Open"])
    page.get_by_role("menuitem").click()
    expect(page.get_by_text("The rest is private")).to_be_visible()
    expect(
        page.get_by_role("button", name=re.compile("^(Cancel|Hold|Release|Edit|Run again)"))
    ).to_have_count(0)

    eve.go("/examples")
    expect(page.get_by_role("article").first).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Start"))).to_have_count(0)
    for address, there in (
        ("/", "Your account can only look."),
        ("/nodes", "sim2"),
        ("/server-log", "administrators"),
    ):
        eve.go(address)
        expect(page.get_by_role("heading", level=1)).not_to_have_count(0)
        expect(page.get_by_role("main").get_by_text(there).first).to_be_visible()
    assert refused == []


def test_defaults_are_set_changed_elsewhere_and_reset(person: Enter, server: LiveServer):
    client = make_member(server, "chen")
    page = person(client=client).sign_in("/account")
    form = section(page, "Defaults for new jobs")
    save = form.get_by_role("button", name="Save defaults")
    expect(save).to_be_disabled()
    form.get_by_label("GPUs").fill("2")
    form.get_by_label("Time limit").fill("often")
    save.click()
    expect(form.get_by_text("Enter a duration such as 2h30m, 45m or 3d.")).to_be_visible()
    form.get_by_label("Time limit").fill("2h30m")
    save.click()
    expect(page.get_by_text("Defaults saved.")).to_be_visible()
    expect(save).to_be_disabled()
    assert set_fields(client) == {"gpus": 2, "time_limit_s": 9000}

    # What the server refuses is said in its words, and what was typed stays.
    folder = form.get_by_label("Folder")
    folder.fill("data")
    save.click()
    expect(page.get_by_role("alert").filter(has_text="Write the full path")).to_be_visible()
    expect(folder).to_have_value("data")
    folder.fill("")
    expect(save).to_be_disabled()

    changed = client.patch("/me/defaults", json={"set": {"gpu_memory_mb": 8192, "variables": {"SEED": "1"}}})
    assert changed.status_code == 200
    expect(form.get_by_role("listitem").filter(has_text="SEED=1")).to_be_visible()
    memory = form.get_by_role("listitem").filter(has_text="8 GB")
    memory.get_by_role("button", name='Reset "GPU memory"').click()
    expect(memory).to_have_count(0)
    form.get_by_label("GPUs").fill("")
    save.click()
    wait_until(lambda: set_fields(client) == {"time_limit_s": 9000, "variables": {"SEED": "1"}})
    form.get_by_role("button", name="Reset all defaults").click()
    page.get_by_role("dialog").get_by_role("button", name="Reset", exact=True).click()
    expect(form.get_by_label("Time limit")).to_have_value("")
    wait_until(lambda: set_fields(client) == {})


def set_fields(client: httpx.Client) -> dict:
    return {name: value for name, value in client.get("/me/defaults").json().items() if value is not None}


def test_language_and_appearance_are_chosen_and_remembered(person: Enter, li: httpx.Client):
    page = person(client=li).sign_in("/account")
    section(page, "Language and appearance").get_by_text("中文").click()
    expect(page.get_by_role("heading", name="账号")).to_be_visible()
    section(page, "语言与外观").get_by_text("深色").click()
    page.reload()
    expect(page.get_by_role("heading", name="账号")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_link_for_a_phone_names_an_address_that_works_there(
    person: Enter, tmp_path: Path, language: str
) -> None:
    make, label, code = {
        "en": ("Create a link", "One-time link", "QR code for the one-time link to"),
        "zh": ("生成链接", "一次性链接", "一次性链接的二维码"),
    }[language]
    outside = usual_address()
    assert outside is not None, "this machine has no address but loopback"
    options = ("--simulate", "1", "--host", "0.0.0.0")
    with live_server(tmp_path / "danlu", *options, entry=ENTRY) as open_server:
        local = httpx.URL(open_server.url)
        assert local.host == "127.0.0.1"
        # As who sits at the machine itself sees it.
        page = person(server=open_server, language=language, dark=language == "zh").page
        secret = open_server.http.post("/me/link").json()["url"].partition("#")[2]
        page.goto(f"{open_server.url}/account#{secret}")
        page.get_by_role("button", name=make).click()
        address = f"https://{outside}:{local.port}"
        picture = page.get_by_role("img", name=re.compile(code))
        expect(picture).to_be_visible()
        expect(picture).to_have_attribute("data-address", address)
        expect(picture.locator("svg")).to_be_visible()
        link = page.get_by_label(label, exact=True).input_value()
        assert link.startswith(f"{address}/#login=")
        check_accessibility(page)
        phone = person(server=open_server, language=language, width=390)
        phone.page.goto(link)
        phone.page.locator("#content").wait_for()
        assert phone.page.url.startswith(address)
        assert "login=" not in phone.page.url


def test_where_no_other_device_can_come_the_page_says_so(person: Enter, li: httpx.Client) -> None:
    page = person(client=li).sign_in("/account")
    part = section(page, "Another browser or phone")
    part.get_by_role("button", name="Create a link").click()
    expect(part.get_by_role("alert")).to_contain_text("No other device can reach this server")
    expect(part.get_by_role("alert")).to_contain_text("danlu up --host 0.0.0.0")
    expect(part.get_by_role("img", name=re.compile("QR code"))).to_have_count(0)
    assert "127.0.0.1" in part.get_by_label("One-time link").input_value()


def test_a_link_signs_in_another_browser_as_oneself(person: Enter, li: httpx.Client):
    page = person(client=li).sign_in("/account")
    page.get_by_role("button", name="Create a link").click()
    link = page.get_by_label("One-time link").input_value()
    phone = person(client=li, width=390, language="zh")
    phone.page.goto(link)
    expect(phone.page.get_by_role("button", name="li", exact=True)).to_be_visible()
    assert "login" not in phone.page.url


def test_who_has_no_password_sets_one_without_an_old_one(person: Enter, server: LiveServer):
    page = person().sign_in("/account")
    form = section(page, "Password")
    expect(form).to_contain_text("You have no password yet")
    expect(form.get_by_label("Current password")).to_have_count(0)
    check_accessibility(page)
