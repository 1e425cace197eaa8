"""The agent's connection to its keeper: kept up whatever dies, and no fact is lost on it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from danlu.agent.keeper.spec import LONGEST_REQUEST
from danlu.agent.keeper_process import KeeperUnavailable, keeper_argv, label_of, start_keeper
from danlu.agent.task_json import fact_from_json, order_to_json
from danlu.core.task import LaunchOrder, TaskFact, TaskKey

FactListener = Callable[[TaskFact], None]

_log = logging.getLogger(__name__)
_LONGEST_LINE = 256 << 20
_PATIENCE_S = 30.0
_START_PATIENCE_S = 5.0
_BACKOFF_S = (0.05, 2.0)
_STEADY_S = 1.0
"""A connection that held this long has not failed repeatedly: it is replaced at once."""
_BUSY_PAUSE_S = 0.05
_BUSY_TRIES = 40

_ABILITIES = ("keeps_leases", "stages", "checks_accounts", "limits_tasks")

_Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class KeeperRefused(Exception):
    """The keeper answered that it cannot do what was asked, or would not even read it."""


class _Broken(Exception):
    """The connection broke before the answer came. Every request may be repeated."""


class KeeperLink:
    """One connection to the keeper of `folder`, which is started whenever none runs.

    Every fact reaches every subscriber at least once: as it happens, and again after each connect
    until it is forgotten. Requests are idempotent; they wait while the connection is down and are repeated.
    """

    def __init__(
        self,
        folder: Path,
        *,
        cgroup_mode: str = "auto",
        environment_roots: Sequence[str] = (),
        on_fact: FactListener | None = None,
        argv: Callable[[Path, str], list[str]] = keeper_argv,
    ) -> None:
        self.folder = folder.absolute()
        self.label = label_of(self.folder)
        self.device_guard = ""
        """What keeps tasks from other tasks' GPUs here, as far as the keeper has said."""
        self.cpu_guard = ""
        self.memory_guard = ""
        """What holds tasks to the CPUs and the memory that they asked for."""
        self._argv = argv(self.folder, cgroup_mode)
        self._environment_roots = tuple(environment_roots)
        self._listeners = [on_fact] if on_fact else []
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._launches: dict[TaskKey, list[asyncio.Event]] = {}
        self._told: set[TaskKey] | None = None
        """The tasks that facts came of while the list is asked for."""
        self._writer: asyncio.StreamWriter | None = None
        self._outbox: list[bytes] = []
        self._connected = asyncio.Event()
        self._up_since = 0.0
        self._trouble = "it has not been started"
        self._upkeep: asyncio.Task[None] | None = None

    def subscribe(self, listener: FactListener) -> None:
        """Call `listener` with every fact from now on."""
        self._listeners.append(listener)

    async def start(self) -> None:
        """Connect; raises KeeperUnavailable when there is no keeper to be had."""
        try:
            connection = await self._connect()
        except OSError as error:
            raise KeeperUnavailable(f"no keeper in {self.folder}: {error}") from error
        self._upkeep = asyncio.create_task(self._keep_up(connection), name="keeper link")
        try:
            await self._request("list", patience_s=_START_PATIENCE_S)
        except BaseException:
            await self.close()
            raise

    async def launch(self, order: LaunchOrder) -> None:
        answered = asyncio.Event()
        self._launches.setdefault(order.key, []).append(answered)
        try:
            await self._request("launch", order=order_to_json(order, self._environment_roots))
        finally:
            self._launches[order.key].remove(answered)
            if not self._launches[order.key]:
                del self._launches[order.key]
            answered.set()

    async def stop(self, key: TaskKey, node: str, grace_s: float) -> None:
        await self._request("stop", key=str(key), node=node, grace_s=grace_s)

    async def list(self) -> list[TaskFact]:
        return [fact_from_json(fact) for fact in await self._request("list")]

    async def forget(self, keys: Iterable[TaskKey]) -> None:
        keys = list(keys)
        # A launch whose answer was lost is sent again; forgotten before that, the task would run twice.
        for answered in [each for key in keys for each in self._launches.get(key, ())]:
            await answered.wait()
        await self._request("forget", keys=[str(key) for key in keys])

    async def close(self) -> None:
        """Let go. A keeper without tasks leaves by itself a moment later."""
        if self._upkeep is not None:
            self._upkeep.cancel()
            await asyncio.wait([self._upkeep])
            self._upkeep = None
        self._trouble = "the link is closed"

    async def _request(self, op: str, *, patience_s: float = _PATIENCE_S, **fields: Any) -> Any:
        try:
            async with asyncio.timeout(patience_s):
                while self._upkeep is not None and not self._upkeep.done():
                    await self._connected.wait()
                    with contextlib.suppress(_Broken):
                        return await self._ask(op, **fields)
        except TimeoutError:
            pass
        raise KeeperUnavailable(f"the keeper in {self.folder} does not answer: {self._trouble}")

    async def _ask(self, op: str, **fields: Any) -> Any:
        if self._writer is None:
            raise _Broken
        number = next(self._numbers)
        request = _encode({"id": number, "op": op, **fields})
        if len(request) > LONGEST_REQUEST:
            # The keeper would hang up on it, and on every repetition.
            raise KeeperRefused(f"{op}: {len(request)} bytes are more than a request's {LONGEST_REQUEST}")
        self._answers[number] = answer = asyncio.get_running_loop().create_future()
        try:
            self._post(request + b"\n")
            return await answer
        finally:
            self._answers.pop(number, None)

    def _post(self, request: bytes) -> None:
        """Send it together with whatever else is sent in this moment: a send for each takes longer."""
        self._outbox.append(request)
        if len(self._outbox) == 1:
            asyncio.get_running_loop().call_soon(self._send_outbox)

    def _send_outbox(self) -> None:
        requests, self._outbox = self._outbox, []
        if self._writer is not None:
            # On a broken connection they are not missed: who asked is told, and asks again.
            self._writer.write(b"".join(requests))

    async def _keep_up(self, connection: _Streams | None) -> None:
        """Listen until the connection breaks, connect, and again: at once, unless it keeps failing."""
        pause_s, longest_s = _BACKOFF_S
        while True:
            up_s = await self._hold_connection(connection)
            connection = None
            _log.warning("lost the keeper in %s: %s", self.folder, self._trouble)
            if up_s > _STEADY_S:
                pause_s = _BACKOFF_S[0]
            else:
                await asyncio.sleep(pause_s)
                pause_s = min(pause_s * 2, longest_s)

    async def _hold_connection(self, connection: _Streams | None) -> float:
        """Listen on this connection, or a new one, until it breaks. For how many seconds it was up."""
        try:
            reader, self._writer = connection or await self._connect()
            await self._listen(reader)
            self._trouble = "the connection broke"
        except (OSError, ValueError, KeeperUnavailable) as error:
            self._trouble = str(error)
        finally:
            up_s = time.monotonic() - self._up_since if self._connected.is_set() else 0.0
            self._hang_up()
        return up_s

    async def _connect(self) -> _Streams:
        for _ in range(_BUSY_TRIES):
            with contextlib.suppress(FileNotFoundError, ConnectionRefusedError):
                return await self._open()
            if not await asyncio.to_thread(start_keeper, self._argv, self.folder):
                # Another keeper holds the folder: it is about to listen, or about to leave.
                await asyncio.sleep(_BUSY_PAUSE_S)
        raise KeeperUnavailable("another keeper holds the folder and does not listen")

    async def _open(self) -> _Streams:
        # Through /proc, since the path itself may be too long for a socket's address.
        folder = os.open(self.folder, os.O_PATH | os.O_CLOEXEC)
        try:
            path = f"/proc/self/fd/{folder}/socket"
            return await asyncio.open_unix_connection(path, limit=_LONGEST_LINE)
        finally:
            os.close(folder)

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        """Pass on facts and answers until the connection breaks. The connection is up once the first list is
        in."""
        relist = asyncio.create_task(self._relist())
        try:
            while line := await reader.readline():
                message = json.loads(line)
                if "fact" in message:
                    fact = fact_from_json(message["fact"])
                    if self._told is not None:
                        self._told.add(fact.key)
                    self._pass_on(fact)
                else:
                    self._settle(message)
        finally:
            relist.cancel()

    async def _relist(self) -> None:
        """Whatever happened while the connection was down is in the list."""
        with contextlib.suppress(_Broken):
            told: set[TaskKey] = set()
            self._told = told
            for fact in map(fact_from_json, await self._ask("list")):
                # What was told since the connection is up is as new as the list, or newer: it may say the
                # end.
                if fact.key not in told:
                    self._pass_on(fact)
            self._told = None
            about = await self._ask_about()
            if not all(about.get(ability) for ability in _ABILITIES):
                # Started before an upgrade: it would not stop what a lost node has to stop, would start tasks
                # without their data or limits, or as root. Its tasks go on, and with it gone, ours takes them
                # over.
                await self._ask("retire")
                return
            self.device_guard = str(about["device_guard"])
            self.cpu_guard = str(about["cpu_guard"])
            self.memory_guard = str(about["memory_guard"])
            self._up_since = time.monotonic()
            self._connected.set()

    async def _ask_about(self) -> dict[str, Any]:
        try:
            about: dict[str, Any] = await self._ask("about")
        except KeeperRefused:
            # So old that it does not know the question.
            return {}
        return about

    def _settle(self, message: dict[str, Any]) -> None:
        answer = self._answers.get(message["id"])
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(KeeperRefused(message["error"]))
        else:
            answer.set_result(message["result"])

    def _pass_on(self, fact: TaskFact) -> None:
        for listener in self._listeners:
            try:
                listener(fact)
            except Exception:
                _log.exception("a listener failed on the fact of task %s", fact.key.label)

    def _hang_up(self) -> None:
        self._connected.clear()
        self._outbox.clear()
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(_Broken())


def _encode(request: dict[str, Any]) -> bytes:
    """Chinese takes half the room that it would with escapes; what is not text passes as it is."""
    return json.dumps(request, ensure_ascii=False).encode(errors="surrogatepass")
