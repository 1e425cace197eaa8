"""The control side of an installation: its rooms, wired together, started and stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from danlu.cluster.agents import Agents
from danlu.control.accounts import AccountBook
from danlu.control.hub import Hub
from danlu.control.jobs import Jobs
from danlu.control.keeping import Keeping
from danlu.control.loop import SchedulingLoop
from danlu.control.reports import Reports
from danlu.core.events import Event
from danlu.core.states import ACTIVE
from danlu.settings import Settings
from danlu.store.database import Database
from danlu.store.jobs import active_jobs


class Control:
    """Everything that happens goes through here: `jobs` takes the wishes, the loops carry them out."""

    def __init__(
        self,
        database: Database,
        agents: Agents,
        accounts: AccountBook,
        settings: Settings,
        clock: Callable[[], float],
    ) -> None:
        self.database = database
        self.agents = agents
        self.accounts = accounts
        self.settings = settings
        self.clock = clock
        self.hub = Hub()
        self.reports = Reports(database, agents)
        self.loop = SchedulingLoop(database, agents, accounts, settings, clock, self.reports.take)
        self.keeping = Keeping(database, agents, self.loop, self.reports, accounts, settings, clock)
        self.jobs = Jobs(database, self.keeping, accounts, settings)
        self._running: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Take over what is running, then begin to schedule."""
        self.database.on_commit = self._on_events
        self._running.append(asyncio.create_task(self.reports.run(), name="reports"))
        await self.agents.start(self.reports.take)
        await self.keeping.round()
        self._running.append(asyncio.create_task(self.loop.run(), name="scheduling"))
        self._running.append(asyncio.create_task(self.keeping.run(), name="keeping"))

    async def stop_jobs(self) -> None:
        """Send all running jobs back to the head of the line and wait until they are gone."""
        self.loop.stopped = True
        with self.hub.subscribe() as news:
            await self.jobs.stop_all()
            while await self.database.read(active_jobs):
                await news.next()

    async def count_active(self) -> int:
        """How many jobs have an attempt under way."""
        return len(await self.database.read(active_jobs))

    async def close(self) -> None:
        """Stop the loops and let go of the nodes. Jobs run on."""
        self.loop.stopped = True
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self.agents.close()
        await self.database.close()

    def _on_events(self, events: list[Event]) -> None:
        self.hub.publish(events)
        if any(_concerns_scheduling(event) for event in events):
            self.loop.wake()


def _concerns_scheduling(event: Event) -> bool:
    """Only a start changes nothing that waits: its resources were taken when it was placed."""
    return event.data.get("after") not in ACTIVE
