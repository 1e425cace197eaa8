"""The queue: each job stands where it was put, and the newest stands last."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, select

from danlu.core.events import EventKind
from danlu.core.job import Job
from danlu.core.states import JobState
from danlu.store.engine import schema
from danlu.store.engine.database import Database, Transaction
from danlu.store.engine.engines import Location
from danlu.store.jobs.job_lists import ListQuery, list_jobs
from danlu.store.jobs.job_rows import get_job
from danlu.store.jobs.queue_order import head_position, move_job, tail_position
from danlu.store.jobs.transitions import change_state
from tests.store.builders import HandClock, Shop, a_spec, insert_job
from tests.store.conftest import NewLocation

FAR_BEHIND = 1_000


def queue_of(connection: Connection) -> list[int]:
    jobs, _ = list_jobs(connection, ListQuery(area="waiting", limit=1000))
    return [job.id for job in jobs]


def _the(connection: Connection, job_id: int) -> Job:
    job = get_job(connection, job_id)
    assert job is not None
    return job


def move(tx: Transaction, job_id: int, place: int) -> int:
    return move_job(tx, _the(tx.connection, job_id), place, "root")


def send_to_history(tx: Transaction, job_id: int) -> None:
    change_state(tx, _the(tx.connection, job_id), JobState.CANCELLED, ended_at=tx.now)


def send_back(tx: Transaction, job_id: int) -> None:
    """As an edit does it: behind every job that waits now."""
    position = tail_position(tx.connection, job_id)
    change_state(tx, _the(tx.connection, job_id), JobState.WAITING, ended_at=None, position=position)


class PlainQueue:
    """The queue as two plain lists, the urgent jobs before the others: what it must look like."""

    def __init__(self) -> None:
        self.urgent: list[int] = []
        self.others: list[int] = []
        self.ended: list[int] = []
        self.all_urgent: set[int] = set()

    @property
    def ids(self) -> list[int]:
        return [*self.urgent, *self.others]

    def group(self, job_id: int) -> list[int]:
        return self.urgent if job_id in self.all_urgent else self.others

    def newcomer(self, job_id: int, *, urgent: bool) -> None:
        if urgent:
            self.all_urgent.add(job_id)
        self.group(job_id).append(job_id)

    def move(self, job_id: int, place: int) -> None:
        group = self.group(job_id)
        ahead = 0 if group is self.urgent else len(self.urgent)
        group.remove(job_id)
        group.insert(max(place - 1 - ahead, 0), job_id)

    def leave(self, job_id: int) -> None:
        self.group(job_id).remove(job_id)
        self.ended.append(job_id)

    def come_back(self, job_id: int) -> None:
        self.ended.remove(job_id)
        self.group(job_id).append(job_id)


def play(tx: Transaction, acts: list[tuple[str, int, int]]) -> None:
    """Do the same to the store and to the list; they never differ."""
    queue = PlainQueue()
    for act, which, place in acts:
        if act == "come" or not queue.ids:
            urgent = which % 4 == 0
            queue.newcomer(insert_job(tx, "ann", a_spec(urgent=urgent), held=which % 3 == 0), urgent=urgent)
        elif act == "move":
            job_id = queue.ids[which % len(queue.ids)]
            resulting = move(tx, job_id, place)
            queue.move(job_id, place)
            assert resulting == queue.ids.index(job_id) + 1
        elif act == "leave":
            job_id = queue.ids[which % len(queue.ids)]
            send_to_history(tx, job_id)
            queue.leave(job_id)
        elif queue.ended:
            job_id = queue.ended[which % len(queue.ended)]
            send_back(tx, job_id)
            queue.come_back(job_id)
        assert queue_of(tx.connection) == queue.ids


def in_a_fresh_store(new_location: NewLocation, acts: list[tuple[str, int, int]]) -> None:
    async def story(location: Location) -> None:
        database = Database(location, HandClock())
        database.start()
        try:
            await database.write(lambda tx: play(tx, acts))
        finally:
            await database.close()

    asyncio.run(story(new_location()))


ACTS = st.tuples(
    st.sampled_from(["come", "come", "move", "move", "move", "leave", "back"]),
    st.integers(0, 11),
    st.integers(1, 12),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(ACTS, min_size=10, max_size=50))
def test_the_queue_is_always_what_a_plain_list_would_be(
    new_location: NewLocation, acts: list[tuple[str, int, int]]
) -> None:
    in_a_fresh_store(new_location, acts)


@pytest.mark.parametrize("newcomers", [3, 7])
def test_however_often_two_neighbours_are_parted_there_is_room_between_them(
    new_location: NewLocation, newcomers: int
) -> None:
    """Each move halves the gap; after fifty the numbers run out and the queue is spread again."""
    come = [("come", 1, 1)] * newcomers
    halving = [("move", 2, 2)] * 130
    in_a_fresh_store(new_location, [*come, *halving, ("come", 1, 1), ("move", 0, 3)])


def test_however_often_somebody_is_sent_to_the_end_the_end_is_the_end(new_location: NewLocation) -> None:
    in_a_fresh_store(new_location, [("come", 1, 1)] * 3 + [("move", 0, FAR_BEHIND)] * 120)


def test_a_newcomer_stands_behind_all_who_were_sent_to_the_end_before(new_location: NewLocation) -> None:
    come, to_the_end = ("come", 1, 1), ("move", 0, FAR_BEHIND)
    in_a_fresh_store(new_location, [come] * 60 + [to_the_end] * 58 + [come])


async def test_to_the_head_to_the_middle_and_beyond_the_end(shop: Shop) -> None:
    a, b, c, d = (job.id for job in await shop.submit_many(4))
    await shop.write(lambda tx: move(tx, d, 1))
    assert await shop.read(queue_of) == [d, a, b, c]
    await shop.write(lambda tx: move(tx, d, 3))
    assert await shop.read(queue_of) == [a, b, d, c]
    await shop.write(lambda tx: move(tx, a, FAR_BEHIND))
    assert await shop.read(queue_of) == [b, d, c, a]
    e = (await shop.submit()).id
    assert await shop.read(queue_of) == [b, d, c, a, e]


async def test_urgent_jobs_lead_and_no_move_puts_another_job_before_them(shop: Shop) -> None:
    a, b = (job.id for job in await shop.submit_many(2))
    late, later = (job.id for job in await shop.submit_many(2, urgent=True))
    assert await shop.read(queue_of) == [late, later, a, b]
    await shop.write(lambda tx: move(tx, b, 1))
    assert await shop.read(queue_of) == [late, later, b, a]
    assert (await shop.events(b))[-1].data == {"owner": "ann", "place": 3}
    await shop.write(lambda tx: move(tx, late, FAR_BEHIND))
    assert await shop.read(queue_of) == [later, late, b, a]


async def test_to_where_it_stands_already(shop: Shop) -> None:
    a, b, c = (job.id for job in await shop.submit_many(3))
    for place, job_id in enumerate([a, b, c], start=1):
        await shop.write(lambda tx, j=job_id, p=place: move(tx, j, p))
        assert await shop.read(queue_of) == [a, b, c]


async def test_alone_in_the_queue_every_place_is_the_first(shop: Shop) -> None:
    job = await shop.submit()
    for place in (1, 2, 9):
        await shop.write(lambda tx, p=place: move(tx, job.id, p))
    assert await shop.read(queue_of) == [job.id]


async def test_a_move_is_told_and_makes_older_looks_at_the_job_stale(shop: Shop) -> None:
    first, second = await shop.submit_many(2)
    await shop.write(lambda tx: move(tx, second.id, 1))
    event = (await shop.events(second.id))[-1]
    assert (event.kind, event.actor, event.data) == (EventKind.MOVED, "root", {"owner": "ann", "place": 1})
    assert await shop.change(second, JobState.HELD) is None
    assert await shop.change(first, JobState.HELD) is not None


async def test_those_who_run_do_not_count_as_standing_in_the_queue(shop: Shop) -> None:
    a, b, c = await shop.submit_many(3)
    await shop.begin(a)
    assert await shop.read(queue_of) == [b.id, c.id]
    await shop.write(lambda tx: move(tx, c.id, 1))
    assert await shop.read(queue_of) == [c.id, b.id]


async def test_the_head_is_before_everybody_also_after_moves_to_the_head(shop: Shop) -> None:
    assert await shop.read(head_position) == 0.0
    a, b = await shop.submit_many(2)
    await shop.write(lambda tx: move(tx, b.id, 1))
    head = await shop.read(head_position)
    positions = await shop.read(lambda c: list(c.execute(select(schema.jobs.c.position)).scalars()))
    assert head < min(positions)
    assert await shop.read(queue_of) == [b.id, a.id]
