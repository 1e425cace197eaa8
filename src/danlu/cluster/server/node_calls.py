"""What the server asks of the nodes: a call is sent to the agent of one node, and its answer understood."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any, TypeVar

from danlu.agent.logs.log_files import LONGEST_CHUNK, LogRefused
from danlu.cluster.connection import MessageTooLong, NoConnection
from danlu.cluster.server.agents import NodeUnreachable, OrderRefused, StaleServer, Watch
from danlu.cluster.server.attendance import Attendance
from danlu.cluster.server.control_connection import ControlConnection
from danlu.cluster.server.fact_decoding import read_fact
from danlu.cluster.server.file_handout import FileHandout
from danlu.cluster.server.log_watches import NodeWatches
from danlu.cluster.server.member_table import MemberRow
from danlu.cluster.server.node_messages import (
    BYTES,
    FINDINGS,
    JOB_IDS,
    TASKS,
    LogPlace,
    NodeRefusal,
)
from danlu.cluster.server.refusals import refusal_of
from danlu.codec import BadValue, decode, encode
from danlu.core.logs.log_search import LogSearch, LogSearched
from danlu.core.nodes.doctor import Question
from danlu.core.nodes.node import Finding
from danlu.core.task import LaunchOrder, LogChunk, Prepared, TaskFact, TaskKey, UnixAccount

_log = logging.getLogger(__name__)

CALL_S = 5.0
FILE_S = 15.0
"""Longer than an agent waits for a file system that hangs."""
FETCH_S = 60.0
DIAGNOSE_S = 30.0
UPGRADE_S = 600.0
TRIM_S = 90.0

T = TypeVar("T")


class NodeCalls:
    """The part of `Agents` that is asked of single nodes, over `control`, where `attendance` knows them."""

    def __init__(
        self, control: ControlConnection, attendance: Attendance, files: FileHandout, lease_s: float
    ) -> None:
        self._control = control
        self._attendance = attendance
        self._seats = attendance.seats
        self._files = files
        self._lease_s = lease_s
        self._watches = NodeWatches(self._ask)

    async def _call(
        self,
        node: str,
        op: str,
        timeout_s: float = CALL_S,
        *,
        may_refuse: tuple[type[Exception], ...] = (),
        **fields: Any,
    ) -> tuple[Any, bytes]:
        """Raises NodeUnreachable, and the refusals that this call may be answered with."""
        seat = self._seats.of_node(node)
        if seat is None or not seat.is_up:
            raise NodeUnreachable(node)
        if seat.claims.disputed:
            raise NodeUnreachable(f"{node}: two machines use the same credentials")
        if not self._control.may_act():
            raise StaleServer(node)
        call, session = {"op": op, **fields}, seat.claims.holder
        try:
            answer, data = await self._control.ask(seat.member.id, session, call, timeout_s)
        except NoConnection as problem:
            raise NodeUnreachable(f"{node}: {problem}") from problem
        except ValueError as problem:
            self._attendance.note_senseless(seat, op, str(problem))
            raise NodeUnreachable(f"{node}: {problem}") from problem
        except MessageTooLong as problem:
            if OrderRefused in may_refuse:
                raise OrderRefused(str(problem)) from problem
            raise NodeUnreachable(f"{node}: {problem}") from problem
        if "error" in answer:
            refusal = refusal_of(node, self._understand(NodeRefusal, node, op, answer["error"]))
            if isinstance(refusal, StaleServer):
                self._attendance.note_stale(seat)
            elif not isinstance(refusal, (NodeUnreachable, *may_refuse)):
                refusal = NodeUnreachable(f"{node}: {refusal}")
            raise refusal
        return answer.get("result"), data

    def _understand(self, kind: type[T], node: str, op: str, told: Any) -> T:
        """What a node has answered. An answer that makes no sense is none. Raises NodeUnreachable."""
        seat = self._seats.of_node(node)
        try:
            known = decode(kind, told)
        except BadValue as problem:
            if seat is not None:
                self._attendance.note_senseless(seat, op, str(problem))
            raise NodeUnreachable(f"{node}: its answer makes no sense: {problem}") from problem
        if seat is not None:
            seat.note_sense(op)
        return known

    async def _ask(self, node: str, op: str, fields: dict[str, Any]) -> object:
        return (await self._call(node, op, may_refuse=(LogRefused,), **fields))[0]

    async def forget_gpu(self, node: str, index: int) -> bool:
        try:
            gone, _ = await self._call(node, "forget_gpu", index=index)
            return self._understand(bool, node, "forget_gpu", gone)
        except NodeUnreachable:
            return False

    async def prepare(self, node: str, key: TaskKey) -> Prepared:
        told, _ = await self._call(node, "prepare", key=str(key))
        return self._understand(Prepared, node, "prepare", told)

    async def diagnose(self, node: str, question: Question) -> list[Finding]:
        found, _ = await self._call(node, "diagnose", DIAGNOSE_S, question=encode(question))
        return self._understand(FINDINGS, node, "diagnose", found)

    async def upgrade(self, node: str, bundle: str, path: str) -> None:
        """Have a node fetch a bundle of another version and become it. Raises NodeUnreachable."""
        seat = self._seats.of_node(node)
        if seat is not None:
            self._files.allow(seat.member.id, path)
        refusals = (OrderRefused, LogRefused)
        await self._call(node, "upgrade", UPGRADE_S, may_refuse=refusals, name=bundle, path=path)

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
            may_refuse=(OrderRefused, LogRefused),
            order=encode(order),
            heard_at=seat.beat_sent_at,
            lease_s=self._lease_s,
        )

    async def stop(self, node: str, key: TaskKey, grace_s: float) -> None:
        await self._call(node, "stop", key=str(key), grace_s=grace_s)

    async def tasks(self) -> list[TaskFact]:
        told = await asyncio.gather(*(self._tasks_of(seat) for seat in self._seats.answering()))
        return [fact for facts in told for fact in facts]

    async def _tasks_of(self, seat: MemberRow) -> list[TaskFact]:
        facts = await self._ask_tasks(seat)
        if facts is None and seat.is_up:
            seat.is_mute = True
        return facts or []

    async def _ask_tasks(self, seat: MemberRow) -> list[TaskFact] | None:
        """None where it does not answer, or some of it makes no sense: what is not understood must not be
        taken for gone."""
        node = seat.member.node
        try:
            told, _ = await self._call(node, "tasks")
            facts, problem = read_facts(seat, self._understand(TASKS, node, "tasks", told))
        except NodeUnreachable as why:
            if seat.answers:
                _log.warning("node %s does not answer: %s", node, why)
            return None
        self._note("tasks", seat, problem)
        return facts if problem is None else None

    async def forget(self, node: str, keys: Iterable[TaskKey]) -> None:
        """What a node does not hear now it is told when it is next compared."""
        with contextlib.suppress(NodeUnreachable):
            await self._call(node, "forget", keys=[str(key) for key in keys])

    async def remove_jobs(self, node: str, job_ids: Sequence[int]) -> list[int]:
        gone, _ = await self._call(node, "remove_jobs", FILE_S, may_refuse=(LogRefused,), jobs=list(job_ids))
        known = set(self._understand(JOB_IDS, node, "remove_jobs", gone))
        return [job_id for job_id in job_ids if job_id in known]

    async def trim_logs(self, node: str, each: int, together: int) -> int:
        held, _ = await self._call(node, "trim_logs", TRIM_S, each=each, together=together)
        return self._understand(BYTES, node, "trim_logs", held)

    async def read_log(
        self, node: str, path: str, offset: int, limit: int, account: UnixAccount | None
    ) -> LogChunk:
        limit = min(limit, LONGEST_CHUNK)
        answer, data = await self._call(
            node,
            "read_log",
            FILE_S,
            may_refuse=(LogRefused,),
            path=path,
            offset=offset,
            limit=limit,
            **_owner(account),
        )
        place = self._understand(LogPlace, node, "read_log", answer)
        # Behind a hole the data begin further on than was asked for.
        if len(data) > limit or (data and place.offset < offset):
            raise NodeUnreachable(f"{node}: it sent another piece of the log than was asked for")
        return place.chunk(data)

    async def search_log(
        self, node: str, path: str, account: UnixAccount | None, search: LogSearch
    ) -> LogSearched:
        answer, _ = await self._call(
            node,
            "search_log",
            FILE_S,
            may_refuse=(LogRefused,),
            path=path,
            search=encode(search),
            **_owner(account),
        )
        return self._understand(LogSearched, node, "search_log", answer)

    def watch_log(
        self, node: str, path: str, account: UnixAccount | None
    ) -> AbstractAsyncContextManager[Watch]:
        return self._watches.watch(node, {"path": path, **_owner(account)})

    def _note(self, about: str, seat: MemberRow, problem: BadValue | None) -> None:
        if problem is None:
            seat.note_sense(about)
        else:
            self._attendance.note_senseless(seat, about, str(problem))


def _owner(account: UnixAccount | None) -> dict[str, Any]:
    """Whose file it is; earlier agents know the number alone."""
    return {"account": encode(account), "uid": None if account is None else account.uid}


def _is_root(seat: MemberRow) -> bool:
    return seat.facts is not None and seat.facts.runs_as_root


def read_facts(seat: MemberRow, told: Iterable[Any]) -> tuple[list[TaskFact], BadValue | None]:
    """What can be understood, and what is wrong with the last that cannot."""
    known: list[TaskFact] = []
    senseless: BadValue | None = None
    for plain in told:
        try:
            known.append(read_fact(seat.member.node, plain, seat.ahead_s))
        except BadValue as problem:
            senseless = problem
    return known, senseless
