"""The server's own log in memory: what it keeps, what it gives back, and that no secret gets into it."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from danlu.control.system import server_log as room
from danlu.control.system.scrubbing import scrub
from danlu.control.system.server_log import FORMAT, LogEntry, ScrubbedFormatter, ServerLog, Wanted

log = logging.getLogger("danlu.test")


@pytest.fixture
def heard() -> Iterator[ServerLog]:
    handler = ServerLog()
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield handler
    root.removeHandler(handler)
    root.setLevel(level)


def texts(heard: ServerLog, **wanted: object) -> list[str]:
    asked = Wanted(**{"level": "debug", **wanted})  # type: ignore[arg-type]
    return [entry.told(with_trace=asked.with_trace) for entry in heard.page(asked, None, 10_000)[0]]


class TestEntries:
    def test_levels_sources_and_growing_ids(self, heard: ServerLog) -> None:
        log.debug("a")
        log.info("b %d", 7)
        log.warning("c")
        log.critical("d")
        logging.getLogger("uvicorn.error").info("e")
        entries, more = heard.page(Wanted("debug"), None, 100)
        told = [(entry.level, entry.source, entry.text) for entry in entries]
        assert told == [
            ("debug", "danlu.test", "a"),
            ("info", "danlu.test", "b 7"),
            ("warning", "danlu.test", "c"),
            ("error", "danlu.test", "d"),
            ("info", "uvicorn.error", "e"),
        ]
        ids = [entry.id for entry in entries]
        assert ids == sorted(set(ids))
        assert not more
        assert max(ids) < 2**53

    def test_of_libraries_only_what_they_warn_of(self, heard: ServerLog) -> None:
        logging.getLogger("alembic.runtime").info("chatter")
        logging.getLogger("alembic.runtime").warning("look out")
        assert texts(heard) == ["look out"]

    def test_by_level_and_by_text(self, heard: ServerLog) -> None:
        log.info("Job 12 began")
        log.error("job 12 broke")
        log.error("job 13 broke")
        assert texts(heard, level="warning") == ["job 12 broke", "job 13 broke"]
        assert texts(heard, text="JOB 12") == ["Job 12 began", "job 12 broke"]
        assert texts(heard, text="danlu.TEST", level="error") == ["job 12 broke", "job 13 broke"]

    def test_pages_go_back_to_the_beginning(self, heard: ServerLog) -> None:
        for number in range(10):
            log.info("entry %d", number)
        found: list[str] = []
        before = None
        while True:
            page, more = heard.page(Wanted(), before, 3)
            found = [entry.text for entry in page] + found
            if not more:
                break
            before = page[0].id
        assert found == [f"entry {number}" for number in range(10)]

    def test_it_keeps_a_bounded_number_and_a_bounded_size(
        self, heard: ServerLog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(room, "MOST_ENTRIES", 5)
        for number in range(20):
            log.info("entry %d", number)
        assert texts(heard) == [f"entry {number}" for number in range(15, 20)]
        monkeypatch.setattr(room, "MOST_CHARACTERS", 100)
        log.info("x" * 90)
        assert texts(heard) == [*(f"entry {number}" for number in (19,)), "x" * 90]
        log.info("y" * 10_000)
        assert len(texts(heard)[-1] if texts(heard) else "") <= room.LONGEST_TEXT

    def test_a_trace_is_for_those_who_may_see_it(self, heard: ServerLog) -> None:
        try:
            raise ValueError("of job 7: /home/bo/private")
        except ValueError:
            log.exception("it broke")
        assert texts(heard) == ["it broke"]
        (whole,) = texts(heard, with_trace=True)
        assert whole.startswith("it broke\nTraceback")
        assert whole.endswith("ValueError: of job 7: /home/bo/private")
        assert texts(heard, text="private") == []
        assert len(texts(heard, text="private", with_trace=True)) == 1

    def test_a_message_is_one_line_whatever_somebody_sent(self, heard: ServerLog) -> None:
        log.info("GET %s", "/x\n2025-01-01 00:00:00,000 ERROR danlu.fake all is lost\x1b[31m")
        (text,) = texts(heard)
        assert text == "GET /x\\n2025-01-01 00:00:00,000 ERROR danlu.fake all is lost\\x1b[31m"

    def test_a_broken_message_breaks_nobody(self, heard: ServerLog) -> None:
        logging.raiseExceptions, before = False, logging.raiseExceptions
        log.info("%d", "no number")
        logging.raiseExceptions = before
        log.info("fine")
        assert texts(heard) == ["fine"]


class TestFollowing:
    async def test_an_entry_of_any_thread_wakes_who_waits(self, heard: ServerLog) -> None:
        log.info("before")
        seen = heard.last_id
        news = asyncio.Event()
        with heard.wake(news):
            threading.Thread(target=lambda: log.info("from another thread")).start()
            async with asyncio.timeout(10):
                await news.wait()
            assert [entry.text for entry in heard.after(seen)] == ["from another thread"]
        news.clear()
        log.info("nobody waits")
        await asyncio.sleep(0)
        assert not news.is_set()


class TestTheFile:
    def file_of(self, path: Path) -> logging.Handler:
        handler = logging.FileHandler(path)
        handler.setFormatter(ScrubbedFormatter(FORMAT))
        return handler

    def test_what_the_file_has_is_recalled_with_the_same_ids(self, heard: ServerLog, tmp_path: Path) -> None:
        path = tmp_path / "server.log"
        handler = self.file_of(path)
        logging.getLogger().addHandler(handler)
        log.info("one\ntwo")
        logging.getLogger("alembic").info("chatter")
        try:
            raise ValueError("deep")
        except ValueError:
            log.exception("it broke")
        for number in range(3):
            log.warning("entry %d", number)
        logging.getLogger().removeHandler(handler)
        handler.close()
        again = ServerLog()
        again.recall(path)
        assert shown(again) == shown(heard)
        heard.recall(path)
        assert shown(again) == shown(heard), "what was heard and is in the file is there once"

    def test_a_file_that_is_missing_or_nonsense_is_no_trouble(self, tmp_path: Path) -> None:
        quiet = ServerLog()
        quiet.recall(tmp_path / "none.log")
        (tmp_path / "odd.log").write_bytes(b"\xff\xfe\n9999-99-99 99:99:99,999 INFO danlu.x y\nno entry\n")
        quiet.recall(tmp_path / "odd.log")
        assert shown(quiet) == []


def shown(heard: ServerLog) -> list[LogEntry]:
    entries = heard.page(Wanted("debug", with_trace=True), None, 10_000)[0]
    return [LogEntry(e.id, int(e.at), e.level, e.source, e.text, e.trace.strip()) for e in entries]


PASSWORD = "correct horse battery"
TOKEN = "danlu_" + secrets.token_urlsafe(32)
LOCAL = "danlu_local_" + secrets.token_urlsafe(32)
# As chance makes nearly all of them; what must not depend on chance is not left to it.
SESSION = "aB3" + secrets.token_urlsafe(30)
CODE = "aB3" + secrets.token_urlsafe(22)[:29]
HASH = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
LEAKS = [
    (TOKEN, f"called with {TOKEN}"),
    (LOCAL, f"wrote {LOCAL} to the file"),
    (TOKEN, f"Authorization: Bearer {TOKEN}"),
    (SESSION, f"(b'authorization', b'Bearer {SESSION}')"),
    ("dXNlcjpwdw==", "authorization: Basic dXNlcjpwdw=="),
    (SESSION, f"cookie: theme=dark; danlu_session={SESSION}; other=1"),
    (SESSION, f"danlu_session={SESSION}"),
    (SESSION, f"x-csrf-token: {SESSION}"),
    (SESSION, f"session {SESSION} ended"),
    (CODE, f"http://127.0.0.1:8000/#login={CODE}"),
    (CODE, f"LinkLogin(code='{CODE}')"),
    (PASSWORD, f'{{"name": "li", "password": "{PASSWORD}"}}'),
    (PASSWORD, f"LoginRequest(name='li', password='{PASSWORD}')"),
    ("hunter2", "password=hunter2 host=db"),
    ("hunter2", "PGPASSWORD=hunter2 danlu up"),
    ("hunter2", "could not connect to postgresql://danlu:hunter2@db.example/danlu"),
    ("p@ss/w:rd", "postgresql+psycopg://danlu:p@ss/w:rd@db:5432/danlu?sslmode=require"),
    (HASH.rpartition("$")[2], f"stored {HASH}"),
    (HASH.rpartition("$")[2], f"[parameters: ('li', '{HASH}')]"),
    ("MIIEvQIBADANBg", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----"),
    ("abc123secret", "secret: abc123secret"),
    ("abc123secret", "AWS_SECRET=abc123secret"),
]


@pytest.mark.parametrize(("secret", "message"), LEAKS, ids=range(len(LEAKS)))
def test_no_secret_gets_through(heard: ServerLog, tmp_path: Path, secret: str, message: str) -> None:
    path = tmp_path / "server.log"
    handler = logging.FileHandler(path)
    handler.setFormatter(ScrubbedFormatter(FORMAT))
    logging.getLogger().addHandler(handler)
    log.warning(message)
    log.warning("with an argument: %s", message)
    try:
        raise RuntimeError(message)
    except RuntimeError:
        log.exception("a bug")
    logging.getLogger().removeHandler(handler)
    handler.close()
    told = "\n".join(texts(heard, with_trace=True))
    assert "with an argument" in told
    assert secret not in told
    assert secret not in path.read_text()


@pytest.mark.parametrize(
    "message",
    [
        "job 12[3] ends: exit code 1",
        "could not send task 12-1-0 to node forge",
        "bug 0a1b2c3d in GET /api/v1/jobs/12/log/search",
        "the certificate ends on 2027-01-01",
        "call 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 is gone",
        "GPU-5e1a2b3c-1111-2222-3333-444455556666: lost",
        "a login with a wrong password from 10.0.0.7",
        "resnet50-imagenet-augmented-long-run-of-the-lab began",
        "http://127.0.0.1:8000/api/v1/jobs",
    ],
)
def test_what_is_no_secret_stays_readable(message: str) -> None:
    assert scrub(message) == message
