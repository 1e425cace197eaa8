"""Several nodes: jobs over them, how they are, and machines that join, are lost and come back."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import Person, check_accessibility
from tests.support.installation import REPOSITORY, LiveServer, end_jobs, live_server, wait_until
from tests.support.people import make_member
from tests.support.ports import free_port
from tests.web.conftest import ENTRY

pytestmark = pytest.mark.web

Enter = Callable[..., Person]

LEASE_S = "2"
TELL_RANK = 'echo "this is rank $DANLU_RANK of $NNODES"; sleep 300'
WORDS = {
    "en": {
        "command": "Command",
        "several": "Several nodes",
        "nodes": "Nodes",
        "launcher": "none: same command on every node",
        "gpus": "Per node; 8 of 8 free now",
        "now": "It would start now",
        "submit": "Submit",
        "ranks": "Ranks",
        "running": "running",
        "asks": "2 nodes with 1 GPU each",
        "began": "Attempt 1 starts on sim1, sim2, 2 GPUs in all",
        "log": "Log text",
        "log_of": "Log of rank 1",
        "gpus_of": "GPUs of rank 1 on sim2",
        "in_list": "2 × 1 GPU",
        "health": "Health",
        "examine": "Check now",
        "missing": "problem",
        "one": "1 problem",
        "well": re.compile(r"all \d+ checks passed"),
        "rest": re.compile(r"\d+ other checks passed"),
        "add": "Add a node",
        "single": "This is a single machine: other machines cannot join it.",
    },
    "zh": {
        "command": "命令",
        "several": "多节点",
        "nodes": "节点数",
        "launcher": "无：每个节点运行同一命令",
        "gpus": "每个节点；现有 8 块，空闲 8 块",
        "now": "现在提交",
        "submit": "提交",
        "ranks": "各 rank",
        "running": "运行中",
        "asks": "2 个节点，各 1 块 GPU",
        "began": "第 1 次运行，启动于 sim1, sim2，共 2 块 GPU",
        "log": "日志内容",
        "log_of": "rank 1 的日志",
        "gpus_of": "GPU 使用情况：rank 1，节点 sim2",
        "in_list": "2 × 1 块 GPU",
        "health": "健康检查",
        "one": "1 个问题",
        "add": "添加节点",
    },
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all nodes should see."""
    folder = tmp_path_factory.mktemp("nodes") / "shared"
    folder.mkdir()
    return folder


@pytest.fixture(scope="module")
def server(shared: Path) -> Iterator[LiveServer]:
    options = ("--simulate", "2x4", "--folders", str(shared))
    with live_server(shared.parent / "danlu", *options, entry=ENTRY) as running:
        yield running


def row(page: Page, node: str) -> Locator:
    return page.get_by_role("row").filter(has=page.get_by_role("link", name=node, exact=True))


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("zh", 390)])
def test_a_job_over_two_nodes_from_the_form_to_the_log_of_each_rank(
    person: Enter, server: LiveServer, language: str, width: int
) -> None:
    words = WORDS[language]
    user = person(language=language, width=width)
    page = user.sign_in("/jobs/new")
    page.locator(".cm-content").wait_for()
    page.get_by_role("textbox", name=words["command"], exact=True).fill(TELL_RANK)
    page.locator('[data-field="gpus"]').get_by_role("spinbutton").fill("1")
    page.locator(".form-section-head").filter(has=page.get_by_text(words["several"], exact=True)).click()
    page.get_by_role("textbox", name=words["nodes"], exact=True).fill("2")
    expect(page.locator('[data-field="launcher"]')).to_contain_text(words["launcher"])
    expect(page.locator('[data-field="gpus"]')).to_contain_text(words["gpus"])
    expect(page.locator(".forecast")).to_contain_text(words["now"])
    check_accessibility(page)
    assert fits(page)
    page.get_by_role("button", name=words["submit"], exact=True).click()

    page.wait_for_url(re.compile(r"/jobs/\d+$"))
    job = int(page.url.rsplit("/", 1)[1])
    server.wait_state(job, "running")
    ranks = page.get_by_role("region", name=words["ranks"], exact=True)
    expect(ranks.locator(".mark")).to_have_text([words["running"]] * 2)
    expect(ranks.get_by_role("row").nth(1)).to_contain_text("sim1")
    expect(ranks.get_by_role("row").nth(2)).to_contain_text("sim2")
    expect(page.get_by_text(words["asks"])).to_be_visible()
    expect(page.get_by_text(words["began"])).to_be_visible()
    log = page.get_by_role("region", name=words["log"])
    expect(log.locator(".log-row")).to_have_text(["this is rank 0 of 2"])
    ranks.get_by_role("link", name=words["log_of"]).click()
    expect(log.locator(".log-row")).to_have_text(["this is rank 1 of 2"])
    expect(page).to_have_url(re.compile(r"\?rank=1$"))
    expect(page.get_by_role("heading", name=words["gpus_of"])).to_be_visible()
    expect(ranks.locator("[aria-current]")).to_have_text(["1"])
    assert server.http.get(f"/jobs/{job}/usage", params={"rank": 1}).json()["node"] == "sim2"
    assert server.http.get(f"/jobs/{job}/usage", params={"rank": 2}).json()["code"] == "no_such_rank"
    check_accessibility(page)
    assert fits(page)
    page.reload()
    expect(log.locator(".log-row")).to_have_text(["this is rank 1 of 2"])

    user.go("/jobs?area=running")
    line = page.locator(f'[data-ref="{job}"]')
    expect(line).to_contain_text("sim1, sim2")
    expect(line).to_contain_text(words["in_list"])
    user.go("/")
    expect(page.locator(".my-job").first).to_contain_text("sim1, sim2 · 2 × 1 GPU")
    server.http.post(f"/jobs/{job}/cancel")
    server.wait_ended(job)


def test_what_is_wrong_with_a_node_stands_on_its_page(
    person: Enter, server: LiveServer, shared: Path
) -> None:
    words, theirs = WORDS["en"], WORDS["zh"]
    member = make_member(server, "reader")
    wait_until(lambda: all(node["findings"] for node in server.http.get("/nodes").json()), what="the doctor")
    page = person().sign_in("/nodes/sim2")
    health = page.get_by_role("region", name=words["health"], exact=True)
    expect(health).to_contain_text(words["well"])
    aside = shared.rename(shared.with_name("elsewhere"))
    try:
        health.get_by_role("button", name=words["examine"]).click()
        bad = health.get_by_role("listitem").first
        expect(bad.locator(".mark")).to_have_text(words["missing"])
        expect(bad).to_contain_text(str(shared))
        expect(health).to_contain_text(words["rest"])
        check_accessibility(page)

        other = person(language="zh", client=member, width=390).sign_in("/nodes")
        expect(row(other, "sim2")).to_contain_text(theirs["one"])
        assert other.get_by_role("button", name=theirs["add"]).count() == 0
        check_accessibility(other)
        row(other, "sim2").get_by_role("link", name=theirs["one"]).click()
        seen = other.get_by_role("region", name=theirs["health"], exact=True)
        expect(seen).to_contain_text(str(shared))
        assert seen.get_by_role("button").count() == 0
        assert fits(other)
        assert member.post("/nodes/sim2/examine").status_code == 403
    finally:
        aside.rename(shared)
    health.get_by_role("button", name=words["examine"]).click()
    expect(health).to_contain_text(words["well"])
    health.locator("summary").click()
    expect(health.get_by_role("listitem").first).to_be_visible()

    page.goto(f"{server.url}/nodes")
    page.get_by_role("button", name=words["add"]).click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(words["single"])
    expect(dialog.locator("pre")).to_have_text("danlu down\ndanlu up --cluster")
    check_accessibility(page)


@pytest.fixture
def master(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LiveServer]:
    """A cluster on this machine's own address."""
    monkeypatch.setenv("DANLU_LEASE_S", LEASE_S)
    port = str(free_port())
    options = ("--cluster", "--messages-port", port, "--advertise", "127.0.0.1", "--simulate", "2")
    server = LiveServer(tmp_path / "master", *options, entry=ENTRY)
    try:
        yield server.start()
    finally:
        # Also what goes on without the server: its messages, and this machine's agent.
        server.cli("down", "--stop-jobs", check=False)
        server.wait_dead()
        wait_until(lambda: not server.keeper_pids(), 20, "the keeper's leaving")


@contextlib.contextmanager
def joined(master: LiveServer, command: str, data: Path) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Does what the page says, on another node; what is yielded starts its agent once more."""
    assert command.startswith("danlu join ")
    running: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> subprocess.Popen[bytes]:
        with (data.parent / "join.out").open("ab") as out:
            join = [sys.executable, "-m", "danlu.main", "join", *words]
            own = ["--data", str(data), "--simulate", "2"]
            running.append(subprocess.Popen([*join, *own], stdout=out, stderr=out, cwd=REPOSITORY))
        return running[-1]

    start(*shlex.split(command)[2:], "--name", "second")
    try:
        yield start
    finally:
        try:
            # A keeper stays for as long as it has a task, and who failed half-way has left it one.
            if running[-1].poll() is not None:
                start()
            end_jobs(master)
        finally:
            for each in running:
                each.terminate()
                each.wait(20)
        wait_until(lambda: not LiveServer(data).keeper_pids(), 20, "the keeper's leaving")


def test_a_machine_joins_by_the_command_of_the_page_is_lost_and_comes_back(
    person: Enter, master: LiveServer, tmp_path: Path
) -> None:
    user = person(server=master)
    page = user.sign_in("/nodes")
    page.get_by_role("button", name="Add a node").click()
    dialog = page.get_by_role("dialog")
    check_accessibility(page)
    dialog.get_by_role("button", name="Create the command").click()
    command = dialog.locator("pre")
    expect(command).to_have_text(re.compile(r"^danlu join 127\.0\.0\.1:\d+ --token \S+$"))
    check_accessibility(page)
    with joined(master, command.inner_text(), tmp_path / "second") as start:
        dialog.get_by_role("button", name="Close").click()
        expect(row(page, "second").locator(".mark").first).to_have_text("up")

        job = master.submit("echo begun; sleep 300", nodes="2", name="wide", grace_s=0)
        master.wait_state(job, "running")
        user.go(f"/jobs/{job}")
        log = page.get_by_role("region", name="Log text")
        page.get_by_role("link", name="Log of rank 1").click()
        expect(log.locator(".log-row")).to_have_text(["begun"])

        ranks = page.get_by_role("region", name="Ranks", exact=True)
        expect(ranks.locator(".mark")).to_have_text(["running"] * 2)
        agent = int((tmp_path / "second" / "agent.lock").read_text().split()[0])
        os.kill(agent, 9)
        expect(page.locator(".job-title .mark")).to_have_text("unreachable")
        expect(page.get_by_text("Its node second cannot be reached.")).to_be_visible()
        expect(ranks.locator(".mark").filter(has_text="unreachable")).to_have_count(1)
        check_accessibility(page)
        user.go("/jobs?area=running")
        expect(page.locator(f'[data-ref="{job}"]')).to_contain_text(re.compile("unreachable.*since"))
        user.go("/nodes/second")
        expect(page.get_by_role("alert")).to_contain_text("danlu nodes declare-dead second")
        check_accessibility(page)

        start()
        expect(page.get_by_role("alert")).to_have_count(0)
        user.go(f"/jobs/{job}")
        expect(page.locator(".job-title .mark")).to_have_text("running")
        master.http.post(f"/jobs/{job}/cancel")
        master.wait_ended(job)
