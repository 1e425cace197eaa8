"""Waiting for locks, and the secrets that let jobs take them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import update

from danlu.control.sharing.job_secrets import JobSecrets, SecretHolder
from danlu.control.sharing.locks import LockService
from danlu.core.errors import Conflict, DanluError, Forbidden, Invalid, NotFound, NotSignedIn, Unavailable
from danlu.core.locks import Lock
from danlu.core.states import JobState
from danlu.core.task import TaskKey
from danlu.store.engine import schema
from tests.control.agents import StubbornAgents
from tests.control.conftest import OpenWorld
from tests.control.world import World


async def person(world: World, name: str = "bo") -> SecretHolder:
    return SecretHolder(await world.user(name))


async def ends(world: World, job: SecretHolder) -> None:
    assert job.job is not None
    world.agents.ends(TaskKey(*job.job, 0), 0)
    await world.until(job.job[0], JobState.SUCCEEDED)


async def a_running_job(world: World, **fields: object) -> SecretHolder:
    job_id = await world.submit(**fields)
    await world.starts(job_id)
    return SecretHolder(await world.user("bo"), (job_id, (await world.job(job_id)).attempt))


async def secret_of(world: World, job: SecretHolder) -> str:
    assert job.job is not None
    job_id, attempt = job.job
    made_at = (await world.attempts(job_id))[attempt - 1].created_at
    return world.control.job_secrets.make(job_id, attempt, made_at)


def waiting(world: World, who: SecretHolder, token: str) -> asyncio.Task[Lock]:
    return asyncio.create_task(world.control.locks.acquire(who, "ckpt", token, wait_s=30.0))


async def until_in_queue(locks: LockService, number: int) -> None:
    async with asyncio.timeout(10):
        while sum(queue.waiting for queue in locks._queues.values()) < number:  # noqa: ASYNC110
            await asyncio.sleep(0)


async def settled() -> None:
    """Everything that could happen at once has happened."""
    for _ in range(20):
        await asyncio.sleep(0.001)


class TestWaiting:
    async def test_who_waits_gets_it_when_it_is_released_in_the_order_they_came(self, world: World) -> None:
        who, locks = await person(world), world.control.locks
        first = await locks.acquire(who, "ckpt", "a")
        second = waiting(world, who, "b")
        await until_in_queue(locks, 1)
        third = waiting(world, who, "c")
        await until_in_queue(locks, 2)
        await locks.release(who, "ckpt", first.fence)
        granted = await asyncio.wait_for(second, 10)
        assert granted.fence > first.fence
        assert not third.done()
        await locks.release(who, "ckpt", granted.fence)
        assert (await asyncio.wait_for(third, 10)).fence > granted.fence
        assert locks._queues == {}

    async def test_who_does_not_wait_is_refused_at_once(self, world: World) -> None:
        who, locks = await person(world), world.control.locks
        await locks.acquire(who, "ckpt", "a")
        with pytest.raises(Conflict) as refusal:
            await locks.acquire(who, "ckpt", "b")
        assert refusal.value.code == "lock_held"
        held = waiting(world, who, "c")
        await until_in_queue(locks, 1)
        with pytest.raises(Conflict):
            await locks.acquire(who, "ckpt", "b")
        held.cancel()

    async def test_who_waits_in_vain_is_told_by_whom_it_is_held(self, world: World) -> None:
        job = await a_running_job(world)
        await world.control.locks.acquire(job, "ckpt", "a")
        with pytest.raises(Conflict) as refusal:
            await world.control.locks.acquire(await person(world), "ckpt", "b", wait_s=0.05)
        assert refusal.value.code == "lock_held_by_job"
        assert job.job is not None
        assert refusal.value.facts["job"] == str(job.job[0])

    async def test_the_end_of_a_job_frees_what_it_held(self, world: World) -> None:
        job = await a_running_job(world)
        first = await world.control.locks.acquire(job, "ckpt", "a")
        next_one = waiting(world, await person(world), "b")
        await until_in_queue(world.control.locks, 1)
        await settled()
        assert not next_one.done()
        assert job.job is not None
        await ends(world, job)
        assert (await asyncio.wait_for(next_one, 10)).fence > first.fence

    async def test_asking_again_under_the_same_name_finds_the_grant(self, world: World) -> None:
        """The answer was lost on its way; meanwhile others have come."""
        who, locks = await person(world), world.control.locks
        first = await locks.acquire(who, "ckpt", "a")
        other = waiting(world, who, "b")
        await until_in_queue(locks, 1)
        assert await locks.acquire(who, "ckpt", "a") == first
        assert await locks.acquire(who, "ckpt", "a", wait_s=30.0) == first
        other.cancel()

    async def test_who_left_while_waiting_does_not_get_it(self, world: World) -> None:
        who, locks = await person(world), world.control.locks
        first = await locks.acquire(who, "ckpt", "a")
        gone, patient = waiting(world, who, "b"), waiting(world, who, "c")
        await until_in_queue(locks, 2)
        gone.cancel()
        await locks.release(who, "ckpt", first.fence)
        assert (await asyncio.wait_for(patient, 10)).holder == "c"

    async def test_a_grant_that_nobody_waits_for_any_more_is_given_back(self, world: World) -> None:
        job = await a_running_job(world)
        leaving = waiting(world, job, "a")
        await until_in_queue(world.control.locks, 1)
        leaving.cancel()
        assert (
            await asyncio.wait_for(
                world.control.locks.acquire(await person(world), "ckpt", "b", wait_s=30.0), 10
            )
        ).holder == "b"

    async def test_a_server_that_stops_keeps_nobody_waiting(self, world: World) -> None:
        who = await person(world)
        await world.control.locks.acquire(who, "ckpt", "a")
        tasks = [waiting(world, who, token) for token in "bcd"]
        await until_in_queue(world.control.locks, 3)
        await settled()
        world.control.bus.close()
        for task in tasks:
            with pytest.raises(Unavailable):
                await asyncio.wait_for(task, 10)


class TestWhose:
    async def test_people_do_not_see_or_hold_up_each_other(self, world: World) -> None:
        bo, cy, locks = await person(world), await person(world, "cy"), world.control.locks
        await locks.acquire(bo, "ckpt", "a")
        assert (await locks.acquire(cy, "ckpt", "b")).owner == "cy"
        assert [lock.owner for lock in await locks.list(cy)] == ["cy"]
        with pytest.raises(Forbidden):
            await locks.list(cy, all_owners=True)

    async def test_only_its_owner_and_an_admin_take_a_lock_away(self, world: World) -> None:
        bo, locks = await person(world), world.control.locks
        lock = await locks.acquire(bo, "ckpt", "a")
        with pytest.raises(Forbidden):
            await locks.force_release(await world.user("cy"), "bo", "ckpt")
        await locks.force_release(await world.user("ann"), "bo", "ckpt")
        with pytest.raises(Conflict):
            await locks.renew(bo, "ckpt", lock.fence, 30.0)
        with pytest.raises(NotFound):
            await locks.force_release(bo.user, "bo", "ckpt")


class TestKeys:
    async def test_a_change_on_top_of_an_old_revision_is_refused(self, world: World) -> None:
        bo, keys = await world.user("bo"), world.control.key_values
        first = await keys.put(bo, "best", "1", 0)
        second = await keys.put(bo, "best", "2", first.revision)
        for attempt in (keys.put(bo, "best", "3", first.revision), keys.put(bo, "best", "3", 0)):
            with pytest.raises(Conflict) as refusal:
                await attempt
            assert refusal.value.facts["revision"] == second.revision
        with pytest.raises(Conflict):
            await keys.delete(bo, "best", first.revision)
        assert (await keys.get(bo, "best")).value == "2"
        assert await keys.delete(bo, "best", second.revision)
        assert not await keys.delete(bo, "best", None)

    async def test_of_many_who_count_together_nobody_is_lost(self, world: World) -> None:
        bo, keys = await world.user("bo"), world.control.key_values
        await keys.put(bo, "count", "0", None)

        async def count() -> None:
            while True:
                known = await keys.get(bo, "count")
                try:
                    await keys.put(bo, "count", str(int(known.value) + 1), known.revision)
                    return
                except Conflict:
                    continue

        await asyncio.gather(*(count() for _ in range(10)))
        assert (await keys.get(bo, "count")).value == "10"

    async def test_a_value_has_a_largest_size_in_bytes(self, world: World) -> None:
        bo, keys = await world.user("bo"), world.control.key_values
        await keys.put(bo, "k", "x" * 65_536, None)
        with pytest.raises(Invalid) as refusal:
            await keys.put(bo, "k", "丹" * 30_000, None)
        assert (refusal.value.code, refusal.value.field) == ("value_too_large", "value")


class TestSecrets:
    async def test_a_secret_stands_for_the_owner_while_its_attempt_lasts(self, world: World) -> None:
        job = await a_running_job(world)
        assert job.job is not None
        secrets = world.control.job_secrets
        secret = await secret_of(world, job)
        assert await secrets.identify(secret) == job
        await ends(world, job)
        with pytest.raises(NotSignedIn) as refusal:
            await secrets.identify(secret)
        assert refusal.value.code == "attempt_over"

    async def test_one_from_before_a_restore_is_not_that_of_the_attempt_with_its_number(
        self, world: World
    ) -> None:
        """The job goes on from what was restored, and a task of the time before still lives."""
        job = await a_running_job(world)
        assert job.job is not None
        old = await secret_of(world, job)
        made_later = update(schema.attempts).values(created_at=schema.attempts.c.created_at + 0.25)
        await world.control.database.write(lambda tx: tx.connection.execute(made_later))
        with pytest.raises(NotSignedIn) as refusal:
            await world.control.job_secrets.identify(old)
        assert refusal.value.code == "not_signed_in"
        assert (await world.control.job_secrets.identify(await secret_of(world, job))).job == job.job

    async def test_of_a_task_of_an_array_too(self, world: World) -> None:
        await world.submit(array="0-1")
        await world.settle()
        order = world.agents.launched[0]
        secrets = world.control.job_secrets
        found = await secrets.identify(secrets.make(*order.key[:2], order.begun_at))
        assert found.job == (order.key.job, 1)

    async def test_no_other_can_be_made_from_one(self, world: World) -> None:
        job = await a_running_job(world)
        other = await a_running_job(world)
        assert job.job is not None
        assert other.job is not None
        secrets = world.control.job_secrets
        mac = (await secret_of(world, job)).rpartition("-")[2]
        forged = [
            f"job_{other.job[0]}-{other.job[1]}-{mac}",
            f"job_{job.job[0]}-{job.job[1] + 1}-{mac}",
            f"job_{job.job[0]}-{job.job[1]}-{'0' * 64}",
            f"job_{job.job[0]}-{job.job[1]}-",
            "job_",
            f"job_{'9' * 40}-1-{mac}",
        ]
        for text in forged:
            with pytest.raises(NotSignedIn):
                await secrets.identify(text)
        elsewhere = JobSecrets(world.control.database, "http://x")
        with pytest.raises(NotSignedIn):
            await elsewhere.identify(await secret_of(world, job))

    async def test_it_survives_a_restart_and_not_its_owners_account(self, world: World) -> None:
        job = await a_running_job(world)
        assert job.job is not None
        secret = await secret_of(world, job)
        await world.restart()
        assert (await world.control.job_secrets.identify(secret)).job == job.job
        await world.change_user("bo", locked=True)
        with pytest.raises(Forbidden):
            await world.control.job_secrets.identify(secret)

    async def test_orders_carry_it_where_there_is_an_address(self, world: World) -> None:
        world.settings = replace(world.settings, address_for_jobs="https://n1:7322#ab")
        await world.restart()
        job = await a_running_job(world)
        assert job.job is not None
        order = world.agents.launched[-1]
        assert (order.server, order.servers) == ("https://n1:7322#ab", ("https://n1:7322#ab",))
        assert order.job_secret == await secret_of(world, job)
        world.control.job_secrets._others = lambda: ("https://n2:7322#cd", "https://n1:7322#ab")
        await a_running_job(world)
        order = world.agents.launched[-1]
        assert (order.server, order.servers) == (
            "https://n1:7322#ab",
            ("https://n1:7322#ab", "https://n2:7322#cd"),
        )

    async def test_a_job_that_is_being_stopped_may_still_tidy_up(self, open_world: OpenWorld) -> None:
        world = await open_world(StubbornAgents())
        job = await a_running_job(world)
        assert job.job is not None
        await world.control.jobs.cancel(job.user, job.job[0])
        assert await world.state(job.job[0]) is JobState.STOPPING
        secrets = world.control.job_secrets
        assert (await secrets.identify(await secret_of(world, job))).job == job.job


async def test_who_may_only_look_takes_and_writes_nothing(world: World) -> None:
    await world.change_user("cy", role="viewer")
    who = await person(world, "cy")
    tries = [
        world.control.locks.acquire(who, "ckpt", "a"),
        world.control.key_values.put(who.user, "k", "v", None),
    ]
    for attempt in tries:
        with pytest.raises(DanluError) as refusal:
            await attempt
        assert refusal.value.code == "viewers_only_look"
