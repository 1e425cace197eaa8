"""What the form of a job asks over HTTP: the check, folders, environments, examples, and who may not ask."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.installation import LiveServer, live_server
from tests.support.people import make_member

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def shelf() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="danlu-shelf-") as name:
        shelf = Path(name)
        shelf.chmod(0o755)
        (shelf / "project").mkdir()
        (shelf / "private" / "diary").mkdir(parents=True)
        (shelf / "private").chmod(0o700)
        yield shelf


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, shelf: Path) -> Iterator[LiveServer]:
    data = tmp_path_factory.mktemp("forms") / "danlu"
    with live_server(data, "--simulate", "2x4", "--folders", str(shelf)) as running:
        yield running


@pytest.fixture(scope="module")
def ada(server: LiveServer) -> httpx.Client:
    return make_member(server, "ada")


@pytest.fixture(scope="module")
def theirs(server: LiveServer) -> int:
    """A job of another user, with things in it that are its owner's alone."""
    return server.submit("secret-command", hold=True, variables={"KEY": "secret-value"})


def check(client: httpx.Client, language: str = "en", job: int | None = None, **fields: object) -> dict:
    body = {"fields": fields} if job is None else {"fields": fields, "job": str(job)}
    reply = client.post("/jobs/check", json=body, headers={"Accept-Language": language})
    assert reply.status_code == 200, reply.text
    return reply.json()


class TestCheck:
    def test_it_says_where_the_job_would_start(self, server):
        told = check(server.http, command="python train.py", gpus=2, directory="/tmp")
        assert told == {
            "ok": True,
            "problems": [],
            "command_line": "danlu submit --name train.py --dir /tmp --gpus 2 -- python train.py",
            "starts": "now",
            "node": "sim1",
            "gpu_ids": [0, 1],
            "message": "It would start now on sim1, GPU 0, 1.",
            "auto": "",
            "why": [],
            "ahead": 0,
            "warnings": [],
        }
        assert "sim1 的 GPU 0, 1" in check(server.http, "zh", command="true", gpus=2)["message"]

    def test_it_says_why_the_job_would_wait(self, server):
        server.http.patch("/scheduling", json={"paused": True})
        try:
            told = check(server.http, command="true")
        finally:
            server.http.patch("/scheduling", json={"paused": False})
        assert (told["ok"], told["starts"], told["node"]) == (True, "later", None)
        assert [why["code"] for why in told["why"]] == ["scheduling_paused"]
        assert told["message"] == "It would wait. An administrator has paused scheduling."

    def test_hold_and_arrays_have_words_of_their_own(self, server):
        held = check(server.http, command="true", hold=True)
        assert (held["starts"], held["message"]) == (
            "held",
            "It would be on hold until a user releases it.",
        )
        array = check(server.http, command="true", array="0-9%2", gpus=1)
        assert array["message"] == "2 of its 10 elements would start now, the first on sim1, GPU 0."

    def test_a_value_that_is_none_is_part_of_the_answer(self, server):
        told = check(server.http, "zh", command="x", gpus=-1, colour="red")
        assert (told["ok"], told["starts"]) == (False, None)
        assert [(each["code"], each["field"]) for each in told["problems"]] == [
            ("invalid_value", "gpus"),
            ("unknown_field", "colour"),
        ]
        assert told["problems"][0]["message"] == "gpus：至少为 0"

    def test_mail_is_refused_in_plain_words(self, server):
        (problem,) = check(server.http, command="x", mail=["a@b"])["problems"]
        assert (problem["code"], problem["field"]) == ("mail_not_sent", "mail")
        assert problem["message"] == "Mail about jobs is not available yet: nothing would be sent."
        edited = server.http.patch("/me/defaults", json={"set": {"mail": ["a@b"]}})
        assert (edited.status_code, edited.json()["code"]) == (422, "mail_not_sent")

    def test_a_request_that_makes_no_sense_is_still_an_error(self, server):
        for body in ({"job": "x"}, {"job": "12[3"}, {"what": 1}, {"clear": ["nonsense"], "job": "1"}, []):
            reply = server.http.post("/jobs/check", json=body)
            assert reply.status_code in (404, 422), (body, reply.text)

    def test_all_problems_come_with_their_words_and_remedies(self, server):
        told = check(server.http, gpus=99, after=[4_000_000])
        assert [each["code"] for each in told["problems"]] == [
            "no_command",
            "no_such_predecessor",
            "no_such_hardware",
        ]
        assert all(each["message"] and each["hint"] for each in told["problems"])

    @pytest.mark.parametrize(
        ("language", "hint"),
        [
            ("en", "Use either share or no_sharing."),
            ("en-x-cli", "Use either --share or --no-sharing."),
            ("en-x-page", 'Use either "Share a GPU" or "Exclusive GPU".'),
            ("zh-x-page", "“共享 GPU”与“不与他人共享”请只选其一。"),
        ],
    )
    def test_a_problem_names_fields_as_its_reader_knows_them(self, server, language: str, hint: str):
        told = check(server.http, language, command="true", gpus=1, share=True, no_sharing=True)
        assert [each["hint"] for each in told["problems"]] == [hint]
        told = check(server.http, language, command="true", cpus=-1)
        named = (
            "“CPU”：" if language.startswith("zh") else '"CPUs": ' if language == "en-x-page" else "cpus: "
        )
        assert told["problems"][0]["message"].startswith(named)
        assert (told["command_line"], told["node"]) == ("", None)

    def test_an_edit_starts_from_the_job_itself(self, server, theirs):
        told = check(server.http, job=theirs, gpus=1)
        assert told["starts"] == "held"
        assert "secret-command" in told["command_line"]
        assert "KEY=secret-value" in told["command_line"]
        assert server.job(theirs)["fields"]["gpus"] == 0


class TestWhoMayNot:
    @pytest.mark.parametrize(
        ("method", "path"),
        [
            ("POST", "/jobs/check"),
            ("GET", "/jobs/1/command"),
            ("GET", "/folders"),
            ("GET", "/environments"),
            ("GET", "/examples"),
            ("POST", "/examples/cpu/start"),
        ],
    )
    def test_strangers_are_told_nothing(self, server, method, path):
        # Not even that a field is wrong: who one is comes first.
        body = {"fields": {"gpus": -1}} if method == "POST" else None
        reply = server.client().request(method, path, json=body)
        assert (reply.status_code, reply.json()["code"]) == (401, "not_signed_in")

    def test_members_see_nothing_of_others_jobs(self, server, ada, theirs):
        for reply in (
            ada.get(f"/jobs/{theirs}/command"),
            ada.post("/jobs/check", json={"fields": {}, "job": str(theirs)}),
            ada.post(
                "/jobs/check", json={"fields": {"command": "x"}, "job": str(theirs), "clear": ["array"]}
            ),
        ):
            assert (reply.status_code, reply.json()["code"]) == (403, "not_yours")
            assert "secret" not in reply.text
        after = check(ada, command="x", after=[theirs])
        assert after["why"][0]["code"] == "predecessors_running"
        assert "secret" not in str(after)

    def test_viewers_fill_in_no_forms(self, server):
        viewer = make_member(server, "vi", "viewer")
        for reply in (
            viewer.post("/jobs/check", json={"fields": {"command": "x"}}),
            viewer.get("/folders"),
            viewer.get("/environments"),
            viewer.post("/examples/cpu/start"),
        ):
            assert (reply.status_code, reply.json()["code"]) == (403, "viewers_only_look")
        assert viewer.get("/examples").status_code == 200


class TestFolders:
    def test_one_begins_at_home_and_in_the_folders_of_the_house(self, server, shelf):
        page = server.http.get("/folders").json()
        assert page["folders"] == [{"name": path, "path": path} for path in (str(Path.home()), str(shelf))]
        inside = server.http.get("/folders", params={"path": str(shelf)}).json()
        assert [each["name"] for each in inside["folders"]] == ["private", "project"]
        assert (inside["parent"], inside["problem"]) == (None, None)

    def test_what_is_wrong_is_said_in_words(self, server):
        reply = server.http.get("/folders", params={"path": "/proc"}, headers={"Accept-Language": "zh"})
        assert (reply.status_code, reply.json()["folders"]) == (200, [])
        assert reply.json()["problem"] == "/proc 不在您可以浏览的文件夹之内。"

    @pytest.mark.skipif(os.geteuid() != 0, reason="only a server that is root has accounts for its members")
    def test_a_member_looks_with_the_eyes_of_their_account(self, ada, shelf):
        assert [each["path"] for each in ada.get("/folders").json()["folders"]] == [str(shelf)]
        private = ada.get("/folders", params={"path": f"{shelf}/private"}).json()
        assert private["problem"] == f"Your account may not look into {shelf}/private."
        for path in (str(Path.home()), f"{shelf}/../..", "/etc"):
            page = ada.get("/folders", params={"path": path}).json()
            assert "outside" in page["problem"]
            assert page["folders"] == page["files"] == []

    def test_environments_of_the_installation_are_everybodys(self, server, ada):
        prefix = server.data / "envs" / "torch"
        prefix.mkdir()
        prefix.chmod(0o755)
        (prefix / "pyvenv.cfg").write_text("version = 3.12.1\n")
        (prefix / "pyvenv.cfg").chmod(0o644)
        server.data.parent.chmod(0o755)
        torch = {"name": "torch", "path": str(prefix), "kind": "venv", "python": "3.12.1"}
        assert {**torch, "place": str(prefix.parent)} in server.http.get("/environments").json()


class TestExamples:
    def test_each_is_explained_in_both_languages(self, server):
        english = server.http.get("/examples").json()
        chinese = server.http.get("/examples", headers={"Accept-Language": "zh"}).json()
        keys = [each["key"] for each in english]
        assert {"classifier", "cpu", "shared-gpu", "chain"} <= set(keys)
        assert keys == [each["key"] for each in chinese]
        for ours, theirs in zip(english, chinese, strict=True):
            assert ours["title"] != theirs["title"]
            assert ours["text"] != theirs["text"]
            assert ours["text"].count(". ") == 1
        assert english[3]["steps"][1]["after_ok"] == [1]

    def test_defaults_do_not_spoil_them(self, server):
        member = make_member(server, "dee")
        member.patch("/me/defaults", json={"set": {"environment": "no-such-environment", "gpus": 4}})
        (job,) = member.post("/examples/cpu/start").json()["ids"]
        fields = server.job(job)["fields"]
        assert (fields["environment"], fields["gpus"], fields["cpus"]) == (None, 0, 2)
        member.post(f"/jobs/{job}/cancel")

    def test_the_same_key_starts_it_once(self, ada):
        key = {"Idempotency-Key": "twice"}
        first = ada.post("/examples/chain/start", headers=key).json()["ids"]
        again = ada.post("/examples/chain/start", headers=key)
        assert (again.status_code, again.json()["ids"]) == (201, first)
        other = ada.post("/examples/cpu/start", headers=key)
        assert (other.status_code, other.json()["code"]) == (409, "key_reused")
        assert ada.get(f"/jobs/{first[1]}").json()["after_ok"] == [first[0]]
        for job in first:
            ada.post(f"/jobs/{job}/cancel")

    def test_one_that_is_not_there_is_said_with_those_that_are(self, server):
        reply = server.http.post("/examples/nonsense/start")
        assert (reply.status_code, reply.json()["code"]) == (404, "no_such_example")
        assert "classifier" in reply.json()["hint"]
