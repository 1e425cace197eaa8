"""`danlu notices`: what is asked, what is said, and to whom it is said unasked."""

from __future__ import annotations

import sys
import time

from tests.cli.rows import a_page
from tests.sdk.servers import problem

ROW = {
    "id": 3,
    "level": "warning",
    "text_en": "Be **careful**.",
    "text_zh": "小心。",
    "begins_at": 1.0,
    "ends_at": None,
}
POSTED = {**ROW, "roles": ["admin"], "public": False, "created_by": "ann", "created_at": 1.0}


def shown(*rows: dict) -> dict:
    return {"notices": list(rows), "changes_in_s": None}


def test_notices_are_read_in_the_language_of_the_terminal(danlu, server):
    server.on("GET /notices", shown(ROW), shown({**ROW, "text_en": ""}), shown(ROW), shown())
    assert "Be **careful**." in danlu("notices", "list").out
    assert "小心。" in danlu("notices", "list").out, "there is no text in English"
    assert "小心。" in danlu("notices", "list", lang="zh_CN.UTF-8").out
    assert "no notices" in danlu("notices", "list").err


def test_a_notice_is_posted_with_what_was_said(danlu, server):
    server.on("POST /notices", {**POSTED, "begins_at": time.time() + 60})
    words = ("Be careful.", "--zh", "小心。", "--level", "urgent", "--for", "mentor,admin", "--from", "1h")
    before = time.time()
    said = danlu("notices", "add", *words, "--until", "2030-01-02 03:04")
    assert "will be shown" in said.out
    body = server.seen[0].json
    assert before + 3600 <= body.pop("begins_at") <= time.time() + 3600
    end = time.mktime((2030, 1, 2, 3, 4, 0, 0, 0, -1))
    assert body == {
        **{"text_en": "Be careful.", "text_zh": "小心。", "level": "urgent"},
        **{"roles": ["mentor", "admin"], "ends_at": end, "public": False},
    }


def test_an_edit_keeps_what_was_not_said(danlu, server):
    server.on("GET /notices/all", [{**POSTED, "ends_at": 99.0}])
    server.on("PUT /notices/3", POSTED)
    assert danlu("notices", "edit", "3", "--until", "never", "--for", "all").code == 0
    body = server.seen[-1].json
    assert (body["text_en"], body["level"], body["begins_at"]) == ("Be **careful**.", "warning", 1.0)
    assert not body.get("roles")
    assert body.get("ends_at") is None
    said = danlu("notices", "edit", "4", "--level", "info")
    assert (said.code, "danlu notices list --all" in said.err) == (1, True)


def test_all_are_listed_with_their_state_and_audience(danlu, server):
    server.on("GET /notices/all", [POSTED, {**POSTED, "id": 2, "ends_at": 2.0, "roles": [], "public": True}])
    lines = danlu("notices", "list", "--all").out.splitlines()
    assert "shown" in lines[1]
    assert "administrator" in lines[1]
    assert "over" in lines[2]
    assert "all, sign-in page" in lines[2]


def test_a_mistyped_time_or_role_is_refused_with_a_remedy(danlu, server):
    for words in (("--from", "tomorrow"), ("--until", "2030-13-01"), ("--for", "menber")):
        said = danlu("notices", "add", "text", *words)
        assert (said.code, server.seen) == (2, [])
        assert len(said.err.splitlines()) > 1


def test_who_sits_at_a_terminal_is_told_after_ps(danlu, server, monkeypatch):
    server.on("GET /jobs", a_page())
    server.on("GET /notices", shown({**ROW, "text_en": "Be careful.\x1b[2J"}))
    assert "careful" not in danlu("ps").err, "a script reads no notices"
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    said = danlu("ps")
    assert "Warning (danlu notices dismiss 3 hides it)" in said.err
    assert "  Be careful.\ufffd[2J" in said.err
    assert "careful" not in danlu("ps", "--json").err


def test_a_server_that_knows_no_notices_is_no_error(danlu, server, monkeypatch):
    server.on("GET /jobs", a_page())
    server.on("GET /notices", problem("not_found", 404))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert danlu("ps").code == 0
