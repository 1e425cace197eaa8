"""What may be said about the nodes of a job, and about services."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import update

from danlu.control.jobs.drafts import without_spoilt
from danlu.control.jobs.node_rules import DEBUG_LIMIT_S, MOST_NODES, parse_nodes
from danlu.control.jobs.specs import fields_of, make_spec, problems_of
from danlu.core.errors import Invalid
from danlu.core.job import Launcher
from danlu.core.nodes.node import NodeRole
from danlu.store.engine import schema
from danlu.wire.jobs import JobEdit, JobFields
from tests.control.agents import RecordingAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import World


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("1", (None, 1)),
        ("2", (None, 2)),
        ("1:4", (1, 4)),
        (" 2 : 3 ", (2, 3)),
        ("3:3", (None, 3)),
        ("1024", (None, MOST_NODES)),
    ],
)
def test_how_nodes_are_counted(text: str, nodes: tuple[int | None, int]) -> None:
    assert parse_nodes(text) == nodes


@pytest.mark.parametrize(
    "text", ["", "0", "0:2", "4:1", "1025", "1:1025", "-1", "two", "1:", ":2", "1:2:3", "1.5", "٣", "9" * 99]
)
def test_what_is_no_number_of_nodes(text: str) -> None:
    with pytest.raises(Invalid) as refusal:
        make_spec(JobFields(command="x", nodes=text), "/")
    assert (refusal.value.code, refusal.value.field) == ("bad_nodes", "nodes")


CALL = "ab" * 32


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"node": "n1", "nodes": "2"}, "node_for_many", "node"),
        ({"node": "n1", "nodes": "1:2"}, "node_for_many", "node"),
        ({"node": "n1", "only_nodes": ["n2"]}, "node_not_among", "only_nodes"),
        ({"node": "n1", "exclude_nodes": ["n1"]}, "node_not_among", "exclude_nodes"),
        ({"nodes": "2", "only_nodes": ["n1"]}, "too_few_nodes_named", "only_nodes"),
        ({"nodes": "2", "only_nodes": ["n1", "n1"]}, "too_few_nodes_named", "only_nodes"),
        (
            {"nodes": "2:3", "only_nodes": ["n1", "n2"], "exclude_nodes": ["n2"]},
            "too_few_nodes_named",
            "only_nodes",
        ),
        ({"only_nodes": ["n1"], "exclude_nodes": ["n1"]}, "too_few_nodes_named", "only_nodes"),
        ({"nodes": "2", "call": CALL}, "call_on_many_nodes", "nodes"),
        ({"gpu_model": "A100"}, "gpu_model_without_gpus", "gpu_model"),
        ({"service": True, "array": "0-9"}, "service_array", "array"),
        ({"service": True, "time_limit_s": 60.0}, "service_time_limit", "time_limit_s"),
        ({"service": True, "call": CALL}, "service_call", "service"),
    ],
)
def test_what_cannot_go_together(fields: dict[str, Any], code: str, field: str) -> None:
    (problem,) = problems_of(JobFields(command="x", **fields), "/")
    assert (problem.code, problem.field) == (code, field)


@pytest.mark.parametrize(
    "fields",
    [
        {"nodes": "1", "node": "n1"},
        {"nodes": "1:4", "only_nodes": ["n1"]},
        {"node": "n1", "only_nodes": ["n1", "n2"], "exclude_nodes": ["n2"]},
        {"nodes": "1", "call": CALL},
        {"gpu_model": "A100", "share": True},
        {"service": False, "array": "0-9", "time_limit_s": 60.0},
        {"service": True, "nodes": "2", "restartable": False},
    ],
)
def test_what_can(fields: dict[str, Any]) -> None:
    assert list(problems_of(JobFields(command="x", **fields), "/")) == []


NAMES = st.lists(st.sampled_from(["n1", "n2", "n3"]), max_size=3)
ANY_FIELDS = st.builds(
    JobFields,
    command=st.sampled_from([None, "", "x"]),
    node=st.none() | st.sampled_from(["n1", "n2"]),
    nodes=st.none() | st.sampled_from(["0", "1", "2", "1:3", "3:1", "x"]),
    launcher=st.none() | st.sampled_from(Launcher),
    spread=st.none() | st.booleans(),
    only_nodes=st.none() | NAMES,
    exclude_nodes=st.none() | NAMES,
    gpu_model=st.none() | st.sampled_from(["", "A100"]),
    gpus=st.none() | st.integers(0, 2),
    service=st.none() | st.booleans(),
    restartable=st.none() | st.booleans(),
    array=st.none() | st.sampled_from(["0-3", "nonsense"]),
    time_limit_s=st.none() | st.just(60.0),
    call=st.none() | st.just(CALL),
)


@settings(max_examples=300, deadline=None)
@given(ANY_FIELDS)
def test_without_what_is_wrong_a_job_can_be_made_and_said_again(fields: JobFields) -> None:
    """A form with problems is still looked at: what is left of it must be a job."""
    spec = make_spec(without_spoilt(fields, problems_of(fields, "/")), "/")
    assert make_spec(fields_of(spec), "/elsewhere") == spec
    assert spec.ask.nodes_min <= spec.ask.nodes == spec.nodes
    assert spec.is_elastic == (spec.ask.nodes_min < spec.ask.nodes)


@pytest.fixture
async def world(open_world: OpenWorld) -> World:
    """A compute node and a debug node."""
    world = await open_world(RecordingAgents(a_machine("forge", 2), a_machine("bench", 1)))
    await world.control.database.write(
        lambda tx: tx.connection.execute(
            update(schema.nodes).where(schema.nodes.c.name == "bench").values(role=NodeRole.DEBUG.value)
        )
    )
    await world.schedule(paused=True)
    return world


async def refusal_of(world: World, **fields: Any) -> Invalid:
    with pytest.raises(Invalid) as refusal:
        await world.submit(**fields)
    return refusal.value


async def test_a_job_on_a_debug_node_is_short(world: World) -> None:
    job = await world.job(await world.submit(node="bench"))
    assert job.spec.time_limit_s == DEBUG_LIMIT_S
    shorter = await world.job(await world.submit(node="bench", time_limit_s=60.0))
    assert shorter.spec.time_limit_s == 60.0
    elsewhere = await world.job(await world.submit(node="forge"))
    assert elsewhere.spec.time_limit_s is None


async def test_who_asks_for_more_there_is_told_the_limit(world: World) -> None:
    refusal = await refusal_of(world, node="bench", time_limit_s=DEBUG_LIMIT_S + 1)
    assert (refusal.code, refusal.field) == ("debug_time_limit", "time_limit_s")
    assert refusal.facts["minutes"] == 15
    assert (await refusal_of(world, node="bench", service=True)).code == "service_on_debug_node"


async def test_a_long_job_does_not_move_there_by_an_edit(world: World) -> None:
    job_id = await world.submit(time_limit_s=7200.0)
    user = await world.user("bo")
    with pytest.raises(Invalid) as refusal:
        await world.control.jobs.edit(user, job_id, JobEdit(set=JobFields(node="bench")))
    assert refusal.value.code == "debug_time_limit"
    both = JobFields(node="bench", time_limit_s=600.0)
    await world.control.jobs.edit(user, job_id, JobEdit(set=both))
    assert (await world.job(job_id)).spec.time_limit_s == 600.0


@pytest.mark.parametrize("field", ["node", "only_nodes", "exclude_nodes"])
async def test_a_node_that_is_not_there_is_named(world: World, field: str) -> None:
    said: Any = "forgd" if field == "node" else ["forge", "forgd"]
    refusal = await refusal_of(world, **{field: said})
    assert (refusal.code, refusal.field, refusal.facts["node"]) == ("no_such_node", field, "forgd")
    await world.submit(**{field: said}, wait_for_hardware=True)


async def test_nobody_waits_for_the_success_of_a_service(world: World) -> None:
    service = await world.submit(service=True)
    refusal = await refusal_of(world, after_ok=[service])
    assert (refusal.code, refusal.field) == ("after_ok_service", "after_ok")
    await world.submit(after=[service])


async def test_what_somebody_waits_for_does_not_become_a_service(world: World) -> None:
    first = await world.submit()
    second = await world.submit(after_ok=[first])
    user = await world.user("bo")
    edit = JobEdit(set=JobFields(service=True))
    with pytest.raises(Invalid) as refusal:
        await world.control.jobs.edit(user, first, edit)
    assert (refusal.value.code, refusal.value.facts["job"]) == ("service_awaited", second)
    await world.control.jobs.edit(user, second, JobEdit(clear=["after_ok"]))
    await world.control.jobs.edit(user, first, edit)
    assert (await world.job(first)).spec.service


async def test_a_copy_is_just_as_the_job_was(world: World) -> None:
    said = {
        "nodes": "1:2",
        "launcher": Launcher.JAX,
        "spread": True,
        "only_nodes": ["forge", "bench"],
        "exclude_nodes": ["bench"],
        "restartable": True,
    }
    job = await world.job(await world.submit(**said, wait_for_hardware=True))
    assert (job.spec.nodes_min, job.spec.nodes, job.spec.launcher) == (1, 2, Launcher.JAX)
    copy = await world.job(await world.control.jobs.resubmit(await world.user("bo"), job.id))
    assert copy.spec == job.spec
