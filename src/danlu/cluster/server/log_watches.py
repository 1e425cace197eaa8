"""The control side's half of following logs: keeps up the watches on the nodes while a client follows."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from danlu.cluster.server.agents import NodeUnreachable

RENEW_S = 20.0
"""A third of what an agent waits for."""

Call = Callable[[str, str, dict[str, Any]], Awaitable[object]]
"""(node, op, fields) -> what the node answers. Raises NodeUnreachable."""


class NodeWatch:
    def __init__(self, node: str, file: Mapping[str, object]) -> None:
        self.node = node
        self.file = file
        self._change = asyncio.Event()
        self._renew = asyncio.Event()

    async def changed(self) -> None:
        await self._change.wait()
        self._change.clear()

    def note_change(self) -> None:
        self._change.set()

    def renew_now(self) -> None:
        self._renew.set()

    async def renew_forever(self, name: str, call: Call) -> None:
        while True:
            self._renew.clear()
            # An unreachable node is asked again, at the latest when it comes back.
            with contextlib.suppress(NodeUnreachable, OSError):
                if await call(self.node, "watch_log", {"watch": name, **self.file}):
                    self.note_change()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(RENEW_S):
                    await self._renew.wait()


class NodeWatches:
    def __init__(self, call: Call) -> None:
        self._call = call
        # Of this very process: what a node says of an earlier one's watches is left out.
        self._session = secrets.token_hex(4)
        self._numbers = itertools.count(1)
        self._watches: dict[str, NodeWatch] = {}

    @asynccontextmanager
    async def watch(self, node: str, file: Mapping[str, object]) -> AsyncIterator[NodeWatch]:
        """`file` is how the node is told which one."""
        name = f"{self._session}-{next(self._numbers)}"
        watch = self._watches[name] = NodeWatch(node, file)
        renewing = asyncio.create_task(watch.renew_forever(name, self._call), name=f"renew {name}")
        try:
            yield watch
        finally:
            renewing.cancel()
            del self._watches[name]
            with contextlib.suppress(NodeUnreachable, OSError):
                await self._call(node, "unwatch_log", {"watch": name})

    def hear(self, node: str, name: str) -> None:
        watch = self._watches.get(name)
        if watch is not None and watch.node == node:
            watch.note_change()

    def renew(self, node: str) -> None:
        """The node is back; it may have forgotten what it was to watch."""
        for watch in self._watches.values():
            if watch.node == node:
                watch.renew_now()
