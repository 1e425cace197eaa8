"""What an agent does when the control side calls: each call is one thing that its NodeAgent can do."""

from __future__ import annotations

import asyncio
import pwd
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from danlu.agent.keeper_link import KeeperRefused
from danlu.agent.logs.log_files import LogRefused
from danlu.agent.node_agent import NodeAgent
from danlu.cluster.fetching import Fetching
from danlu.cluster.node.lease_file import now_s
from danlu.cluster.node.log_watches import AgentWatches
from danlu.cluster.node.order_fence import check_age
from danlu.cluster.own_files import OutsidePath, below_area, resolve_own
from danlu.codec import BadValue, decode, encode
from danlu.core.logs.log_search import LogSearch
from danlu.core.nodes.doctor import Question
from danlu.core.task import LaunchOrder, TaskKey, UnixAccount

Upgrade = Callable[[str, Path], Awaitable[None]]
"""(name, bundle): have this agent replaced by another version."""
Answer = tuple[Any, bytes]


class AgentCalls:
    """Answers `op`s. Launches of a task that is being forgotten come to their end first."""

    def __init__(
        self,
        agent: NodeAgent,
        folder: Path,
        watches: AgentWatches,
        fetching: Fetching,
        upgrade: Upgrade | None = None,
    ) -> None:
        self._agent = agent
        self._folder = folder
        self._watches = watches
        self._fetching = fetching
        self._upgrade = upgrade
        self._launches: dict[TaskKey, set[asyncio.Future[None]]] = {}
        self._ops: dict[str, Callable[[dict[str, Any]], Awaitable[Answer]]] = {
            "tasks": self._tasks,
            "launch": self._launch,
            "stop": self._stop,
            "forget": self._forget,
            "remove_jobs": self._remove_jobs,
            "trim_logs": self._trim_logs,
            "read_log": self._read_log,
            "search_log": self._search_log,
            "watch_log": self._watch_log,
            "unwatch_log": self._unwatch_log,
            "forget_gpu": self._forget_gpu,
            "prepare": self._prepare,
            "diagnose": self._look_over,
            "upgrade": self._replace,
        }

    async def answer(self, call: dict[str, Any]) -> Answer:
        """Raises whatever kept it from being done."""
        op = self._ops.get(str(call["op"]))
        if op is None:
            raise ValueError(f"{call['op']} is not known here; is this agent older than the server?")
        return await op(call)

    async def _tasks(self, call: dict[str, Any]) -> Answer:  # noqa: ARG002
        return encode(await self._agent.tasks()), b""

    async def _launch(self, call: dict[str, Any]) -> Answer:
        try:
            order = decode(LaunchOrder, call["order"])
        except BadValue as problem:
            # It will make no more sense the next time.
            raise KeeperRefused(str(problem)) from problem
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._launches.setdefault(order.key, set()).add(done)
        try:
            order = await self._at_home(order)
            # Only now: to bring what it needs may have taken long, or this machine was frozen meanwhile.
            check_age(float(call["heard_at"]), float(call["lease_s"]), now_s())
            await self._agent.launch(order)
        finally:
            self._launches[order.key].discard(done)
            if not self._launches[order.key]:
                del self._launches[order.key]
            done.set_result(None)
        return None, b""

    async def _at_home(self, order: LaunchOrder) -> LaunchOrder:
        """The order with the places of its files here; what it needs has been brought."""
        try:
            here = resolve_own(order, self._folder)
        except OutsidePath as problem:
            raise KeeperRefused(str(problem)) from problem
        if order.call_path is None:
            return here
        return replace(here, call_path=str(await self._fetching.find(order.call_path)))

    async def _stop(self, call: dict[str, Any]) -> Answer:
        await self._agent.stop(TaskKey.parse(call["key"]), float(call["grace_s"]))
        return None, b""

    async def _forget(self, call: dict[str, Any]) -> Answer:
        keys = [TaskKey.parse(key) for key in call["keys"]]
        if under_way := [done for key in keys for done in self._launches.get(key, ())]:
            await asyncio.wait(under_way)
        await self._agent.forget(keys)
        return None, b""

    async def _remove_jobs(self, call: dict[str, Any]) -> Answer:
        return await self._agent.remove_jobs(call["jobs"]), b""

    async def _trim_logs(self, call: dict[str, Any]) -> Answer:
        return await self._agent.trim_logs(int(call["each"]), int(call["together"])), b""

    async def _read_log(self, call: dict[str, Any]) -> Answer:
        path, account = await self._readable(call)
        chunk = await self._agent.read_log(path, int(call["offset"]), int(call["limit"]), account)
        told = {name: getattr(chunk, name) for name in ("offset", "size", "inode", "cut", "held")}
        return told, chunk.data

    async def _search_log(self, call: dict[str, Any]) -> Answer:
        path, account = await self._readable(call)
        found = await self._agent.search_log(path, account, decode(LogSearch, call["search"]))
        return encode(found), b""

    async def _readable(self, call: dict[str, Any]) -> tuple[str, UnixAccount | None]:
        """An absolute path is a user's: it is never touched without asking whose it is."""
        path = str(call["path"])
        if not path.startswith("/"):
            return below_area(self._folder, path, "logs", "results"), None
        if call.get("account") is not None:
            return path, decode(UnixAccount, call["account"])
        if call.get("uid") is not None:
            # A server that does not know yet that names are compared too.
            return path, await asyncio.to_thread(_account_of, int(call["uid"]))
        raise LogRefused(f"{path} is not Danlu's own")

    async def _watch_log(self, call: dict[str, Any]) -> Answer:
        return self._watches.keep(str(call["watch"]), *await self._readable(call)), b""

    async def _unwatch_log(self, call: dict[str, Any]) -> Answer:
        self._watches.drop(str(call["watch"]))
        return None, b""

    async def _forget_gpu(self, call: dict[str, Any]) -> Answer:
        return await self._agent.forget_gpu(int(call["index"])), b""

    async def _prepare(self, call: dict[str, Any]) -> Answer:  # noqa: ARG002
        return encode(await self._agent.prepare()), b""

    async def _look_over(self, call: dict[str, Any]) -> Answer:
        return encode(await self._agent.diagnose(decode(Question, call["question"]))), b""

    async def _replace(self, call: dict[str, Any]) -> Answer:
        if self._upgrade is None:
            raise ValueError("this agent cannot be replaced from here")
        await self._upgrade(str(call["name"]), await self._fetching.find(str(call["path"])))
        return None, b""


def _account_of(uid: int) -> UnixAccount:
    """Raises LogRefused."""
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise LogRefused(f"uid {uid} is not an account of this node") from None
    return UnixAccount(entry.pw_name, uid, entry.pw_gid, (), entry.pw_dir, is_servers_own=uid == 0)
