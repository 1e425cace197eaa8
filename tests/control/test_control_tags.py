"""Tags from submission to deletion: in lists, counts and copies."""

from __future__ import annotations

import pytest

from danlu.control.search import job_search
from danlu.core.job import JobSummary
from danlu.store.jobs.job_lists import ListQuery
from danlu.store.jobs.job_tags import parse_tag
from danlu.wire.jobs import JobEdit, JobFields
from tests.control.world import World


async def listed(world: World, text: str, **query: str) -> tuple[list[JobSummary], dict[str, int]]:
    jobs, _, matches = await world.control.job_lookup.page(ListQuery(tag=parse_tag(text), **query))  # type: ignore[arg-type]
    return jobs, matches.counts


@pytest.mark.parametrize("few", [1000, 0], ids=["few", "many"])
async def test_a_list_of_a_tag_has_its_jobs_and_their_number(
    world: World, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    """Whether they are few enough to be asked for by their ids, or walked along."""
    monkeypatch.setattr(job_search, "FEW", few)
    first = await world.submit(tags={"project": "vit"}, name="first", hold=True)
    held = await world.submit(tags={"project": "vit"}, hold=True)
    await world.submit(tags={"project": "gpt"})
    jobs, counts = await listed(world, "project=vit", area="waiting")
    assert [job.id for job in jobs] == [first, held]
    assert counts == {"waiting": 2, "running": 0, "history": 0}
    jobs, counts = await listed(world, "project=vit", search="first")
    assert ([job.id for job in jobs], counts["waiting"]) == ([first], 1)


async def test_an_edit_changes_them_and_a_copy_has_them(world: World) -> None:
    bo = await world.user("bo")
    job = await world.submit(tags={"project": "vit"})
    await world.control.jobs.edit(bo, job, JobEdit(set=JobFields(tags={"project": "gpt"})))
    assert [each.id for each in (await listed(world, "project=gpt"))[0]] == [job]
    copy = await world.control.jobs.resubmit(bo, job)
    assert [each.id for each in (await listed(world, "project=gpt"))[0]] == [copy, job]
    assert (await listed(world, "project=vit"))[0] == []
