"""How long a submission takes, p99, while 100 jobs/s run.

Open loop: submissions are due on a clock, 100 a second, and each is timed from when it was due, so a server
that stalls is charged for every client it keeps waiting. Every job really runs and ends; after the measured
time the backlog must be gone at once, or 100 jobs/s did not run.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

from harness import Options, Report, Verdict, at_most, percentile, run, table
from installation import SLOTS, Installation, cpu_s, installation
from sampling import sampled

RATE = 100
TARGET_MS = 25.0
SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}
LONGEST_IDLE_S = 2.0
"""Well below the time after which the server closes a quiet connection."""


@dataclass(frozen=True, slots=True)
class Load:
    """What came of the open loop: seconds from due to answered, and from due to sent."""

    latencies_s: list[float]
    late_s: list[float]
    refused: int


class Connection:
    """One keep-alive connection; as little client as possible, since it shares the machine's cores."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.used_at = time.perf_counter()

    async def post(self, request: bytes) -> int:
        """The status of the answer."""
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0])
        await self._reader.readexactly(length)
        self.used_at = time.perf_counter()
        return int(head.split(None, 2)[1])

    def close(self) -> None:
        self._writer.close()


def request_for(server: Installation) -> bytes:
    where = urlsplit(server.url)
    body = json.dumps({"command": "true", "gpus": 1, "directory": "/tmp", "name": "noop"}).encode()
    head = (
        f"POST /api/v1/jobs HTTP/1.1\r\nHost: {where.netloc}\r\nAuthorization: Bearer {server.token}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def offer(server: Installation, seconds: float) -> Load:
    where = urlsplit(server.url)
    request = request_for(server)
    idle: list[Connection] = []
    latencies: list[float] = []
    late: list[float] = []
    refused = 0

    async def connect() -> Connection:
        while idle:
            connection = idle.pop()
            if time.perf_counter() - connection.used_at < LONGEST_IDLE_S:
                return connection
            connection.close()
        return Connection(*await asyncio.open_connection(where.hostname, where.port))

    async def submit(due: float) -> None:
        nonlocal refused
        late.append(time.perf_counter() - due)
        connection = await connect()
        status = await connection.post(request)
        latencies.append(time.perf_counter() - due)
        refused += status != 201
        idle.append(connection)

    started = time.perf_counter() + 0.1
    pending = []
    for number in range(int(seconds * RATE)):
        due = started + number / RATE
        await asyncio.sleep(due - time.perf_counter())
        pending.append(asyncio.create_task(submit(due)))
    await asyncio.gather(*pending)
    for connection in idle:
        connection.close()
    return Load(latencies, late, refused)


def measure(options: Options) -> Report:
    import uvloop

    seconds = 1.0 if options.quick else 30.0
    report = Report("submit latency while 100 jobs/s run")
    with installation("--simulate", f"1x{SLOTS}") as server, server.client() as client:
        uvloop.run(offer(server, 0.3 if options.quick else 3.0))
        server.wait_finished(client)
        before = client.get_json("/jobs", {"area": "history", "limit": 1})["counts"]["history"]
        used_s = cpu_s(server.process.pid)
        load = uvloop.run(offer(server, seconds))
        used_s = cpu_s(server.process.pid) - used_s
        counts = client.get_json("/jobs", {"area": "history", "limit": 1})["counts"]
        backlog = counts["waiting"] + counts["running"]
        ran = counts["history"] - before
        server.wait_finished(client)
        server.check_all_succeeded(client, int(seconds * RATE))
        with sampled(server.process.pid, "the server under 100 submissions/s", wanted=options.profile):
            if options.profile:
                uvloop.run(offer(server, 10.0))
                server.wait_finished(client)
    ms = {name: 1_000 * percentile(load.latencies_s, share) for name, share in SHARES.items()}
    late_ms = 1_000 * percentile(load.late_s, 0.99)
    table(
        [
            ("", *SHARES),
            ("due to answered, ms", *ms.values()),
            (
                "of that before it was sent, ms",
                *(1_000 * percentile(load.late_s, s) for s in SHARES.values()),
            ),
        ]
    )
    rate = ran / seconds
    print(f"  {rate:.0f} jobs/s ended meanwhile, {backlog} were left at the end, {load.refused} refused")
    print(f"  the server used {used_s / seconds:.2f} of a core")
    if rate < 0.9 * RATE:
        report.notes.append(
            f"only {rate:.0f} of {RATE} jobs/s ended while they came: the latency is of a jam"
        )
    report.figures = {
        "ms": ms,
        "client_late_p99_ms": late_ms,
        "ended_per_s": rate,
        "backlog": backlog,
        "refused": load.refused,
        "server_cores": used_s / seconds,
    }
    report.said = f"p50 {ms['p50']:.1f} ms, p99 {ms['p99']:.1f} ms, {rate:.0f} jobs/s ran"
    report.verdicts = [at_most(ms["p99"], TARGET_MS, "ms")]
    if rate < 0.9 * RATE:
        report.verdicts.append(Verdict(f"{rate:.0f} jobs/s ran", f"{RATE} jobs/s", False))
    return report


if __name__ == "__main__":
    run("submit_latency", measure)
