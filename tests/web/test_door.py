"""Coming in, being turned away, and losing one's session in the middle of work."""

from __future__ import annotations

from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import HIDE, Person, check_accessibility
from tests.support.installation import LiveServer
from tests.support.people import make_member

pytestmark = pytest.mark.web

Enter = Callable[..., Person]


def type_in(page: Page, name: str, password: str) -> None:
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def end_sessions(client: httpx.Client, old: str, new: str) -> None:
    """As a change of the password elsewhere does."""
    assert client.post("/me/password", json={"old": old, "new": new}).status_code == 204


def cookie_client(person: Person) -> httpx.Client:
    """The browser's own session, used from outside of it."""
    cookies = {each["name"]: each["value"] for each in person.context.cookies()}
    client = httpx.Client(base_url=f"{person.server.url}/api/v1", cookies=cookies)
    client.headers["X-CSRF-Token"] = client.get("/me").json()["csrf_token"]
    return client


def test_the_wrong_password_is_said_in_words_and_the_right_one_leads_where_one_wanted(
    person: Enter, server: LiveServer
):
    make_member(server, "li")
    page = person().page
    page.goto(f"{server.url}/account")
    expect(page.get_by_role("heading", name="Sign in to Danlu")).to_be_visible()
    check_accessibility(page)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("Enter your user name.")).to_be_visible()
    type_in(page, "li", "not this one")
    expect(page.get_by_role("alert")).to_contain_text("The user name or password is wrong.")
    expect(page.get_by_label("User name")).to_have_value("li")
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("heading", name="登录丹炉")).to_be_visible()
    page.get_by_role("button", name="English").click()
    type_in(page, "li", "second secret")
    expect(page.get_by_text("Signed in as li, member")).to_be_visible()
    page.get_by_role("button", name="li", exact=True).click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in to Danlu")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Sign in to Danlu")).to_be_visible()


@pytest.mark.parametrize(
    ("language", "wait", "locked"),
    [("en", "Too many failed attempts", "is locked"), ("zh", "失败次数过多", "已被锁定")],
)
def test_who_guesses_must_wait_and_who_is_locked_stays_out(
    person: Enter, server: LiveServer, language: str, wait: str, locked: str
):
    make_member(server, f"bo-{language}")
    page = person(language=language).page
    page.goto(server.url)
    labels = {"en": ("User name", "Password", "Sign in"), "zh": ("用户名", "密码", "登录")}[language]

    def try_in(password: str) -> None:
        page.get_by_label(labels[0]).fill(f"bo-{language}")
        page.get_by_label(labels[1], exact=True).fill(password)
        page.get_by_role("button", name=labels[2], exact=True).click()

    assert server.http.patch(f"/users/bo-{language}", json={"locked": True}).status_code == 200
    try_in("second secret")
    expect(page.get_by_role("alert")).to_contain_text(locked)
    for _ in range(5):
        server.client().post("/auth/login", json={"name": f"bo-{language}", "password": "a guess"})
    # Each failed try doubles the wait: where the browser is slow, the first ones are over before it asks.
    for _ in range(8):
        with page.expect_response(lambda answer: answer.url.endswith("/auth/login")) as answer:
            try_in("another guess")
        if answer.value.status == 429:
            break
    expect(page.get_by_role("alert")).to_contain_text(wait)


def test_a_link_works_once_and_then_says_so(person: Enter, server: LiveServer):
    link = server.http.post("/me/link").json()["url"]
    first = person()
    first.page.goto(link)
    expect(first.page.get_by_role("navigation", name="Main navigation")).to_be_visible()
    assert "login" not in first.page.url
    # A user who is signed in already is not bothered.
    first.page.goto("about:blank")
    first.page.goto(link)
    expect(first.page.get_by_role("navigation", name="Main navigation")).to_be_visible()
    second = person()
    second.page.goto(link)
    expect(second.page.get_by_role("alert")).to_contain_text(
        "This login link has already been used, or has expired."
    )
    expect(second.page.get_by_role("alert")).to_contain_text("danlu login --link")
    check_accessibility(second.page)


def test_a_link_pasted_over_the_address_of_the_open_page_signs_in(person: Enter, server: LiveServer):
    page = person().page
    page.goto(f"{server.url}/")
    expect(page.get_by_role("heading", name="Sign in to Danlu")).to_be_visible()
    # Only what is behind the '#' differs: the browser loads nothing anew.
    page.goto(server.http.post("/me/link").json()["url"])
    page.locator("#content").wait_for()
    assert "login=" not in page.url
    page.goto(f"{server.url}/#login=no-such-code-at-all")
    expect(page.locator("#content")).to_be_visible()
    assert "login=" not in page.url


def test_a_password_set_by_somebody_else_is_changed_first(person: Enter, server: LiveServer):
    made = server.http.post("/users", json={"name": "min", "password": "first secret"})
    assert made.status_code == 201
    page = person().page
    page.goto(f"{server.url}/account")
    type_in(page, "min", "first secret")
    expect(page.get_by_role("heading", name="Choose your own password")).to_be_visible()
    expect(page.get_by_role("navigation")).to_have_count(0)
    check_accessibility(page)
    page.get_by_label("Current password").fill("first secret")
    page.get_by_label("New password", exact=True).fill("short")
    page.get_by_label("Repeat the new password").fill("short")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("At least 8 characters.")).to_be_visible()
    page.get_by_label("New password", exact=True).fill("my own secret")
    page.get_by_label("Repeat the new password").fill("my own secret")
    page.get_by_role("button", name="Change password").click()
    expect(page.get_by_text("Signed in as min, member")).to_be_visible()


def test_a_session_that_ends_in_the_middle_of_work_loses_nothing(person: Enter, server: LiveServer):
    client = make_member(server, "hua")
    user = person(client=client)
    page = user.sign_in("/jobs/new")
    command, name = page.get_by_role("textbox", name="Command"), page.get_by_role("textbox", name="Name")
    command.click()
    page.keyboard.type("echo half an hour of typing")
    name.fill("half-filled")
    page.get_by_role("textbox", name="Folder").fill("/tmp")

    end_sessions(client, "second secret", "third secret")
    door = page.get_by_role("dialog", name="Sign in again")
    expect(door).to_be_visible()
    expect(door.get_by_label("User name")).to_have_value("hua")
    check_accessibility(page)
    door.get_by_label("Password", exact=True).fill("second secret")
    door.get_by_role("button", name="Sign in", exact=True).click()
    expect(door.get_by_role("alert")).to_contain_text("The user name or password is wrong.")
    door.get_by_label("Password", exact=True).fill("third secret")
    door.get_by_role("button", name="Sign in", exact=True).click()
    expect(door).to_have_count(0)

    # Everything is there, it can be handed in, and the page is live again.
    expect(command).to_contain_text("half an hour of typing")
    expect(name).to_have_value("half-filled")
    expect(page.get_by_text("Reconnecting…")).to_have_count(0)
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_role("heading", name="half-filled")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("succeeded")


def test_what_was_refused_meanwhile_comes_by_itself_after_signing_in_again(person: Enter, server: LiveServer):
    client = make_member(server, "peng")
    page = person(client=client).sign_in("/jobs?area=running&search=nothing-of-this-name")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    end_sessions(client, "second secret", "third secret")
    door = page.get_by_role("dialog", name="Sign in again")
    expect(door).to_be_visible()
    # Asked for behind the dialog, by a hand that was quicker.
    page.locator("main a", has_text="History").dispatch_event("click")
    refused = page.locator("main [role=alert]")
    expect(refused).to_be_visible()
    door.get_by_label("Password", exact=True).fill("third secret")
    door.get_by_role("button", name="Sign in", exact=True).click()
    expect(door).to_have_count(0)
    expect(refused).to_have_count(0)


def test_a_password_set_anew_by_an_administrator_is_changed_over_the_page(person: Enter, server: LiveServer):
    client = make_member(server, "qin")
    page = person(client=client).sign_in("/account")
    page.get_by_label("Folder").fill("/data/qin/half")
    assert server.http.patch("/users/qin", json={"password": "set by admin"}).status_code == 200
    door = page.get_by_role("dialog", name="Sign in again")
    door.get_by_label("Password", exact=True).fill("set by admin")
    door.get_by_role("button", name="Sign in", exact=True).click()
    own = page.get_by_role("dialog", name="Choose your own password")
    own.get_by_label("Current password").fill("set by admin")
    own.get_by_label("New password", exact=True).fill("my own again")
    own.get_by_label("Repeat the new password").fill("my own again")
    own.get_by_role("button", name="Change password").click()
    expect(own).to_have_count(0)
    expect(page.get_by_label("Folder")).to_have_value("/data/qin/half")
    page.get_by_role("button", name="Save defaults").click()
    expect(page.get_by_text("Defaults saved.")).to_be_visible()


def test_who_has_no_password_comes_back_by_a_new_link(person: Enter, server: LiveServer):
    starter = person()
    page = starter.sign_in("/account")
    page.get_by_label("Folder").fill("/data/half")
    assert cookie_client(starter).post("/auth/logout").status_code == 204
    door = page.get_by_role("dialog", name="Sign in again")
    expect(door).to_contain_text("danlu login --link")
    check_accessibility(page)
    door.get_by_role("button", name="Sign in", exact=True).click()
    expect(door.get_by_text("Paste the whole link here.")).to_be_visible()
    elsewhere = door.get_by_role("button", name="I have opened a new link in another tab")
    elsewhere.click()
    expect(door.get_by_role("alert")).to_contain_text("No other tab of this browser is signed in yet.")
    tab = starter.open_tab()
    tab.goto(server.http.post("/me/link").json()["url"])
    # Nothing has to be said: the page hears of it.
    expect(door).to_have_count(0)
    expect(page.get_by_label("Folder")).to_have_value("/data/half")

    # Once more, with the link pasted in.
    assert cookie_client(starter).post("/auth/logout").status_code == 204
    door.get_by_label("One-time link").fill(server.http.post("/me/link").json()["url"])
    door.get_by_role("button", name="Sign in", exact=True).click()
    expect(door).to_have_count(0)
    expect(page.get_by_label("Folder")).to_have_value("/data/half")
    page.get_by_role("button", name="Save defaults").click()
    expect(page.get_by_text("Defaults saved.")).to_be_visible()


def test_tabs_that_share_nothing_notice_a_new_session_when_they_are_seen_again(
    person: Enter, server: LiveServer
):
    client = make_member(server, "ying")
    user = person(client=client)
    user.prepare("delete window.SharedWorker; delete Navigator.prototype.locks;" + HIDE)
    page = user.sign_in("/account")
    end_sessions(client, "second secret", "third secret")
    door = page.get_by_role("dialog", name="Sign in again")
    expect(door).to_be_visible()
    page.evaluate("hide(true)")
    tab = user.open_tab()
    tab.goto(client.post("/me/link").json()["url"])
    tab.get_by_role("navigation", name="Main navigation").wait_for()
    page.evaluate("hide(false)")
    expect(door).to_have_count(0)
    expect(page.get_by_text("Reconnecting…")).to_have_count(0)


def test_another_tab_that_signed_in_anew_is_enough(person: Enter, server: LiveServer):
    """Its session has another CSRF token than this tab knows, which hears of it by the shared connection or
    learns it from the first refusal."""
    client = make_member(server, "jun")
    user = person(client=client)
    page = user.sign_in("/account")
    page.get_by_label("Folder").fill("/data/jun/half")
    tab = user.open_tab()
    tab.goto(client.post("/me/link").json()["url"])
    tab.get_by_role("navigation", name="Main navigation").wait_for()
    save = page.get_by_role("button", name="Save defaults")
    with page.expect_response(lambda answer: answer.url.endswith("/me/defaults")) as first:
        save.click()
    if not first.value.ok:
        expect(page.get_by_role("alert").first).to_be_visible()
        save.click()
    expect(page.get_by_text("Defaults saved.")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_somebody_else_who_signs_in_gets_nothing_of_the_page_before(person: Enter, server: LiveServer):
    first, second = make_member(server, "ning"), make_member(server, "ping")
    user = person(client=first)
    page = user.sign_in("/account")
    page.get_by_label("Folder").fill("/data/ning/secret-folder")
    tab = user.open_tab()
    assert cookie_client(user).post("/auth/logout").status_code == 204
    page.get_by_role("dialog", name="Sign in again").wait_for()
    tab.goto(second.post("/me/link").json()["url"])
    tab.get_by_role("navigation", name="Main navigation").wait_for()
    # The page hears by the shared connection that it is another's now.
    expect(page.get_by_text("Signed in as ping, member")).to_be_visible()
    expect(page.get_by_label("Folder")).to_have_value("")
