"""A stand-in for GPU Man, written for this benchmark: its read calls, served as it serves them.

GPU Man is a Flask program on Flask's own threaded server. `POST /api/status` and `/api/query` carry name and
password in a JSON body; each call checks the password's keyed BLAKE2 hash and answers with a cached JSON text
of all its tasks (it keeps about a hundred ended ones), compressed for clients that accept gzip, the
compressed form cached too. None of its code is here; what it does per request is.
"""

from __future__ import annotations

import gzip
import hmac
import json
import sys
from hashlib import blake2b
from threading import Lock
from typing import Any

from flask import Flask, Response, request

KEY = blake2b(b"bench").digest()
FIELDS = ("directory", "command", "stdout", "stderr", "gpus", "exact", "argument", "given", "limit", "pid")


class Cache:
    """Texts by key, behind a lock, as every answer goes through one there."""

    def __init__(self) -> None:
        self._texts: dict[object, Any] = {}
        self._lock = Lock()

    def get(self, key: object) -> Any:
        with self._lock:
            return self._texts.get(key)

    def set(self, key: object, text: Any) -> None:
        with self._lock:
            self._texts[key] = text


def digest(password: str, user: str) -> bytes:
    person = blake2b(user.encode(), digest_size=16).digest()
    return blake2b(password.encode(), key=KEY, person=person).digest()


def make_tasks(ended: int, running: int, waiting: int) -> dict[str, list[list[str]]]:
    def some(count: int, state: str) -> list[list[str]]:
        return [
            [
                str(number),
                "li",
                *(f"{name} of {number}" for name in FIELDS),
                *3 * ["Sun Nov 15 12:00:00 2026"],
                state,
            ]
            for number in range(count)
        ]

    return {
        "done_tasks": some(ended, "done"),
        "run_tasks": some(running, "running"),
        "wait_tasks": some(waiting, "waiting"),
    }


def make_app(tasks: dict[str, list[list[str]]]) -> Flask:
    app = Flask(__name__)
    cache = Cache()
    users = {"li": digest("secret", "li")}

    @app.after_request
    def compress(response: Response) -> Response:
        text = response.get_data()
        if len(text) < 512 or "gzip" not in request.headers.get("Accept-Encoding", "").lower():
            return response
        packed = cache.get(("gzip", text))
        if packed is None:
            packed = gzip.compress(text, 6)
            cache.set(("gzip", text), packed)
        response.set_data(packed)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(packed))
        return response

    def answer(key: str) -> str:
        asked = json.loads(request.get_data())
        known = users.get(asked["usr"], b"")
        if not hmac.compare_digest(known, digest(asked["passwd"], asked["usr"])):
            return json.dumps({"ret": "no"})
        text = cache.get(key)
        if text is None:
            text = json.dumps(tasks)
            cache.set(key, text)
        return str(text)

    @app.post("/api/status")
    def status() -> str:
        return answer("/api/status")

    @app.post("/api/query")
    def query() -> str:
        return answer("/api/query")

    return app


if __name__ == "__main__":
    import logging

    port, ended, running, waiting = map(int, sys.argv[1:5])
    logging.getLogger("werkzeug").setLevel(logging.INFO)
    make_app(make_tasks(ended, running, waiting)).run("127.0.0.1", port, threaded=True)
