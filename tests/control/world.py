"""A whole control side over a cluster of paper, in which a test can live through a story."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from danlu.control.control import Control
from danlu.control.event_bus import EventBus
from danlu.control.identity.accounts import AccountBook
from danlu.core.events import Event, EventKind
from danlu.core.job import Attempt, Job
from danlu.core.states import JobState
from danlu.core.task import LaunchOrder, TaskKey
from danlu.core.user import Role, User
from danlu.settings import ClusterSettings, Settings
from danlu.store.engine.database import Database
from danlu.store.events import events_of_job
from danlu.store.jobs.attempts import attempts_of
from danlu.store.jobs.job_lists import ListQuery, list_jobs
from danlu.store.jobs.job_rows import get_job
from danlu.store.nodes.node_rows import list_nodes
from danlu.store.settings import change_general, change_scheduling
from danlu.store.users import add_user, change_user, get_user
from danlu.wire.jobs import JobFields
from danlu.wire.people.groups import NewGroup
from tests.control.agents import RecordingAgents
from tests.store.builders import HandClock

PATIENCE_S = 10.0


class World:
    """`ann` started the installation and is its admin; `bo` and `cy` are members."""

    def __init__(
        self,
        path: Path,
        agents: RecordingAgents,
        *,
        runs_as_root: bool = False,
        lease_s: float | None = None,
        checks_paths: bool = False,
        monotonic: Callable[[], float] = time.monotonic,
        database: type[Database] = Database,
    ) -> None:
        self.clock = HandClock()
        self.agents = agents
        self.monotonic = monotonic
        cluster = None if lease_s is None else ClusterSettings(lease_s=lease_s)
        self.settings = Settings(
            data=path.parent, starter="ann", resync_s=3600.0, cluster=cluster, checks_paths=checks_paths
        )
        self.accounts = AccountBook("ann", runs_as_root)
        self.path = path
        self._open_database = database
        self.control = self._make_control()

    def _make_control(self) -> Control:
        bus = EventBus()
        database = self._open_database(self.path, self.clock, on_commit=bus.publish)
        return Control(
            database, bus, self.agents, self.accounts, self.settings, self.clock, monotonic=self.monotonic
        )

    async def open(self) -> World:
        self.control.database.start()
        await self.add_user("ann", Role.ADMIN)
        await self.add_user("bo")
        await self.add_user("cy")
        # Jobs that say nothing of GPUs run on the CPU: most stories are about something else.
        await self.set_default_gpus(0)
        await self.control.start()
        await self._until_looked_over()
        return self

    async def set_default_gpus(self, gpus: int) -> None:
        await self.control.database.write(lambda tx: change_general(tx, "ann", default_gpus=gpus))

    async def _until_looked_over(self) -> None:
        """The doctor comes by himself when a node joins: no story begins before he has gone."""

        def are_looked_over(connection: Connection) -> bool:
            return all(node.findings for node in list_nodes(connection))

        async with asyncio.timeout(PATIENCE_S):
            with self.control.bus.subscribe() as news:
                while not await self.control.database.read(are_looked_over):
                    await news.next()

    async def close(self) -> None:
        await self.control.close()

    async def restart(self) -> None:
        """The server stops, however long, and comes back; the cluster lives on."""
        await self.control.close()
        self.control = self._make_control()
        self.control.database.start()
        await self.control.start()

    async def add_user(self, name: str, role: Role = Role.MEMBER) -> None:
        await self.control.database.write(lambda tx: add_user(tx, name, role, password_hash=None))

    async def change_user(self, name: str, **columns: Any) -> None:
        await self.control.database.write(lambda tx: change_user(tx, name, "ann", **columns))

    async def lead(self, mentor: str, *members: str, group: str = "lab") -> None:
        """Make a group of these, led by a mentor."""
        await self.change_user(mentor, role=Role.MENTOR.value)
        new = NewGroup(name=group, mentors=[mentor], members=list(members))
        await self.control.groups.create(await self.user("ann"), new)

    async def user(self, name: str) -> User:
        user = await self.control.database.read(lambda c: get_user(c, name))
        assert user is not None
        return user

    async def submit(self, owner: str = "bo", *, key: str | None = None, **fields: Any) -> int:
        wanted = JobFields(**{"command": "train", "directory": "/work", **fields})
        accepted = await self.control.submissions.submit_many(await self.user(owner), [wanted], key)
        return accepted.ids[0]

    async def job(self, job_id: int) -> Job:
        job = await self.control.database.read(lambda c: get_job(c, job_id))
        assert job is not None, f"job {job_id} is gone"
        return job

    async def state(self, job_id: int) -> JobState | None:
        """None when it was deleted."""
        job = await self.control.database.read(lambda c: get_job(c, job_id))
        return job.state if job else None

    async def attempts(self, job_id: int) -> list[Attempt]:
        return await self.control.database.read(lambda c: attempts_of(c, job_id))

    async def events(self, job_id: int) -> list[Event]:
        return await self.control.database.read(lambda c: events_of_job(c, job_id))

    async def steps(self, job_id: int) -> list[str]:
        """The states a job went through, the first included."""
        events = await self.events(job_id)
        first = [event.data["state"] for event in events if event.kind is EventKind.SUBMITTED]
        return first + [event.data["after"] for event in events if event.kind is EventKind.STATE]

    async def queue(self) -> list[int]:
        query = ListQuery(area="waiting")
        jobs, _ = await self.control.database.read(lambda c: list_jobs(c, query))
        return [job.id for job in jobs]

    async def schedule(self, **changes: Any) -> None:
        await self.control.database.write(lambda tx: change_scheduling(tx, "ann", **changes))

    async def until(self, job_id: int, *states: JobState) -> Job:
        """Wait for the job to be in one of these states."""
        async with asyncio.timeout(PATIENCE_S):
            with self.control.bus.subscribe() as news:
                while (job := await self.job(job_id)).state not in states:
                    await news.next()
        return job

    async def until_true(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not condition():  # noqa: ASYNC110 - what is waited for is not always an event
                await asyncio.sleep(0.002)

    async def launch_of(self, job_id: int, attempt: int = 1) -> LaunchOrder:
        """The order that went out for it."""
        key = TaskKey(job_id, attempt, 0)
        await self.until_true(lambda: any(order.key == key for order in self.agents.launched))
        return next(order for order in self.agents.launched if order.key == key)

    async def starts(self, job_id: int, attempt: int = 1) -> TaskKey:
        """See it launched and its command begin."""
        key = (await self.launch_of(job_id, attempt)).key
        await self.until_true(lambda: key in self.agents.known)
        self.agents.begins(key)
        await self.until(job_id, JobState.RUNNING)
        return key

    async def runs_to_end(self, job_id: int, code: int = 0, attempt: int = 1) -> Job:
        self.agents.ends(await self.starts(job_id, attempt), code)
        return await self.until(job_id, JobState.SUCCEEDED, JobState.FAILED, JobState.WAITING)

    async def settle(self) -> None:
        """Everything that was under way has happened: a pass ran that found nothing more to do."""
        for _ in range(3):
            blockers = self.control.scheduling_loop.blockers
            self.control.scheduling_loop.wake()
            await self.until_true(lambda seen=blockers: self.control.scheduling_loop.blockers is not seen)
            await self.control.database.write(lambda tx: None)

    async def round(self) -> None:
        """What happens every half minute: compare the nodes with the store."""
        await self.control.reconciler.round()
        await self.settle()


def launches(agents: RecordingAgents) -> list[int]:
    """The jobs that were launched, in order."""
    return [order.key.job for order in agents.launched]
