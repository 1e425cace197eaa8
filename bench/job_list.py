"""Any page of the job list with 100,000 jobs in history and 2,000 waiting: p99 over HTTP, for every kind of
page."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import sqlite3
import time
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from harness import CannotRun, Options, Report, at_most, percentile, run, table
from installation import Installation, installation, running_on

TARGET_MS = 50.0
USERS = 40
FEWEST, LONGEST_S = 5, 6.0
"""A kind of page that is slow is asked for less often, so that the benchmark ends."""
SORTS = ("newest", "oldest", "longest", "name", "owner")
FIRST_WAITING = 1_000_000
LARGEST = "(1,000 rows in one answer)"
"""The most that can be asked for at once; shown, but no page of a list that a person looks at."""


def fill(data: Path, jobs: int, waiting: int) -> None:
    """A history made of one job that really ran and many copies of its rows, and a line of others."""
    with running_on(data, "--simulate", "1x4") as server, server.client() as client:
        client.jobs.submit({"command": "true", "directory": "/tmp", "name": "train", "gpus": 1})
        server.wait_finished(client)
        client.scheduling.pause()
    with contextlib.closing(sqlite3.connect(data / "danlu.db")) as database:
        database.create_function("owner_of", 1, lambda number: user(number * 7 % USERS))
        for table_name in ("jobs", "attempts", "tasks"):
            copy_rows(database, table_name, jobs)
        copy_into_line(database, waiting)
        database.commit()


def copy_rows(database: sqlite3.Connection, table_name: str, jobs: int) -> None:
    """Ended jobs of many owners, one in ten of them failed, one every quarter of a minute."""
    columns = [str(row[1]) for row in database.execute(f"PRAGMA table_info({table_name})")]
    if not columns:
        return
    changed = {
        "id": "n",
        "job_id": "n",
        "owner": "owner_of(n)",
        "name": "'train-' || (n % 997)",
        "state": "CASE n % 10 WHEN 0 THEN 'failed' ELSE 'succeeded' END",
        "end_reason": "CASE n % 10 WHEN 0 THEN 'exit_code' ELSE 'completed' END",
        "exit_code": "n % 10 = 0",
        "position": "n",
        "idempotency_key": "NULL",
        **{name: f"{name} - 15.0 * ({jobs} - n)" for name in ("submitted_at", "started_at", "ended_at")},
    }
    wanted = ", ".join(changed.get(name, name) for name in columns)
    database.execute(
        f"WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < {jobs})"
        f" INSERT INTO {table_name} ({', '.join(columns)}) SELECT {wanted} FROM numbers, {table_name}"
        f" WHERE {table_name}.{'id' if table_name == 'jobs' else 'job_id'} = 1"
    )


def copy_into_line(database: sqlite3.Connection, waiting: int) -> None:
    """Jobs that have not begun, of as many owners."""
    columns = [str(row[1]) for row in database.execute("PRAGMA table_info(jobs)")]
    nothing = ("started_at", "ended_at", "end_reason", "exit_code", "placed", "idempotency_key")
    changed = {
        "id": f"{FIRST_WAITING} + n",
        "owner": "owner_of(n)",
        "name": "'queued-' || n",
        "state": "'waiting'",
        "position": f"{FIRST_WAITING} + n",
        "attempt": "0",
        **dict.fromkeys(nothing, "NULL"),
    }
    wanted = ", ".join(changed.get(name, name) for name in columns)
    database.execute(
        f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {waiting})"
        f" INSERT INTO jobs ({', '.join(columns)}) SELECT {wanted} FROM numbers, jobs WHERE jobs.id = 1"
    )
    database.execute("UPDATE counters SET value = ?", (FIRST_WAITING + waiting,))


def user(number: int) -> str:
    return f"user{number}"


class Pages:
    """A browser without a screen: one connection, whole answers."""

    def __init__(self, server: Installation) -> None:
        where = urlsplit(server.url)
        self._connection = http.client.HTTPConnection(where.hostname or "", where.port, timeout=60)
        self._headers = {"Authorization": f"Bearer {server.token}"}

    def get(self, **query: object) -> tuple[float, bytes]:
        """Seconds and the answer."""
        started = time.perf_counter()
        self._connection.request("GET", f"/api/v1/jobs?{urlencode(query)}", headers=self._headers)
        reply = self._connection.getresponse()
        body = reply.read()
        took = time.perf_counter() - started
        if reply.status != 200:
            raise CannotRun(f"a page was answered with {reply.status}: {body[:200]!r}")
        return took, body

    def cursors(self, most: int = 1_000_000, **query: object) -> list[str]:
        """Where the pages begin, walking through all of them, or through so many."""
        found: list[str] = []
        while len(found) < most:
            more = {"cursor": found[-1]} if found else {}
            following = json.loads(self.get(**query, limit=1_000, **more)[1])["next"]
            if following is None:
                break
            found.append(following)
        return found


def kinds(pages: Pages) -> dict[str, list[dict[str, object]]]:
    """Every kind of page, each as a list of queries to choose from."""
    history, everything = pages.cursors(area="history"), pages.cursors()

    def at(cursors: list[str], share: float, **query: object) -> list[dict[str, object]]:
        around = cursors[int(share * (len(cursors) - 1)) :][:5]
        return [{**query, "cursor": cursor} for cursor in around]

    sorted_history = {
        f"history by {sort}": [
            {"area": "history", "sort": sort},
            *at(pages.cursors(20, area="history", sort=sort), 0.5, area="history", sort=sort),
        ]
        for sort in SORTS
    }
    sorted_for_one = {
        f"by {sort}, one owner": [{"owner": user(n), "sort": sort} for n in range(USERS)] for sort in SORTS
    }
    return {
        "newest, no filter": [{}],
        "middle, no filter": at(everything, 0.5),
        "history, first": [{"area": "history"}],
        "history, middle": at(history, 0.5, area="history"),
        "history, last": at(history, 1.0, area="history"),
        LARGEST: [{"area": "history", "limit": 1_000}],
        "one owner": [{"area": "history", "owner": user(number)} for number in range(USERS)],
        "one owner, no area": [{"owner": user(number)} for number in range(USERS)],
        "failed": [{"area": "history", "state": "failed"}],
        "failed, one owner": [{"state": "failed", "owner": user(10 * n)} for n in range(USERS // 10)],
        "name, many matches": [{"area": "history", "name": "train"}],
        "name, few matches": [{"area": "history", "name": f"train-{n}"} for n in range(500, 600)],
        "name, no match": [{"area": "history", "name": "nothing like it"}],
        "name and owner": [{"owner": user(n), "name": "train-77"} for n in range(USERS)],
        "an id as name": [{"name": str(1_000 + 37 * n)} for n in range(20)],
        "search, many": [{"search": "train"}, {"area": "history", "search": "a", "sort": "longest"}],
        "search, few": [{"search": f"rain-{n}"} for n in range(300, 400)],
        "search, two letters": [{"area": "history", "search": f"{n}"} for n in range(10, 99)],
        "search, nothing": [{"search": f"nothing {n}"} for n in range(50)],
        "search, an owner": [{"search": user(n), "sort": "name"} for n in range(USERS)],
        "search for mine": [{"owner": user(n), "search": "train-1", "area": "history"} for n in range(USERS)],
        "a rare end": [{"area": "history", "end_reason": "gpu_fault"}],
        "a rare end, no area": [{"end_reason": "gpu_fault"}],
        "nobody's, by name": [{"owner": f"nobody{n}", "sort": "name"} for n in range(20)],
        "everything by name": [{"sort": "name"}],
        "everything, longest": [{"sort": "longest"}],
        **sorted_history,
        **sorted_for_one,
        "waiting": [{"area": "waiting"}],
        "waiting by name": [{"area": "waiting", "sort": "name"}],
        "waiting, searched": [{"area": "waiting", "search": f"queued-1{n}"} for n in range(99)],
        "running": [{"area": "running"}],
    }


def measure(options: Options) -> Report:
    jobs, waiting, rounds = (3_000, 200, 3) if options.quick else (100_000, 2_000, 200)
    chance = random.Random(1)
    found: dict[str, list[float]] = {}
    ms: list[float]
    with installation("--simulate", "1x4", prepare=lambda data: fill(data, jobs, waiting)) as server:
        pages = Pages(server)
        choices = kinds(pages)
        for name, queries in choices.items():
            pages.get(**queries[0])
            found[name] = ms = []
            until = time.monotonic() + LONGEST_S
            while len(ms) < rounds and (len(ms) < FEWEST or time.monotonic() < until):
                # Pages of many sizes: the same one again would be answered from memory.
                query = {"limit": chance.randint(50, 100), **chance.choice(queries)}
                ms.append(1_000 * pages.get(**query)[0])
    rows = [(name, percentile(ms, 0.5), percentile(ms, 0.99)) for name, ms in found.items()]
    table([("page", "p50 ms", "p99 ms"), *rows])
    rows = [row for row in rows if row[0] != LARGEST]
    worst = max(rows, key=lambda row: row[2])
    report = Report(f"any page of the job list, {jobs:,} jobs in history, {waiting:,} waiting")
    report.figures = {"jobs": jobs, "p99_ms": {row[0]: row[2] for row in rows}, "worst": worst[0]}
    slow = [row[0] for row in rows if row[2] > TARGET_MS]
    if slow:
        report.notes.append(f"over {TARGET_MS:g} ms: {', '.join(slow)}")
    report.said = f"slowest kind is {worst[0]!r}, p99 {worst[2]:.1f} ms"
    report.verdicts = [at_most(worst[2], TARGET_MS, "ms")]
    return report


if __name__ == "__main__":
    run("job_list", measure)
