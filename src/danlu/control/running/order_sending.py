"""Orders that need no answer: what does not arrive is sent again when the nodes are next compared."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Iterable

from danlu.cluster.server.agents import Agents, NodeUnreachable
from danlu.control.running.stopping import Stop
from danlu.core.task import TaskKey

log = logging.getLogger(__name__)


class OrderSending:
    """The one way by which nodes are told to stop tasks, and to forget them."""

    def __init__(self, agents: Agents) -> None:
        self._agents = agents
        self._under_way: set[asyncio.Task[None]] = set()

    async def stop(self, stops: Iterable[Stop], longest_grace_s: float = math.inf) -> None:
        """All at once: a node that does not answer holds up none of the others."""
        await asyncio.gather(
            *(
                self.stop_task(
                    task.allocation.node,
                    TaskKey(job.id, job.attempt, task.rank),
                    min(job.grace_s, longest_grace_s),
                )
                for job, task in stops
            )
        )

    def stop_soon(self, stops: Iterable[Stop]) -> None:
        """The same without waiting for any node."""
        stopping = asyncio.create_task(self.stop(stops))
        self._under_way.add(stopping)
        stopping.add_done_callback(self._under_way.discard)

    async def stop_task(self, node: str, key: TaskKey, grace_s: float) -> None:
        try:
            await self._agents.stop(node, key, grace_s)
        except NodeUnreachable:
            log.warning("node %s does not answer; it is told to stop task %s when it does", node, key.label)
        except Exception:
            log.exception("could not order node %s to stop task %s", node, key.label)

    async def forget(self, node: str, keys: Iterable[TaskKey]) -> None:
        try:
            await self._agents.forget(node, keys)
        except NodeUnreachable:
            log.info("node %s does not answer; what ended there is forgotten when it does", node)
        except Exception:
            log.exception("could not tell node %s what it may forget", node)
