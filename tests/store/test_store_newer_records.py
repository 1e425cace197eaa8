"""A server that was rolled back reads what a newer version has written into the same tables."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Table, insert, update

from danlu.core.auto import Auto, AutoReason
from danlu.core.events import EventKind
from danlu.core.job import DependencyKind, Launcher, StopIntent
from danlu.core.lab_settings import SchedulingSettings
from danlu.core.nodes.node import Gpu, NodeFacts, NodeRole, NodeState
from danlu.core.states import EndReason, JobState
from danlu.core.task import TaskEnd, TaskEnding
from danlu.core.user import Role
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction
from danlu.store.engine.records import end_from_json
from danlu.store.events import events_after, events_of_job
from danlu.store.jobs.board import read_board
from danlu.store.jobs.dependencies import dependencies_of
from danlu.store.nodes.node_rows import get_node, save_facts
from danlu.store.settings import read_changes, read_scheduling, write_setting
from danlu.store.users import add_user, get_user
from tests.store.builders import Shop, a_spec, after

NEW = {"from_the_future": {"a": [1]}}


async def overwrite(shop: Shop, table: Table, **columns: Any) -> None:
    """In every row, as a newer version might have it."""

    def write(tx: Transaction) -> None:
        tx.connection.execute(update(table).values(**columns))

    await shop.write(write)


async def reshape(shop: Shop, **changes: Any) -> None:
    """These fields in the spec of the only job."""
    (spec,) = await shop.read(lambda c: c.execute(schema.jobs.select()).mappings().all())
    await overwrite(shop, schema.jobs, spec={**spec["spec"], **changes})


async def test_new_fields_of_a_job_are_left_out(shop: Shop) -> None:
    spec = a_spec(gpus=2, variables={"A": "1"}, auto=Auto(gpus=True, reason=AutoReason.FREE), stage=("/d",))
    job = await shop.submit(spec)
    await reshape(shop, **NEW, auto={"gpus": True, "nodes": False, "reason": "free", **NEW})
    assert (await shop.job(job.id)).spec == spec


async def test_new_words_of_a_job_count_as_not_said(shop: Shop) -> None:
    job = await shop.submit()
    await reshape(
        shop, launcher="teleport", retry_on=["abducted", "signal"], auto={"gpus": True, "reason": "oracle"}
    )
    spec = (await shop.job(job.id)).spec
    assert (spec.launcher, spec.retry_on) == (Launcher.PLAIN, {EndReason.SIGNAL})
    assert spec.auto == Auto(gpus=True)


async def test_a_new_reason_of_an_end_is_none_that_is_known(shop: Shop) -> None:
    job = await shop.submit()
    await shop.run_to_end(job)
    await overwrite(shop, schema.jobs, end_reason="abducted")
    ended = await shop.job(job.id)
    assert (ended.state, ended.end_reason) == (JobState.SUCCEEDED, None)


async def test_a_new_reason_to_stop_sends_a_job_back_into_the_line(shop: Shop) -> None:
    job = await shop.submit()
    await overwrite(shop, schema.jobs, stop_intent="lend_out")
    assert (await shop.job(job.id)).stop_intent is StopIntent.REQUEUE


async def test_a_new_kind_of_need_is_as_strict_as_any(shop: Shop) -> None:
    first = await shop.submit()
    job = await shop.submit(a_spec(dependencies=after(first.id)))
    await shop.run_to_end(first, EndReason.EXIT_CODE)
    await overwrite(shop, schema.dependencies, kind="like")
    (need,) = await shop.read(lambda c: dependencies_of(c, job.id))
    assert need.kind is DependencyKind.OK
    (waiting,) = (await shop.read(read_board)).jobs.queue
    assert waiting.failed_predecessors == (first.id,)


async def test_a_new_wish_is_left_out_of_what_a_pass_reads(shop: Shop) -> None:
    await shop.submit(a_spec(gpus=1, only_nodes=("forge",)))
    await overwrite(shop, schema.jobs, wants={"only_nodes": ["forge"], "in_sunlight": True})
    (waiting,) = (await shop.read(read_board)).jobs.queue
    assert waiting.ask.only_nodes == ("forge",)


async def test_events_of_a_new_kind_are_passed_over(shop: Shop) -> None:
    job = await shop.submit()
    row = {"id": 1000, "at": 1.0, "kind": "job.dreamt", "job_id": job.id, "data": {}}
    await shop.write(lambda tx: tx.connection.execute(insert(schema.events).values(**row)))
    for events in (
        await shop.read(lambda c: events_after(c, 0, 100)),
        await shop.read(lambda c: events_of_job(c, job.id)),
    ):
        assert [event.kind for event in events if event.job_id == job.id] == [EventKind.SUBMITTED]


@pytest.mark.parametrize(
    ("change", "end"),
    [
        (NEW, TaskEnd(TaskEnding.SETUP_FAILED, 1.0, problem="stage_full", detail="why")),
        ({"problem": "cursed"}, TaskEnd(TaskEnding.SETUP_FAILED, 1.0, detail="cursed why")),
        (
            {"ending": "abducted"},
            TaskEnd(TaskEnding.VANISHED, 1.0, problem="stage_full", detail="abducted why"),
        ),
    ],
    ids=["field", "problem", "ending"],
)
def test_the_end_of_a_task_stays_an_end(change: dict[str, Any], end: TaskEnd) -> None:
    plain = {"ending": "setup_failed", "ended_at": 1.0, "wait_status": None, "problem": "stage_full"}
    assert end_from_json({**plain, "detail": "why", **change}) == end


async def test_a_node_of_a_new_kind_gets_no_jobs(shop: Shop) -> None:
    facts = NodeFacts("forge", 4, 100, (Gpu(0, "GPU-1", "H200", 1000),), "boot")
    await shop.write(lambda tx: save_facts(tx, [facts]))
    rules = {"0": {"slots": 2, "tuned": True}}
    await overwrite(shop, schema.nodes, role="oracle", state="dreaming", gpu_rules=rules)
    node = await shop.read(lambda c: get_node(c, "forge"))
    assert node is not None
    assert (node.role, node.state, node.facts.gpus[0].slots) == (NodeRole.LOGIN, NodeState.LOST, 2)


async def test_a_user_of_a_new_role_may_do_least(shop: Shop) -> None:
    await shop.write(lambda tx: add_user(tx, "ann", Role.ADMIN, password_hash=None))
    await overwrite(shop, schema.users, role="oracle")
    user = await shop.read(lambda c: get_user(c, "ann"))
    assert user is not None
    assert user.role is Role.VIEWER


async def test_new_parts_of_settings_are_left_out(shop: Shop) -> None:
    def write(tx: Transaction) -> None:
        write_setting(tx, "scheduling", {"policy": "balance", "paused": True, **NEW})
        write_setting(tx, "general_changes", {"auto_gpus": {"at": 1.0, "by": "ann", **NEW}})

    await shop.write(write)
    assert await shop.read(read_scheduling) == SchedulingSettings("balance", paused=True)
    assert (await shop.read(read_changes))["auto_gpus"].by == "ann"
