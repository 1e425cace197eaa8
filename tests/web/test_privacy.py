"""All users see the queue; what a job does, where and with what is its owner's alone."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Person
from tests.support.installation import LiveServer, wait_until
from tests.support.people import make_member

pytestmark = pytest.mark.web

Enter = Callable[..., Person]

SECRET = "quince"
"""Stands in everything of a job that is its owner's, and nowhere else."""

OPEN_TO_ALL = {
    ("get", "/jobs/{job_id}"),
    ("get", "/jobs/{job_id}/events"),
    ("get", "/jobs/{job_id}/elements"),
    ("get", "/jobs/{job_id}/usage"),
    ("get", "/jobs/{job_id}/why"),
}
"""What of a job all users may ask for. Every other call about it is its owner's."""

BODIES = {"/jobs/{job_id}/move": {"position": 1}, "/jobs/{job_id}": {"set": {"name": "taken"}}}

HEAR = """
window.heard = [];
window.asking = 0;
// Then the page holds the live connection itself, where it can be listened to.
delete window.SharedWorker;
const realFetch = window.fetch;
async function overhear(stream) {
  const decoder = new TextDecoder();
  for (const reader = stream.getReader(); ; ) {
    const { value, done } = await reader.read().catch(() => ({ done: true }));
    if (done) return;
    window.heard.push(decoder.decode(value, { stream: true }));
  }
}
window.fetch = async (...asked) => {
  window.asking += 1;
  try {
    const answer = await realFetch(...asked);
    if (!answer.ok || !answer.url.endsWith("/live")) {
      window.heard.push(`${answer.url} ${await answer.clone().text()}`);
      return answer;
    }
    const [told, copy] = answer.body.tee();
    void overhear(copy);
    return new Response(told, answer);
  } finally {
    window.asking -= 1;
  }
};
"""
"""Keeps all that a page fetched and what it was told over its live connection."""


@pytest.fixture(scope="module")
def ann(server: LiveServer) -> httpx.Client:
    return make_member(server, "ann")


@pytest.fixture(scope="module")
def bob(server: LiveServer) -> httpx.Client:
    return make_member(server, "bob")


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix=f"{SECRET}-") as made:
        Path(made).chmod(0o777)
        yield Path(made)


@pytest.fixture(scope="module")
def jobs(server: LiveServer, ann: httpx.Client, folder: Path) -> dict[str, int]:
    """One of each area, and one that failed with something to say."""

    def submit(name: str, command: str, **more: object) -> int:
        fields = {
            "name": name,
            "command": command,
            "directory": str(folder),
            "variables": {f"{SECRET}_NAME": f"{SECRET}-value"},
            "description": f"{SECRET} described",
            "stdout": f"{SECRET}-{name}.txt",
            **more,
        }
        reply = ann.post("/jobs", json=fields)
        assert reply.status_code == 201, reply.text
        return reply.json()["id"]

    running = submit("ann-running", f"echo {SECRET} printed; sleep 600", gpus=1)
    made = {
        "running": running,
        "waiting": submit("ann-waiting", f"echo {SECRET}", after=[running]),
        "ended": submit("ann-ended", f"echo {SECRET} is printed"),
        # On hold first: what is missing for it is not looked for then.
        "failed": submit("ann-failed", "true", directory=f"/tmp/no-{SECRET}", hold=True),
    }
    assert ann.post(f"/jobs/{made['failed']}/release").is_success
    server.wait_state(made["running"], "running")
    server.wait_state(made["ended"], "succeeded")
    server.wait_state(made["failed"], "failed")
    return made


class Listener:
    """Keeps all that a page fetched, was told and showed."""

    def __init__(self, user: Person) -> None:
        self.page: Page = user.page
        self.shown: list[str] = []
        self.page.add_init_script(HEAR)

    def look(self, address: str, expected: str) -> None:
        self.page.goto(address)
        expect(self.page.get_by_text(expected).first).to_be_visible()
        is_settled = "() => window.asking === 0 && window.heard.some((text) => text.includes('readings'))"
        wait_until(lambda: self.page.evaluate(is_settled), what="the readings")
        self.shown += [self.page.content(), *self.page.evaluate("window.heard")]

    def saw(self, word: str) -> list[str]:
        return [text[max(0, text.index(word) - 80) :][:200] for text in self.shown if word in text]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_that_is_anothers_reaches_the_browser(
    person: Enter, server: LiveServer, bob: httpx.Client, jobs: dict[str, int], language: str
):
    user = person(client=bob, language=language)
    user.sign_in()
    bobs = Listener(user)
    for address, expected in [
        ("/", "ann"),
        ("/wall", "ann"),
        ("/nodes", "sim1"),
        ("/nodes/sim1", "sim1"),
        ("/jobs?area=waiting", "ann-waiting"),
        ("/jobs?area=running", "ann-running"),
        ("/jobs?area=history", "ann-failed"),
        ("/jobs?area=history&owner=ann", "ann-ended"),
        *[(f"/jobs/{number}", f"ann-{name}") for name, number in jobs.items()],
    ]:
        bobs.look(f"{server.url}{address}", expected)
    assert not bobs.saw(SECRET)
    assert not bobs.saw('"event":"chunk"')


def test_who_may_sees_it_all_so_that_the_search_for_it_means_something(
    person: Enter, server: LiveServer, ann: httpx.Client, jobs: dict[str, int]
):
    user = person(client=ann)
    user.sign_in()
    anns = Listener(user)
    anns.look(f"{server.url}/jobs/{jobs['running']}", f"{SECRET} printed")
    # The page shows the end of the log first, and then follows it: from the start, where it looks on.
    heard = f"() => window.heard.some((text) => text.includes('{SECRET}'))"
    wait_until(lambda: anns.page.evaluate(heard), what="the log")
    assert len(anns.saw(SECRET)) > 2


def test_there_is_nothing_to_press_on_anothers_job(
    person: Enter, server: LiveServer, bob: httpx.Client, jobs: dict[str, int]
):
    page = person(client=bob).sign_in()
    pressed = re.compile("cancel|edit|hold|release|delete|resubmit|run again|more actions|download", re.I)
    for which in ("running", "waiting", "ended"):
        page.goto(f"{server.url}/jobs/{jobs[which]}")
        expect(page.get_by_role("heading", level=1)).to_contain_text(f"ann-{which}")
        expect(page.get_by_text("The rest is private")).to_be_visible()
        expect(page.get_by_role("main").get_by_role("button", name=pressed)).to_have_count(0)
        expect(page.get_by_role("main").get_by_role("link", name=pressed)).to_have_count(0)
        page.goto(f"{server.url}/jobs/{jobs[which]}/edit")
        expect(page.get_by_text(f"Job {jobs[which]} cannot be edited now")).to_be_visible()
        expect(page.get_by_role("textbox", name="Command")).to_have_count(0)


def test_no_row_of_another_can_be_chosen_or_acted_on(
    person: Enter, server: LiveServer, bob: httpx.Client, jobs: dict[str, int]
):
    mine = bob.post(
        "/jobs", json={"command": "true", "directory": "/tmp", "name": "bobs-own", "hold": True}
    ).json()["id"]
    page = person(client=bob).sign_in("/jobs?area=waiting")
    own, other = (
        page.get_by_role("row", name=re.compile("bobs-own")),
        page.get_by_role("row", name=re.compile("ann-waiting")),
    )
    own.get_by_role("button", name=re.compile("Actions")).click()
    expect(page.get_by_role("menuitem", name=re.compile("Cancel"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menuitem")).to_have_count(0)
    other.get_by_role("button", name=re.compile("Actions")).click()
    expect(page.get_by_role("menuitem")).to_have_text(["Open"])
    page.keyboard.press("Escape")
    expect(page.get_by_role("menuitem")).to_have_count(0)
    page.get_by_role("checkbox", name=re.compile("Select all")).check()
    expect(own.get_by_role("checkbox")).to_be_checked()
    expect(other.get_by_role("checkbox", checked=True)).to_have_count(0)
    assert bob.delete(f"/jobs/{mine}").status_code in (200, 204)


def calls_about_a_job(server: LiveServer) -> list[tuple[str, str]]:
    paths = server.http.get("/openapi.json").json()["paths"]
    return [
        (method, path.removeprefix("/api/v1"))
        for path, methods in paths.items()
        if "{job_id}" in path
        for method in methods
    ]


def test_the_api_refuses_what_the_page_hides(
    server: LiveServer, ann: httpx.Client, bob: httpx.Client, jobs: dict[str, int]
):
    calls = calls_about_a_job(server)
    assert set(calls) >= OPEN_TO_ALL
    for method, path in calls:
        for number in jobs.values():
            body = BODIES.get(path) if method in ("post", "patch") else None
            # What one call needs, the others do not mind.
            reply = bob.request(method, path.format(job_id=number), json=body, params={"text": "a"})
            if (method, path) in OPEN_TO_ALL:
                # Only an array has elements.
                assert reply.status_code == 200 or reply.json()["code"] == "no_array", (
                    method,
                    path,
                    reply.text,
                )
            else:
                assert reply.status_code == 403, (method, path, reply.status_code, reply.text[:200])
            assert SECRET not in reply.text, (method, path)
    assert {name: ann.get(f"/jobs/{number}").json()["job"]["state"] for name, number in jobs.items()} == {
        "running": "running",
        "waiting": "waiting",
        "ended": "succeeded",
        "failed": "failed",
    }


@pytest.mark.parametrize("action", ["cancel", "hold", "release", "delete", "resubmit"])
def test_many_at_once_are_refused_one_by_one(bob: httpx.Client, jobs: dict[str, int], action: str):
    wanted = {"action": action, "jobs": [str(number) for number in jobs.values()]}
    results = bob.post("/jobs/actions", json=wanted).json()["results"]
    assert [each["ok"] for each in results] == [False] * len(jobs)
    assert {each["problem"]["code"] for each in results} == {
        bob.post(f"/jobs/{jobs['waiting']}/cancel").json()["code"]
    }


def test_neither_a_search_nor_a_form_finds_out_what_is_anothers(bob: httpx.Client, jobs: dict[str, int]):
    for query in ({"search": SECRET}, {"name": SECRET}):
        assert bob.get("/jobs", params=query).json()["jobs"] == []
    checked = bob.post("/jobs/check", json={"fields": {"command": "true"}, "job": str(jobs["waiting"])})
    assert checked.status_code == 403
    assert SECRET not in checked.text
