"""How many jobs are in each area, by owner: counted once, then kept in step with the committed events.

Every list shows these numbers, and to count a long history for each of them would cost more than the list.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from danlu.control.event_bus import EventBus
from danlu.core.array import COUNTED
from danlu.core.events import Event, EventKind
from danlu.core.job_id import is_element, job_of
from danlu.core.states import AREAS, ENDED, JobState
from danlu.store.engine.database import Database
from danlu.store.jobs.counting import ArrayUnderWay, count_by_owner, list_arrays_under_way


@dataclass(slots=True)
class _Array:
    owner: str
    state: str
    active: int


class JobCounts:
    def __init__(self, database: Database, bus: EventBus) -> None:
        self._database = database
        self._numbers: Counter[tuple[str, str]] = Counter()
        self._arrays: dict[int, _Array] = {}
        bus.project({EventKind.SUBMITTED, EventKind.EDITED, EventKind.STATE}, self._note)

    async def start(self) -> None:
        """Count. Nothing may be committed meanwhile that is not noted afterwards."""
        numbers, arrays = await self._database.read(
            lambda connection: (count_by_owner(connection), list_arrays_under_way(connection))
        )
        self._numbers = Counter(numbers)
        self._arrays = {each.id: _array(each) for each in arrays}

    def _note(self, events: Iterable[Event]) -> None:
        for event in events:
            if event.job_id is None:
                continue
            if event.kind is EventKind.SUBMITTED:
                owner, state = event.data["owner"], event.data["state"]
                self._numbers[owner, state] += 1
                if event.data.get("array"):
                    self._arrays[event.job_id] = _Array(owner, state, 0)
            elif event.kind is EventKind.EDITED and event.data.get("array"):
                self._arrays.setdefault(event.job_id, _Array(event.data["owner"], event.data["state"], 0))
            elif event.kind is EventKind.STATE:
                self._move(event.job_id, event.data["owner"], event.data["before"], event.data["after"])

    def areas(self, owners: Collection[str] | None = None) -> dict[str, int]:
        """An array may be in two areas: some of its elements run, the others wait."""
        counted: Counter[str] = Counter()
        for (whose, state), number in self._numbers.items():
            if owners is None or whose in owners:
                counted[state] += number
        areas = {area: sum(counted[state.value] for state in states) for area, states in AREAS.items()}
        areas["running"] += len(self.arrays_under_way(owners))
        return areas

    def arrays_under_way(self, owners: Collection[str] | None = None) -> set[int]:
        """Arrays that stand in the queue with some of their elements, while others run."""
        return {
            number
            for number, array in self._arrays.items()
            if array.active
            and array.state == JobState.WAITING.value
            and (owners is None or array.owner in owners)
        }

    def _move(self, job_id: int, owner: str, before: str, after: str) -> None:
        if is_element(job_id):
            array = self._arrays.get(job_of(job_id))
            if array is not None:
                array.active += (COUNTED.get(after) == "active") - (COUNTED.get(before) == "active")
            return
        self._numbers[owner, before] -= 1
        self._numbers[owner, after] += 1
        array = self._arrays.get(job_id)
        if array is not None:
            # One that has ended has no active elements; should it run again, they are counted from none.
            array.state, array.active = after, 0 if after in ENDED else array.active


def _array(under_way: ArrayUnderWay) -> _Array:
    return _Array(under_way.owner, under_way.state, under_way.active)
