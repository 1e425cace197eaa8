"""The agent's half of following a log: it says that a file has changed, and nothing of what is in it.

Who follows reads when they are ready, so one who is slow costs the node nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable

from danlu.agent.node_agent import NodeAgent
from danlu.cluster.connection import NoConnection
from danlu.core.task import UnixAccount

_log = logging.getLogger(__name__)

KEPT_S = 60.0
"""A watch that the server does not renew ends after this."""
PAUSE_S = 0.05
"""Between two words about the same file: it may be written to without a pause."""
MOST_WATCHES = 2000

Tell = Callable[[str], Awaitable[None]]
"""Says that the file of a watch has changed. Raises NoConnection."""


class _WatchedFile:
    def __init__(self, until: float) -> None:
        self.until = until
        self.missed = asyncio.Event()
        """Something may have been said that did not arrive."""
        self.task: asyncio.Task[None]


class AgentWatches:
    def __init__(self, agent: NodeAgent, tell: Tell, wait_up: Callable[[], Awaitable[None]]) -> None:
        self._agent = agent
        self._tell = tell
        self._wait_up = wait_up
        self._watched: dict[str, _WatchedFile] = {}

    def keep(self, name: str, path: str, account: UnixAccount | None) -> bool:
        """Watch a file, or go on watching it. True when it was not watched: it may have changed meanwhile."""
        until = time.monotonic() + KEPT_S
        known = self._watched.get(name)
        if known is not None:
            known.until = until
            return False
        if len(self._watched) >= MOST_WATCHES:
            raise RuntimeError(f"{MOST_WATCHES} logs are being followed")
        watched = self._watched[name] = _WatchedFile(until)
        watched.task = asyncio.create_task(self._watch(name, path, account, watched), name=f"watch {path}")
        watched.task.add_done_callback(lambda _: self._watched.pop(name, None))
        return True

    def drop(self, name: str) -> None:
        if (watched := self._watched.get(name)) is not None:
            watched.task.cancel()

    def say_all(self) -> None:
        """There is a new connection: what was said on the old one may be lost."""
        for watched in self._watched.values():
            watched.missed.set()

    async def close(self) -> None:
        tasks = [watched.task for watched in self._watched.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch(self, name: str, path: str, account: UnixAccount | None, watched: _WatchedFile) -> None:
        async with self._agent.watch_log(path, account) as log:
            changed: asyncio.Task[None] | None = None
            missed: asyncio.Task[bool] | None = None
            try:
                while (left_s := watched.until - time.monotonic()) > 0:
                    changed = changed or asyncio.create_task(log.changed())
                    missed = missed or asyncio.create_task(watched.missed.wait())
                    done, _ = await asyncio.wait(
                        (changed, missed), timeout=left_s, return_when=asyncio.FIRST_COMPLETED
                    )
                    if not done:
                        continue
                    changed = None if changed in done else changed
                    missed = None if missed in done else missed
                    watched.missed.clear()
                    await self._say(name)
                    await asyncio.sleep(PAUSE_S)
            finally:
                for waiting in (changed, missed):
                    if waiting is not None:
                        waiting.cancel()

    async def _say(self, name: str) -> None:
        # On a broken connection it is said again as soon as there is another.
        with contextlib.suppress(NoConnection):
            await self._wait_up()
            await self._tell(name)
