"""One of several servers on one database: it leads, or stands by for the one that does.

    stand by ──(the leader has not renewed its lease)──► take over ──► lead
        ▲                                                   │            │
        └──────────(another server was faster)──────────────┴──(lost)────┘

Whichever it does, it serves the API: who stands by passes everything on.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from danlu.control.event_bus import EventBus
from danlu.control.identity.access import new_local_secret
from danlu.core.errors import Unavailable
from danlu.launch.cluster.cluster_side import messages_address
from danlu.launch.database.choice import remember_location
from danlu.launch.database.fault import FAULTS, DatabaseFault
from danlu.launch.door.certificate import Certificate
from danlu.launch.door.forwarded_request import Trust
from danlu.launch.door.listening import is_local_url
from danlu.launch.door.reachability import Reachability
from danlu.launch.leadership import (
    Address,
    LeaderLease,
    Leading,
    Vigil,
    boot_time,
    lease_time,
    server_id,
)
from danlu.launch.locations import announce, write_private
from danlu.launch.serve.installation import Installation, open_installation
from danlu.launch.serve.server import ApiServer
from danlu.launch.standby.leader_proxy import LeaderConnection, LeaderProxy
from danlu.launch.standby.standby_side import StandbySide, read_other_urls, read_peers, read_surroundings
from danlu.launch.standby.while_leading import WhileLeading
from danlu.settings import Settings
from danlu.store.engine.database import Database
from danlu.store.engine.engines import host_of_session, own_host, session_name
from danlu.store.engine.migrate import migrate
from danlu.store.engine.out_of_use import OutOfUseReason
from danlu.store.leadership import PASSING_ON, Leader, LeaderClaim, Lookout, take_lead
from danlu.store.secrets import get_secret

log = logging.getLogger(__name__)

LOOKS = 8
"""How many times within a lease a standby looks at it."""
PAUSE_S = 1.0
"""After a take-over that failed."""

OnLeading = Callable[[Installation, int], AbstractAsyncContextManager[None]]
"""What goes on around an installation as long as it leads, with its fence."""
OnStanding = Callable[[str, Installation, int], AbstractAsyncContextManager[None]]
"""The same, told the token of this machine first."""


@dataclass(frozen=True, slots=True)
class Self:
    """What a server is among the others."""

    id: str
    address: Callable[[], Address]
    lease_s: float


class Candidate:
    """Raises what `open_installation` raises when it cannot lead though it should."""

    def __init__(
        self, settings: Settings, me: Self, server: ApiServer, passing_on: LeaderProxy, on_leading: OnLeading
    ) -> None:
        self._settings = settings
        self._me = me
        self._server = server
        self._passing_on = passing_on
        self._on_leading = on_leading
        self._lookout = Lookout(settings.database)
        self._stop = asyncio.Event()
        self._known: Leader | None = None
        self._trouble = ""
        self._announced_at = 0.0
        self._peers: tuple[str, ...] = ()
        self._other_urls: tuple[str, ...] = ()
        assert settings.cluster is not None  # noqa: S101 - servers stand by for a cluster
        self._side = StandbySide(settings.data, settings.cluster)

    async def check(self) -> None:
        """Raises DatabaseFault when the database cannot be used at all."""
        try:
            await asyncio.to_thread(self._lookout.look)
        except FAULTS as problem:
            raise DatabaseFault(self._settings.database, problem) from problem

    def stop(self) -> None:
        self._stop.set()

    async def run(self) -> None:
        """Until `stop`. What is led then is laid down."""
        try:
            while not self._stop.is_set():
                leader = await self._stand_by()
                if self._stop.is_set():
                    break
                leading = await self._take_over(leader)
                if leading is not None:
                    await self._side.close()
                    await self._lead(leading)
        finally:
            await self._side.close()
            with suppress(*FAULTS):
                await asyncio.to_thread(self._lookout.withdraw, self._me.id)
            self._lookout.close()

    async def _stand_by(self) -> Leader | None:
        """Return whom to take over from, when it is time."""
        vigil = Vigil(self._me.id, own_host(), self._me.lease_s)
        while not self._stop.is_set():
            try:
                leader = await asyncio.to_thread(self._lookout.look)
                if self._trouble:
                    self._trouble, self._known = "", None
                    self._passing_on.refuse(None)
                if vigil.note(leader, boot_time()):
                    return leader
                await self._follow(leader)
                await self._announce()
                around = partial(read_surroundings, own_id=self._me.id)
                await self._side.update(await asyncio.to_thread(self._lookout.ask, around))
            except FAULTS as problem:
                self._note_trouble(problem)
            await self._pause(self._me.lease_s / LOOKS)
        return None

    def _note_trouble(self, problem: Exception) -> None:
        """Who leads is not known, so requests do not wait for that; the leader that we followed may still be
        asked, unless the database is not to be used any more."""
        is_out_of_use = isinstance(problem, Unavailable) and problem.code in list(OutOfUseReason)
        what = str(problem) if is_out_of_use else type(problem).__name__
        if what == self._trouble:
            return
        self._trouble = what
        log.error("the database cannot be asked who leads", exc_info=problem)
        if is_out_of_use or self._known is None:
            self._passing_on.refuse(problem if isinstance(problem, Unavailable) else Unavailable("cut_off"))

    async def _follow(self, leader: Leader | None) -> None:
        """Pass requests on to the leader."""
        before, self._known = self._known, leader
        if leader is None or (
            before is not None and (before.fence, before.url) == (leader.fence, leader.url)
        ):
            return
        url, _, fingerprint = leader.url.partition("#")
        if _is_out_of_reach(url, leader):
            log.error("the leader at %s listens to its own machine only", url)
            named = f"{url} ({host_of_session(leader.holder)})"
            self._passing_on.refuse(Unavailable("leader_unreachable", url=named))
            return
        secret = await asyncio.to_thread(self._lookout.secret, PASSING_ON)
        log.info("standing by for %s, which leads with fence %d", url, leader.fence)
        self._passing_on.lead(LeaderConnection(url, fingerprint or None, secret or ""))

    async def _announce(self) -> None:
        """Say that we are there, and see who else is."""
        if boot_time() - self._announced_at >= self._me.lease_s / 2:
            here = self._me.address()
            await asyncio.to_thread(self._lookout.announce, self._me.id, here.url, here.messages)
            self._announced_at = boot_time()
            others = partial(read_peers, own_id=self._me.id)
            self._peers = await asyncio.to_thread(self._lookout.ask, others)
            elsewhere = partial(read_other_urls, own_id=self._me.id)
            self._other_urls = await asyncio.to_thread(self._lookout.ask, elsewhere)

    async def _take_over(self, leader: Leader | None) -> Leading | None:
        """None when another server was faster, or the database is not there."""
        self._known = None
        try:
            if leader is not None:
                await asyncio.to_thread(self._lookout.end_session_of, leader)
            await asyncio.to_thread(migrate, self._settings.database)
        except FAULTS as problem:
            await self._give_way(problem)
            return None
        claim, holder = LeaderClaim(leader.fence if leader else 0), session_name(self._me.id)
        bus = EventBus()
        session = claim.session(holder)
        database = Database(self._settings.database, time.time, session, on_commit=bus.publish)
        database.start()
        here, asked_at = self._me.address(), boot_time()
        take = partial(take_lead, seen=leader, holder=holder, url=here.url, messages=here.messages)
        try:
            taken = await database.write(take)
        except Unavailable as problem:
            await database.close()
            await self._give_way(problem)
            return None
        claim.fence = taken.fence
        log.warning("leading, with fence %d", taken.fence)
        lease = LeaderLease(self._me.lease_s, asked_at)
        peers, others = lambda: self._peers, lambda: self._other_urls
        return Leading(database, bus, taken.fence, lease, peers, others, leader.fence if leader else 0)

    async def _give_way(self, problem: Exception) -> None:
        if isinstance(problem, Unavailable):
            log.warning("did not take over: %s %s", problem.code, problem.facts)
        else:
            log.warning("could not take over", exc_info=problem)
        await self._pause(min(PAUSE_S, self._me.lease_s / LOOKS))

    async def _lead(self, leading: Leading) -> None:
        keeping = asyncio.create_task(leading.lease.keep(leading.database, leading.fence, self._me.address))
        stopping = asyncio.create_task(self._stop.wait())
        beside: list[asyncio.Task[Any]] = [keeping, stopping, asyncio.create_task(self._keep_announcing())]
        try:
            async with AsyncExitStack() as stack:
                stepping_back = asyncio.create_task(await self._begin(leading, stack))
                beside.append(stepping_back)
                await asyncio.wait([keeping, stopping, stepping_back], return_when=asyncio.FIRST_COMPLETED)
        except Exception as problem:
            if leading.lease.holds() and not _is_superseded(problem):
                raise
            log.warning("the leadership was lost before it began", exc_info=True)
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
            await leading.database.close()
            with suppress(*FAULTS):
                await asyncio.to_thread(self._lookout.lay_down, leading.fence)
            log.warning("no longer leading, with fence %d", leading.fence)

    async def _begin(self, leading: Leading, stack: AsyncExitStack) -> Coroutine[Any, Any, Unavailable]:
        """Open the installation and let people in; what ends both goes to `stack`. What is returned ends when
        the nodes are found to follow another copy of the database."""
        secret = await leading.database.read(lambda connection: get_secret(connection, PASSING_ON))
        opening = open_installation(self._settings, leading)
        installation = await stack.enter_async_context(opening)
        await stack.enter_async_context(self._on_leading(installation, leading.fence))
        app = WhileLeading(self._server.make_inside(installation.control, installation.access))
        self._server.admit(installation, app, Trust(secret or "", installation.access.vouch))
        self._passing_on.lead(None, here=app)
        stack.callback(self._step_down, installation, leading, app)
        return installation.stepping_back.wait()

    def _step_down(self, installation: Installation, leading: Leading, app: WhileLeading) -> None:
        """Act no more, at once; everything that takes its time comes later."""
        lost = not leading.lease.holds()
        leading.lease.end()
        installation.control.scheduling_loop.stop()
        if lost:
            log.error("the leadership with fence %d is lost", leading.fence)
            leading.database.give_up()
            app.lose()
        self._passing_on.lead(None)
        if lost:
            # What is led is closed only now, which takes a while if the database hangs.
            self._trouble = "lost"
            self._passing_on.refuse(Unavailable("no_leader" if leading.lease.succeeded else "cut_off"))
        self._server.dismiss()

    async def _keep_announcing(self) -> None:
        while True:
            with suppress(*FAULTS):
                await self._announce()
            await asyncio.sleep(self._me.lease_s / 2)

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stop.wait()


def _is_superseded(problem: Exception) -> bool:
    return (
        isinstance(problem, DatabaseFault) and getattr(problem.fault, "code", "") == OutOfUseReason.SUPERSEDED
    )


def _is_out_of_reach(url: str, leader: Leader) -> bool:
    """An address of the leader's own machine means another one here."""
    return is_local_url(url) and host_of_session(leader.holder) != own_host()


async def serve_standing(
    settings: Settings,
    listener: socket.socket,
    reach: Reachability,
    on_leading: OnStanding,
    greet: Callable[[], None],
) -> None:
    """Serve until told to stop. Raises what `open_installation` raises."""
    local_secret = new_local_secret()
    certificate = reach.encryption.certificate if reach.encryption else None
    fingerprint = certificate.fingerprint if certificate else None
    messages = messages_address(settings.cluster) if settings.cluster is not None else ""

    def announce_here(fresh: Certificate | None) -> None:
        nonlocal fingerprint
        fingerprint = fresh.fingerprint if fresh else None
        announce(settings, reach.local_url, fingerprint)

    def here() -> Address:
        url = reach.front.shared_url or reach.local_url
        return Address(f"{url}#{fingerprint}" if fingerprint else url, messages)

    passing_on = LeaderProxy(local_secret, settings.starter)
    server = ApiServer(None, listener, reach, announce_here, meanwhile=passing_on)
    me = Self(server_id(settings.data), here, lease_time())
    candidate = Candidate(settings, me, server, passing_on, partial(on_leading, local_secret))
    await candidate.check()
    remember_location(settings.data, settings.database)

    async def when_ready() -> None:
        greet()
        write_private(settings.token_file, local_secret + "\n")
        announce_here(certificate)

    standing = asyncio.create_task(candidate.run())
    standing.add_done_callback(lambda _: server.stop())
    try:
        await server.run(when_ready)
    finally:
        candidate.stop()
        await standing
