"""The server's own log: its last entries in memory, for people who cannot or need not look into the file."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from danlu.control.system.scrubbing import on_one_line, scrub
from danlu.core.lab_settings import General
from danlu.core.user import Role, User
from danlu.wire.server_log import LogLevel

MOST_ENTRIES = 5_000
MOST_CHARACTERS = 4_000_000
"""Of all entries together: one with a long trace may cost as much as hundreds without."""
LONGEST_TEXT = 4_000
LONGEST_TRACE = 20_000
RECALLED_BYTES = 1 << 20

LEVELS: tuple[LogLevel, ...] = ("debug", "info", "warning", "error")
_OURS = ("danlu", "uvicorn")
_LINE = re.compile(
    r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),(\d{3}) (DEBUG|INFO|WARNING|ERROR|CRITICAL) (\S+) (.*)", re.S
)
FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"
"""Of the file. `recall` reads it back."""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """`trace` is where an exception came from. It may name what belongs to a user: for administrators."""

    id: int
    at: float
    level: LogLevel
    source: str
    text: str
    trace: str = ""

    def told(self, *, with_trace: bool) -> str:
        return f"{self.text}\n{self.trace}" if with_trace and self.trace else self.text


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which entries: of a level and above, with a text in them."""

    level: LogLevel = "info"
    text: str = ""
    with_trace: bool = False

    def has(self, entry: LogEntry) -> bool:
        if LEVELS.index(entry.level) < LEVELS.index(self.level):
            return False
        needle = self.text.casefold()
        return (
            not needle
            or needle in entry.source.casefold()
            or needle in entry.told(with_trace=self.with_trace).casefold()
        )


def may_read_server_log(settings: General, user: User) -> bool:
    """Administrators may; members where the setting says so. Viewers look at the cluster alone."""
    if user.is_admin or user.role is Role.VIEWER:
        return user.is_admin
    return settings.server_log_for_members


class ScrubbedFormatter(logging.Formatter):
    """One line for each message, and no secret in it."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - as logging calls it
        record.message = on_one_line(record.message)
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        return scrub(super().format(record))


class ServerLog(logging.Handler):
    """Hears what is logged in any thread; is read, and followed, on the event loop."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: deque[LogEntry] = deque()
        self._characters = 0
        self._last_id = 0
        self._wakes: set[Callable[[], None]] = set()

    @property
    def last_id(self) -> int:
        return self._last_id

    def filter(self, record: logging.LogRecord) -> bool:
        return _concerns_us(record.name, record.levelno) and bool(super().filter(record))

    def emit(self, record: logging.LogRecord) -> None:
        try:
            trace = ""
            if record.exc_info:
                trace = record.exc_text or logging.Formatter().formatException(record.exc_info)
            moment = int(record.created) * 1000 + int(record.msecs)
            self._add(moment, record.created, _level(record.levelno), record.name, record.getMessage(), trace)
        except Exception:
            # Code that logs shall not fail because of us; there is the file as well.
            return
        for wake in tuple(self._wakes):
            wake()

    def recall(self, file: Path) -> None:
        """What the file says of the time before: of the last run, and of this one's beginning."""
        try:
            lines = _read_end(file).splitlines()
        except OSError:
            return
        found: list[_Recalled] = []
        for line in lines:
            if (match := _LINE.fullmatch(line)) is not None:
                day, milliseconds, level, source, text = match.groups()
                number = logging.getLevelNamesMapping()[level]
                with contextlib.suppress(ValueError, OverflowError):
                    second = int(time.mktime(time.strptime(day, "%Y-%m-%d %H:%M:%S")))
                    found.append(_Recalled(second * 1000 + int(milliseconds), number, source, text))
            elif found:
                found[-1].trace.append(line)
        with self._locked():
            later = list(self._entries)
            self._entries.clear()
            self._characters = self._last_id = 0
            known = {(each.id // 1000, each.source, each.text) for each in later}
            for each in found:
                seen = (each.moment, each.source, _shown(each.text)) in known
                if not seen and _concerns_us(each.source, each.level):
                    trace = "\n".join(each.trace)
                    self._add(
                        each.moment, each.moment / 1000, _level(each.level), each.source, each.text, trace
                    )
            for entry in later:
                self._add(entry.id // 1000, entry.at, entry.level, entry.source, entry.text, entry.trace)

    def page(self, wanted: Wanted, before: int | None, limit: int) -> tuple[list[LogEntry], bool]:
        """The latest entries that are wanted, older than `before`, the oldest first; and whether there are
        older ones still."""
        found: list[LogEntry] = []
        for entry in reversed(self._copy()):
            if (before is None or entry.id < before) and wanted.has(entry):
                if len(found) == limit:
                    return found[::-1], True
                found.append(entry)
        return found[::-1], False

    def after(self, seen: int) -> list[LogEntry]:
        """All entries since then that are still known, the oldest first."""
        found: list[LogEntry] = []
        for entry in reversed(self._copy()):
            if entry.id <= seen:
                break
            found.append(entry)
        return found[::-1]

    @contextmanager
    def wake(self, event: asyncio.Event) -> Iterator[None]:
        """Have `event` set whenever there is a new entry."""
        loop = asyncio.get_running_loop()

        def wake() -> None:
            if not event.is_set():
                with contextlib.suppress(RuntimeError):  # the loop is closed by now
                    loop.call_soon_threadsafe(event.set)

        self._wakes.add(wake)
        try:
            yield
        finally:
            self._wakes.discard(wake)

    def _add(self, moment: int, at: float, level: LogLevel, source: str, text: str, trace: str) -> None:
        # By the millisecond, so that ids grow over restarts and are the same when read from the file.
        self._last_id = max(self._last_id + 1, moment * 1000)
        entry = LogEntry(self._last_id, at, level, source, _shown(text), scrub(trace)[-LONGEST_TRACE:])
        self._entries.append(entry)
        self._characters += len(entry.text) + len(entry.trace)
        while len(self._entries) > MOST_ENTRIES or self._characters > MOST_CHARACTERS:
            oldest = self._entries.popleft()
            self._characters -= len(oldest.text) + len(oldest.trace)

    def _copy(self) -> list[LogEntry]:
        with self._locked():
            return list(self._entries)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self.acquire()
        try:
            yield
        finally:
            self.release()


@dataclass(frozen=True, slots=True)
class _Recalled:
    moment: int
    level: int
    source: str
    text: str
    trace: list[str] = field(default_factory=list)


def _concerns_us(source: str, level: int) -> bool:
    """Of libraries only what they warn of."""
    return source.partition(".")[0] in _OURS or level >= logging.WARNING


def _shown(text: str) -> str:
    return scrub(on_one_line(text))[:LONGEST_TEXT]


def _level(number: int) -> LogLevel:
    if number >= logging.ERROR:
        return "error"
    if number >= logging.WARNING:
        return "warning"
    return "info" if number >= logging.INFO else "debug"


def _read_end(file: Path) -> str:
    with file.open("rb") as opened:
        size = opened.seek(0, os.SEEK_END)
        opened.seek(max(0, size - RECALLED_BYTES))
        return opened.read(RECALLED_BYTES).decode("utf-8", "replace")
