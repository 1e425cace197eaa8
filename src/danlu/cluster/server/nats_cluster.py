"""The cluster that is many machines: an agent on each, reached through the messages' server (NATS)."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from nats.aio.msg import Msg

from danlu.cluster.connection import Connection, Handler
from danlu.cluster.fence_proof import FenceProofs
from danlu.cluster.messages import unpack
from danlu.cluster.server.agents import OnFact, OnMembership, OnSenseless, tell_nobody
from danlu.cluster.server.attendance import READING, Attendance
from danlu.cluster.server.control_connection import ControlConnection, sender_of
from danlu.cluster.server.file_handout import FileHandout
from danlu.cluster.server.join_connections import JoinConnectionWatch
from danlu.cluster.server.join_requests import JoinRequests
from danlu.cluster.server.member_table import MemberRow
from danlu.cluster.server.node_calls import NodeCalls, read_facts
from danlu.cluster.server.node_messages import (
    Beat,
    FetchAsk,
    LogChange,
    TaskNews,
)
from danlu.codec import BadValue, decode
from danlu.core.nodes.member import Member
from danlu.core.nodes.node import NodeFacts, NodeState
from danlu.core.nodes.readings import NodeReading

_log = logging.getLogger(__name__)

CONNECT_S = 5.0
READ_AT_ONCE = 50
"""To understand so many readings takes some milliseconds, in which nothing else happens."""
ACQUAINTANCE_S = 1.0
"""At the start: so long a member that is there may need to say so."""

T = TypeVar("T")


class Desk(Protocol):
    """Answers machines that want to be members, and members that want to be none."""

    async def let_in(self, question: dict[str, Any], /) -> Mapping[str, Any]: ...

    async def let_go(self, member_id: str, question: dict[str, Any], /) -> Mapping[str, Any]: ...


class NatsCluster(NodeCalls):
    """Implements `Agents`.

    `fence` is the number of this server's leadership; nodes that have heard of a higher one do not obey. For
    `previous` see `ControlConnection`; once `on_foreign` was told, this server does nothing more.
    `members` says who belongs to the cluster; call `members_changed` when that changes. For `may_act` see
    `ControlConnection`, for `advertised`, `accepts_version`, `on_stale` and `on_foreign` `Attendance`.
    """

    is_one_machine = False

    def __init__(
        self,
        servers: Sequence[str],
        certificate: str,
        seed: str,
        *,
        fence: int,
        previous: int | None = None,
        lease_s: float,
        members: Callable[[], Sequence[Member]],
        calls_folder: Path,
        advertised: Callable[[], Sequence[str]] = tuple,
        may_act: Callable[[], bool] = lambda: True,
        accepts_version: Callable[[str], bool] = lambda _: True,
        on_stale: Callable[[], None] = tell_nobody,
        on_foreign: Callable[[int], None] = tell_nobody,
    ) -> None:
        self._on_foreign = on_foreign
        self._is_superseded = False
        self._on_membership: OnMembership = tell_nobody
        self._on_senseless: OnSenseless = tell_nobody
        self._desk: Desk | None = None
        self._members = members
        self._on_fact: OnFact | None = None
        connection = Connection(
            servers,
            certificate,
            name="server",
            inbox="server",
            seed=seed,
            asks_each=True,
            subscriptions={
                "from.*.beat": self._hear("beat", Beat, self._take_beat),
                "from.*.fact": self._hear("fact", TaskNews, self._take_news),
                "from.*.changed": self._hear("changed", LogChange, self._take_change),
                "from.*.fetch": self._hear("fetch", FetchAsk, self._take_fetch),
                "from.*.leave": self._hear("leave", dict[str, Any], self._take_leave),
            },
            on_up=lambda: self._start(self._attendance.call_roll()),
        )
        self._control = ControlConnection(
            connection,
            fence,
            lambda: not self._is_superseded and may_act(),
            fence if previous is None else previous,
            FenceProofs(seed),
        )
        self._attendance = Attendance(
            self._control,
            lease_s,
            advertised,
            accepts_version,
            on_membership=self._note_membership,
            on_stale=on_stale,
            on_foreign=self._step_back,
            on_senseless=self._tell_senseless,
            on_mute=lambda seat: self._start(self._probe(seat)),
            on_contest=lambda *claim: self._start(self._attendance.settle(*claim)),
        )
        self._strangers = JoinRequests(servers, certificate, seed, self._take_join, self._take_standing)
        self._stranger_watch = JoinConnectionWatch(servers, certificate, seed)
        files = FileHandout(calls_folder, calls_folder.parent / "bundles")
        super().__init__(self._control, self._attendance, files, lease_s)
        self._under_way: set[asyncio.Task[None]] = set()

    @property
    def is_connected(self) -> bool:
        """Whether the messages' server can be reached; without it no node can, whatever its own state."""
        return self._control.connection.is_up

    async def start(
        self,
        on_fact: OnFact,
        on_membership: OnMembership = tell_nobody,
        on_senseless: OnSenseless = tell_nobody,
    ) -> None:
        """Connect, and wait a moment for the members that are there."""
        self._on_fact, self._on_membership, self._on_senseless = on_fact, on_membership, on_senseless
        self.members_changed()
        self._control.connection.start()
        self._strangers.connection.start()
        self._stranger_watch.start()
        try:
            async with asyncio.timeout(CONNECT_S):
                await self._control.connection.wait_up()
                await self._strangers.connection.wait_up()
        except TimeoutError:
            _log.warning("the messages' server does not answer; going on without any node")
            return
        await self._attendance.wait_for_all(ACQUAINTANCE_S)

    async def close(self) -> None:
        self._on_fact = None
        self._attendance.close()
        for task in tuple(self._under_way):
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)
        await asyncio.gather(
            self._control.connection.close(), self._strangers.connection.close(), self._stranger_watch.close()
        )

    def open_desk(self, desk: Desk) -> None:
        """Machines may ask to join from now on, and members to leave."""
        self._desk = desk

    def members_changed(self) -> None:
        """Look again at who belongs to the cluster. Who was removed is told, if it can be."""
        for seat in self._attendance.update(self._members()):
            self._start(self._attendance.dismiss(seat))

    # What the nodes say

    def _hear(
        self, about: str, kind: type[T], take: Callable[[Msg, MemberRow | None, T], Awaitable[None]]
    ) -> Handler:
        """What makes no sense is that node's trouble, and is not taken."""

        async def handle(message: Msg) -> None:
            seat = self._seats.of_member(sender_of(message))
            try:
                told = decode(kind, unpack(message.data)[0])
            except ValueError as problem:
                if seat is not None:
                    self._attendance.note_senseless(seat, about, str(problem))
                return
            if seat is not None and about != "fact":
                seat.note_sense(about)
            await take(message, seat, told)

        return handle

    async def _take_beat(self, message: Msg, seat: MemberRow | None, beat: Beat) -> None:
        await self._attendance.take_beat(message, seat, beat)

    async def _take_news(self, message: Msg, seat: MemberRow | None, news: TaskNews) -> None:
        if seat is None or self._on_fact is None or not self._control.may_act():
            return
        if not seat.claims.believes(news.agent_session):
            return
        known, problem = read_facts(seat, news.facts)
        for fact in known:
            self._on_fact(fact)
        self._note("fact", seat, problem)
        # Also of what made no sense: to say it again would change nothing.
        await self._control.answer(message, {})

    async def _take_change(self, message: Msg, seat: MemberRow | None, change: LogChange) -> None:  # noqa: ARG002
        if seat is not None:
            self._watches.hear(seat.member.node, change.watch)

    async def _take_fetch(self, message: Msg, seat: MemberRow | None, asked: FetchAsk) -> None:
        if seat is not None:
            self._start(self._hand_out(message, asked.path, asked.offset))

    async def _hand_out(self, message: Msg, path: str, offset: int) -> None:
        try:
            data, size = await self._files.read(sender_of(message), path, offset)
        except OSError as problem:
            await self._control.answer(message, {"error": problem.strerror or str(problem)})
        else:
            await self._control.answer(message, {"size": size}, data)

    async def _take_leave(self, message: Msg, _: MemberRow | None, asked: dict[str, Any]) -> None:
        if self._desk is not None and self._control.may_act():
            await self._control.answer(message, await self._desk.let_go(sender_of(message), asked))

    async def _take_join(self, asked: dict[str, Any]) -> Mapping[str, Any] | None:
        if self._desk is None or not self._control.may_act():
            return None
        return await self._desk.let_in(asked)

    async def _take_standing(self, asked: dict[str, Any]) -> Mapping[str, Any] | None:
        """A machine that was not let in asks whether it still belongs here."""
        if not self._control.may_act() or self._attendance.is_foreign(asked):
            return None
        return {"member": self._attendance.is_member(str(asked.get("id")))}

    def _step_back(self, fence: int) -> None:
        if not self._is_superseded:
            _log.error("a node has followed a server of another copy of our database, with fence %d", fence)
            self._is_superseded = True
            self._on_foreign(fence)

    def _note_membership(self, node: str, state: NodeState) -> None:
        if state is NodeState.UP:
            self._watches.renew(node)
        self._on_membership(node, state)

    def _tell_senseless(self, node: str) -> None:
        self._on_senseless(node)

    async def _probe(self, seat: MemberRow) -> None:
        """It beats again; does it answer?"""
        if await self._ask_tasks(seat) is not None and seat.is_mute:
            self._attendance.welcome(seat)

    # What is known without asking

    async def nodes(self) -> list[NodeFacts]:
        return [seat.facts for seat in self._seats.answering() if seat.facts is not None]

    async def readings(self) -> dict[str, NodeReading]:
        found = {}
        for number, seat in enumerate(self._seats.answering(), 1):
            try:
                reading = seat.read_reading()
            except BadValue as problem:
                self._attendance.note_senseless(seat, READING, str(problem))
            else:
                if reading is not None:
                    seat.note_sense(READING)
                    found[seat.member.node] = reading
            if number % READ_AT_ONCE == 0:
                await asyncio.sleep(0)
        return found

    def last_grants(self) -> Mapping[str, float]:
        return {seat.member.node: seat.granted_at for seat in self._seats}

    def senseless(self) -> Mapping[str, Mapping[str, str]]:
        now = time.monotonic()
        return {seat.member.node: said for seat in self._seats if (said := seat.senseless(now))}

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._settle)

    def _settle(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            _log.error("could not answer a node", exc_info=problem)
