"""Jobs are found by their tags, and the tags follow whatever becomes of the job."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from danlu.core.states import JobState
from danlu.store.engine import schema
from danlu.store.jobs.job_lists import ListQuery, list_jobs, tagged_jobs
from danlu.store.jobs.job_rows import update_spec
from danlu.store.jobs.job_tags import TagQuery, parse_tag, tags_of
from tests.store.builders import Shop, a_spec


async def found(shop: Shop, text: str, **query: object) -> list[int]:
    """Page by page, one job on each."""
    ids: list[int] = []
    asked = ListQuery(tag=parse_tag(text), limit=1, **query)  # type: ignore[arg-type]
    while True:
        jobs, cursor = await shop.read(lambda c, q=asked: list_jobs(c, q))
        ids += [job.id for job in jobs]
        if cursor is None:
            return ids
        asked = ListQuery(tag=parse_tag(text), limit=1, cursor=cursor, **query)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("project=vit", TagQuery("project", "vit")),
        ("project", TagQuery("project", None)),
        ("note=a=b", TagQuery("note", "a=b")),
    ],
)
def test_a_tag_is_a_key_and_perhaps_a_value(text: str, tag: TagQuery) -> None:
    assert parse_tag(text) == tag


async def test_jobs_are_found_by_a_tag_or_by_its_key(shop: Shop) -> None:
    vit = await shop.submit(a_spec(tags={"project": "vit", "seed": "7"}))
    gpt = await shop.submit(a_spec(tags={"project": "gpt"}, name="gpt"), owner="bo")
    await shop.submit(a_spec(tags={"group": "vit"}))
    await shop.run_to_end(vit)
    assert await found(shop, "project=vit") == [vit.id]
    assert await found(shop, "project") == [gpt.id, vit.id]
    assert await found(shop, "project", owner="bo") == [gpt.id]
    assert await found(shop, "project", area="history") == [vit.id]
    assert await found(shop, "project", name="gpt") == [gpt.id]
    assert await found(shop, "project=Vit") == []


async def test_they_are_counted_whatever_their_states_up_to_a_limit(shop: Shop) -> None:
    jobs = await shop.submit_many(3, tags={"project": "vit"})
    await shop.run_to_end(jobs[0])
    asked = ListQuery(tag=TagQuery("project", "vit"), area="waiting")
    states = dict(await shop.read(lambda c: tagged_jobs(c, asked, 10)))
    assert states == {1: JobState.SUCCEEDED, 2: JobState.WAITING, 3: JobState.WAITING}
    assert len(await shop.read(lambda c: tagged_jobs(c, asked, 2))) == 2


async def test_an_edit_replaces_them_and_a_deletion_leaves_none(shop: Shop) -> None:
    job = await shop.submit(a_spec(tags={"project": "vit", "seed": "7"}))
    await shop.write(lambda tx: update_spec(tx, job, a_spec(tags={"project": "gpt"}), "ann"))
    assert await shop.read(lambda c: tags_of(c, [job.id])) == {job.id: {"project": "gpt"}}
    assert await found(shop, "project=vit") == await found(shop, "seed") == []
    await shop.delete(await shop.job(job.id))
    assert (await shop.read(lambda c: c.execute(select(schema.job_tags)).all())) == []


async def test_lists_show_them(shop: Shop) -> None:
    await shop.submit(a_spec(tags={"b": "2", "a": "1"}))
    await shop.submit()
    jobs, _ = await shop.read(lambda c: list_jobs(c, ListQuery()))
    assert [job.tags for job in jobs] == [{}, {"a": "1", "b": "2"}]
