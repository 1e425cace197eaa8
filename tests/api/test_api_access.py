"""Who may come in, how, and what is theirs."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator

import httpx
import pytest

from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import UNIX_ACCOUNT, make_member

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("access") / "danlu", "--simulate", "4") as running:
        yield running


@pytest.fixture
def server(shared: LiveServer) -> Iterator[LiveServer]:
    """One server for all of these; each test brings people of its own."""
    yield shared
    shared.http.patch("/scheduling", json={"paused": False})


@pytest.fixture
def ada(server: LiveServer) -> httpx.Client:
    return make_member(server, new_name("ada"))


@pytest.fixture
def bo(server: LiveServer) -> httpx.Client:
    return make_member(server, new_name("bo"))


def new_name(name: str) -> str:
    return f"{name}{next(NUMBERS)}"


def name_of(client: httpx.Client) -> str:
    return client.get("/me").json()["name"]


NUMBERS = itertools.count(1)


def code_of_link(server: LiveServer) -> str:
    return server.http.post("/me/link").json()["url"].partition("#login=")[2]


class TestTheOneTimeLink:
    def test_the_printed_link_opens_a_session_once(self, server):
        code = server.output().partition("#login=")[2].split()[0]
        browser = server.client()
        me = browser.post("/auth/link", json={"code": code}).json()
        assert me["role"] == "admin"
        assert browser.get("/jobs").status_code == 200
        again = server.client().post("/auth/link", json={"code": code})
        assert (again.status_code, again.json()["code"]) == (401, "link_used")

    def test_the_code_is_in_no_log(self, server):
        code = code_of_link(server)
        server.client().post("/auth/link", json={"code": code})
        assert code not in server.log()
        assert server.token not in server.log()

    def test_the_cookie_is_hidden_from_scripts_and_other_sites(self, server):
        reply = server.client().post("/auth/link", json={"code": code_of_link(server)})
        cookie = reply.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie


class TestSessions:
    def test_a_change_needs_the_csrf_token_and_a_look_does_not(self, server):
        browser = server.client()
        csrf = browser.post("/auth/link", json={"code": code_of_link(server)}).json()["csrf_token"]
        assert browser.get("/nodes").status_code == 200
        jobs = server.http.get("/jobs").json()["jobs"]
        refused = browser.post("/jobs", json={"command": "true"})
        assert (refused.status_code, refused.json()["code"]) == (403, "csrf")
        wrong = browser.post("/jobs", json={"command": "true"}, headers={"X-CSRF-Token": "x" * 43})
        assert wrong.status_code == 403
        assert server.http.get("/jobs").json()["jobs"] == jobs
        taken = browser.post("/jobs", json={"command": "true"}, headers={"X-CSRF-Token": csrf})
        assert taken.status_code == 201

    def test_logging_out_ends_it(self, server):
        browser = server.client()
        csrf = browser.post("/auth/link", json={"code": code_of_link(server)}).json()["csrf_token"]
        secret = browser.cookies["danlu_session"]
        assert browser.post("/auth/logout", headers={"X-CSRF-Token": csrf}).status_code == 204
        stolen = httpx.get(f"{server.url}/api/v1/me", cookies={"danlu_session": secret})
        assert stolen.status_code == 401

    def test_a_session_survives_a_restart(self, server):
        browser = server.client()
        browser.post("/auth/link", json={"code": code_of_link(server)})
        secret = browser.cookies["danlu_session"]
        server.kill()
        server.start()
        assert httpx.get(f"{server.url}/api/v1/me", cookies={"danlu_session": secret}).status_code == 200


class TestPasswords:
    def test_guessing_is_slowed_down(self, server):
        name = new_name("cy")
        make_member(server, name)
        guess = {"name": name, "password": "wrong"}
        codes = [server.client().post("/auth/token", json=guess).status_code for _ in range(7)]
        assert codes[:5] == [401] * 5
        assert 429 in codes[5:]
        refused = server.client().post("/auth/token", json={"name": name, "password": "second secret"})
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) >= 1

    def test_an_unknown_name_looks_like_a_wrong_password(self, server):
        refused = server.client().post("/auth/token", json={"name": "nobody-here", "password": "x"})
        assert (refused.status_code, refused.json()["code"]) == (401, "wrong_password")

    def test_passwords_are_argon2id_and_in_no_log(self, server):
        make_member(server, new_name("di"))
        assert b"second secret" not in (server.data / "danlu.db").read_bytes()
        assert "$argon2id$" in (server.data / "danlu.db").read_bytes().decode("latin-1") or any(
            b"$argon2id$" in path.read_bytes() for path in server.data.glob("danlu.db*")
        )
        assert "second secret" not in server.log()

    def test_a_changed_password_ends_the_other_tokens(self, server, ada):
        other = ada.post("/me/tokens", json={"name": "laptop"}).json()["secret"]
        ada.post("/me/password", json={"old": "second secret", "new": "third secret"})
        assert server.client(other).get("/me").status_code == 401
        assert ada.get("/me").status_code == 200

    def test_locking_ends_sessions_and_tokens_at_once(self, server, ada):
        assert ada.get("/me").status_code == 200
        name = name_of(ada)
        server.http.patch(f"/users/{name}", json={"locked": True})
        assert ada.get("/me").status_code == 401
        login = server.client().post("/auth/token", json={"name": name, "password": "second secret"})
        assert (login.status_code, login.json()["code"]) == (403, "account_locked")

    def test_the_last_administrator_stays(self, server):
        me = server.http.get("/me").json()["name"]
        refused = server.http.patch(f"/users/{me}", json={"role": "member"})
        assert (refused.status_code, refused.json()["code"]) == (409, "last_admin")
        assert server.http.get("/me").json()["role"] == "admin"


class TestTokens:
    def test_a_token_is_shown_once_and_can_be_ended(self, server):
        made = server.http.post("/me/tokens", json={"name": "ci"}).json()
        client = server.client(made["secret"])
        assert client.get("/me").status_code == 200
        assert made["secret"] not in server.http.get("/me/tokens").text
        assert server.http.delete(f"/me/tokens/{made['id']}").status_code == 204
        assert client.get("/me").status_code == 401

    def test_a_token_ends_with_its_lifetime(self, server):
        secret = server.http.post("/me/tokens", json={"name": "short", "lifetime_s": 0.2}).json()["secret"]
        time.sleep(0.3)
        assert server.client(secret).get("/me").status_code == 401

    @pytest.mark.parametrize("header", ["", "Bearer", "Basic eDp5", "bearer wrong", "Bearer é"])
    def test_nothing_else_opens_the_door(self, server, header):
        reply = httpx.get(f"{server.url}/api/v1/jobs", headers={"Authorization": header.encode("latin-1")})
        assert (reply.status_code, reply.json()["code"]) == (401, "not_signed_in")

    def test_the_local_token_is_for_its_owner_alone(self, server):
        for name in ("local-token", "server.json", "danlu.db", "server.log"):
            mode = (server.data / name).stat().st_mode & 0o777
            assert mode & 0o077 == 0, f"{name} is {mode:o}"


class TestWhatIsTheirs:
    def test_others_see_the_row_but_not_the_content(self, server, ada, bo):
        fields = {
            "command": "echo private-words; exit 3",
            "directory": "/tmp",
            "name": "public name",
            "variables": {"KEY": "private-key"},
            "description": "private-plan",
        }
        job_id = ada.post("/jobs", json=fields).json()["id"]
        server.wait_ended(job_id)
        seen = bo.get(f"/jobs/{job_id}")
        assert seen.status_code == 200
        assert seen.json()["job"]["name"] == "public name"
        assert not seen.json()["mine"]
        for path in (f"/jobs/{job_id}", f"/jobs/{job_id}/events", f"/jobs/{job_id}/why", "/jobs", "/nodes"):
            text = bo.get(path).text
            assert "private" not in text, path
            assert "/logs/" not in text, path
        for path in ("log", "log/info", "log/follow", "log/download", "log/search?text=a", "command"):
            refused = bo.get(f"/jobs/{job_id}/{path}")
            assert (refused.status_code, refused.json()["code"]) == (403, "not_yours")
        assert b"private-words" in ada.get(f"/jobs/{job_id}/log").content

    def test_others_can_touch_nothing(self, server, ada, bo):
        server.http.patch("/scheduling", json={"paused": True})
        job_id = ada.post("/jobs", json={"command": "true", "directory": "/tmp"}).json()["id"]
        wait_until(lambda: server.job(job_id)["job"]["why"][0]["code"] == "scheduling_paused")
        before = server.job(job_id)
        tries = [
            bo.post(f"/jobs/{job_id}/cancel"),
            bo.post(f"/jobs/{job_id}/hold"),
            bo.post(f"/jobs/{job_id}/release"),
            bo.post(f"/jobs/{job_id}/resubmit"),
            bo.post(f"/jobs/{job_id}/move", json={"position": 1}),
            bo.patch(f"/jobs/{job_id}", json={"set": {"command": "false"}}),
            bo.delete(f"/jobs/{job_id}"),
            bo.patch("/scheduling", json={"paused": False}),
            bo.post("/nodes/sim1/drain"),
            bo.post("/nodes/sim1/gpus/0/drain"),
            bo.get("/users"),
            bo.post("/users", json={"name": "eve", "password": "long enough", "role": "admin"}),
            bo.patch(f"/users/{name_of(bo)}", json={"role": "admin"}),
            bo.post("/server/stop", json={}),
        ]
        assert [reply.status_code for reply in tries] == [403] * len(tries)
        assert server.job(job_id) == before

    def test_a_viewer_only_looks(self, server):
        viewer = make_member(server, new_name("vi"), "viewer")
        assert viewer.get("/jobs").status_code == 200
        assert viewer.post("/jobs", json={"command": "true"}).status_code == 403

    def test_deleting_with_successors_stops_at_somebody_elses_job(self, server, ada, bo):
        server.http.patch("/scheduling", json={"paused": True})
        first = ada.post("/jobs", json={"command": "true", "directory": "/tmp"}).json()["id"]
        second = bo.post("/jobs", json={"command": "true", "directory": "/tmp", "after": [first]}).json()[
            "id"
        ]
        refused = ada.delete(f"/jobs/{first}", params={"with_successors": True})
        assert refused.status_code == 403
        assert server.state(first) == server.state(second) == "waiting"


@pytest.mark.skipif(os.geteuid() != 0, reason="only a server that is root changes accounts")
class TestWhoAJobRunsAs:
    def test_a_member_runs_as_the_mapped_account_and_sees_no_secret_of_the_server(self, server, ada):
        command = "id -un; echo $HOME; env; cat /proc/1/environ; ls /root; echo end"
        job_id = ada.post("/jobs", json={"command": command, "directory": "/tmp"}).json()["id"]
        server.wait_ended(job_id)
        said = ada.get(f"/jobs/{job_id}/log").text
        assert said.splitlines()[0] == UNIX_ACCOUNT
        assert said.rstrip().endswith("end")
        assert server.token not in said
        assert "VIRTUAL_ENV" not in said

    def test_everybody_learns_whom_their_jobs_run_as(self, server, ada):
        assert ada.get("/me").json()["runs_as"] == UNIX_ACCOUNT
        mine = server.http.get("/me").json()
        assert (mine["runs_as"], mine["runs_all_as_one"]) == ("root", False)

    def test_a_member_without_an_account_is_refused_at_submit(self, server):
        ada = make_member(server, new_name("eli"), account=False)
        refused = ada.post("/jobs", json={"command": "true"})
        assert (refused.status_code, refused.json()["code"]) == (422, "no_account")

    def test_nobody_is_mapped_to_root(self, server):
        refused = server.http.post(
            "/users", json={"name": "eve", "password": "long enough", "unix_account": "root"}
        )
        assert (refused.status_code, refused.json()["code"]) == (422, "root_account")

    def test_a_log_swapped_for_a_link_to_a_secret_is_not_read(self, server, ada, tmp_path):
        tmp_path.chmod(0o755)
        folder = tmp_path / "hers"
        folder.mkdir()
        folder.chmod(0o777)
        secret = tmp_path / "secret"
        secret.write_text("root's own words")
        secret.chmod(0o600)
        for parent in (tmp_path, *list(tmp_path.parents)[:3]):
            parent.chmod(parent.stat().st_mode | 0o011)
        fields = {"command": "echo hello", "directory": str(folder), "stdout": "out.txt"}
        job_id = ada.post("/jobs", json=fields).json()["id"]
        server.wait_ended(job_id)
        wait_until(lambda: server.state(job_id) != "running")
        (folder / "out.txt").unlink(missing_ok=True)
        (folder / "out.txt").symlink_to(secret)
        reply = ada.get(f"/jobs/{job_id}/log")
        assert b"own words" not in reply.content
        assert reply.json()["code"] == "log_unreadable"
        (folder / "out.txt").unlink()
        os.link(secret, folder / "out.txt")
        assert b"own words" not in ada.get(f"/jobs/{job_id}/log").content


class TestWhatIsMadeWithATokenThatEnds:
    def test_it_ends_no_later(self, server, ada):
        made = ada.post("/me/tokens", json={"name": "short", "lifetime_s": 3600}).json()
        short = server.client(made["secret"])
        refused = short.post("/me/tokens", json={"name": "long"})
        assert (refused.status_code, refused.json()["field"]) == (403, "lifetime_s")
        assert short.post("/me/tokens", json={"name": "shorter", "lifetime_s": 60}).status_code == 201
        code = short.post("/me/link").json()["url"].partition("#login=")[2]
        browser = server.client()
        me = browser.post("/auth/link", json={"code": code}).json()
        headers = {"X-CSRF-Token": me["csrf_token"]}
        assert browser.post("/me/tokens", json={"name": "detour"}, headers=headers).status_code == 403

    def test_not_even_a_password_or_a_machine(self, server):
        made = server.http.post("/me/tokens", json={"name": "short", "lifetime_s": 3600}).json()
        short = server.client(made["secret"])
        name = short.get("/me").json()["name"]
        for refused in (
            short.post("/me/password", json={"new": "for ever and ever"}),
            short.patch(f"/users/{name}", json={"password": "for ever and ever"}),
        ):
            assert (refused.status_code, refused.json()["code"]) == (403, "password_outlives_token")
        refused = short.post("/join-tokens", json={"lifetime_s": 86_400})
        assert (refused.status_code, refused.json()["code"]) == (403, "outlives_token")
