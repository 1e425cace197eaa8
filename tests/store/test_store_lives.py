"""The life of a job in the store: each step guarded, each step told, resources held exactly as long."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, update

from danlu.core.events import EventKind
from danlu.core.job import Job, StopIntent, Task
from danlu.core.resources import Allocation
from danlu.core.states import EndReason, IllegalTransition, JobState
from danlu.core.task import TaskEnd, TaskEnding
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction
from danlu.store.jobs.attempts import (
    AttemptEnd,
    attempts_of,
    current_tasks,
    end_attempts,
    note_gathered,
    note_tasks,
    request_stop,
)
from danlu.store.jobs.board import read_holdings, read_jobs_on_board
from danlu.store.jobs.job_rows import active_jobs, find_submission, get_job, update_spec
from tests.store.builders import (
    Shop,
    a_spec,
    a_task,
    a_verdict,
    begin_attempt,
    end_attempt,
    insert_job,
    note_start,
)

S = JobState


class TestChangingState:
    async def test_a_change_is_told_with_both_states_and_who_did_it(self, shop: Shop) -> None:
        job = await shop.submit()
        held = await shop.change(job, S.HELD, actor="bo")
        assert held == await shop.job(job.id)
        event = (await shop.events(job.id, EventKind.STATE))[-1]
        assert (event.data["before"], event.data["after"], event.actor) == ("waiting", "held", "bo")

    async def test_whoever_saw_an_older_version_changes_nothing_and_tells_nothing(self, shop: Shop) -> None:
        seen = await shop.submit()
        await shop.change(seen, S.HELD)
        now = await shop.job(seen.id)
        told = await shop.events()
        assert await shop.change(seen, S.CANCELLED) is None
        assert await shop.job(seen.id) == now
        assert await shop.events() == told

    async def test_the_same_state_with_another_version_is_stale_too(self, shop: Shop) -> None:
        seen = await shop.submit()
        held = await shop.change(seen, S.HELD)
        assert held is not None
        assert await shop.change(held, S.WAITING) is not None
        assert await shop.change(seen, S.CANCELLED) is None

    async def test_an_edge_that_is_not_in_the_table_raises_and_writes_nothing(self, shop: Shop) -> None:
        job = await shop.submit()
        with pytest.raises(IllegalTransition):
            await shop.change(job, S.RUNNING)
        assert await shop.job(job.id) == job
        assert await shop.steps(job.id) == []


class TestAttempts:
    async def test_a_whole_life(self, shop: Shop) -> None:
        job = await shop.submit(a_spec(gpus=2))
        starting = await shop.begin(job, 0, 3)
        assert starting is not None
        assert starting.attempt == 1
        assert await shop.held() == {("forge", 0): (job.id, 1), ("forge", 3): (job.id, 1)}
        shop.clock.advance(1)
        running = await shop.started(starting)
        assert running is not None
        shop.clock.advance(60)
        await shop.end(running, a_verdict(EndReason.COMPLETED, exit_code=0))
        done = await shop.job(job.id)
        assert (done.state, done.exit_code, done.started_at, done.ended_at) == (
            S.SUCCEEDED,
            0,
            1001.0,
            1061.0,
        )
        assert done.placed == Allocation("forge", (0, 3), 1, 0)
        assert await shop.held() == {}
        (attempt,) = await shop.read(lambda c: attempts_of(c, job.id))
        assert (attempt.number, attempt.started_at, attempt.ended_at) == (1, 1001.0, 1061.0)
        assert attempt.end_reason is EndReason.COMPLETED
        assert attempt.tasks == (replace(a_task(0, 3), begun_at=attempt.created_at),)

    async def test_every_step_of_a_life_is_told_and_says_where_it_ran(self, shop: Shop) -> None:
        job = await shop.submit()
        await shop.run_to_end(job, EndReason.EXIT_CODE)
        assert await shop.steps(job.id) == [
            ("waiting", "starting"),
            ("starting", "running"),
            ("running", "failed"),
        ]
        begun, _, ended = await shop.events(job.id, EventKind.STATE)
        assert (begun.attempt, begun.node, begun.data["gpu_ids"]) == (1, "forge", [])
        assert ended.data["end_reason"] == "exit_code"

    async def test_the_owners_paths_are_not_told_to_everybody(self, shop: Shop) -> None:
        job = await shop.submit()
        starting = await shop.begin(job)
        assert starting is not None
        await shop.end(starting, a_verdict(EndReason.DIRECTORY_MISSING, detail="/home/ann/secret"))
        assert (await shop.job(job.id)).detail == "/home/ann/secret"
        assert "secret" not in str(await shop.events())

    async def test_a_gpu_that_is_taken_is_not_given_again_and_the_try_leaves_no_trace(
        self, shop: Shop
    ) -> None:
        first, second = await shop.submit_many(2)
        await shop.begin(first, 0, 1)
        told = await shop.events()
        shop.published.clear()
        assert await shop.begin(second, 1, 2) is None
        assert await shop.job(second.id) == second
        assert await shop.events() == told
        assert shop.published == []
        assert await shop.read(lambda c: attempts_of(c, second.id)) == []
        assert set(await shop.held()) == {("forge", 0), ("forge", 1)}

    async def test_a_try_that_failed_does_not_spoil_the_next_one_in_the_same_transaction(
        self, shop: Shop
    ) -> None:
        first, second, third = await shop.submit_many(3)

        def apply(tx: object) -> list[bool]:
            tries = [(first, 0), (second, 0), (third, 1)]
            return [begin_attempt(tx, job, (a_task(gpu),)) is not None for job, gpu in tries]  # type: ignore[arg-type]

        shop.published.clear()
        assert await shop.write(apply) == [True, False, True]
        assert [event.job_id for event in shop.published] == [first.id, third.id]
        assert await shop.held() == {("forge", 0): (first.id, 1), ("forge", 1): (third.id, 1)}

    async def test_the_same_index_on_another_node_is_another_gpu(self, shop: Shop) -> None:
        first, second = await shop.submit_many(2)
        assert await shop.begin(first, 0, node="a")
        assert await shop.begin(second, 0, node="b")

    async def test_a_decision_about_a_job_that_changed_since_is_dropped(self, shop: Shop) -> None:
        seen = await shop.submit()
        await shop.write(lambda tx: update_spec(tx, seen, a_spec(gpus=4), "ann"))
        told = await shop.events()
        assert await shop.begin(seen, 0) is None
        assert await shop.events() == told
        assert await shop.held() == {}
        assert await shop.read(lambda c: attempts_of(c, seen.id)) == []

    async def test_a_stopping_job_keeps_its_gpus_until_its_processes_are_gone(self, shop: Shop) -> None:
        job = await shop.begin(await shop.submit(), 0)
        assert job is not None
        stopping = await shop.stop(job)
        assert stopping is not None
        assert set(await shop.held()) == {("forge", 0)}
        await shop.end(await shop.job(job.id), a_verdict(EndReason.CANCELLED, signal=15))
        assert await shop.held() == {}
        ended = await shop.job(job.id)
        assert (ended.state, ended.signal, ended.stop_intent) == (S.CANCELLED, 15, None)

    async def test_the_job_that_a_step_gives_back_is_the_job_as_it_is_stored(self, shop: Shop) -> None:
        waiting = await shop.submit()
        begun = await shop.write(lambda tx: begin_attempt(tx, waiting, (a_task(0),)))
        assert begun == await shop.job(waiting.id)

    async def test_a_retry_is_the_next_attempt_and_the_old_one_is_kept(self, shop: Shop) -> None:
        job = await shop.begin(await shop.submit(a_spec(retries=1)), 0)
        assert job is not None
        verdict = a_verdict(EndReason.EXIT_CODE, S.WAITING, exit_code=3, not_before=1_010.0, retries_used=1)
        await shop.end(job, verdict)
        waiting = await shop.job(job.id)
        assert (waiting.state, waiting.not_before, waiting.ended_at) == (S.WAITING, 1_010.0, None)
        again = await shop.begin(waiting, 1)
        assert again is not None
        assert again.attempt == 2
        now = await shop.job(job.id)
        assert (now.not_before, now.exit_code, now.end_reason, now.retries_used) == (None, None, None, 1)
        first, second = await shop.read(lambda c: attempts_of(c, job.id))
        assert (first.exit_code, second.exit_code) == (3, None)
        tasks = await shop.read(lambda c: current_tasks(c, [now]))
        begun_at = (await shop.read(lambda c: attempts_of(c, job.id)))[-1].created_at
        assert tasks == {job.id: (replace(a_task(1), begun_at=begun_at),)}

    async def test_a_start_reported_twice_is_no_news(self, shop: Shop) -> None:
        job = await shop.begin(await shop.submit())
        assert job is not None
        running = await shop.started(job)
        assert running is not None
        assert await shop.started(running) is None
        assert await shop.started(job) is None
        assert len(await shop.steps(job.id)) == 2

    async def test_an_end_that_comes_before_its_start_brings_the_start_along(self, shop: Shop) -> None:
        job = await shop.begin(await shop.submit())
        assert job is not None
        await shop.write(lambda tx: end_attempt(tx, job, a_verdict(EndReason.COMPLETED), 1_009.0, 1_002.0))
        done = await shop.job(job.id)
        assert (done.state, done.started_at, done.ended_at) == (S.SUCCEEDED, 1_002.0, 1_009.0)
        (attempt,) = await shop.read(lambda c: attempts_of(c, job.id))
        assert (attempt.started_at, attempt.ended_at) == (1_002.0, 1_009.0)

    async def test_an_end_reported_twice_counts_once(self, shop: Shop) -> None:
        job = await shop.begin(await shop.submit(), 0)
        assert job is not None
        assert await shop.end(job, a_verdict(EndReason.COMPLETED)) is not None
        assert await shop.end(job, a_verdict(EndReason.EXIT_CODE)) is None
        assert (await shop.job(job.id)).state is S.SUCCEEDED

    async def test_a_start_in_the_same_commit_as_the_stop_is_stale(self, shop: Shop) -> None:
        job = await shop.begin(await shop.submit())
        assert job is not None
        await shop.stop(job)
        assert await shop.write(lambda tx: note_start(tx, job, 1_001.0)) is None
        assert (await shop.job(job.id)).state is S.STOPPING


class TestGangs:
    """Attempts with several tasks, each on its own node."""

    TASKS = (a_task(0, 1, node="n1"), a_task(0, 1, node="n2", rank=1))

    async def begun(self, shop: Shop, **spec: Any) -> Job:
        job = await shop.submit(a_spec(nodes=2, gpus=2, **spec))
        await shop.write(lambda tx: begin_attempt(tx, job, self.TASKS))
        return await shop.job(job.id)

    async def tasks(self, shop: Shop, job: Job) -> tuple[Task, ...]:
        return (await shop.read(lambda connection: current_tasks(connection, [job])))[job.id]

    async def test_all_of_it_is_taken_or_nothing(self, shop: Shop) -> None:
        job = await self.begun(shop)
        assert job.on_nodes == ("n1", "n2")
        assert set(await shop.held()) == {("n1", 0), ("n1", 1), ("n2", 0), ("n2", 1)}
        other = await shop.submit(a_spec(nodes=2, gpus=1))
        clash = (a_task(0, node="n3"), a_task(1, node="n2", rank=1))
        assert await shop.write(lambda tx: begin_attempt(tx, other, clash)) is None
        assert await shop.job(other.id) == other
        assert {node for node, _ in await shop.held()} == {"n1", "n2"}

    async def test_the_step_gives_back_the_job_as_it_is_stored(self, shop: Shop) -> None:
        job = await shop.submit(a_spec(nodes=2, gpus=2))
        begun = await shop.write(lambda tx: begin_attempt(tx, job, self.TASKS))
        assert begun == await shop.job(job.id)

    async def test_what_is_known_of_each_task_is_kept(self, shop: Shop) -> None:
        job = await self.begun(shop)
        first, second = await self.tasks(shop, job)
        gathered = (
            replace(first, address="10.0.0.1", port=29_500, second_port=29_501),
            replace(second, address="10.0.0.2"),
        )
        await shop.write(lambda tx: note_gathered(tx, job, gathered))
        end = TaskEnd(TaskEnding.EXITED, 1_005.0, wait_status=256, detail="why")
        ended = replace(gathered[1], started_at=1_001.0, end=end)
        await shop.write(lambda tx: note_tasks(tx, job, [ended]))
        assert await self.tasks(shop, job) == (gathered[0], ended)
        [told] = await shop.events(job.id, EventKind.TASK)
        assert (told.node, told.attempt, told.data["rank"], told.data["ending"]) == ("n2", 1, 1, "exited")
        assert "why" not in str(told.data)

    async def test_its_end_frees_every_node(self, shop: Shop) -> None:
        job = await self.begun(shop)
        await shop.end(job, a_verdict(EndReason.COMPLETED))
        assert await shop.held() == {}

    async def test_what_goes_to_the_head_keeps_its_order_there(self, shop: Shop) -> None:
        first, second = await shop.submit_many(2)
        waiting = await shop.submit()
        begun = [await shop.begin(job) for job in (first, second)]
        lost = a_verdict(EndReason.NODE_LOST, S.WAITING, to_head=True)
        ends = [AttemptEnd(job, lost, 1_000.0) for job in reversed(begun) if job]
        await shop.write(lambda tx: end_attempts(tx, ends))
        positions = [(await shop.job(job.id)).position for job in (first, second, waiting)]
        assert positions == sorted(positions)
        assert len(set(positions)) == 3

    async def test_fewer_nodes_are_for_one_attempt_only(self, shop: Shop) -> None:
        job = await shop.submit(a_spec(nodes=3, nodes_min=1))

        async def asked() -> int:
            board = await shop.read(lambda connection: read_jobs_on_board(connection, [job.id]))
            return board.queue[0].ask.nodes if board.queue else 0

        begun = await shop.begin(job)
        running = await shop.started(begun) if begun else None
        assert running is not None
        holdings = await shop.read(read_holdings)
        assert [holding.elastic for holding in holdings] == [True]
        stopping = await shop.write(lambda tx: request_stop(tx, running, StopIntent.RESIZE, None, nodes=2))
        assert stopping is not None
        await shop.end(await shop.job(job.id), a_verdict(EndReason.RESIZED, to_head=True))
        assert await asked() == 2
        begun = await shop.begin(await shop.job(job.id))
        assert begun is not None
        await shop.end(begun, a_verdict(EndReason.NODE_LOST, S.WAITING))
        assert await asked() == 3


class TestStopping:
    async def test_a_cancel_overrules_a_requeue(self, shop: Shop) -> None:
        job = await shop.begin(await shop.submit())
        assert job is not None
        await shop.stop(job, StopIntent.REQUEUE)
        stopping = await shop.job(job.id)
        assert await shop.stop(stopping, StopIntent.CANCEL) is not None
        assert (await shop.job(job.id)).stop_intent is StopIntent.CANCEL

    async def test_a_requeue_does_not_overrule_a_cancel(self, shop: Shop) -> None:
        job = await shop.begin(await shop.submit())
        assert job is not None
        await shop.stop(job, StopIntent.CANCEL)
        stopping = await shop.job(job.id)
        assert await shop.stop(stopping, StopIntent.REQUEUE) is None
        assert (await shop.job(job.id)).stop_intent is StopIntent.CANCEL

    async def test_stopping_twice_tells_once(self, shop: Shop) -> None:
        job = await shop.begin(await shop.submit())
        assert job is not None
        await shop.stop(job)
        await shop.stop(await shop.job(job.id))
        assert await shop.steps(job.id) == [("waiting", "starting"), ("starting", "stopping")]


class TestRows:
    async def test_a_spec_reads_back_exactly_as_it_was_written(self, shop: Shop) -> None:
        spec = a_spec(
            "python 训练.py\n",
            arguments=("-x", "a b"),
            name="训练",
            directory="/home/ann",
            environment="torch",
            node="forge",
            gpus=2,
            gpu_ids=(1, 3),
            gpu_arg="--gpus",
            cpus=4,
            memory_mb=512,
            time_limit_s=90.5,
            urgent=True,
            retries=3,
            retry_on=frozenset({EndReason.TIME_LIMIT, EndReason.SIGNAL}),
            stdout="out-$JOB_ID.log",
            variables={"K": "值", "EMPTY": ""},
            description="two\nlines",
            wait_for_hardware=True,
        )
        assert (await shop.submit(spec)).spec == spec

    async def test_a_spec_of_an_earlier_version_still_reads(self, shop: Shop) -> None:
        """It may lack what is new, and have what is gone."""
        job = await shop.submit(a_spec("python train.py", gpus=2, variables={"K": "v"}))
        gone = {"image": "torch:2", "mounts": ["/data"], "group": "lab", "mail": ["a@b.cn"]}
        new = ("nice", "stage", "auto", "launcher", "only_nodes", "exclude_nodes")

        def age(tx: Transaction) -> None:
            row = tx.connection.execute(select(schema.jobs.c.spec).where(schema.jobs.c.id == job.id)).one()
            spec = {name: value for name, value in row.spec.items() if name not in new} | gone
            tx.connection.execute(update(schema.jobs).where(schema.jobs.c.id == job.id).values(spec=spec))

        await shop.write(age)
        assert (await shop.job(job.id)).spec == job.spec

    async def test_the_columns_repeat_the_ask_also_after_an_edit(self, shop: Shop) -> None:
        from danlu.store.jobs.job_lists import ListQuery, list_jobs

        job = await shop.submit(a_spec(gpus=1))
        changed = a_spec(gpus=1, gpu_ids=(4, 2), memory_mb=7, node="forge", urgent=True, name="new")
        assert await shop.write(lambda tx: update_spec(tx, job, changed, "ann"))
        ((row,), _) = await shop.read(lambda c: list_jobs(c, ListQuery()))
        assert (row.ask, row.urgent, row.name) == (changed.ask, True, "new")
        assert (await shop.events(job.id))[-1].kind is EventKind.EDITED

    async def test_an_edit_of_what_changed_meanwhile_does_nothing(self, shop: Shop) -> None:
        seen = await shop.submit()
        await shop.change(seen, S.HELD)
        told = await shop.events()
        assert not await shop.write(lambda tx: update_spec(tx, seen, a_spec("other"), "ann"))
        assert (await shop.job(seen.id)).spec == seen.spec
        assert await shop.events() == told

    async def test_ids_are_never_used_again_even_when_the_newest_job_is_deleted(self, shop: Shop) -> None:
        first, second = await shop.submit_many(2)
        await shop.delete(second)
        third = await shop.submit()
        assert (first.id, second.id, third.id) == (1, 2, 3)

    async def test_a_refused_submission_takes_no_id_that_was_ever_seen(self, shop: Shop) -> None:
        first = await shop.submit()

        def refuse(tx: object) -> None:
            insert_job(tx, "ann", a_spec(), held=False)  # type: ignore[arg-type]
            raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            await shop.write(refuse)
        assert (await shop.submit()).id > first.id
        assert len(await shop.events(kind=EventKind.SUBMITTED)) == 2

    async def test_a_deleted_job_is_gone_for_whoever_asks_for_it(self, shop: Shop) -> None:
        job = await shop.submit()
        await shop.delete(job)
        assert await shop.read(lambda c: get_job(c, job.id)) is None
        assert (await shop.row(job.id)).state is S.DELETED

    async def test_a_key_finds_the_owners_submission_even_after_it_was_deleted(self, shop: Shop) -> None:
        job_id = await shop.write(lambda tx: insert_job(tx, "ann", a_spec(), held=False, key="k", digest="d"))
        await shop.delete(await shop.job(job_id))
        assert await shop.read(lambda c: find_submission(c, "ann", "k")) == (job_id, "d")
        assert await shop.read(lambda c: find_submission(c, "bo", "k")) is None

    async def test_active_jobs_are_those_with_an_attempt_under_way(self, shop: Shop) -> None:
        waiting, starting, stopping, done = await shop.submit_many(4)
        await shop.begin(starting)
        begun = await shop.begin(stopping)
        assert begun is not None
        await shop.stop(begun)
        await shop.run_to_end(done)
        active = await shop.read(active_jobs)
        assert sorted(job.id for job in active) == [starting.id, stopping.id]
        assert waiting.id not in {job.id for job in active}
