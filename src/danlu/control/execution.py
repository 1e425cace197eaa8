"""What carries wishes out: scheduling, launching, hearing of tasks, keeping nodes and store in step.

Each part is given all it needs when it is made. Where two need each other, a small thing that both know
stands between them: the nodes that are closed for the moment, the latest readings, the bus.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from danlu.cluster.server.agents import Agents
from danlu.control.event_bus import EventBus
from danlu.control.identity.accounts import AccountBook
from danlu.control.nodes.doctor import Doctor
from danlu.control.recovery.reconciler import Reconciler
from danlu.control.running.closed_nodes import ClosedNodes
from danlu.control.running.elastic import Resizing
from danlu.control.running.latest_readings import LatestReadings
from danlu.control.running.launching import Launching
from danlu.control.running.live_board import LiveBoard
from danlu.control.running.order_sending import OrderSending
from danlu.control.running.orders import Orders
from danlu.control.running.reports import Reports
from danlu.control.running.scheduling_loop import SchedulingLoop, listen_for_scheduling
from danlu.control.running.setup_failures import SetupFailures
from danlu.control.sharing.job_secrets import JobSecrets
from danlu.control.system.log_limits import LogLimits
from danlu.control.telemetry.monitor import GpuMonitor
from danlu.settings import Settings
from danlu.store.engine.database import Database


class Execution:
    """The parts, wired together. For the arguments see `Control`; `own_node` is the server's own machine."""

    def __init__(
        self,
        database: Database,
        bus: EventBus,
        agents: Agents,
        accounts: AccountBook,
        settings: Settings,
        clock: Callable[[], float],
        *,
        monotonic: Callable[[], float],
        own_node: str | None,
        other_urls: Callable[[], Sequence[str]],
        may_schedule: Callable[[], bool],
    ) -> None:
        self.sending = sending = OrderSending(agents)
        setup_failures = SetupFailures()
        self.doctor = Doctor(database, agents, settings.folders, clock, setup_failures, bus)
        scheduling_news = listen_for_scheduling(bus)
        self.closed_nodes = ClosedNodes(on_open=scheduling_news.nudge)
        self.reports = Reports(
            database,
            sending,
            [str(folder) for folder in settings.folders],
            setup_failures,
            self.doctor.suspect,
            self.closed_nodes.note_end,
        )
        readings = LatestReadings()
        self.board = LiveBoard(database, bus, readings, self.closed_nodes)
        self.job_secrets = JobSecrets(database, settings.address_for_jobs, other_urls)
        self.log_limits = LogLimits(database, bus, agents)
        orders = Orders(
            accounts, settings, lambda order: self.log_limits.equip(self.job_secrets.equip(order))
        )
        self.launching = Launching(database, agents, orders, clock, self.reports.take)
        self.scheduling_loop = SchedulingLoop(
            database,
            self.board,
            scheduling_news,
            orders,
            self.launching,
            Resizing(database, sending, clock, settings.resize_pause_s),
            settings,
            clock,
            may_schedule,
        )
        self.reconciler = Reconciler(
            database,
            bus,
            agents,
            self.scheduling_loop,
            self.reports,
            self.launching,
            sending,
            self.closed_nodes,
            settings,
            clock,
            monotonic,
            own_node,
        )
        self.monitor = GpuMonitor(
            database,
            bus,
            agents,
            sending,
            readings,
            settings,
            self.scheduling_loop.wake,
            self.board.wants_memory,
            clock,
        )
