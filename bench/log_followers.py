"""Twenty followers of one growing log: how far behind each is, and what the server's memory does meanwhile.

A job writes 50 MB/s and notes when each byte was written; twenty real streams, in the format that `danlu logs
-f` asks for (`format=records`), are read by one lean process, which looks at no more of them than the lines
between the bytes. Where twenty cannot keep up with 50 MB/s,
slower logs are tried, to say what they keep up with. The peer is twenty times `tail -F`, read the same way.
"""

from __future__ import annotations

import bisect
import contextlib
import os
import re
import selectors
import shlex
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from harness import BENCH, Options, Report, Verdict, run, table, temporary_folder, wait_until
from installation import Installation, installation, memory_kb
from sampling import sampled

FOLLOWERS = 20
RATES_MB = (50.0, 20.0, 10.0, 5.0, 2.0, 1.0)
LONGEST_LAG_S = 1.0
FLAT_MB = 10.0
PIECE = 1 << 20
_RECORD = re.compile(rb'\{"event":"chunk","offset":(\d+),"length":(\d+)\}\n')
_LONGEST_HEAD = 2048


@dataclass(slots=True)
class Follower:
    """One stream: where it had come to, and when. `records` have offsets in them; else bytes are counted."""

    fd: int
    records: bool
    head: bytes = b""
    missing: int = 0
    received: int = 0
    reached: list[tuple[float, int]] = field(default_factory=list)

    def take(self, data: memoryview) -> None:
        if self.records:
            at = 0
            while at < len(data):
                at += self._take_bytes(len(data) - at) if self.missing else self._take_head(data[at:])
        else:
            self.received += len(data)
        if not self.reached or self.received > self.reached[-1][1]:
            self.reached.append((time.time(), self.received))

    def _take_bytes(self, there: int) -> int:
        taken = min(self.missing, there)
        self.missing -= taken
        self.received += taken
        return taken

    def _take_head(self, data: memoryview) -> int:
        """Up to where the next bytes of the log begin; what is before them (of HTTP too) is short."""
        before = len(self.head)
        self.head += data[:_LONGEST_HEAD]
        found = _RECORD.search(self.head)
        if found is None:
            return min(len(data), _LONGEST_HEAD)
        self.head = b""
        if int(found[1]) != self.received:
            raise AssertionError(f"a follower at {self.received} was sent what is at {int(found[1])}")
        self.missing = int(found[2])
        return found.end() - before


@dataclass(frozen=True, slots=True)
class Outcome:
    rate_mb: float
    max_lag_s: float
    median_lag_s: float
    delivered_mb_s: float
    memory_before_mb: float
    memory_growth_mb: float
    memory_drift_mb: float
    """How much more the second half of the time needed than the first: buffers fill once, a leak goes on."""


def read_all(followers: list[Follower], deadline: float) -> None:
    """Read every stream until all have ended, or until the deadline."""
    with selectors.DefaultSelector() as selector:
        for follower in followers:
            os.set_blocking(follower.fd, False)
            selector.register(follower.fd, selectors.EVENT_READ, follower)
        buffer = bytearray(PIECE)
        view = memoryview(buffer)
        while selector.get_map() and time.time() < deadline:
            for key, _ in selector.select(0.5):
                try:
                    length = os.readv(key.fd, [buffer])
                except BlockingIOError:
                    continue
                if length:
                    key.data.take(view[:length])
                else:
                    selector.unregister(key.fileobj)


def lags(follower: Follower, written: list[tuple[int, float]], until: float) -> list[float]:
    """Sampled every 50 ms while the log grew: the age of the oldest byte that it had not got yet."""
    offsets, times = [each[0] for each in written], [each[1] for each in written]
    when = [each[0] for each in follower.reached]
    found, moment = [], times[0]
    while moment < until:
        at = bisect.bisect_right(when, moment)
        have = follower.reached[at - 1][1] if at else 0
        missing = bisect.bisect_right(offsets, have)
        found.append(max(0.0, moment - times[missing]) if missing < len(times) else 0.0)
        moment += 0.05
    return found


@contextlib.contextmanager
def memory_of(pid: int | None) -> Iterator[list[float]]:
    """PSS in MB, sampled while the block runs."""
    found: list[float] = []
    over = threading.Event()

    def sample() -> None:
        while pid is not None and not over.wait(0.25):
            with contextlib.suppress(OSError):
                found.append(memory_kb(pid)["pss"] / 1024)

    sampler = threading.Thread(target=sample, daemon=True)
    sampler.start()
    try:
        yield found
    finally:
        over.set()
        sampler.join()


def read_record(record: Path) -> list[tuple[int, float]]:
    rows = (line.split() for line in record.read_text().splitlines() if line.count(" ") == 1)
    return [(int(offset), float(at)) for offset, at in rows]


def judge(
    rate_mb: float, followers: list[Follower], record: Path, memory: list[float], before: float
) -> Outcome:
    written = read_record(record)
    first, last = written[0][1], written[-1][1]
    found = sorted(lag for follower in followers for lag in lags(follower, written, last))
    reached = sum(next((o for at, o in reversed(f.reached) if at <= last), 0) for f in followers)
    half = len(memory) // 2
    drift = max(memory[half:]) - max(memory[:half]) if half else 0.0
    return Outcome(
        rate_mb,
        found[-1],
        found[len(found) // 2],
        reached / (last - first) / 1e6,
        before,
        max(memory, default=before) - before,
        drift,
    )


def follow_danlu(server: Installation, rate_mb: float, seconds: float, folder: Path) -> Outcome:
    record = folder / f"danlu-{rate_mb:g}"
    words = [sys.executable, str(BENCH / "log_writer.py"), str(rate_mb * 1e6), str(seconds), str(record)]
    with server.client() as client, contextlib.ExitStack() as connections:
        before = memory_kb(server.process.pid)["pss"] / 1024
        submitted = client.jobs.submit({"command": shlex.join(words), "gpus": 1, "directory": str(folder)})
        job = int(getattr(submitted, "id", submitted))
        followers = []
        for _ in range(FOLLOWERS):
            connection = connections.enter_context(connect(server, f"/jobs/{job}/log/follow?format=records"))
            followers.append(Follower(connection.fileno(), records=True))
        with memory_of(server.process.pid) as memory:
            wait_until(record.exists, 30, "the start of the writer")
            read_all(followers, time.time() + seconds + 1.5)
        connections.close()
        server.wait_finished(client)
        client.api.call("DELETE", f"/jobs/{job}")
    return judge(rate_mb, followers, record, memory, before)


def connect(server: Installation, path: str) -> socket.socket:
    where = urlsplit(server.url)
    connection = socket.create_connection((where.hostname or "", where.port or 0))
    asked = (
        f"GET /api/v1{path} HTTP/1.1\r\nHost: {where.netloc}\r\nAuthorization: Bearer {server.token}\r\n\r\n"
    )
    connection.sendall(asked.encode())
    return connection


def follow_tail(rate_mb: float, seconds: float, folder: Path) -> Outcome:
    record, log = folder / f"tail-{rate_mb:g}", folder / "tail.log"
    log.touch()
    tails = [
        subprocess.Popen(
            ["tail", "-c", "+1", "-F", str(log)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        for _ in range(FOLLOWERS)
    ]
    words = [sys.executable, str(BENCH / "log_writer.py"), str(rate_mb * 1e6), str(seconds), str(record)]
    try:
        with log.open("ab") as out:
            writer = subprocess.Popen(words, stdout=out)
        followers = [Follower(each.stdout.fileno(), records=False) for each in tails if each.stdout]
        wait_until(record.exists, 30, "the start of the writer")
        read_all(followers, time.time() + seconds + 0.5)
        writer.wait()
    finally:
        for each in tails:
            each.kill()
            each.wait()
            if each.stdout:
                each.stdout.close()
        log.unlink()
    return judge(rate_mb, followers, record, [], 0.0)


def measure(options: Options) -> Report:
    seconds = 1.0 if options.quick else 8.0
    found: list[Outcome] = []
    with temporary_folder() as folder:
        with installation("--simulate", "1x4") as server:
            for rate_mb in RATES_MB[-2:-1] if options.quick else RATES_MB:
                found.append(follow_danlu(server, rate_mb, seconds, folder))
                if found[-1].max_lag_s <= LONGEST_LAG_S:
                    break
            with sampled(server.process.pid, "the server, 20 followers of 50 MB/s", wanted=options.profile):
                if options.profile:
                    follow_danlu(server, 50.0, seconds, folder)
        peer = follow_tail(found[0].rate_mb, seconds, folder)
    header = (
        "follower",
        "log MB/s",
        "max lag s",
        "median lag s",
        "delivered MB/s",
        "server PSS MB",
        "grew by MB",
        "of that late",
    )
    rows: list[tuple[object, ...]] = [("danlu", *_cells(each)) for each in found]
    table([header, *rows, ("tail -F", *_cells(peer)[:4], "", "", "")])
    top, best = found[0], found[-1]
    kept = best.rate_mb if best.max_lag_s <= LONGEST_LAG_S else 0.0
    report = Report("twenty followers of a growing log")
    report.figures = {
        "danlu": [{name: getattr(each, name) for name in Outcome.__slots__} for each in found],
        "tail": {name: getattr(peer, name) for name in Outcome.__slots__},
        "keeps_up_with_mb_s": kept,
    }
    report.said = (
        f"at {top.rate_mb:g} MB/s danlu is up to {top.max_lag_s:.1f} s behind and delivers"
        f" {top.delivered_mb_s:.0f} MB/s,"
        f" tail -F up to {peer.max_lag_s:.1f} s and {peer.delivered_mb_s:.0f} MB/s"
    )
    keeps_up = None if options.quick else kept == RATES_MB[0]
    drift = max(each.memory_drift_mb for each in found)
    ratio = top.delivered_mb_s / max(peer.delivered_mb_s, 1e-9)
    report.verdicts = [
        Verdict(
            f"{ratio:.2f} x tail -F, keeps up with {kept:g} MB/s",
            f"{RATES_MB[0]:g} MB/s with <= {LONGEST_LAG_S:g} s",
            keeps_up,
        ),
        Verdict(f"memory drifts by {drift:.0f} MB", f"flat, <= {FLAT_MB:g} MB", drift <= FLAT_MB),
    ]
    return report


def _cells(each: Outcome) -> tuple[float, ...]:
    return (
        each.rate_mb,
        each.max_lag_s,
        each.median_lag_s,
        each.delivered_mb_s,
        each.memory_before_mb,
        each.memory_growth_mb,
        each.memory_drift_mb,
    )


if __name__ == "__main__":
    run("log_followers", measure)
