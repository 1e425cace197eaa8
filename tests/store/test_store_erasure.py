"""What is left of a deleted job: its number, and nothing that was its owner's alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, MetaData, create_engine, select

from danlu.core.job import Job
from danlu.core.job_id import element_id
from danlu.core.states import EndReason, JobState
from danlu.store.archive.backup import copy_database
from danlu.store.engine import schema
from danlu.store.engine.database import Database
from danlu.store.engine.engines import fold_log, url_of, writing_engine
from danlu.store.engine.migrate import MIGRATIONS, migrate
from danlu.store.jobs.arrays import insert_elements, next_elements
from danlu.store.jobs.job_rows import find_submission, get_jobs, update_spec
from tests.store.builders import HandClock, Shop, a_spec, a_verdict, after, insert_job
from tests.support.postgres import Postgres

SECRET = "hunter2hunter2"
PRIVATE = {
    "command": f"./train --key {SECRET}",
    "arguments": (SECRET,),
    "name": f"KEY={SECRET}",
    "directory": f"/home/ann/{SECRET}",
    "variables": {"WANDB_API_KEY": SECRET, "LONG": SECRET * 2000},
    "description": SECRET,
    "tags": {"project": SECRET},
    "stdout": f"{SECRET}.log",
    "gpu_model": SECRET,
    "call": SECRET,
}


def dump(connection: Connection) -> str:
    """Everything that the tables hold."""
    return "\n".join(
        str(tuple(row))
        for table in schema.metadata.sorted_tables
        for row in connection.execute(select(table))
    )


async def fail(shop: Shop, job: Job) -> Job:
    """Run it once, to an end that tells of private things."""
    begun = await shop.begin(job)
    assert begun is not None
    await shop.end(begun, a_verdict(EndReason.DIRECTORY_MISSING, detail=f"/home/ann/{SECRET}"))
    return await shop.job(job.id)


class TestADeletedJob:
    async def test_leaves_nothing_private_in_any_table(self, shop: Shop) -> None:
        job = await shop.submit(a_spec(**PRIVATE))
        await shop.write(lambda tx: update_spec(tx, job, a_spec(**PRIVATE | {"gpus": 1}), "ann"))
        ended = await fail(shop, await shop.job(job.id))
        assert SECRET in await shop.read(dump)
        await shop.delete(ended)
        assert SECRET not in await shop.read(dump)

    async def test_nor_do_the_tasks_of_a_deleted_array(self, shop: Shop) -> None:
        array = await shop.submit(a_spec(**PRIVATE, array="0-2"))
        elements, _ = await shop.read(lambda c: next_elements(c, array, 1))
        (first,) = await shop.write(lambda tx: insert_elements(tx, elements))
        await fail(shop, first)
        await shop.delete(await shop.job(array.id))
        assert SECRET not in await shop.read(dump)

    async def test_is_still_known_by_its_number_its_owner_and_its_key(self, shop: Shop) -> None:
        spec = a_spec(**PRIVATE)
        job_id = await shop.write(lambda tx: insert_job(tx, "ann", spec, held=False, key="k", digest="d"))
        job = await shop.job(job_id)
        successor = await shop.submit(a_spec(dependencies=after(job.id)))
        await shop.delete(job)
        row = await shop.row(job.id)
        assert (row.id, row.owner, row.state) == (job.id, "ann", JobState.DELETED)
        assert await shop.read(lambda c: find_submission(c, "ann", "k")) == (job.id, "d")
        assert (await shop.job(successor.id)).state is JobState.WAITING

    async def test_and_one_that_was_not_deleted_after_all_keeps_everything(self, shop: Shop) -> None:
        job = await shop.submit(a_spec(**PRIVATE))
        await shop.change(job, JobState.HELD)
        assert await shop.delete(job) is None
        assert (await shop.job(job.id)).spec == job.spec
        assert SECRET in await shop.read(dump)


def has_secret(file: Path) -> bool:
    return SECRET.encode() in file.read_bytes()


async def test_the_file_and_its_backups_have_no_trace_of_it(path: Path, tmp_path: Path) -> None:
    database = Database(path, HandClock())
    database.start()
    shop = Shop(database, HandClock())
    for _ in range(20):
        await shop.delete(await fail(shop, await shop.submit(a_spec(**PRIVATE))))
    copy_database(path, tmp_path / "copy.db")
    # While the server runs, it is in the log until that is folded into the file.
    fold_log(path)
    assert not has_secret(path)
    assert not has_secret(path.with_name(f"{path.name}-wal"))
    await database.close()
    assert not has_secret(path)
    assert not has_secret(tmp_path / "copy.db")


@pytest.fixture(params=["sqlite", "postgresql"])
def old_location(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """A database as it was before deletions erased anything, with a job and an array that were deleted."""
    location: Path | str = tmp_path / "old.db"
    if request.param == "postgresql":
        server: Postgres = request.getfixturevalue("postgres")
        location = server.new_database()
    engine = writing_engine(location, foreign_keys=False)
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, "0006")
        _leave_behind(connection)
    engine.dispose()
    return location


def _leave_behind(connection: Connection) -> None:
    was = MetaData()
    was.reflect(connection)
    jobs, attempts, tasks, events = (was.tables[name] for name in ("jobs", "attempts", "tasks", "events"))
    common = {
        **{"owner": "ann", "name": SECRET, "queue": "default", "version": 1, "position": 1.0, "gpus": 0},
        **{"urgent": False, "gpu_ids": [], "cpus": 0, "memory_mb": 0, "submitted_at": 1.0, "detail": SECRET},
        "wants": {"gpu_model": SECRET},
        **{"attempt": 1, "retries_used": 0},
    }
    spec = {"command": SECRET, "arguments": [], "gpu_ids": [], "mounts": [], "mail": []}
    spec |= {"retry_on": [], "dependencies": []}
    task = element_id(2, 0)
    kept = {"name": "kept", "detail": "", "wants": None, "spec": spec | {"command": "kept"}}
    connection.execute(
        jobs.insert(),
        [
            common | {"id": 1, "array_id": None, "state": "deleted", "spec": spec},
            common | {"id": 2, "array_id": None, "state": "deleted", "spec": spec | {"array": "0-1"}},
            common | {"id": task, "array_id": 2, "state": "failed", "spec": {}},
            common | {"id": 3, "array_id": None, "state": "waiting"} | kept,
        ],
    )
    for job_id in (1, task):
        connection.execute(
            attempts.insert(), {"job_id": job_id, "number": 1, "created_at": 1.0, "detail": SECRET}
        )
        facts = {"node": "forge", "gpu_ids": [], "cpus": 0, "memory_mb": 0, "boot_id": "b"}
        paths = {"stdout_path": SECRET, "stderr_path": SECRET, "ending": {"detail": SECRET}}
        connection.execute(tasks.insert(), {"job_id": job_id, "attempt": 1, "rank": 0, **facts, **paths})
    for job_id, name in ((1, SECRET), (3, "kept")):
        told = {"id": job_id, "at": 1.0, "kind": "job.submitted", "job_id": job_id, "data": {"name": name}}
        connection.execute(events.insert(), told)


def test_what_was_deleted_earlier_is_erased_when_the_server_is_upgraded(old_location: Path | str) -> None:
    migrate(old_location)
    engine = create_engine(url_of(old_location))
    with engine.connect() as connection:
        assert SECRET not in dump(connection)
        jobs = {job.id: job for job in get_jobs(connection, [1, 2, 3])}
        assert {job_id: job.spec.command for job_id, job in jobs.items()} == {1: "", 2: "", 3: "kept"}
        assert [row.data["name"] for row in connection.execute(select(schema.events).order_by("id"))] == [
            "",
            "kept",
        ]
    engine.dispose()
