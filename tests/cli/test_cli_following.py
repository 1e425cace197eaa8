"""`danlu logs` and `danlu run`: bytes as they are, reasons while waiting, exit codes, Ctrl-C."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from tests.cli.rows import a_detail, a_job, log_info
from tests.sdk.servers import Answer, RecordingServer, chunk, event, json_answer, problem

BINARY = bytes(range(256)) * 3000
FOLLOW = "GET /jobs/12/log/follow"


def end(state: str = "succeeded", **more: object) -> bytes:
    return event("end", {"state": state, "end_reason": None, "exit_code": None, "signal": None, **more})


def a_log(content: bytes):
    """Answers any read of a log, a piece at a time."""

    def answer(seen):
        size = len(content)
        if "lines" in seen.query:
            offset = len(content) - len(b"".join(content.splitlines(True)[-int(seen.query["lines"]) :]))
        else:
            offset = int(seen.query["offset"])
            offset = max(0, size + offset) if offset < 0 else offset
        data = content[offset : offset + 100_000]
        places = (("X-Log-Offset", offset), ("X-Log-Next", offset + len(data)), ("X-Log-Size", size))
        return Answer(200, data, tuple((name, str(value)) for name, value in places))

    return answer


def output(danlu, *words: str) -> bytes:
    process = danlu.spawn(*words)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, b"")
    return out


def test_a_log_comes_byte_for_byte(danlu, server):
    server.on("GET /jobs/12/log", a_log(BINARY))
    assert output(danlu, "logs", "12") == BINARY
    assert len(server.seen) == -(-len(BINARY) // 100_000)


def test_the_end_of_a_log_and_a_part_of_it(danlu, server):
    server.on("GET /jobs/12/log", a_log(b"one\ntwo\nthree\n"))
    assert danlu("logs", "12", "--tail", "2").out == "two\nthree\n"
    assert danlu("logs", "12", "--offset", "-6", "--stderr", "--attempt", "2").out == "three\n"
    assert server.seen[-1].query["stream"] == "stderr"
    assert server.seen[-1].query["attempt"] == "2"


def test_a_link_from_the_page_prints_the_lines_it_points_to(danlu, server):
    server.on("GET /jobs/12/log", a_log(b"one\ntwo\nthree\nfour\n"))
    said = danlu("logs", "http://127.0.0.1:1/jobs/12?attempt=2&at=4&to=8&stream=stderr")
    assert (said.code, said.out, said.err) == (0, "two\nthree\n", "")
    assert {name: server.seen[-1].query[name] for name in ("attempt", "stream", "offset")} == {
        "attempt": "2",
        "stream": "stderr",
        "offset": "4",
    }
    assert danlu("logs", "/jobs/12?at=14").out == "four\n"
    assert "the link names danlu.lab" in danlu("logs", "https://danlu.lab/x/jobs/12?at=0").err
    gone = danlu("logs", "/jobs/12?at=4000")
    assert (gone.code, gone.out) == (0, "")
    assert "not in this log" in gone.err
    assert danlu("logs", "/jobs/12").out == "one\ntwo\nthree\nfour\n"
    for bad in ("/jobs/abc?at=1", "/jobs/12?at=x", "/jobs/12?at=-1", "/jobs/12?attempt=0"):
        assert danlu("logs", bad).code == 2


def test_following_goes_on_where_the_log_ended_and_through_a_break(danlu, server):
    server.on("GET /jobs/12", a_detail(a_job(state="running")))
    server.on("GET /jobs/12/log", a_log(b"one\ntwo\n"))
    server.on(FOLLOW, [chunk(8, b"three\n")], [chunk(14, b"four\n"), end()])
    said = danlu("logs", "-f", "12", "--tail", "1")
    assert (said.code, said.out) == (0, "two\nthree\nfour\n")
    assert "trying again" in said.err
    assert [seen.query["attempt"] for seen in server.asked(FOLLOW)] == ["1", "1"]


def test_following_a_waiting_job_says_why_and_then_begins(danlu, server):
    waiting = a_detail(message="It is waiting for job 3.")
    server.on("GET /jobs/12", waiting, waiting, a_detail(a_job(state="running")))
    server.on("GET /jobs/12/log", a_log(b""))
    server.on(FOLLOW, [chunk(0, b"hello"), end()])
    assert danlu("logs", "-f", "12") == (0, "hello", "Job 12 is waiting: It is waiting for job 3.\n")


def test_a_rank_that_cannot_be_followed_is_told(danlu, server):
    server.on("GET /jobs/12", a_detail(a_job(state="running")))
    server.on("GET /jobs/12/log", Answer(200, b"", (("X-Log-Ranks", "2"),)))
    refused = problem("no_such_rank", 404, "There is no rank 1.")
    server.on(FOLLOW, lambda seen: refused if seen.query["rank"] == "1" else [chunk(0, b"zero\n"), end()])
    said = danlu("logs", "-f", "12")
    assert (said.code, said.out) == (1, "[0] zero\n")
    assert "There is no rank 1." in said.err


def a_run(server: RecordingServer, *looks: dict[str, object]) -> None:
    """A job 12 that is seen like this, one look after the other."""
    server.on("POST /jobs", {"id": 12}, status=201)
    server.on("GET /jobs/12", *looks)
    server.on("GET /jobs/12/log/info", log_info("stderr"))
    server.on(
        FOLLOW,
        lambda seen: [
            chunk(0, b"out\xff" if seen.query["stream"] == "stdout" else b"err\n"),
            end(),
        ],
    )


ENDS = [
    ({"state": "succeeded"}, 0),
    ({"state": "failed"}, 3),
    ({"state": "failed", "end_reason": "signal", "exit_code": None, "signal": 9}, 137),
    ({"state": "failed", "end_reason": "directory_missing", "exit_code": None}, 125),
    ({"state": "cancelled", "signal": 15}, 125),
]


@pytest.mark.parametrize(("job", "code"), ENDS)
def test_a_run_ends_as_its_job_ends(danlu, server, job, code):
    ended = a_detail(a_job(**job), message="How it ended.")
    a_run(server, a_detail(message="It is next."), a_detail(a_job(state="running")), ended)
    process = danlu.spawn("run", "-g", "1", "--", "python", "train.py")
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (code, b"out\xff")
    assert b"Job 12 is submitted.\nJob 12 is waiting: It is next.\nerr\n" in err
    assert (b"How it ended." in err) is (code != 0)


def test_a_job_cancelled_before_it_started_ends_the_run(danlu, server):
    job = a_job(state="cancelled", attempt=0, exit_code=None)
    a_run(server, a_detail(job, message="It was cancelled."))
    said = danlu("run", "--", "true")
    assert (said.code, said.out) == (125, "")
    assert "It was cancelled." in said.err


@pytest.mark.parametrize(
    ("refusal", "code"),
    [
        pytest.param(problem("not_signed_in", 401), 125, id="not-signed-in"),
        pytest.param(problem("stopping", 503), 125, id="stopping"),
        pytest.param(problem("impossible", 422, field="gpus"), 2, id="impossible-ask"),
    ],
)
def test_an_end_that_is_not_the_jobs_has_its_own_exit_code(danlu, server, refusal, code):
    server.on("POST /jobs", refusal)
    assert danlu("run", "--", "true").code == code
    a_run(server, a_detail(a_job(state="running")))
    server.on(FOLLOW, problem("no_such_job", 404))
    assert danlu("run", "--", "true").code == 125


def test_without_a_server_a_run_does_not_end_as_a_job_would(alone):
    assert alone("run", "--", "true").code == 125
    assert alone("ps").code == 1


def test_a_run_outlives_a_restart_of_its_server(danlu, server):
    """The new server knows only the token that it writes a moment after it begins to answer."""
    folder = Path(danlu.environment["DANLU_DATA"])
    ended = a_detail(a_job(state="succeeded"))
    token = ["local"]

    def with_token(answer):
        def check(seen):
            known = seen.headers["authorization"] == f"Bearer {token[0]}"
            said = answer if known else problem("not_signed_in", 401)
            return said if isinstance(said, Answer | list) else json_answer(said)

        return check

    def restart(_):
        token[0] = "fresh"
        threading.Timer(0.3, (folder / "local-token").write_text, ["fresh\n"]).start()
        return [chunk(0, b"before ")]

    a_run(server)
    server.on("GET /jobs/12", with_token(a_detail(a_job(state="running"))), with_token(ended))
    server.on("GET /jobs/12/log/info", log_info("stderr", merged=True))
    server.on(FOLLOW, restart, with_token([]), with_token([chunk(7, b"after"), end()]))
    said = danlu("run", "--", "true")
    assert (said.code, said.out) == (0, "before after")


def test_a_retry_is_followed_too(danlu, server):
    again = a_detail(a_job(attempt=1), message="It failed; the next one starts in 1s.")
    second = a_detail(a_job(state="running", attempt=2))
    last = a_detail(a_job(state="succeeded", attempt=2))
    a_run(server, a_detail(a_job(state="running")), again, again, second, last)
    server.on("GET /jobs/12/log/info", log_info("stderr", merged=True))
    server.on(FOLLOW, lambda seen: [chunk(0, seen.query["attempt"].encode()), end()])
    said = danlu("run", "--", "true")
    assert (said.code, said.out) == (0, "12")
    assert "attempt 2 follows" in said.err
    assert "starts in 1s" in said.err


class Hanging:
    """A stream that says one thing and then nothing more until it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def __call__(self, seen):
        def pieces():
            yield chunk(0, b"begin\n")
            self.go.wait(10)
            yield end()

        return pieces()


@pytest.fixture
def hanging(danlu, server):
    """A job that prints a line and then runs until it is let go; standard error is merged."""
    stream = Hanging()
    a_run(server, a_detail(a_job(state="running")))
    server.on("GET /jobs/12/log/info", log_info("stderr", merged=True))
    server.on(FOLLOW, stream)
    yield stream
    stream.go.set()


def test_ctrl_c_without_a_terminal_leaves_the_job_running(danlu, server, hanging):
    process = danlu.spawn("run", "--", "sleep", "9")
    assert process.stdout is not None
    assert process.stdout.readline() == b"begin\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert b"danlu logs -f 12" in err
    assert server.asked("POST /jobs/12/cancel") == []


class Keyboard:
    """A command on a pseudo terminal, and a user who types."""

    def __init__(self, danlu, *words: str) -> None:
        self._leader, follower = pty.openpty()
        self.process = danlu.spawn(
            *words, stdin=follower, stdout=subprocess.PIPE, stderr=follower, start_new_session=True
        )
        os.close(follower)
        self.shown = b""

    def see(self, text: bytes) -> None:
        deadline = time.monotonic() + 10
        while text not in self.shown:
            assert time.monotonic() < deadline, self.shown
            if select.select([self._leader], [], [], 0.1)[0]:
                self.shown += os.read(self._leader, 4096)
        self.shown = self.shown.partition(text)[2]

    def type(self, text: bytes) -> None:
        os.write(self._leader, text)

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def wait(self) -> int:
        return self.process.wait(10)


@pytest.mark.parametrize("second", [b"d\n", None])
def test_ctrl_c_on_a_terminal_asks_and_detaches(danlu, server, hanging, second):
    keyboard = Keyboard(danlu, "run", "--", "sleep", "9")
    assert keyboard.process.stdout.readline() == b"begin\n"
    keyboard.interrupt()
    keyboard.see(b"[d]etach")
    if second:
        keyboard.type(second)
    else:
        keyboard.interrupt()
    keyboard.see(b"danlu logs -f 12")
    assert keyboard.wait() == 130


def test_ctrl_c_on_a_terminal_cancels_and_stays_to_the_end(danlu, server, hanging):
    def cancel(_):
        cancelled = a_detail(a_job(state="cancelled"), message="It was cancelled.")
        server.on("GET /jobs/12", cancelled)
        hanging.go.set()
        return json_answer(cancelled)

    server.on("POST /jobs/12/cancel", cancel)
    keyboard = Keyboard(danlu, "run", "--", "sleep", "9")
    assert keyboard.process.stdout.readline() == b"begin\n"
    keyboard.interrupt()
    keyboard.see(b"[c]ancel")
    keyboard.type(b"c\n")
    keyboard.see(b"It was cancelled.")
    assert keyboard.wait() == 125
    assert keyboard.process.stdout.read() == b""


def test_ctrl_c_and_enter_goes_on_without_repeating(danlu, server, hanging):
    keyboard = Keyboard(danlu, "run", "--", "sleep", "9")
    assert keyboard.process.stdout.readline() == b"begin\n"
    keyboard.interrupt()
    keyboard.see(b"Enter")
    server.on("GET /jobs/12", a_detail(a_job(state="running")), a_detail(a_job(state="succeeded")))
    server.on(FOLLOW, [chunk(6, b"more\n"), end()])
    keyboard.type(b"\n")
    assert keyboard.process.stdout.read() == b"more\n"
    assert keyboard.wait() == 0


def test_a_reader_that_goes_away_is_no_accident(danlu, server):
    server.on("GET /jobs/12/log", a_log(BINARY * 20))
    process = danlu.spawn("logs", "12")
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.wait(10) == 141
    assert process.stderr is not None
    assert process.stderr.read() == b""


def test_ctrl_c_while_following_is_130(danlu, server, hanging):
    server.on("GET /jobs/12/log", a_log(b""))
    process = danlu.spawn("logs", "-f", "12")
    assert process.stdout is not None
    assert process.stdout.readline() == b"begin\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 130
    assert b"Traceback" not in err
