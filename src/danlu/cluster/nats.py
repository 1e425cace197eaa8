"""The cluster that is many machines: an agent on each, reached through the messages' server (NATS)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

from nats.aio.msg import Msg

from danlu.agent.logs import LONGEST_CHUNK
from danlu.cluster.agents import NodeUnreachable, OnFact, OrderRefused, StaleServer, Watch
from danlu.cluster.attendance import Attendance, OnMembership
from danlu.cluster.connection import Connection, MessageTooLong, NoLine
from danlu.cluster.control_line import ControlLine, read, sender_of
from danlu.cluster.fence_proof import FenceProofs
from danlu.cluster.handing_out import HandingOut
from danlu.cluster.hearing import ODD, read_fact
from danlu.cluster.node_watches import NodeWatches
from danlu.cluster.plain_json import from_plain, to_plain
from danlu.cluster.refusals import refusal_of
from danlu.cluster.seats import Seat
from danlu.cluster.strangers import Strangers
from danlu.core.doctor import Question
from danlu.core.log_search import LogSearch, LogSearched
from danlu.core.member import Member
from danlu.core.node import Finding, NodeFacts, NodeState
from danlu.core.readings import NodeReading
from danlu.core.task import Account, LaunchOrder, LogChunk, Prepared, TaskFact, TaskKey

_log = logging.getLogger(__name__)

CALL_S = 5.0
FILE_S = 15.0
"""Longer than an agent waits for a file system that hangs."""
FETCH_S = 60.0
DIAGNOSE_S = 30.0
UPGRADE_S = 600.0
CONNECT_S = 5.0
READ_AT_ONCE = 50
"""To understand so many readings takes some milliseconds, in which nothing else happens."""
ACQUAINTANCE_S = 1.0
"""At the start: so long a member that is there may need to say so."""

OnAsk = Callable[[dict[str, Any]], Awaitable[Mapping[str, Any]]]
OnLeave = Callable[[str, dict[str, Any]], Awaitable[Mapping[str, Any]]]


class NatsCluster:
    """Implements `Agents`.

    `fence` is the number of this server's leadership; nodes that have heard of a higher one do not obey. For
    `previous` see `ControlLine`; once `on_foreign` was told, this server does nothing more.
    `members` says who belongs to the cluster; call `members_changed` when that changes. For `may_act` see
    `ControlLine`, for `advertised`, `accepts_version` and the callbacks `Attendance`. `on_join` answers
    machines that want to be members, `on_leave` members that want to be none.
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
        on_join: OnAsk | None = None,
        on_leave: OnLeave | None = None,
    ) -> None:
        self.on_membership: OnMembership | None = None
        self.on_stale: Callable[[], None] | None = None
        self.on_foreign: Callable[[int], None] | None = None
        self._is_superseded = False
        self.on_join = on_join
        self.on_leave = on_leave
        self._members = members
        self._lease_s = lease_s
        self._on_fact: OnFact | None = None
        connection = Connection(
            servers,
            certificate,
            name="server",
            inbox="server",
            seed=seed,
            asks_each=True,
            subscriptions={
                "from.*.beat": self._take_beat,
                "from.*.fact": self._take_facts,
                "from.*.changed": self._take_change,
                "from.*.fetch": self._take_fetch,
                "from.*.leave": self._take_leave,
            },
            on_up=lambda: self._start(self._attendance.call_roll()),
        )
        self._line = ControlLine(
            connection,
            fence,
            lambda: not self._is_superseded and may_act(),
            fence if previous is None else previous,
            FenceProofs(seed),
        )
        self._attendance = Attendance(self._line, lease_s, advertised, accepts_version)
        self._attendance.on_membership = self._note_membership
        self._attendance.on_stale = lambda: self.on_stale() if self.on_stale is not None else None
        self._attendance.on_foreign = self._step_back
        self._attendance.on_mute = lambda seat: self._start(self._probe(seat))
        self._attendance.on_contest = lambda *claim: self._start(self._attendance.settle(*claim))
        self._strangers = Strangers(servers, certificate, seed, self._take_join, self._take_standing)
        self._seats = self._attendance.seats
        self._files = HandingOut(calls_folder, calls_folder.parent / "bundles")
        self._watches = NodeWatches(self._ask)
        self._under_way: set[asyncio.Task[None]] = set()

    @property
    def is_connected(self) -> bool:
        """Whether the messages' server can be reached; without it no node can, whatever its own state."""
        return self._line.connection.is_up

    async def start(self, on_fact: OnFact) -> None:
        """Connect, and wait a moment for the members that are there."""
        self._on_fact = on_fact
        self.members_changed()
        self._line.connection.start()
        self._strangers.connection.start()
        try:
            async with asyncio.timeout(CONNECT_S):
                await self._line.connection.wait_up()
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
        await asyncio.gather(self._line.connection.close(), self._strangers.connection.close())

    def members_changed(self) -> None:
        """Look again at who belongs to the cluster. Who was removed is told, if it can be."""
        for seat in self._attendance.update(self._members()):
            self._start(self._attendance.dismiss(seat))

    # What the nodes say

    async def _take_beat(self, message: Msg) -> None:
        await self._attendance.take_beat(message)

    async def _take_facts(self, message: Msg) -> None:
        seat, told = self._seats.of_member(sender_of(message)), read(message)
        if seat is None or told is None or self._on_fact is None or not self._line.may_act():
            return
        if not seat.claims.believes(str(told.get("agent_session"))):
            return
        for plain in told["facts"]:
            if (fact := read_fact(seat.member.node, plain)) is not None:
                self._on_fact(fact)
        # Also of what made no sense: to say it again would change nothing.
        await self._line.answer(message, {})

    async def _take_change(self, message: Msg) -> None:
        seat, told = self._seats.of_member(sender_of(message)), read(message)
        if seat is not None and told is not None:
            self._watches.hear(seat.member.node, str(told["watch"]))

    async def _take_fetch(self, message: Msg) -> None:
        asked = read(message)
        if asked is not None:
            self._start(self._hand_out(message, str(asked["path"]), int(asked["offset"])))

    async def _hand_out(self, message: Msg, path: str, offset: int) -> None:
        try:
            data, size = await self._files.read(sender_of(message), path, offset)
        except OSError as problem:
            await self._line.answer(message, {"error": problem.strerror or str(problem)})
        else:
            await self._line.answer(message, {"size": size}, data)

    async def _take_leave(self, message: Msg) -> None:
        asked = read(message)
        if asked is not None and self.on_leave is not None and self._line.may_act():
            await self._line.answer(message, await self.on_leave(sender_of(message), asked))

    async def _take_join(self, asked: dict[str, Any]) -> Mapping[str, Any] | None:
        if self.on_join is None or not self._line.may_act():
            return None
        return await self.on_join(asked)

    async def _take_standing(self, asked: dict[str, Any]) -> Mapping[str, Any] | None:
        """Somebody who was not let in asks whether it still belongs here."""
        if not self._line.may_act() or self._attendance.is_foreign(asked):
            return None
        return {"member": self._attendance.is_member(str(asked.get("id")))}

    def _step_back(self, fence: int) -> None:
        if not self._is_superseded:
            _log.error("a node has followed a server of another copy of our database, with fence %d", fence)
            self._is_superseded = True
            if self.on_foreign is not None:
                self.on_foreign(fence)

    def _note_membership(self, node: str, state: NodeState) -> None:
        if state is NodeState.UP:
            self._watches.renew(node)
        if self.on_membership is not None:
            self.on_membership(node, state)

    async def _probe(self, seat: Seat) -> None:
        """It beats again; does it answer?"""
        with contextlib.suppress(NodeUnreachable):
            told, _ = await self._call(seat.member.node, "tasks")
            if seat.is_mute and _read_tasks(seat.member.node, told) is not None:
                self._attendance.welcome(seat)

    # What is known without asking

    async def nodes(self) -> list[NodeFacts]:
        return [seat.facts for seat in self._seats.answering() if seat.facts is not None]

    async def readings(self) -> dict[str, NodeReading]:
        found = {}
        for number, seat in enumerate(self._seats.answering(), 1):
            if (reading := seat.reading) is not None:
                found[seat.member.node] = reading
            if number % READ_AT_ONCE == 0:
                await asyncio.sleep(0)
        return found

    def last_grants(self) -> Mapping[str, float]:
        return {seat.member.node: seat.granted_at for seat in self._seats}

    def clock_skews(self) -> Mapping[str, float]:
        """By how many seconds each node's clock is ahead of ours, as far as its last beat tells."""
        return {seat.member.node: seat.skew_s for seat in self._seats if seat.is_up}

    # What the nodes are asked

    async def _call(self, node: str, op: str, timeout_s: float = CALL_S, **fields: Any) -> tuple[Any, bytes]:
        """Raises NodeUnreachable, OrderRefused, LogRefused."""
        seat = self._seats.of_node(node)
        if seat is None or not seat.is_up:
            raise NodeUnreachable(node)
        if seat.claims.disputed:
            raise NodeUnreachable(f"{node}: two machines use the same credentials")
        if not self._line.may_act():
            raise StaleServer(node)
        call, session = {"op": op, **fields}, seat.claims.holder
        try:
            answer, data = await self._line.ask(seat.member.id, session, call, timeout_s)
        except (NoLine, ValueError) as problem:
            raise NodeUnreachable(f"{node}: {problem}") from problem
        except MessageTooLong as problem:
            raise OrderRefused(str(problem)) from problem
        if "error" in answer:
            with _sense_of(node):
                refusal = refusal_of(node, answer["error"])
            if isinstance(refusal, StaleServer):
                self._attendance.note_stale()
            raise refusal
        return answer.get("result"), data

    async def _ask(self, node: str, op: str, fields: dict[str, object]) -> object:
        return (await self._call(node, op, CALL_S, **fields))[0]

    async def forget_gpu(self, node: str, index: int) -> bool:
        try:
            return bool((await self._call(node, "forget_gpu", index=index))[0])
        except NodeUnreachable:
            return False

    async def prepare(self, node: str, key: TaskKey) -> Prepared:
        with _sense_of(node):
            return from_plain(Prepared, (await self._call(node, "prepare", key=str(key)))[0])

    async def diagnose(self, node: str, question: Question) -> list[Finding]:
        found, _ = await self._call(node, "diagnose", DIAGNOSE_S, question=to_plain(question))
        with _sense_of(node):
            return [from_plain(Finding, each) for each in found]

    async def upgrade(self, node: str, bundle: str, path: str) -> None:
        """Have a node fetch a bundle of another version and become it. Raises NodeUnreachable."""
        seat = self._seats.of_node(node)
        if seat is not None:
            self._files.allow(seat.member.id, path)
        await self._call(node, "upgrade", UPGRADE_S, name=bundle, path=path)

    async def launch(self, order: LaunchOrder) -> None:
        seat = self._seats.of_node(order.node)
        if seat is None:
            raise NodeUnreachable(order.node)
        timeout_s = CALL_S
        if order.account is not None and order.account.is_servers_own and not _is_root(seat):
            # An older agent would take it for one that it has to become.
            order = replace(order, account=None)
        if order.call_path is not None and not order.call_path.startswith("/"):
            self._files.allow(seat.member.id, order.call_path)
            timeout_s = FETCH_S
        await self._call(
            order.node,
            "launch",
            timeout_s,
            order=to_plain(order),
            heard_at=seat.beat_sent_at,
            lease_s=self._lease_s,
        )

    async def stop(self, node: str, key: TaskKey, grace_s: float) -> None:
        await self._call(node, "stop", key=str(key), grace_s=grace_s)

    async def tasks(self) -> list[TaskFact]:
        told = await asyncio.gather(*(self._tasks_of(seat) for seat in self._seats.answering()))
        return [fact for facts in told for fact in facts]

    async def _tasks_of(self, seat: Seat) -> list[TaskFact]:
        try:
            facts, _ = await self._call(seat.member.node, "tasks")
        except StaleServer:
            raise
        except NodeUnreachable as problem:
            if seat.is_up:
                _log.warning("node %s does not answer: %s", seat.member.node, problem)
                seat.is_mute = True
            return []
        read = _read_tasks(seat.member.node, facts)
        if read is None:
            seat.is_mute = True
            return []
        return read

    async def forget(self, node: str, keys: Iterable[TaskKey]) -> None:
        """What a node does not hear now it is told when it is next compared."""
        with contextlib.suppress(NodeUnreachable):
            await self._call(node, "forget", keys=[str(key) for key in keys])

    async def remove_jobs(self, node: str, job_ids: Sequence[int]) -> list[int]:
        gone, _ = await self._call(node, "remove_jobs", FILE_S, jobs=list(job_ids))
        with _sense_of(node):
            return [int(job_id) for job_id in gone]

    async def read_log(
        self, node: str, path: str, offset: int, limit: int, account: Account | None
    ) -> LogChunk:
        limit = min(limit, LONGEST_CHUNK)
        answer, data = await self._call(
            node, "read_log", FILE_S, path=path, offset=offset, limit=limit, **_owner(account)
        )
        with _sense_of(node):
            return LogChunk(data, int(answer["offset"]), int(answer["size"]))

    async def search_log(
        self, node: str, path: str, account: Account | None, search: LogSearch
    ) -> LogSearched:
        answer, _ = await self._call(
            node, "search_log", FILE_S, path=path, search=to_plain(search), **_owner(account)
        )
        with _sense_of(node):
            return from_plain(LogSearched, answer)

    def watch_log(self, node: str, path: str, account: Account | None) -> AbstractAsyncContextManager[Watch]:
        return self._watches.watch(node, {"path": path, **_owner(account)})

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._settle)

    def _settle(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        if not task.cancelled() and (problem := task.exception()) is not None:
            _log.error("could not answer a node", exc_info=problem)


def _read_tasks(node: str, told: Any) -> list[TaskFact] | None:
    """None where some of it makes no sense: what is not understood must not be taken for gone."""
    if not isinstance(told, list):
        _log.error("node %s says something of its tasks that makes no sense", node)
        return None
    read = [read_fact(node, plain) for plain in told]
    known = [fact for fact in read if fact is not None]
    return known if len(known) == len(read) else None


def _owner(account: Account | None) -> dict[str, Any]:
    """Whose file it is; earlier agents know the number alone."""
    return {"account": to_plain(account), "uid": None if account is None else account.uid}


def _is_root(seat: Seat) -> bool:
    return seat.facts is not None and seat.facts.runs_as_root


@contextlib.contextmanager
def _sense_of(node: str) -> Iterator[None]:
    """An answer that makes no sense is none. Raises NodeUnreachable."""
    try:
        yield
    except ODD as problem:
        raise NodeUnreachable(f"{node}: its answer makes no sense: {problem}") from problem
