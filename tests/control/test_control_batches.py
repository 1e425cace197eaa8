"""Many jobs in one request: all or none, and no other request waits for them."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from typing import Any

import pytest
from sqlalchemy import event

from danlu.codec import encode_said
from danlu.control.jobs import batches
from danlu.control.jobs.batches import Batch, digest_in_pieces, digest_of
from danlu.control.jobs.drafts import Drafting
from danlu.core.errors import Conflict, Invalid
from danlu.store.engine import bulk_rows
from danlu.store.jobs.job_rows import get_job
from danlu.wire.jobs import JobFields
from tests.control.world import World

MANY = 1_000


def fields(number: int, **others: Any) -> JobFields:
    return JobFields(command=f"echo {number}", directory="/tmp", **others)


async def submit(world: World, many: list[JobFields], key: str | None = None) -> list[int]:
    return (await world.control.submissions.submit_many(await world.user("bo"), many, key)).ids


async def last_id(world: World) -> int:
    return (await submit(world, [fields(0)]))[0]


async def test_the_writer_is_held_for_a_few_statements_however_many_jobs(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await last_id(world)
    drafted_by: set[str] = set()
    draft = Drafting.new

    def watched(self: Drafting, *asked: Any, **options: Any) -> Any:
        drafted_by.add(threading.current_thread().name)
        return draft(self, *asked, **options)

    monkeypatch.setattr(Drafting, "new", watched)
    said: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        said.append(statement)

    engine = world.control.database._writing
    event.listen(engine, "before_cursor_execute", note)
    try:
        many = [fields(number, after=[first], array="1-3" if number % 2 else None) for number in range(MANY)]
        ids = await submit(world, many)
    finally:
        event.remove(engine, "before_cursor_execute", note)
    assert ids == list(range(first + 1, first + 1 + MANY))
    assert "danlu-write" not in drafted_by
    # Jobs, events, predecessors and arrays, many in each statement; and a handful for all of them.
    assert len(said) < 10 + 4 * (MANY / bulk_rows.ROWS + 1)


async def test_others_come_in_between(world: World) -> None:
    under_way = asyncio.create_task(submit(world, [fields(number) for number in range(MANY)]))
    others = 0
    while not under_way.done():
        await last_id(world)
        others += 1
    assert await under_way
    assert others >= 5


@pytest.mark.parametrize("bad", [0, 777, MANY - 1])
async def test_one_bad_job_keeps_all_out_and_is_named(world: World, bad: int) -> None:
    before = await last_id(world)
    many = [fields(number, gpus=9999 if number == bad else 0) for number in range(MANY)]
    with pytest.raises(Invalid) as refused:
        await submit(world, many)
    assert refused.value.field == f"jobs.{bad}.gpus"
    assert await last_id(world) == before + 1


async def test_what_changes_while_they_are_made_ready_is_looked_at_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    [predecessor] = await submit(world, [fields(0, hold=True)])
    prepare = Batch.prepare

    async def prepare_and_lose_it(self: Batch, *asked: Any) -> None:
        await prepare(self, *asked)
        user = await world.user("bo")
        await world.control.jobs.delete(user, predecessor, with_successors=False, running="refuse")

    monkeypatch.setattr(Batch, "prepare", prepare_and_lose_it)
    many = [fields(number, after=[predecessor] if number == 500 else None) for number in range(MANY)]
    with pytest.raises(Invalid) as refused:
        await submit(world, many)
    assert (refused.value.code, refused.value.field) == ("no_such_predecessor", "jobs.500.after")
    assert await last_id(world) == predecessor + 1


async def test_predecessors_are_counted_over_all_pieces(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    predecessor = await last_id(world)
    monkeypatch.setattr("danlu.control.jobs.drafts.MOST_DEPENDENCIES", 3 * batches.PIECE)
    many = [fields(number, after=[predecessor]) for number in range(MANY)]
    with pytest.raises(Invalid) as refused:
        await submit(world, many)
    assert refused.value.field == f"jobs.{3 * batches.PIECE}.after"


async def test_a_key_is_for_all_of_them(world: World) -> None:
    many = [fields(number) for number in range(300)]
    ids = await asyncio.gather(*(submit(world, many, "one") for _ in range(3)))
    assert ids[0] == ids[1] == ids[2]
    with pytest.raises(Conflict):
        await submit(world, [*many[:-1], fields(-1)], "one")
    job = await world.control.database.read(lambda connection: get_job(connection, ids[0][-1]))
    assert job is not None
    assert job.spec.command == "echo 299"


async def test_a_request_has_the_digest_that_it_has_always_had() -> None:
    """Else a request that is repeated over an upgrade would be taken for another."""
    many = [fields(number, name=f"任务 {number}") for number in range(123)]
    asked = [encode_said(each) for each in many]
    always = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
    assert await digest_in_pieces(many) == digest_of(many) == always
    alone = hashlib.sha256(json.dumps(asked[0], sort_keys=True).encode()).hexdigest()
    assert await digest_in_pieces(many[:1]) == digest_of(many[:1]) == alone
