"""A real server that kills itself with -9 at one named point, once.

    python -m tests.support.crashing_server POINT MARKER up …

The marker file makes it once: a server started again with the same words lives on. Nothing in Danlu itself
knows of this; the named functions are wrapped from outside.
"""

from __future__ import annotations

import asyncio
import functools
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from danlu.cluster.server.local_cluster import LocalCluster
from danlu.control.jobs.submissions import Submissions
from danlu.launch.serve import server as server_module
from danlu.store.engine.database import Database, Transaction

COMMITS = ("submitted", "starting", "running", "ended")
POINTS = [f"{when}-{what}-commit" for what in COMMITS for when in ("before", "after")] + [
    "before-answer",
    "after-answer",
    "before-launch",
    "after-launch",
    "before-forget",
    "after-forget",
]


def die_once(marker: Path) -> None:
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    os.kill(os.getpid(), signal.SIGKILL)


def arm(point: str, marker: Path) -> None:
    when, _, what = point.partition("-")
    die = functools.partial(die_once, marker)
    if what.endswith("-commit"):
        _arm_commit(what.removesuffix("-commit"), when, die)
    elif what == "answer":
        _arm_answer(when, die)
    else:
        _arm_method(LocalCluster, what, when, die)


def _arm_commit(what: str, when: str, die: Callable[[], None]) -> None:
    recorded: list[str] = []
    record, commit = Transaction.record, Database._commit

    def record_and_note(self: Transaction, kind: Any, **facts: Any) -> None:
        after = facts.get("after", "")
        ended = after in ("succeeded", "failed", "cancelled")
        recorded.append("submitted" if kind == "job.submitted" else "ended" if ended else after)
        record(self, kind, **facts)

    def commit_and_die(self: Database, connection: Any) -> None:
        hit = what in recorded
        recorded.clear()
        if hit and when == "before":
            die()
        commit(self, connection)
        if hit and when == "after":
            die()

    Transaction.record = record_and_note  # type: ignore[method-assign,assignment]
    Database._commit = commit_and_die  # type: ignore[method-assign]


def _arm_answer(when: str, die: Callable[[], None]) -> None:
    if when == "before":
        _arm_method(Submissions, "submit_many", "after", die)
        return
    make_app = server_module.make_app

    def make_dying_app(*arguments: Any) -> Any:
        app = make_app(*arguments)

        async def answer_and_die(scope: Any, receive: Any, send: Any) -> None:
            await app(scope, receive, send)
            if scope.get("method") == "POST" and scope["path"] == "/api/v1/jobs":
                # The bytes are with the kernel once the loop has turned; then the client has its answer.
                await asyncio.sleep(0.2)
                die()

        return answer_and_die

    server_module.make_app = make_dying_app


def _arm_method(owner: type, name: str, when: str, die: Callable[[], None]) -> None:
    original = getattr(owner, name)

    @functools.wraps(original)
    async def call_and_die(*arguments: Any, **options: Any) -> Any:
        if when == "before":
            die()
        result = await original(*arguments, **options)
        if when == "after":
            die()
        return result

    setattr(owner, name, call_and_die)


if __name__ == "__main__":
    arm(sys.argv[1], Path(sys.argv[2]))
    del sys.argv[1:3]
    from danlu.main import main

    sys.exit(main())
