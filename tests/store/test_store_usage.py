"""What GPUs did, as packed: kept and replaced, with its job and no longer."""

from __future__ import annotations

from functools import partial

from danlu.core.states import EndReason
from danlu.store.nodes.usage import (
    StoredUsage,
    UsageKey,
    attempts_ended_after,
    holders_of_gpus,
    keep_readings,
    keep_usage,
    read_readings,
    read_usage,
    spans_of,
)
from danlu.store.pruning import prune_usage
from tests.store.builders import Shop, a_verdict

COMPLETED = a_verdict(EndReason.COMPLETED)


async def keep(shop: Shop, key: UsageKey, until: float, data: bytes = b"curve") -> None:
    await shop.write(partial(keep_usage, usage={key: StoredUsage(until, data)}))


async def kept(shop: Shop, *keys: UsageKey) -> dict[UsageKey, StoredUsage]:
    return await shop.read(partial(read_usage, keys=keys))


async def test_only_tasks_with_gpus_have_spans(shop: Shop) -> None:
    plain, with_gpus = await shop.submit_many(2)
    await shop.begin(plain)
    begun = await shop.begin(with_gpus, 0, 1)
    assert begun is not None
    assert await shop.read(holders_of_gpus) == {(with_gpus.id, 1)}
    spans = await shop.read(partial(spans_of, attempts=[(plain.id, 1), (with_gpus.id, 1)]))
    assert [(span.key, span.node, span.gpu_ids, span.ended_at) for span in spans] == [
        ((with_gpus.id, 1, 0), "forge", (0, 1), None)
    ]


async def test_the_newest_is_kept_and_goes_with_its_job(shop: Shop) -> None:
    job, other = await shop.submit_many(2)
    await shop.begin(other, 1)
    await shop.run_to_end(job)
    begun = await shop.begin(await shop.submit(), 0)
    assert begun is not None
    key = (begun.id, 1, 0)
    await keep(shop, key, 10.0)
    await keep(shop, key, 20.0, b"longer \x00\xff")
    await keep(shop, (other.id, 1, 0), 20.0)
    await keep(shop, (99, 1, 0), 20.0)
    assert await kept(shop, key, (99, 1, 0)) == {key: StoredUsage(20.0, b"longer \x00\xff")}
    ended = await shop.end(begun, COMPLETED)
    assert ended is not None
    assert (begun.id, 1) in await shop.read(partial(attempts_ended_after, at=0.0))
    await shop.delete(await shop.job(begun.id))
    await keep(shop, key, 30.0)
    assert await kept(shop, key) == {}
    assert await kept(shop, (other.id, 1, 0)) != {}


async def test_those_of_jobs_that_ended_long_ago_are_pruned(shop: Shop) -> None:
    old, running = await shop.submit_many(2)
    begun = await shop.begin(old, 0)
    assert begun is not None
    await shop.begin(running, 1)
    keys = (old.id, 1, 0), (running.id, 1, 0)
    for key in keys:
        await keep(shop, key, 10.0)
    await shop.end(begun, COMPLETED)
    shop.clock.advance(1000)
    assert not await shop.write(partial(prune_usage, before=shop.clock() - 10))
    assert set(await kept(shop, *keys)) == {keys[1]}


async def test_a_stretch_replaces_what_lies_behind_its_beginning_and_the_oldest_go(shop: Shop) -> None:
    for until in (10.0, 20.0, 30.0):
        stretch = StoredUsage(until, b"short")
        await shop.write(partial(keep_readings, stretch=stretch, after=until - 10, oldest=0.0))
    long = StoredUsage(40.0, b"long")
    await shop.write(partial(keep_readings, stretch=long, after=20.0, oldest=15.0))
    assert await shop.read(read_readings) == [StoredUsage(20.0, b"short"), long]
