"""How many GPUs a job gets that says nothing of them."""

from __future__ import annotations

from typing import Any

import pytest

from danlu.codec import encode_said
from danlu.control.jobs.default_gpus import fill_gpus, fit_gpus, take_defaults
from danlu.control.jobs.specs import make_spec
from danlu.control.running.hardware import Hardware
from danlu.core.errors import Invalid
from danlu.store.settings import change_general
from danlu.store.users import change_user
from danlu.wire.jobs import JobEdit, JobFields
from tests.control.test_control_lacks import a_node
from tests.control.world import World

NO_GPU = Hardware([a_node("n1", gpus=0), a_node("n2", gpus=0)])
ONE_WITH_GPUS = Hardware([a_node("n1", gpus=0), a_node("n2", gpus=2)])


def gpus_of(hardware: Hardware, lab_gpus: int = 1, **fields: Any) -> int:
    spec = make_spec(fill_gpus(JobFields(command="train", **fields), lab_gpus), "/")
    return fit_gpus(spec, hardware).ask.gpus


@pytest.mark.parametrize(
    ("hardware", "lab_gpus", "fields", "gpus"),
    [
        (ONE_WITH_GPUS, 1, {}, 1),
        (ONE_WITH_GPUS, 0, {}, 0),
        (ONE_WITH_GPUS, 8, {}, 2),
        (ONE_WITH_GPUS, 1, {"node": "n1"}, 0),
        (ONE_WITH_GPUS, 1, {"exclude_nodes": ["n2"]}, 0),
        (ONE_WITH_GPUS, 1, {"nodes": "2"}, 0),
        (ONE_WITH_GPUS, 1, {"nodes": "1:2"}, 1),
        (ONE_WITH_GPUS, 1, {"gpu_model": "A100", "nodes": "2"}, 1),
        (ONE_WITH_GPUS, 1, {"gpu_model": "H100"}, 1),
        (ONE_WITH_GPUS, 1, {"memory_mb": 999_999}, 1),
        (NO_GPU, 1, {}, 0),
        (NO_GPU, 1, {"wait_for_hardware": True}, 0),
        (NO_GPU, 1, {"gpu_memory_mb": 1000}, 1),
        (NO_GPU, 1, {"memory_mb": 999_999}, 0),
        (Hardware([]), 1, {}, 0),
    ],
)
def test_as_many_as_the_lab_says_where_some_node_could_give_them(
    hardware: Hardware, lab_gpus: int, fields: dict[str, Any], gpus: int
) -> None:
    assert gpus_of(hardware, lab_gpus, **fields) == gpus


@pytest.mark.parametrize(
    ("said", "defaults", "gpus"),
    [
        ({}, {"gpus": 2}, 2),
        ({"gpus": 1}, {"gpus": 2}, 1),
        ({"gpus": 0}, {"gpus": 2, "gpu_model": "A100", "gpu_memory_mb": 1000}, 0),
        ({"gpus": 0}, {"gpu_ids": [0, 1]}, 0),
        ({"gpus": 0}, {"share": True}, 0),
        ({"gpus": 1}, {"gpu_ids": [0, 1]}, 1),
        ({"gpu_ids": [3]}, {"gpus": 2}, 1),
        ({"gpu_ids": [3]}, {"gpu_ids": [0, 1]}, 1),
        ({"share": True}, {}, 1),
        ({"share": True}, {"gpus": 2}, 2),
        ({"nodes": "2"}, {"gpu_ids": [0]}, 1),
        ({}, {"gpus": 0}, 0),
    ],
)
def test_what_is_said_stands_instead_of_the_defaults(
    said: dict[str, Any], defaults: dict[str, Any], gpus: int
) -> None:
    taken = take_defaults(JobFields(command="train", **said), JobFields(**defaults))
    assert make_spec(fill_gpus(taken, 4), "/").ask.gpus == gpus


@pytest.mark.anyio
async def test_lab_then_user_then_what_is_asked(world: World) -> None:
    bo = await world.user("bo")

    async def gpus(**fields: Any) -> int:
        wanted = JobFields(command="train", directory="/work", hold=True, **fields)
        accepted = await world.control.submissions.submit_many(bo, [wanted])
        assert (await world.job(accepted.ids[0])).spec.ask.gpus == accepted.gpus[0]
        return accepted.gpus[0]

    assert await gpus() == 0
    await world.set_default_gpus(2)
    assert (await gpus(), (await world.control.submissions.beginning(bo)).gpus) == (2, 2)
    assert (await gpus(gpus=0), await gpus(gpu_ids=[3]), await gpus(share=True)) == (0, 1, 1)
    assert await gpus(gpu_memory_mb=1000) == 2
    own = encode_said(JobFields(gpus=0, retries=1))
    await world.control.database.write(lambda tx: change_user(tx, "bo", "bo", defaults=own))
    beginning = await world.control.submissions.beginning(bo)
    assert (await gpus(), beginning.gpus, beginning.retries) == (0, 0, 1)
    assert await gpus(gpus=1) == 1


@pytest.mark.anyio
async def test_jobs_keep_their_numbers_and_a_cleared_one_begins_anew(world: World) -> None:
    bo = await world.user("bo")
    job = await world.submit(hold=True)
    await world.control.database.write(lambda tx: change_general(tx, "ann", default_gpus=1))
    assert (await world.job(job)).spec.gpus == 0
    copy = await world.control.jobs.resubmit(bo, job)
    assert (await world.job(copy)).spec.gpus == 0
    await world.control.jobs.edit(bo, job, JobEdit(set=JobFields(retries=1)))
    assert (await world.job(job)).spec.gpus == 0
    await world.control.jobs.edit(bo, job, JobEdit(clear=["gpus"]))
    assert (await world.job(job)).spec.gpus == 1


@pytest.mark.anyio
async def test_the_same_request_again_is_told_the_same(world: World) -> None:
    bo, wanted = await world.user("bo"), JobFields(command="train", directory="/work", hold=True)
    await world.set_default_gpus(1)
    first = await world.control.submissions.submit_many(bo, [wanted], "key")
    await world.set_default_gpus(0)
    assert await world.control.submissions.submit_many(bo, [wanted], "key") == first
    with pytest.raises(Invalid, match="no_such_hardware"):
        await world.control.submissions.submit_many(
            bo, [JobFields(command="train", directory="/work", gpus=99)]
        )
