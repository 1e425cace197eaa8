"""An agent in a process of its own: dials out, keeps its lease, answers calls, and loses no fact."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from nats.aio.msg import Msg

from danlu.agent import machine
from danlu.agent.node_agent import NodeAgent
from danlu.agent.ports import LOOPBACK, address_towards
from danlu.cluster.connection import Connection, NoAnswer, NoConnection, NoListener
from danlu.cluster.fence_proof import KeptProof
from danlu.cluster.fetching import Fetching, FetchRefused
from danlu.cluster.joining import JOIN_STANDING, CannotReach, ask_as_stranger
from danlu.cluster.messages import pack, unpack
from danlu.cluster.node.agent_calls import AgentCalls, Upgrade
from danlu.cluster.node.fact_reports import FactReports
from danlu.cluster.node.lease_file import now_s, read_lease, write_lease
from danlu.cluster.node.log_watches import AgentWatches
from danlu.cluster.node.node_identity import NodeIdentity
from danlu.cluster.node.node_snapshot import NodeSnapshot
from danlu.cluster.node.order_fence import (
    OrderFence,
    Sender,
    read_fence,
    write_fence,
)
from danlu.cluster.node.refusals import describe
from danlu.cluster.own_files import clear_fetched
from danlu.cluster.refusal_codes import FAILED, OLD_RETRY_S, OVERTAKEN, REMOVED, STALE_SERVER, TWIN
from danlu.core.task import TaskKey

_log = logging.getLogger(__name__)

FIRST_BEAT_S = 1.0
"""Between beats, while no server has said how long a lease is."""
BEATS_PER_LEASE = 5
SHORTEST_PAUSE_S = 0.05
LEASE_PATIENCE_S = 2.0
LAPSE_PAUSE_S = 1.0
STANDING_S = 5.0
FETCH_S = 30.0
CLEAR_EVERY_S = 86_400.0


class MemberRefused(Exception):
    """This machine is a member no longer."""


class AgentService:
    """Serves one NodeAgent for the member `identity`. `folder` is the data folder; `node` below it has the
    lease and the fence.

    `address` is where other nodes reach this one; without it, the one that faces the server. `on_refused` is
    told why the control side grants no lease now (`too_old`, `twin`), and None when it does again.
    """

    def __init__(
        self,
        agent: NodeAgent,
        identity: NodeIdentity,
        folder: Path,
        version: str,
        *,
        address: str | None = None,
        upgrade: Upgrade | None = None,
        on_refused: Callable[[str | None], None] | None = None,
    ) -> None:
        self._session = secrets.token_hex(8)
        self._on_refused = on_refused
        self._identity = identity
        self._folder = folder
        self._agent = agent
        agent.version = version
        self._node_folder = folder / "node"
        self._given_address = address
        agent.address = address or LOOPBACK
        self._gate = OrderFence()
        self._proof = KeptProof(self._node_folder)
        self._connection = Connection(
            identity.servers,
            identity.certificate,
            name=identity.node,
            inbox=identity.id,
            seed=identity.seed,
            subscriptions={
                f"node.{identity.id}.{self._session}.call": self._take_call,
                # What is said to all who are this member.
                f"node.{identity.id}.call": self._take_call,
            },
            on_up=self._on_up,
            on_refused=self._ask_standing,
        )
        self._portrait = NodeSnapshot(agent, version, lambda: agent.address)
        self._reports = FactReports(self._connection, self._subject("fact"), self._session)
        self._watches = AgentWatches(agent, self._say_changed, self._connection.wait_up)
        self._calls = AgentCalls(
            agent,
            folder,
            self._watches,
            Fetching(folder, self._ask_piece),
            upgrade,
        )
        self._lease_until_s = 0.0
        self._renewed = asyncio.Event()
        self._beat_s = FIRST_BEAT_S
        self._beat_now = asyncio.Event()
        self._removed = asyncio.Event()
        self._refused_for: str | None = ""
        self._pause_s = FIRST_BEAT_S
        self._under_way: set[asyncio.Task[None]] = set()
        agent.on_fact = self._reports.take

    async def run(self) -> None:
        """Serve until cancelled. Raises MemberRefused when this machine was removed."""
        await asyncio.to_thread(self._node_folder.mkdir, mode=0o700, parents=True, exist_ok=True)
        self._gate.highest = await asyncio.to_thread(read_fence, self._node_folder)
        await asyncio.to_thread(self._proof.load)
        # Known before the first beat: what it says is what others go by for a while.
        await self._find_address()
        self._lease_until_s = await asyncio.to_thread(read_lease, self._node_folder, machine.boot_id())
        await self._portrait.start()
        self._connection.start()
        parts = [
            asyncio.create_task(self._wait_for_removal(), name="removal"),
            asyncio.create_task(self._beat_forever(), name="beats"),
            asyncio.create_task(self._reports.run(), name="facts"),
            asyncio.create_task(self._clear_forever(), name="clearing"),
        ]
        try:
            done, _ = await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
            for part in done:
                part.result()
        finally:
            rest = (*parts, *self._under_way)
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)
            self._portrait.close()
            await self._watches.close()
            await self._connection.close()

    async def _wait_for_removal(self) -> None:
        await self._removed.wait()
        raise MemberRefused(REMOVED)

    # Beats, and the lease that they earn

    async def _beat_forever(self) -> None:
        unanswered = 0
        while True:
            await self._connection.wait_up()
            self._beat_now.clear()
            began = time.monotonic()
            try:
                await self._beat()
                unanswered = 0
            except (NoAnswer, NoListener):
                unanswered += 1
                if unanswered > 1:
                    # The messages' server may be there, and still pass nothing on; or who leads may be at
                    # another one, which this one cannot reach.
                    self._connection.drop()
                    unanswered = 0
            except NoConnection:
                pass
            except (ValueError, KeyError, TypeError):
                _log.exception("could not understand the answer to a beat")
            except OSError:
                # A full disk, say: without the lease on it, what may move stops by itself. All else goes on.
                _log.exception("could not write down what a beat has brought")
            self._portrait.look_soon()
            pause_s = self._pause_s - (time.monotonic() - began)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(pause_s, SHORTEST_PAUSE_S)):
                    await self._beat_now.wait()

    async def _beat(self) -> None:
        # Before it is sent: the lease must not last longer here than the control side believes.
        asked_at = now_s()
        beat = {
            **self._portrait.describe(),
            "agent_session": self._session,
            "stood_back": self._refused_for == TWIN,
            **self._proof.show(self._gate.highest),
            "sent_at": asked_at,
        }
        answer, _ = unpack(
            await self._connection.request(self._subject("beat"), pack(beat), max(self._beat_s, FIRST_BEAT_S))
        )
        if refused := answer.get("refused"):
            self._take_refusal(str(refused["code"]), float(refused.get("retry_s", OLD_RETRY_S)))
            return
        sender, proof = Sender(int(answer["fence"]), str(answer["session"])), answer.get("fence_proof", "")
        if not await self._admit(sender):
            # What the one that acts has answered was not heard: it may know nothing.
            self._portrait.note_told("")
            return
        await asyncio.to_thread(self._proof.keep, sender.fence, sender.session, str(proof))
        lease_s = float(answer["lease_s"])
        if 0.0 < self._lease_until_s < asked_at:
            # Who was to stop when it ran out must see that it did, also after all of this machine was frozen.
            await asyncio.sleep(LAPSE_PAUSE_S)
        await asyncio.to_thread(write_lease, self._node_folder, asked_at + lease_s, machine.boot_id())
        self._lease_until_s = asked_at + lease_s
        self._renewed.set()
        self._beat_s = self._pause_s = lease_s / BEATS_PER_LEASE
        self._note_refused(None)
        wants_facts = bool(answer.get("wants_facts"))
        self._portrait.note_told("" if wants_facts else beat["facts_digest"])
        if wants_facts:
            self._beat_now.set()
        self._follow(answer.get("servers") or [])
        self._reports.note_heard()

    async def _wait_for_lease(self) -> None:
        """An order may come while the lease that it counts on is still being written down."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LEASE_PATIENCE_S):
                while self._lease_until_s <= now_s():
                    self._renewed.clear()
                    await self._renewed.wait()

    def _follow(self, advertised: list[str]) -> None:
        """Where to dial from now on. What leads to the control side now is kept as well: what is advertised
        may not be reachable from here."""
        current = [self._connection.server] if self._connection.server is not None else []
        servers = tuple(dict.fromkeys([*advertised, *current]))
        if advertised and servers != self._identity.servers:
            self._identity = self._identity.moved_to(servers)
            self._connection.servers = self._identity.servers
            self._start(asyncio.to_thread(self._identity.save, self._folder))

    # Calls

    async def _take_call(self, message: Msg) -> None:
        """In the order of their arrival up to here; what takes long is done aside."""
        try:
            call, _ = unpack(message.data)
            sender = Sender(int(call["fence"]), str(call["session"]))
            op, number = str(call["op"]), int(call["number"])
        except (ValueError, KeyError, TypeError):
            _log.exception("could not understand a call")
            return
        if not await self._admit(sender):
            await self._respond(message, {"error": {"code": STALE_SERVER}})
        elif op == "launch" and self._gate.is_overtaken(number):
            await self._respond(message, {"error": {"code": OVERTAKEN}})
        elif op == "beat":
            self._beat_now.set()
        elif op == "ping":
            await self._respond(message, {"result": None})
        elif op == REMOVED:
            self._removed.set()
        else:
            if op == "forget":
                self._gate.note_forget(number)
            self._start(self._answer(message, call))

    async def _answer(self, message: Msg, call: dict[str, Any]) -> None:
        data = b""
        try:
            if call["op"] == "launch" and call["order"].get("leased"):
                await self._wait_for_lease()
            result, data = await self._calls.answer(call)
            answer = {"result": result}
        except Exception as problem:
            answer = {"error": describe(problem)}
            if answer["error"]["code"] == FAILED:
                _log.exception("could not do %s", call["op"])
        if call["op"] == "forget":
            for key in call["keys"]:
                self._reports.forget(TaskKey.parse(key))
        elif call["op"] == "forget_gpu":
            self._portrait.look_soon(whole=True)
        await self._respond(message, answer, data)

    async def _respond(self, message: Msg, answer: dict[str, Any], data: bytes = b"") -> None:
        if message.reply:
            # Who asked on a connection that broke has stopped waiting.
            with contextlib.suppress(NoConnection):
                await self._connection.publish(message.reply, pack(answer, data))

    async def _admit(self, sender: Sender) -> bool:
        before = self._gate.highest
        if not self._gate.admit(sender):
            _log.warning("a server that no longer acts (number %d) was not obeyed", sender.fence)
            return False
        if self._gate.highest > before:
            await asyncio.to_thread(write_fence, self._node_folder, self._gate.highest)
        return True

    # Others

    def _subject(self, what: str) -> str:
        return f"from.{self._identity.id}.{what}"

    async def _ask_piece(self, path: str, offset: int) -> tuple[bytes, int]:
        question = pack({"path": path, "offset": offset})
        answer, data = unpack(await self._connection.request(self._subject("fetch"), question, FETCH_S))
        if "error" in answer:
            raise FetchRefused(str(answer["error"]))
        return data, int(answer["size"])

    async def _say_changed(self, watch: str) -> None:
        await self._connection.publish(self._subject("changed"), pack({"watch": watch}))

    def _on_up(self) -> None:
        self._start(self._find_address())
        self._beat_now.set()
        self._watches.say_all()

    async def _ask_standing(self) -> None:
        """We are not let in: because we were removed, or because the server does not know us yet?"""
        with contextlib.suppress(CannotReach, ValueError):
            answer = await ask_as_stranger(
                self._connection.servers,
                self._identity.certificate,
                JOIN_STANDING,
                {"id": self._identity.id, **self._proof.show(self._gate.highest)},
                STANDING_S,
            )
            if answer.get("member") is False:
                self._removed.set()

    async def _find_address(self) -> None:
        if self._given_address is not None:
            return
        server = self._connection.server or self._connection.servers[0]
        where = urlsplit(server if "//" in server else f"//{server}")
        # In a thread: a name may have to be looked up.
        found = await asyncio.to_thread(address_towards, where.hostname or LOOPBACK, where.port or 1)
        if found is not None and found != self._agent.address:
            self._agent.address = found
            self._portrait.look_soon(whole=True)

    def _take_refusal(self, code: str, retry_s: float) -> None:
        """No lease. But for a removal it may pass: one side is upgraded, or the other machine ended."""
        if code == REMOVED:
            self._removed.set()
        else:
            self._pause_s = retry_s
            self._note_refused(code)

    def _note_refused(self, code: str | None) -> None:
        if code != self._refused_for:
            self._refused_for = code
            if self._on_refused is not None:
                self._on_refused(code)

    async def _clear_forever(self) -> None:
        while True:
            try:
                await asyncio.to_thread(clear_fetched, self._folder)
            except OSError:
                _log.exception("could not clear away old files")
            await asyncio.sleep(CLEAR_EVERY_S)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
