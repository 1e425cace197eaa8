"""The control side of an installation: its rooms, wired together, started and stopped."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from sqlalchemy import Connection

from danlu.cluster.server.agents import Agents
from danlu.control.audit.audit_log import AuditLog
from danlu.control.calls.call_files import Calls
from danlu.control.calls.call_results import CallResults
from danlu.control.event_bus import EventBus
from danlu.control.execution import Execution
from danlu.control.identity.accounts import AccountBook
from danlu.control.identity.group_book import GroupBook
from danlu.control.identity.groups import GroupService
from danlu.control.jobs.bulk_actions import BulkActionService
from danlu.control.jobs.checking import Checking
from danlu.control.jobs.job_defaults import JobDefaults
from danlu.control.jobs.job_lookup import JobLookup
from danlu.control.jobs.job_service import JobService
from danlu.control.jobs.start_check import StartCheck
from danlu.control.jobs.submissions import Submissions
from danlu.control.logs.job_logs import JobLogs
from danlu.control.nodes.cluster_host import ClusterHost
from danlu.control.nodes.folders import Folders
from danlu.control.nodes.installations import NodeInstallations
from danlu.control.nodes.membership import Membership
from danlu.control.nodes.node_service import NodeService
from danlu.control.notices.notice_board import NoticeBoard
from danlu.control.recovery.reconciler import Reconciler, read_desired
from danlu.control.recovery.removals import Removals
from danlu.control.search.job_counts import JobCounts
from danlu.control.search.job_search import JobSearch
from danlu.control.search.name_index import NameIndex
from danlu.control.sharing.locks import KeyValues, LockService
from danlu.control.system.backups import Backups
from danlu.control.system.disk_watch import DiskWatch
from danlu.control.system.event_history import EventHistory
from danlu.control.system.lab_settings import LabSettings
from danlu.control.system.pruning import Pruning
from danlu.control.system.server_log import ServerLog
from danlu.control.system.servers import Servers
from danlu.control.telemetry.job_usage import UsageReader
from danlu.control.telemetry.usage_recorder import UsageRecorder
from danlu.core.nodes.node import NodeState
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
        cluster: ClusterHost | None = None,
        other_urls: Callable[[], Sequence[str]] = tuple,
        may_schedule: Callable[[], bool] = lambda: True,
    ) -> None:
        """`database` tells its commits to `bus`. `cluster` is None where this machine is all there is;
        `other_urls` are those of servers that may follow this one; `may_schedule` turns false once this
        server has lost its say."""
        self.database = database
        self.agents = agents
        self.accounts = accounts
        self.settings = settings
        self.clock = clock
        self.bus = bus
        self.job_counts = JobCounts(database, bus)
        self.name_index = NameIndex(database, bus)
        self.group_book = GroupBook(database, bus)
        self.server_log = ServerLog()
        execution = Execution(
            database,
            bus,
            agents,
            accounts,
            settings,
            clock,
            monotonic=monotonic,
            own_node=cluster.meeting.own_node if cluster is not None else None,
            other_urls=other_urls,
            may_schedule=may_schedule,
        )
        self.doctor = execution.doctor
        self.closed_nodes = execution.closed_nodes
        self.reports = execution.reports
        self.board = execution.board
        self.job_secrets = execution.job_secrets
        self.log_limits = execution.log_limits
        self.launching = execution.launching
        self.scheduling_loop = execution.scheduling_loop
        self.reconciler = execution.reconciler
        self.monitor = execution.monitor
        self.usage_recorder = UsageRecorder(database, bus, self.monitor.history, clock)
        self.removals = Removals(database, bus, agents, lambda: self.reconciler.lost)
        self.calls = Calls(database, settings, clock)
        self.start_check = StartCheck(database, accounts, settings, clock)
        self.submissions = Submissions(database, self.board, accounts, settings, self.start_check)
        self.jobs = JobService(
            database,
            self.board,
            execution.sending,
            self.removals,
            self.calls,
            self.submissions,
            settings,
            self.start_check,
        )
        self.job_search = JobSearch(database, self.job_counts, self.name_index)
        self.bulk_actions = BulkActionService(database, self.jobs, self.job_search, self.group_book, clock)
        self.checking = Checking(database, self.board, accounts, settings, clock, self.start_check)
        self.folders = Folders(accounts, settings)
        self.membership = _make_membership(database, clock, self.reconciler, cluster)
        installer = cluster.make_installer(self.membership) if cluster is not None else None
        self.installations = NodeInstallations(
            database,
            bus,
            self.membership,
            clock,
            installer,
            on_upgraded=lambda node: self.doctor.call_for({node}),
        )
        self.locks = LockService(database, self.bus, clock)
        self.key_values = KeyValues(database)
        self.pruning = Pruning(database, bus, clock)
        self._open_lookups(agents)
        self.backups = Backups(database, agents, settings, clock)
        self._disk = DiskWatch(database)
        self._running: list[asyncio.Task[None]] = []

    def _open_lookups(self, agents: Agents) -> None:
        """What routes ask for and what administrators change; none of it runs by itself."""
        self.event_history = EventHistory(self.database)
        self.audit_log = AuditLog(self.database)
        self.groups = GroupService(self.database, self.group_book)
        self.lab_settings = LabSettings(self.database)
        self.notice_board = NoticeBoard(self.database, self.clock)
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
        await self.group_book.start()
        await self.job_counts.start()
        await self.job_secrets.start()
        await self.log_limits.start()
        await self.usage_recorder.start()
        self.name_index.start()
        self._running.append(asyncio.create_task(self.reports.run(), name="reports"))
        await self.agents.start(self.reports.take, self.reconciler.hear, self._hear_senseless)
        await self.reconciler.round()
        try:
            await self.monitor.look()
        except Exception:
            # It looks again in a moment: a start does not fail because of what some node says.
            log.exception("could not look at the GPUs")
        loops = {
            "scheduling": self.scheduling_loop.run(),
            "reconciler": self.reconciler.run(),
            "calls": self.calls.run(),
            "gpus": self.monitor.run(),
            "doctor": self.doctor.run(),
            "removals": self.removals.run(),
            "pruning": self.pruning.run(),
            "log limits": self.log_limits.run(),
            "usage": self.usage_recorder.run(),
            "disk": self._disk.run(),
        }
        for name, loop in loops.items():
            self._running.append(asyncio.create_task(loop, name=name))

    async def stop_jobs(self) -> None:
        """Send all running jobs back to the head of the queue and wait until they are gone."""
        self.scheduling_loop.stop()
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
        """How many jobs have a task whose end neither its node nor the store has told."""
        ended = {fact.key for fact in await self.agents.tasks() if fact.end is not None}
        wanted = await self.database.read(read_desired)
        return len({each.key.job for each in wanted if each.key not in ended})

    async def count_active(self) -> int:
        """How many jobs have an attempt under way."""
        return len(await self.database.read(active_jobs))

    async def close(self) -> None:
        """Stop the loops and let go of the nodes. Jobs run on."""
        self.scheduling_loop.stop()
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


def _make_membership(
    database: Database, clock: Callable[[], float], reconciler: Reconciler, cluster: ClusterHost | None
) -> Membership:
    if cluster is None:
        return Membership(database, clock, reconciler.declare_dead)
    return Membership(
        database, clock, reconciler.declare_dead, cluster.meeting, cluster.reachable, cluster.members_changed
    )


def _can_still_end(connection: Connection) -> bool:
    """Whether anything is under way where an order to stop arrives: what lost nodes have may never end."""
    lost = {node.name for node in list_nodes(connection) if node.state is NodeState.LOST}
    jobs = active_jobs(connection)
    return any(
        task.end is None and task.allocation.node not in lost
        for tasks in current_tasks(connection, jobs).values()
        for task in tasks
    )
