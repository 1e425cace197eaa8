"""New jobs, copies and edits through the form, as in seed 001: what it says before, what it never loses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.support.browser import Person, check_accessibility
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import make_member
from tests.web.conftest import ENTRY

pytestmark = pytest.mark.web

Enter = Callable[..., Person]

WORDS = {
    "en": {
        "command": "Command",
        "name": "Name",
        "when": "When",
        "predecessors": "Predecessors",
        "time": "Time limit",
        "submit": "Submit",
        "save": "Save changes",
        "waits": "It would wait. It is waiting for job {job} to end.",
        "attempt": "It goes back to the queue as attempt 2.",
    },
    "zh": {
        "command": "命令",
        "name": "名称",
        "when": "运行时机",
        "predecessors": "前驱任务",
        "time": "时间限制",
        "submit": "提交",
        "save": "保存修改",
        "waits": "现在提交需要等待。",
        "attempt": "将作为第 2 次运行重新排队",
    },
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """As for the other pages, and with a folder to look around in."""
    place = tmp_path_factory.mktemp("submit")
    (place / "shared" / "project" / "src").mkdir(parents=True)
    (place / "shared" / "project" / "train.py").touch()
    options = ("--simulate", "2x4", "--folders", str(place / "shared"))
    with live_server(place / "danlu", *options, entry=ENTRY) as running:
        yield running


@pytest.fixture
def defaults(server: LiveServer) -> Iterator[Callable[..., None]]:
    """`defaults(gpus=1)`: what new jobs begin with, for one test."""
    names: set[str] = set()

    def choose(**fields: object) -> None:
        names.update(fields)
        assert server.http.patch("/me/defaults", json={"set": fields}).status_code == 200

    yield choose
    kept = server.http.get("/me/defaults").json()
    names.update(name for name, value in kept.items() if value is not None)
    server.http.patch("/me/defaults", json={"clear": sorted(names)})


@contextmanager
def running(server: LiveServer, **fields: object) -> Iterator[int]:
    """A job that runs as long as it is needed."""
    job = server.submit("sleep 600", **fields)
    server.wait_state(job, "running")
    try:
        yield job
    finally:
        server.http.post(f"/jobs/{job}/cancel")
        server.wait_ended(job)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def command_field(page: Page, label: str = "Command") -> Locator:
    """The editor, once it is loaded; what is typed before goes into a plain field."""
    page.locator(".cm-content").wait_for()
    return page.get_by_role("textbox", name=label, exact=True)


def open_section(page: Page, title: str) -> None:
    head = page.locator(".form-section-head").filter(has=page.get_by_text(title, exact=True))
    if head.get_attribute("aria-expanded") == "false":
        head.click()


def problem_at(page: Page, field: str) -> Locator:
    return page.locator(f'[data-field="{field}"] [role="alert"]')


def forecast(page: Page) -> Locator:
    return page.locator(".forecast")


def job_in_address(page: Page) -> int:
    page.wait_for_url(lambda url: url.rsplit("/", 1)[1].isdigit())
    return int(page.url.rsplit("/", 1)[1])


def ids_of(server: LiveServer, name: str) -> list[int]:
    return [job["id"] for job in server.http.get("/jobs", params={"name": name}).json()["jobs"]]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_job_with_a_predecessor_is_submitted_edited_and_submitted_again(
    server: LiveServer, person: Enter, defaults: Callable[..., None], language: str
) -> None:
    say = WORDS[language]
    with running(server, name=f"first-{language}") as first:
        page = person(language=language).sign_in("/jobs/new")
        command_field(page, say["command"]).fill("echo trained")
        page.get_by_label(say["name"], exact=True).fill(f"second-{language}")
        open_section(page, say["when"])
        page.get_by_label(say["predecessors"]).fill(f"first-{language}")
        page.locator(".ant-select-item-option").filter(has_text=f"first-{language}").click()
        expect(page.locator(".predecessor")).to_contain_text(f"first-{language}")
        expect(forecast(page)).to_contain_text(say["waits"].format(job=first))
        button(page, say["submit"]).click()
        second = job_in_address(page)
        assert server.state(second) == "waiting"
        assert server.job(second)["after"] == [first]

        # What the user wants of new jobs is nothing to one that exists.
        defaults(time_limit_s=60, gpus=1)
        page.goto(f"{server.url}/jobs/{second}/edit")
        expect(command_field(page, say["command"])).to_have_text("echo trained")
        expect(page.get_by_label("GPU", exact=language == "zh").first).to_have_value("0")
        open_section(page, say["when"])
        expect(page.get_by_label(say["time"], exact=True)).to_have_value("")
        expect(button(page, say["save"])).to_be_disabled()
        page.get_by_label(say["time"], exact=True).fill("1h30m")
        with page.expect_request(lambda sent: sent.method == "PATCH") as sent:
            button(page, say["save"]).click()
        assert sent.value.post_data_json == {"set": {"time_limit_s": 5400}, "clear": []}
        job_in_address(page)
        assert server.job(second)["fields"]["time_limit_s"] == 5400
    server.wait_state(second, "succeeded")

    page.goto(f"{server.url}/jobs/{second}/edit")
    expect(page.get_by_role("main")).to_contain_text(say["attempt"])
    page.goto(f"{server.url}/jobs/new?like={second}")
    expect(command_field(page, say["command"])).to_have_text("echo trained")
    button(page, say["submit"]).click()
    third = job_in_address(page)
    copied = server.job(third)
    assert third != second
    # Its predecessor has ended, and so counts as ended.
    assert copied["after"] == []
    assert copied["fields"]["time_limit_s"] == 5400


def test_problems_stand_at_their_fields_in_the_words_of_the_server(server: LiveServer, person: Enter) -> None:
    page = person().sign_in("/jobs/new")
    command_field(page)
    assert problem_at(page, "command").count() == 0
    page.get_by_label("GPUs", exact=True).fill("99")
    expect(problem_at(page, "gpus")).to_contain_text("No node can ever run this")
    open_section(page, "When")
    page.get_by_label("Time limit", exact=True).fill("soon")
    expect(problem_at(page, "time_limit_s")).to_contain_text("Not a valid duration")
    open_section(page, "More")
    button(page, "Add a variable").click()
    page.get_by_label("Name of variable 1").fill("DANLU_JOB")
    expect(problem_at(page, "variables")).to_contain_text("DANLU_JOB")
    button(page, "Submit").click()
    expect(problem_at(page, "command")).to_contain_text("The job has no command.")
    expect(command_field(page)).to_be_focused()
    expect(forecast(page)).to_contain_text("4 things to fix")


def test_the_form_says_when_the_job_would_start_and_notices_when_that_changes(
    server: LiveServer, person: Enter
) -> None:
    page = person().sign_in("/jobs/new")
    command_field(page).fill("true")
    page.get_by_label("GPUs", exact=True).fill("4")
    expect(forecast(page)).to_contain_text("It would start now on sim")
    expect(page.get_by_label("The same on the command line")).to_contain_text("--gpus 4")
    with running(server, gpus=4), running(server, gpus=4):
        expect(forecast(page)).to_contain_text("It would wait.")
    expect(forecast(page)).to_contain_text("It would start now on sim")


def test_a_half_filled_form_survives_a_reload(server: LiveServer, person: Enter) -> None:
    page = person().sign_in("/jobs/new")
    command_field(page).fill("python train.py")
    open_section(page, "More")
    button(page, "Add a variable").click()
    page.get_by_label("Name of variable 1").fill("TOKEN")
    page.get_by_label("Value of variable 1").fill("very-secret")
    page.reload()
    expect(page.get_by_text("Draft restored.")).to_be_visible()
    expect(command_field(page)).to_have_text("python train.py")
    open_section(page, "More")
    expect(page.get_by_label("Value of variable 1")).to_have_value("very-secret")
    assert "very-secret" not in page.evaluate("JSON.stringify(localStorage)")
    page.get_by_role("link", name="Nodes").click()
    expect(page.get_by_text("kept as a draft")).to_be_visible()
    page.go_back()
    expect(command_field(page)).to_have_text("python train.py")
    button(page, "Discard").click()
    expect(page.locator(".cm-placeholder")).to_be_visible()
    expect(problem_at(page, "command")).to_have_count(0)
    page.reload()
    command_field(page)
    expect(page.get_by_text("Draft restored.")).to_be_hidden()


@pytest.mark.parametrize("field", ["Name", "Command"])
def test_an_editor_that_comes_late_takes_no_key_from_the_field_in_use(
    server: LiveServer, person: Enter, field: str
) -> None:
    page = person().sign_in("/")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route(re.compile("CodeEditorView"), hold)
    page.goto(f"{server.url}/jobs/new")
    page.get_by_role("textbox", name=field, exact=True).click()
    page.keyboard.type("typed before, ")
    wait_until(lambda: page.wait_for_timeout(20) or held, what="the editor being asked for")
    held.pop().continue_()
    page.locator(".cm-content").wait_for()
    page.keyboard.type("and after")
    if field == "Name":
        expect(page.get_by_label("Name", exact=True)).to_have_value("typed before, and after")
        expect(page.locator(".cm-placeholder")).to_be_visible()
    else:
        expect(command_field(page)).to_have_text("typed before, and after")


@pytest.mark.parametrize("form", ["new", "edit"])
def test_the_form_is_closed_while_it_is_sent_and_opens_again_after_a_refusal(
    server: LiveServer, person: Enter, form: str
) -> None:
    job = server.submit("true", name="sent-slowly", hold=True)
    page = person().sign_in(f"/jobs/{job}/edit" if form == "edit" else f"/jobs/new?like={job}")
    command_field(page).fill("echo sent")
    name = page.get_by_label("Name", exact=True)
    name.fill("as-sent")
    held: list[Route] = []
    page.route(
        re.compile(r"/api/v1/jobs(\?defaults|/\d+$)"),
        lambda route: held.append(route) if route.request.method in ("POST", "PATCH") else route.continue_(),
    )
    submit = button(page, "Save changes" if form == "edit" else "Submit")

    def send_from(field: Locator) -> Route:
        """Hands it in with the keys, and types on."""
        field.focus()
        page.keyboard.press("Control+Enter")
        wait_until(lambda: page.wait_for_timeout(20) or held, what="the request")
        expect(forecast(page)).to_contain_text("You can edit the form again once the server has answered.")
        page.keyboard.type(" typed too late")
        expect(field).to_be_focused()
        return held.pop()

    # A refusal about something else than a field leaves the focus where it is, and all text.
    send_from(name).fulfill(status=503, json={"code": "busy", "message": "Busy just now."})
    expect(page.get_by_role("alert").filter(has_text="Busy just now.")).to_be_visible()
    expect(name).to_be_focused()
    expect(name).to_have_value("as-sent")
    expect(command_field(page)).to_have_text("echo sent")
    # One about a field opens its section and goes to it; a user who has gone on to another field stays there.
    refused = {"code": "invalid_value", "message": "Not so long.", "field": "time_limit_s"}
    send_from(name).fulfill(status=422, json=refused)
    expect(page.get_by_label("Time limit", exact=True)).to_be_focused()
    sent = send_from(name)
    page.keyboard.press("Tab")
    gone_on = page.evaluate_handle("document.activeElement")
    sent.fulfill(status=422, json=refused)
    expect(submit).not_to_have_class(re.compile("loading"))
    assert page.evaluate("was => was === document.activeElement", gone_on)
    # What is typed in the editor after the keys is in the job, or not on the page.
    sent = send_from(command_field(page))
    expect(command_field(page)).to_have_text("echo sent")
    sent.continue_()
    assert server.job(job_in_address(page))["fields"]["command"] == "echo sent"


def test_sections_say_what_is_in_them_and_addresses_name_them(server: LiveServer, person: Enter) -> None:
    page = person().sign_in("/jobs/new")
    command_field(page).fill("python train.py")

    def head(title: str) -> Locator:
        return page.get_by_role("button", name=re.compile(f"^{title}"))

    expect(head("Resources")).to_have_attribute("aria-expanded", "true")
    for title in ("Several nodes", "Placement", "When", "More"):
        expect(head(title)).to_have_attribute("aria-expanded", "false")
    expect(head("Several nodes")).to_contain_text("Not used")
    head("Several nodes").press("Enter")
    page.get_by_label("Nodes", exact=True).fill("2")
    head("Several nodes").press("Enter")
    expect(head("Several nodes")).to_contain_text("2 nodes")
    page.goto(f"{server.url}/jobs/new#placement")
    expect(head("Placement")).to_have_attribute("aria-expanded", "true")
    expect(page.get_by_label("GPU model", exact=True)).to_be_in_viewport()
    # What a closed section holds is in the draft as well.
    expect(head("Several nodes")).to_contain_text("2 nodes")


def test_cancel_goes_back_to_the_job_and_asks_where_something_was_changed(
    server: LiveServer, person: Enter
) -> None:
    job = server.submit("true", name="left-alone", hold=True)
    page = person().sign_in(f"/jobs/{job}/edit")
    command_field(page)
    button(page, "Cancel").click()
    page.wait_for_url(f"**/jobs/{job}")
    page.goto(f"{server.url}/jobs/{job}/edit")
    command_field(page).fill("false")
    button(page, "Cancel").click()
    button(page, "Keep editing").click()
    expect(command_field(page)).to_have_text("false")
    button(page, "Cancel").click()
    button(page, "Discard changes").click()
    page.wait_for_url(f"**/jobs/{job}")
    page.goto(f"{server.url}/jobs/{job}/edit")
    expect(command_field(page)).to_have_text("true")
    assert server.job(job)["fields"]["command"] == "true"


def test_no_promise_for_an_empty_form_an_older_one_or_without_a_server(
    server: LiveServer, person: Enter
) -> None:
    page = person().sign_in("/jobs/new")
    expect(forecast(page)).to_contain_text("Enter what to run first.")
    command_field(page).fill("true")
    green = re.compile("forecast-free")
    expect(forecast(page)).to_have_class(green)
    waiting: list[Route] = []

    def keep(route: Route) -> None:
        waiting.append(route)

    page.route("**/api/v1/jobs/check", keep, times=1)
    page.get_by_label("GPUs", exact=True).fill("1")
    expect(forecast(page)).not_to_have_class(green)
    expect(forecast(page)).to_contain_text("checking…")
    wait_until(lambda: page.wait_for_timeout(20) or waiting, what="the check")
    waiting.pop().continue_()
    expect(forecast(page)).to_have_class(green)
    page.route("**/api/v1/jobs/check", lambda route: route.abort())
    page.get_by_label("GPUs", exact=True).fill("2")
    expect(forecast(page)).to_contain_text("Could not check this.")
    expect(forecast(page)).not_to_have_class(green)


def test_a_double_click_or_a_lost_answer_makes_one_job(server: LiveServer, person: Enter) -> None:
    page = person().sign_in("/jobs/new")
    command_field(page).fill("true")
    page.get_by_label("Name", exact=True).fill("clicked-twice")
    button(page, "Submit").dblclick()
    job_in_address(page)
    assert len(ids_of(server, "clicked-twice")) == 1

    def lose_the_answer(route: Route) -> None:
        """The request arrives; the connection breaks before the answer is back."""
        assert route.fetch().status == 201
        route.abort()

    page.goto(f"{server.url}/jobs/new")
    command_field(page).fill("true")
    page.get_by_label("Name", exact=True).fill("answer-lost")
    page.route(re.compile(r"/api/v1/jobs\?defaults"), lose_the_answer, times=1)
    button(page, "Submit").click()
    expect(page.get_by_role("alert").filter(has_text="cannot be reached")).to_contain_text(
        "only one job is created"
    )
    expect(page.get_by_label("Name", exact=True)).to_have_value("answer-lost")
    button(page, "Submit").click()
    submitted = job_in_address(page)
    assert ids_of(server, "answer-lost") == [submitted]


def test_submitting_and_staying_makes_a_job_each_time(server: LiveServer, person: Enter) -> None:
    page = person().sign_in("/jobs/new")
    command_field(page).fill("true")
    page.get_by_label("Name", exact=True).fill("again")
    made: list[int] = []
    for count in (1, 2):
        button(page, "Submit and stay").click()
        wait_until(lambda count=count: len(ids_of(server, "again")) == count, what="another job")
        (new,) = set(ids_of(server, "again")) - set(made)
        made.append(new)
        expect(page.get_by_role("status").filter(has_text=" submitted.")).to_contain_text(f"Job {new}")


def test_a_folder_is_picked_in_the_tree(server: LiveServer, person: Enter) -> None:
    shared = server.data.parent / "shared"
    page = person().sign_in("/jobs/new")
    command_field(page).fill("true")
    page.get_by_label("Folder", exact=True).fill(str(shared))
    button(page, "Browse").click()
    tree = page.get_by_role("dialog")
    # What stands in the field already is opened. Files are there to find one's way by.
    project = tree.locator(".ant-tree-treenode").filter(has_text="project")
    project.locator(".ant-tree-switcher").click()
    expect(tree.get_by_text("train.py")).to_be_visible()
    tree.get_by_title("src").click()
    button(page, "Choose this folder").click()
    expect(page.get_by_label("Folder", exact=True)).to_have_value(str(shared / "project" / "src"))
    expect(forecast(page)).to_contain_text("It would start now")
    page.get_by_label("Folder", exact=True).fill("relative/path")
    expect(problem_at(page, "directory")).to_be_visible()
    page.get_by_label("Folder", exact=True).fill(str(shared / "gone"))
    expect(problem_at(page, "directory")).to_contain_text("There is no folder")
    # By the label that stands there, not as an option of the command line.
    expect(problem_at(page, "directory")).to_contain_text('set "Folder" to another folder')
    expect(problem_at(page, "directory")).not_to_contain_text("--")
    expect(forecast(page)).to_contain_text("1 thing to fix")
    expect(forecast(page)).not_to_contain_text("It would start now")


def test_sharing_warns_and_an_array_is_counted(server: LiveServer, person: Enter) -> None:
    page = person().sign_in("/jobs/new")
    command_field(page).fill("true")
    page.get_by_role("radio", name="Share a GPU").check()
    expect(page.get_by_text("The job may run out of GPU memory")).to_be_visible()
    page.get_by_label("GPU memory", exact=True).fill("2G")
    open_section(page, "When")
    page.get_by_label("Array", exact=True).fill("0-3%2")
    expect(page.get_by_text("4 elements, 2 at a time")).to_be_visible()
    expect(page.get_by_label("The same on the command line")).to_contain_text("--share --gpu-mem 2G")
    button(page, "Submit").click()
    fields = server.job(job_in_address(page))["fields"]
    assert (fields["share"], fields["gpu_memory_mb"], fields["array"]) == (True, 2048, "0-3%2")


def test_a_job_that_starts_while_it_is_edited_is_not_lost_in_silence(
    server: LiveServer, person: Enter
) -> None:
    job = server.submit("sleep 600", name="held-back", hold=True)
    page = person().sign_in(f"/jobs/{job}/edit")
    expect(command_field(page)).to_have_text("sleep 600")
    page.get_by_label("Name", exact=True).fill("my-change")
    server.http.post(f"/jobs/{job}/release")
    server.wait_state(job, "running")
    expect(page.get_by_role("alert").filter(has_text="has started running")).to_be_visible()
    expect(button(page, "Save changes")).to_be_disabled()
    button(page, "Use my changes in a new job").click()
    expect(page.get_by_role("heading", name=f"New job like {job}")).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("my-change")
    page.goto(f"{server.url}/jobs/{job}/edit")
    expect(page.get_by_text(f"Job {job} cannot be edited now")).to_be_visible()
    expect(page.get_by_role("link", name="New job like this")).to_be_visible()
    server.http.post(f"/jobs/{job}/cancel")
    server.wait_ended(job)


def test_what_somebody_else_edits_meanwhile_is_kept(server: LiveServer, person: Enter) -> None:
    job = server.submit("true", name="for-two", hold=True)
    page = person().sign_in(f"/jobs/{job}/edit")
    command_field(page)
    page.get_by_label("Name", exact=True).fill("mine")
    server.http.patch(f"/jobs/{job}", json={"set": {"description": "theirs"}})
    expect(page.get_by_text("Another user has edited this job")).to_be_visible()
    button(page, "Save changes").click()
    job_in_address(page)
    fields = server.job(job)["fields"]
    assert (fields["name"], fields["description"]) == ("mine", "theirs")


def test_values_become_defaults_and_new_forms_begin_with_them(
    server: LiveServer, person: Enter, defaults: Callable[..., None]
) -> None:
    defaults(gpus=1)
    page = person().sign_in("/jobs/new")
    command_field(page).fill("true")
    expect(page.get_by_label("GPUs", exact=True)).to_have_value("1")
    page.get_by_label("GPUs", exact=True).fill("2")
    page.get_by_label("GPUs: Back to your default").click()
    expect(page.get_by_label("GPUs", exact=True)).to_have_value("1")
    open_section(page, "When")
    page.get_by_label("Time limit", exact=True).fill("2h")
    button(page, "Save as my defaults…").click()
    dialog = page.get_by_role("dialog")
    # A command belongs to one job rather than to all.
    expect(dialog.get_by_role("checkbox", name="Command")).not_to_be_checked()
    dialog.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Defaults saved.")).to_be_visible()
    saved = server.http.get("/me/defaults").json()
    assert (saved["gpus"], saved["time_limit_s"], saved.get("command")) == (1, 7200, None)


def test_the_end_of_a_session_takes_nothing_of_the_form(server: LiveServer, person: Enter) -> None:
    zhao = person(client=make_member(server, "zhao"))
    page = zhao.sign_in("/jobs/new")
    command_field(page).fill("true")
    page.get_by_label("Folder", exact=True).fill("/tmp")
    expect(forecast(page)).to_contain_text("It would start now")
    zhao.context.clear_cookies()
    page.get_by_label("Name", exact=True).fill("typed-before-the-end")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Password").fill("second secret")
    dialog.get_by_role("button", name="Sign in", exact=True).click()
    expect(dialog).to_be_hidden()
    expect(page.get_by_label("Name", exact=True)).to_have_value("typed-before-the-end")
    expect(forecast(page)).to_contain_text("It would start now")
    button(page, "Submit").click()
    submitted = job_in_address(page)
    assert ids_of(server, "typed-before-the-end") == [submitted]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_form_is_accessible(server: LiveServer, person: Enter, dark: bool) -> None:
    job = server.submit("true", hold=True, after=[server.submit("true", hold=True)])
    address = f"/jobs/{job}/edit" if dark else f"/jobs/new?like={job}"
    page = person(dark=dark).sign_in(address)
    command_field(page).fill('for x in 1 2; do echo "$x"; done # twice')
    for title in ("Several nodes", "Placement", "When", "More"):
        open_section(page, title)
    page.get_by_role("radio", name="Share a GPU").check()
    page.get_by_label("GPUs", exact=True).fill("99" if dark else "1")
    button(page, "Add a variable").click()
    expect(problem_at(page, "gpus")).to_have_count(1 if dark else 0)
    expect(forecast(page)).to_contain_text("1 thing to fix" if dark else "It would")
    check_accessibility(page)


def test_the_form_fits_a_phone(server: LiveServer, person: Enter) -> None:
    page = person(width=390, height=844).sign_in("/jobs/new")
    command_field(page)
    for title in ("Several nodes", "Placement", "When", "More"):
        open_section(page, title)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    expect(button(page, "Submit")).to_be_in_viewport()
    expect(forecast(page)).to_be_in_viewport()


def test_what_is_not_theirs_is_no_sample_for_members(server: LiveServer, person: Enter) -> None:
    job = server.submit("echo mine-alone", hold=True)
    page = person(client=make_member(server, "wang")).sign_in(f"/jobs/new?like={job}")
    expect(page.get_by_text("its contents are not visible to you")).to_be_visible()
    page.goto(f"{server.url}/jobs/{job}/edit")
    expect(page.get_by_text(f"Job {job} cannot be edited now")).to_be_visible()
    expect(page.locator(".job-editor")).to_have_count(0)
    assert "mine-alone" not in page.content()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_new_job_begins_with_the_gpus_of_the_lab_and_says_when_it_runs_on_the_cpu(
    server: LiveServer, person: Enter, defaults: Callable[..., None], language: str
) -> None:
    gpus, labs, on_cpu, asked = {
        "en": ("GPUs", "the lab's default", "Runs on the CPU", "runs on the CPU"),
        "zh": ("GPU", "实验室默认值", "在 CPU 上运行", "在 CPU 上运行"),
    }[language]
    say = WORDS[language]
    server.http.patch("/settings", json={"default_gpus": 1})
    try:
        page = person(language=language).sign_in("/jobs/new")
        field = page.locator('[data-field="gpus"]')
        number = field.get_by_role("spinbutton", name=gpus)
        expect(number).to_have_value("1")
        expect(field).to_contain_text(labs)
        command_field(page, say["command"]).fill("true")
        number.fill("0")
        expect(field).to_contain_text(on_cpu)
        button(page, say["submit"]).click()
        job = job_in_address(page)
        assert server.job(job)["job"]["gpus"] == 0
        expect(page.get_by_text(asked).first).to_be_visible()
        # What the user has chosen goes before what the lab has.
        defaults(gpus=2)
        page.goto(f"{server.url}/jobs/new")
        expect(number).to_have_value("2")
        expect(field).not_to_contain_text(labs)
    finally:
        server.http.patch("/settings", json={"default_gpus": 0})
