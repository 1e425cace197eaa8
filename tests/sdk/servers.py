"""Small real HTTP servers for tests, named by what they do."""

from __future__ import annotations

import base64
import json
import os
import signal
import ssl
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    connection: int

    @property
    def json(self) -> Any:
        return json.loads(self.body) if self.body else None


@dataclass(frozen=True)
class Answer:
    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()


Rule = Callable[[Seen], Answer | list[bytes]]
"""What to say to a request; a list of bytes is a stream that breaks off after them."""


def json_answer(value: Any, status: int = 200) -> Answer:
    return Answer(status, json.dumps(value).encode(), (("Content-Type", "application/json"),))


def problem(code: str, status: int, message: str = "No.", field: str | None = None, hint: str = "") -> Answer:
    return json_answer({"code": code, "message": message, "field": field, "hint": hint or None}, status)


def event(kind: str, data: Any, event_id: int | None = None) -> bytes:
    lines = [f"event: {kind}", f"data: {json.dumps(data)}"]
    if event_id is not None:
        lines.insert(0, f"id: {event_id}")
    return ("\n".join(lines) + "\n\n").encode()


def chunk(offset: int, data: bytes) -> bytes:
    end = offset + len(data)
    return event("chunk", {"offset": offset, "next": end, "base64": base64.b64encode(data).decode()}, end)


class RecordingServer:
    """Answers by its rules and remembers every request. Rules are by `METHOD /path` below /api/v1; several
    answers for one are given one after the other, the last one for ever."""

    def __init__(
        self, port: int = 0, tls: ssl.SSLContext | None = None, rules: dict[str, Any] | None = None
    ) -> None:
        """`rules` hold from the first request on."""
        self.seen: list[Seen] = []
        self.drops = 0
        self._scheme = "https" if tls else "http"
        self._rules: dict[str, list[Rule]] = {}
        for call, answer in (rules or {}).items():
            self.on(call, answer)
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._make_handler())
        self._server.daemon_threads = True
        if tls is not None:
            self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
            # Who does not like our certificate hangs up, and is no news.
            self._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self.port}"

    def on(self, call: str, *answers: Any, status: int = 200) -> None:
        """`answers`: JSON values, Answers, lists of bytes (a stream), or functions of the request."""
        self._rules[call] = [self._rule(answer, status) for answer in answers]

    def asked(self, call: str) -> list[Seen]:
        return [seen for seen in self.seen if f"{seen.method} {seen.path}" == call]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> RecordingServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @staticmethod
    def _rule(answer: Any, status: int) -> Rule:
        if callable(answer):
            return answer  # type: ignore[no-any-return]
        if isinstance(answer, Answer):
            return lambda _: answer
        if isinstance(answer, list) and answer and all(isinstance(piece, bytes) for piece in answer):
            return lambda _: answer
        return lambda _: json_answer(answer, status)

    def _say(self, seen: Seen) -> Answer | list[bytes]:
        rules = self._rules.get(f"{seen.method} {seen.path}")
        if not rules:
            return problem("no_such_page", 404, f"There is nothing at {seen.path}.")
        return (rules.pop(0) if len(rules) > 1 else rules[0])(seen)

    def _make_handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def handle_any(self) -> None:
                parts = urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                seen = Seen(
                    self.command,
                    parts.path.removeprefix("/api/v1"),
                    dict(parse_qsl(parts.query, keep_blank_values=True)),
                    {name.lower(): value for name, value in self.headers.items()},
                    body,
                    self.client_address[1],
                )
                server.seen.append(seen)
                if server.drops > 0:
                    server.drops -= 1
                    self.close_connection = True
                    return
                answer = server._say(seen)
                if isinstance(answer, Answer):
                    self.send_response(answer.status)
                    for name, value in answer.headers:
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(answer.body)))
                    self.end_headers()
                    self.wfile.write(answer.body)
                else:
                    self.stream(answer)

            def stream(self, pieces: Iterable[bytes]) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for piece in pieces:
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                    self.wfile.flush()
                self.close_connection = True

            def log_message(self, *_: Any) -> None:
                pass

        for method in ("GET", "POST", "PATCH", "PUT", "DELETE"):
            setattr(Handler, f"do_{method}", Handler.handle_any)
        return Handler


class DroppingServer(RecordingServer):
    """Takes so many requests in, and hangs up without a word."""

    def __init__(self, drops: int, port: int = 0) -> None:
        super().__init__(port)
        self.drops = drops


@contextmanager
def hung_server(**rules: Any) -> Iterator[HungServer]:
    """A server in a process of its own, which can be made to hang: it is there, and says nothing."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HUNG, json.dumps(rules)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        yield HungServer(process, f"http://127.0.0.1:{int(process.stdout.readline())}")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


_HUNG = """
import json, sys, threading
from tests.sdk.servers import RecordingServer
server = RecordingServer(rules=json.loads(sys.argv[1]))
print(server.port, flush=True)
threading.Event().wait()
"""


@dataclass(frozen=True)
class HungServer:
    process: subprocess.Popen[str]
    url: str

    def hang(self) -> None:
        self.process.send_signal(signal.SIGSTOP)
        os.waitpid(self.process.pid, os.WUNTRACED)
