"""The control side of an installation: its rooms, wired together, started and stopped."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from sqlalchemy import Connection

from danlu.cluster.server.agents import Agents
from danlu.control.calls.call_files import Calls
from danlu.control.calls.call_results import CallResults
from danlu.control.event_bus import EventBus
from danlu.control.identity.accounts import AccountBook
from danlu.control.jobs.bulk_actions import BulkActions
from danlu.control.jobs.checking import Checking
from danlu.control.jobs.job_defaults import JobDefaults
from danlu.control.jobs.job_lookup import JobLookup
from danlu.control.jobs.job_service import JobService
from danlu.control.jobs.start_check import StartCheck
from danlu.control.jobs.submissions import Submissions
from danlu.control.logs.job_logs import JobLogs
from danlu.control.nodes.doctor import Doctor
from danlu.control.nodes.folders import Folders
from danlu.control.nodes.installations import NodeInstallations
from danlu.control.nodes.membership import Membership
from danlu.control.nodes.node_service import NodeService
from danlu.control.recovery.reconciler import Reconciler, read_desired
from danlu.control.recovery.removals import Removals
from danlu.control.running.live_board import LiveBoard
from danlu.control.running.reports import Reports
from danlu.control.running.scheduling_loop import SchedulingLoop, listen_for_scheduling
from danlu.control.search.job_counts import JobCounts
from danlu.control.search.job_search import JobSearch
from danlu.control.search.name_index import NameIndex
from danlu.control.sharing.job_secrets import JobSecrets
from danlu.control.sharing.locks import KeyValues, LockService
from danlu.control.system.backups import Backups
from danlu.control.system.disk_watch import DiskWatch
from danlu.control.system.event_history import EventHistory
from danlu.control.system.lab_settings import LabSettings
from danlu.control.system.log_limits import LogLimits
from danlu.control.system.pruning import Pruning
from danlu.control.system.server_log import ServerLog
from danlu.control.system.servers import Servers
from danlu.control.telemetry.job_usage import UsageReader
from danlu.control.telemetry.monitor import GpuMonitor
from danlu.control.telemetry.usage_recorder import UsageRecorder
from danlu.core.nodes.node import GpuReading, NodeState
from danlu.settings import Settings
from danlu.store.engine.database import Database
from danlu.store.jobs.attempts import current_tasks
from danlu.store.jobs.job_rows import active_jobs
from danlu.store.nodes.node_rows import list_nodes

log = logging.getLogger(__name__)
UNWRITTEN_S = 1.0


class Control:
    """Everything that happens goes through here: `jobs` takes the wishes, the loops carry them out."""

    def __init__(
        self,
        database: Database,
        bus: EventBus,
        agents: Agents,
        accounts: AccountBook,
        settings: Settings,
        clock: Callable[[], float],
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.database = database
        self.agents = agents
        self.accounts = accounts
        self.settings = settings
        self.clock = clock
        self.bus = bus
        self.job_counts = JobCounts(database, bus)
        self.name_index = NameIndex(database, bus)
        self.server_log = ServerLog()
        self.reports = Reports(database, agents, [str(folder) for folder in settings.folders])
        self.board = LiveBoard(database, bus, self._gpu_readings)
        self.scheduling_loop = SchedulingLoop(
            database,
            agents,
            accounts,
            settings,
            clock,
            self.reports.take,
            self.board,
            listen_for_scheduling(bus),
        )
        self.reconciler = Reconciler(
            database,
            agents,
            self.scheduling_loop,
            self.reports,
            accounts,
            settings,
            clock,
            self._count_commits,
            monotonic,
            self._own_node,
        )
        self.board.closed = lambda: self.reconciler.closed
        agents.on_membership = self.reconciler.hear
        agents.on_senseless = self._hear_senseless
        self.monitor = GpuMonitor(
            database,
            agents,
            self.reconciler,
            settings,
            self.scheduling_loop.wake,
            self.board.someone_wants_memory,
            self._count_commits,
            clock,
        )
        self.usage_recorder = UsageRecorder(database, bus, self.monitor.history, clock)
        self.removals = Removals(database, bus, agents, lambda: self.reconciler.lost)
        self.calls = Calls(database, settings, clock)
        self.start_check = StartCheck(database, accounts, settings, clock)
        self.submissions = Submissions(database, self.board, accounts, settings, self.start_check)
        self.jobs = JobService(
            database,
            self.board,
            self.reconciler,
            self.removals,
            self.calls,
            self.submissions,
            settings,
            self.start_check,
        )
        self.job_search = JobSearch(self.job_counts, self.name_index)
        self.bulk_actions = BulkActions(database, self.jobs, self.job_search, clock)
        self.checking = Checking(database, self.board, accounts, settings, clock, self.start_check)
        self.folders = Folders(accounts, settings)
        self.doctor = Doctor(database, agents, settings.folders, clock, self.reports.setup_failures, bus)
        self.reports.on_node_fault = self.doctor.suspect
        self.membership = Membership(database, clock, self.reconciler.declare_dead)
        self.installations = NodeInstallations(database, self.bus, self.membership, clock)
        self.installations.on_upgraded = lambda node: self.doctor.call_for({node})
        self.locks = LockService(database, self.bus, clock)
        self.key_values = KeyValues(database)
        self.job_secrets = JobSecrets(database, settings.address_for_jobs)
        self.log_limits = LogLimits(database, bus, agents)
        self.scheduling_loop.equip = lambda order: self.log_limits.equip(self.job_secrets.equip(order))
        self.pruning = Pruning(database, bus, clock)
        self._open_lookups(agents)
        self.backups = Backups(database, agents, settings, clock)
        self._disk = DiskWatch(database)
        self._running: list[asyncio.Task[None]] = []

    def _open_lookups(self, agents: Agents) -> None:
        """What routes ask for and what administrators change; none of it runs by itself."""
        self.event_history = EventHistory(self.database)
        self.lab_settings = LabSettings(self.database)
        self.servers = Servers(self.database, self.settings.has_standbys)
        self.nodes = NodeService(self.database, self.monitor.forget_gpu)
        self.job_defaults = JobDefaults(self.database)
        self.job_lookup = JobLookup(self.database, self.job_search)
        self.job_logs = JobLogs(self.database, agents, self.accounts, self.settings.task_logs)
        self.call_results = CallResults(self.database, agents, self.settings)
        self.usage_reader = UsageReader(self.database, self.monitor.history, self.clock)

    async def start(self) -> None:
        """Take over what is running, then begin to schedule."""
        self.reconciler.begin()
        await self.job_counts.start()
        await self.job_secrets.start()
        await self.log_limits.start()
        await self.usage_recorder.start()
        self.name_index.start()
        self._running.append(asyncio.create_task(self.reports.run(), name="reports"))
        await self.agents.start(self.reports.take)
        await self.reconciler.round()
        try:
            await self.monitor.look()
        except Exception:
            # It looks again in a moment: a start does not fail because of what some node says.
            log.exception("could not look at the GPUs")
        self._running.append(asyncio.create_task(self.scheduling_loop.run(), name="scheduling"))
        self._running.append(asyncio.create_task(self.reconciler.run(), name="reconciler"))
        self._running.append(asyncio.create_task(self.calls.run(), name="calls"))
        self._running.append(asyncio.create_task(self.monitor.run(), name="gpus"))
        self._running.append(asyncio.create_task(self.doctor.run(), name="doctor"))
        self._running.append(asyncio.create_task(self.removals.run(), name="removals"))
        self._running.append(asyncio.create_task(self.pruning.run(), name="pruning"))
        self._running.append(asyncio.create_task(self.log_limits.run(), name="log limits"))
        self._running.append(asyncio.create_task(self.usage_recorder.run(), name="usage"))
        self._running.append(asyncio.create_task(self._disk.run(), name="disk"))

    async def stop_jobs(self) -> None:
        """Send all running jobs back to the head of the queue and wait until they are gone."""
        self.scheduling_loop.stopped = True
        with self.bus.subscribe() as news:
            await self.jobs.stop_all()
            while await self.database.read(_can_still_end) and not await self._is_over_unwritten():
                with suppress(TimeoutError):
                    async with asyncio.timeout(UNWRITTEN_S if self.database.is_disk_full else None):
                        await news.next()

    async def _is_over_unwritten(self) -> bool:
        """On a full disk an end may never be written down; its node tells of it all the same."""
        return self.database.is_disk_full and await self.count_living() == 0

    async def count_living(self) -> int:
        """How many jobs have a task that nobody says has ended: its node, or the store."""
        ended = {fact.key for fact in await self.agents.tasks() if fact.end is not None}
        wanted = await self.database.read(read_desired)
        return len({each.key.job for each in wanted if each.key not in ended})

    async def declare_dead(self, node: str, actor: str) -> list[int]:
        """Somebody knows that a lost node is gone: end what it had. The jobs that had something there."""
        return await self.reconciler.declare_dead(node, actor)

    async def count_active(self) -> int:
        """How many jobs have an attempt under way."""
        return len(await self.database.read(active_jobs))

    async def close(self) -> None:
        """Stop the loops and let go of the nodes. Jobs run on."""
        self.scheduling_loop.stopped = True
        self.name_index.close()
        await self.start_check.close()
        await self.installations.close()
        await self.bulk_actions.close()
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self.usage_recorder.close()
        await self.agents.close()
        await self.database.close()

    @property
    def state_number(self) -> tuple[int, int, int]:
        """Grows whenever anything may have changed that an answer shows: what was committed, why jobs wait,
        what the GPUs are doing."""
        return self.bus.commits, self.scheduling_loop.passes, self.monitor.looks

    def _hear_senseless(self, node: str) -> None:
        self.reconciler.hear(node, NodeState.UP)
        self.doctor.suspect({node})

    def _own_node(self) -> str | None:
        return self.membership.meeting.own_node if self.membership.meeting is not None else None

    def _gpu_readings(self) -> Mapping[str, Mapping[int, GpuReading]]:
        return self.monitor.readings

    def _count_commits(self) -> int:
        return self.bus.commits


def _can_still_end(connection: Connection) -> bool:
    """Whether anything is under way where an order to stop arrives: what lost nodes have may never end."""
    lost = {node.name for node in list_nodes(connection) if node.state is NodeState.LOST}
    jobs = active_jobs(connection)
    return any(
        task.end is None and task.allocation.node not in lost
        for tasks in current_tasks(connection, jobs).values()
        for task in tasks
    )
