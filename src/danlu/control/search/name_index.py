"""The names of all jobs, in memory, to be searched: read once, then kept in step with the committed events.

A text is looked for in blocks of many names at once: a few milliseconds for 100,000 of them, whatever else
the database has to do, and whichever it is.
"""

from __future__ import annotations

import asyncio
import logging
import time
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from danlu.control.event_bus import EventBus
from danlu.core.errors import DanluError
from danlu.core.events import Event, EventKind
from danlu.core.job_id import is_element
from danlu.core.states import AREAS, JobState, area_of
from danlu.store.engine.database import Database
from danlu.store.jobs.job_lists import ascii_folded, number_in
from danlu.store.jobs.job_names import JobName, read_job_names

log = logging.getLogger(__name__)

PAGE = 5_000
BLOCK = 4_096
FEW = 1_000
"""So many ids are handed on as they are; for more, a list finds its page soon by walking along."""
MOST_COUNTED = 10_000
LONGEST_TURN_S = 0.002
"""For so long at a time the event loop does nothing else."""

_AREAS = tuple(AREAS)
_RUNNING = _AREAS.index("running")
_GONE = len(_AREAS)


@dataclass(frozen=True, slots=True)
class Text:
    """A part of a name, or the number of a job; with `of_owner` also a part of an owner's name."""

    text: str
    of_owner: bool


@dataclass(frozen=True, slots=True)
class Matches:
    """Jobs that a text means. `ids` are all of them, or None where they are many; `counts` by area, which are
    at least so many unless `exact`. `owners` are those that it means, where it may mean one."""

    ids: tuple[int, ...] | None
    counts: dict[str, int]
    exact: bool
    owners: tuple[str, ...] | None = None


class NameIndex:
    def __init__(self, database: Database, bus: EventBus) -> None:
        self._database = database
        self._books: dict[str, list[_NameBlock]] = {}
        """Of each owner."""
        self._loading: asyncio.Task[None] | None = None
        self._untold: list[Event] | None = []
        """What happened before all was read; None from then on."""
        bus.project({EventKind.SUBMITTED, EventKind.EDITED, EventKind.STATE}, self._note)

    def start(self) -> None:
        """Begin to read, beside everything else. Nothing may be committed from now on that is not noted."""
        self._loading = asyncio.create_task(self._load(), name="names of jobs")

    def close(self) -> None:
        if self._loading is not None:
            self._loading.cancel()

    def _note(self, events: Iterable[Event]) -> None:
        if self._untold is not None:
            self._untold += events
            return
        for event in events:
            if event.job_id is None or is_element(event.job_id):
                continue
            data = event.data
            if event.kind is EventKind.SUBMITTED:
                self._add(JobName(event.job_id, data["name"], data["owner"], data["state"]))
            elif event.kind is EventKind.STATE:
                self._change(data["owner"], event.job_id, area=_area(data["after"]), name=data.get("name"))
            elif event.kind is EventKind.EDITED:
                self._change(data["owner"], event.job_id, name=data.get("name"))

    async def find(
        self, texts: Sequence[Text], owners: Collection[str] | None, under_way: Collection[int]
    ) -> Matches:
        """The jobs that every one of the texts means, perhaps of some owners. Arrays `under_way` count as
        running as well as waiting."""
        await self._be_ready()
        search = _NameSearch(texts, under_way)
        books = [each for each in self._books.items() if owners is None or each[0] in owners]
        since = time.perf_counter()
        for whose, blocks in books:
            search.open(whose)
            for block in tuple(blocks):
                search.look_through(block)
                if search.is_enough:
                    return search.result(self._owners(texts))
                if time.perf_counter() - since > LONGEST_TURN_S:
                    await asyncio.sleep(0)
                    since = time.perf_counter()
        return search.result(self._owners(texts))

    def _owners(self, texts: Sequence[Text]) -> tuple[str, ...] | None:
        wanted = [_folded(text.text) for text in texts if text.of_owner]
        return tuple(name for name in self._books if wanted[0] in _line(name)) if wanted else None

    async def _be_ready(self) -> None:
        if self._untold is None:
            return
        if self._loading is None or (self._loading.done() and self._loading.exception() is not None):
            self.start()
        if self._loading is not None:
            await asyncio.shield(self._loading)

    async def _load(self) -> None:
        last = 0
        self._books.clear()
        try:
            while rows := await self._database.read(partial(read_job_names, last=last, number=PAGE)):
                for row in rows:
                    self._append(row)
                last = rows[-1].id
        except DanluError as problem:
            log.warning("could not read the names of the jobs: %s", problem)
            raise
        untold, self._untold = self._untold or [], None
        self._note(untold)

    def _append(self, row: JobName) -> None:
        area = _area(row.state)
        if area == _GONE:
            return
        blocks = self._books.setdefault(row.owner, [])
        if not blocks or len(blocks[-1].ids) >= BLOCK:
            blocks.append(_NameBlock())
        blocks[-1].append(row.id, row.name, area)

    def _add(self, job: JobName) -> None:
        blocks = self._books.get(job.owner)
        # One that was submitted while all was read has been read, perhaps.
        if not blocks or blocks[-1].ids[-1] < job.id:
            self._append(job)

    def _change(self, owner: str, job_id: int, area: int | None = None, name: str | None = None) -> None:
        blocks = self._books.get(owner, [])
        number = bisect_right(blocks, job_id, key=lambda block: block.ids[0]) - 1
        if number >= 0:
            blocks[number].change(job_id, area, name)


class _NameBlock:
    """Names one behind the other, each with a newline, and what belongs to each."""

    def __init__(self) -> None:
        self.names = bytearray()
        self.begins = array("I", [0])
        """Where each name begins, and where the last one ends."""
        self.ids = array("I")
        self.areas = bytearray()

    def append(self, job_id: int, name: str, area: int) -> None:
        self.names += _line(name)
        self.begins.append(len(self.names))
        self.ids.append(job_id)
        self.areas.append(area)

    def change(self, job_id: int, area: int | None, name: str | None) -> None:
        row = self.find(job_id)
        if row is None:
            return
        if area is not None:
            self.areas[row] = area
        if name is not None:
            line, end = _line(name), self.begins[row + 1]
            grown = len(line) - (end - self.begins[row])
            self.names[self.begins[row] : end] = line
            for later in range(row + 1, len(self.begins)) if grown else ():
                self.begins[later] += grown

    def find(self, job_id: int) -> int | None:
        row = bisect_left(self.ids, job_id)
        return row if row < len(self.ids) and self.ids[row] == job_id else None


class _NameSearch:
    def __init__(self, texts: Sequence[Text], under_way: Collection[int]) -> None:
        self._wanted = [_Needle(text) for text in texts]
        self._open: list[_Needle] = []
        self._under_way = under_way
        self._ids: list[int] = []
        self._areas = [0] * len(_AREAS)
        self._seen = 0

    def open(self, owner: str) -> None:
        """The jobs of this owner come next: what the owner's name answers need not be asked of each."""
        line = _line(owner)
        self._open = [needle for needle in self._wanted if not (needle.of_owner and needle.text in line)]

    @property
    def is_enough(self) -> bool:
        return self._seen > MOST_COUNTED

    def look_through(self, block: _NameBlock) -> None:
        if not self._open:
            self._take_all(block)
            return
        first, *others = self._open
        numbered = first.row_in(block)
        for row in _rows_with(first.text, block):
            if row == numbered:
                numbered = None
            if not others or all(other.is_in(block, row) for other in others):
                self._take(block, row)
                if self._seen > MOST_COUNTED:
                    return
        if numbered is not None and all(other.is_in(block, numbered) for other in others):
            self._take(block, numbered)

    def result(self, owners: tuple[str, ...] | None) -> Matches:
        counts = {area: self._areas[number] for number, area in enumerate(_AREAS)}
        return Matches(tuple(self._ids) if self._seen <= FEW else None, counts, not self.is_enough, owners)

    def _take_all(self, block: _NameBlock) -> None:
        """As if each were taken, without going through them one by one where they are many."""
        here = len(block.ids) - block.areas.count(_GONE)
        if self._seen + here <= FEW:
            for row in range(len(block.ids)):
                self._take(block, row)
            return
        self._seen += here
        for area in range(len(_AREAS)):
            self._areas[area] += block.areas.count(area)
        rows = (block.find(job_id) for job_id in self._under_way)
        self._areas[_RUNNING] += sum(row is not None and block.areas[row] != _RUNNING for row in rows)

    def _take(self, block: _NameBlock, row: int) -> None:
        area = block.areas[row]
        if area == _GONE:
            return
        self._seen += 1
        self._areas[area] += 1
        if self._seen <= FEW:
            self._ids.append(block.ids[row])
        if self._under_way and area != _RUNNING and block.ids[row] in self._under_way:
            self._areas[_RUNNING] += 1


class _Needle:
    def __init__(self, text: Text) -> None:
        self.text = _folded(text.text)
        self.of_owner = text.of_owner
        self._number = number_in(text.text)

    def row_in(self, block: _NameBlock) -> int | None:
        """The job of that number."""
        return block.find(self._number) if self._number is not None else None

    def is_in(self, block: _NameBlock, row: int) -> bool:
        begin, end = block.begins[row], block.begins[row + 1]
        return block.ids[row] == self._number or block.names.find(self.text, begin, end) >= 0


def _rows_with(text: bytes, block: _NameBlock) -> Iterator[int]:
    find, begins = block.names.find, block.begins
    at = find(text)
    while at >= 0:
        row = bisect_right(begins, at) - 1
        yield row
        at = find(text, begins[row + 1])


def _folded(text: str) -> bytes:
    return ascii_folded(text).encode("utf-8", "surrogatepass")


def _line(name: str) -> bytes:
    return _folded(name) + b"\n"


def _area(state: str) -> int:
    area = area_of(JobState(state))
    return _GONE if area is None else _AREAS.index(area)
