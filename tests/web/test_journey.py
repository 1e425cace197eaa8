"""The journey of seed 001 through the whole app: a user with nothing but a browser, from the door on."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import Person
from tests.support.installation import LiveServer
from tests.support.people import make_member

pytestmark = pytest.mark.web

Enter = Callable[..., Person]

WORDS = {
    "en": {
        "user": "User name",
        "password": "Password",
        "sign in": "Sign in",
        "nodes": "Nodes",
        "up": "up",
        "new job": "New job",
        "command": "Command",
        "folder": "Folder",
        "name": "Name",
        "gpus": "GPUs",
        "when": "When",
        "predecessors": "Predecessors",
        "submit": "Submit",
        "running": "running",
        "waiting": "waiting",
        "cancelled": "cancelled",
        "waits": "It is waiting for job {job} to end.",
        "would wait": "It would wait.",
        "needs": "It needs job {job} to succeed",
        "log": "Log text",
        "edit": "Edit",
        "save": "Save changes",
        "cancel": "Cancel job",
        "cancel question": "Cancel job {job}",
        "resubmit": "Run again",
        "more": "More actions",
        "delete": "Delete",
        "delete question": "Delete job {job}",
        "successors": "Also delete its successors",
        "history": "History",
    },
    "zh": {
        "user": "用户名",
        "password": "密码",
        "sign in": "登录",
        "nodes": "节点",
        "up": "在线",
        "new job": "新建任务",
        "command": "命令",
        "folder": "目录",
        "name": "名称",
        "gpus": "GPU",
        "when": "运行时机",
        "predecessors": "前驱任务",
        "submit": "提交",
        "running": "运行",
        "waiting": "等待",
        "cancelled": "已取消",
        "waits": "正在等待前驱任务 {job} 结束。",
        "would wait": "现在提交需要等待。",
        "needs": "它要求任务 {job} 成功",
        "log": "日志内容",
        "edit": "编辑",
        "save": "保存修改",
        "cancel": "取消任务",
        "cancel question": "取消任务 {job}",
        "resubmit": "重新运行",
        "more": "更多操作",
        "delete": "删除",
        "delete question": "删除任务 {job}",
        "successors": "同时删除它的后继任务",
        "history": "历史",
    },
}


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where the jobs of a member run: all users may write there."""
    with tempfile.TemporaryDirectory(prefix="journey-") as made:
        Path(made).chmod(0o777)
        yield Path(made)


class Traveller:
    """A user in front of the app, in their own language."""

    def __init__(self, page: Page, language: str) -> None:
        self.page = page
        self.words = WORDS[language]

    def button(self, word: str):
        return self.page.get_by_role("main").get_by_role("button", name=self.words[word], exact=True)

    def sign_in(self, url: str, name: str, password: str) -> None:
        self.page.goto(url)
        self.page.get_by_label(self.words["user"]).fill(name)
        self.page.get_by_label(self.words["password"], exact=True).fill(password)
        self.page.get_by_role("button", name=self.words["sign in"], exact=True).click()

    def go(self, place: str) -> None:
        self.page.get_by_role("navigation").get_by_role("link", name=self.words[place]).first.click()

    def fill_in(self, folder: Path, name: str, command: str, after: str | None = None) -> None:
        """A new job's form, up to the last button."""
        self.go("new job")
        self.page.get_by_role("textbox", name=self.words["command"]).click()
        self.page.keyboard.insert_text(command)
        self.page.get_by_role("textbox", name=self.words["folder"]).fill(str(folder))
        self.page.get_by_role("spinbutton", name=self.words["gpus"]).fill("1")
        self.page.get_by_role("textbox", name=self.words["name"]).fill(name)
        if after is not None:
            self.page.get_by_role("button", name=re.compile(self.words["when"])).click()
            field = self.page.get_by_role("combobox", name=self.words["predecessors"])
            field.fill(after)
            self.page.locator(".predecessor-option", has_text=after).click()

    def submit(self, name: str) -> int:
        """Hands the form in; the number of the job, whose page comes up."""
        self.button("submit").click()
        expect(self.page.get_by_role("heading", level=1)).to_contain_text(name)
        self.page.wait_for_url(re.compile(r"/jobs/\d+$"))
        return int(self.page.url.rsplit("/", 1)[1])

    def expect_state(self, state: str) -> None:
        expect(self.page.get_by_role("heading", level=1)).to_contain_text(self.words[state])

    def expect_sentence(self, word: str, job: int) -> None:
        expect(self.page.get_by_role("main")).to_contain_text(self.words[word].format(job=job))

    def expect_log(self, text: str) -> None:
        expect(self.page.get_by_role("region", name=self.words["log"])).to_contain_text(text)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_from_the_door_to_the_end(person: Enter, server: LiveServer, folder: Path, language: str):
    member = f"li-{language}"
    client = make_member(server, member)
    page = person(client=client, language=language).page
    li = Traveller(page, language)
    li.sign_in(server.url, member, "second secret")

    # Look at the nodes.
    li.go("nodes")
    node = page.get_by_role("row", name=re.compile("sim1"))
    expect(node).to_contain_text(li.words["up"])
    node.get_by_role("link", name="sim1").click()
    expect(page.get_by_role("heading", name="sim1", level=1)).to_be_visible()

    # Submit a job, and one that has to wait for it and says so, before and after it was handed in.
    first_may_end, second_may_go_on = folder / "first", folder / "second"
    li.fill_in(folder, f"first-{language}", f"until [ -e {first_may_end} ]; do sleep 0.05; done")
    first = li.submit(f"first-{language}")
    li.expect_state("running")
    training = f"echo epoch 1; until [ -e {second_may_go_on} ]; do sleep 0.05; done; echo epoch 2; sleep 600"
    li.fill_in(folder, f"second-{language}", training, after=f"first-{language}")
    expect(page.get_by_role("status").filter(has_text=li.words["would wait"])).to_be_visible()
    second = li.submit(f"second-{language}")
    li.expect_state("waiting")
    li.expect_sentence("waits", first)

    # Watch it run, with its log as it grows.
    first_may_end.touch()
    li.expect_state("running")
    li.expect_log("epoch 1")
    second_may_go_on.touch()
    li.expect_log("epoch 2")

    # Edit a job that waits.
    third = submitted(client, folder, f"third-{language}", after_ok=[second])
    fourth = submitted(client, folder, f"fourth-{language}", after=[third])
    page.goto(f"{server.url}/jobs/{third}")
    li.expect_sentence("waits", second)
    li.button("edit").click()
    expect(page.get_by_role("textbox", name=li.words["name"])).to_have_value(f"third-{language}")
    page.get_by_role("textbox", name=li.words["name"]).fill(f"third-renamed-{language}")
    li.button("save").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"third-renamed-{language}")
    li.expect_state("waiting")
    assert client.get(f"/jobs/{third}").json()["fields"]["name"] == f"third-renamed-{language}"

    # Cancel what runs. What needs its success waits on, and says why.
    page.goto(f"{server.url}/jobs/{second}")
    li.button("cancel").click()
    question = page.get_by_role("dialog").filter(has_text=li.words["cancel question"].format(job=second))
    question.get_by_role("button", name=li.words["cancel"], exact=True).click()
    li.expect_state("cancelled")
    page.goto(f"{server.url}/jobs/{third}")
    li.expect_sentence("needs", second)

    # Run it again: a copy with a number of its own, which runs.
    page.goto(f"{server.url}/jobs/{second}")
    li.button("resubmit").click()
    page.wait_for_url(lambda url: url.endswith(tuple("0123456789")) and not url.endswith(f"/jobs/{second}"))
    copy = int(page.url.rsplit("/", 1)[1])
    assert copy > fourth
    expect(page.get_by_role("heading", level=1)).to_contain_text(f"second-{language}")
    li.expect_log("epoch 1")

    # Delete one with all that waits for it.
    page.goto(f"{server.url}/jobs/{third}")
    li.button("more").click()
    page.get_by_role("menuitem", name=li.words["delete"]).click()
    question = page.get_by_role("dialog").filter(has_text=li.words["delete question"].format(job=third))
    question.get_by_role("checkbox", name=re.compile(li.words["successors"])).check()
    question.get_by_role("button", name=li.words["delete"], exact=True).click()
    page.wait_for_url(re.compile(r"/jobs\?area=waiting"))
    expect(page.get_by_text(f"third-renamed-{language}")).to_have_count(0)
    assert [client.get(f"/jobs/{number}").status_code for number in (third, fourth)] == [404, 404]

    # What is left of it all stands in the history.
    page.get_by_role("link", name=re.compile(f"^{li.words['history']}")).click()
    row = page.get_by_role("row", name=re.compile(f"second-{language}"))
    expect(row).to_contain_text(li.words["cancelled"])
    expect(page.get_by_role("row", name=re.compile(f"first-{language}"))).to_be_visible()


def submitted(client: httpx.Client, folder: Path, name: str, **more: object) -> int:
    reply = client.post("/jobs", json={"command": "true", "directory": str(folder), "name": name, **more})
    assert reply.status_code == 201, reply.text
    return int(reply.json()["id"])
