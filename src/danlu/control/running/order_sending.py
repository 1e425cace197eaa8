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


async def send_stop(agents: Agents, node: str, key: TaskKey, grace_s: float) -> None:
    try:
        await agents.stop(node, key, grace_s)
    except NodeUnreachable:
        log.warning("node %s does not answer; it is told to stop task %s when it does", node, key.label)
    except Exception:
        log.exception("could not order node %s to stop task %s", node, key.label)


async def send_stops(agents: Agents, stops: Iterable[Stop], longest_grace_s: float = math.inf) -> None:
    """All at once: a node that does not answer holds up none of the others."""
    await asyncio.gather(
        *(
            send_stop(
                agents,
                task.allocation.node,
                TaskKey(job.id, job.attempt, task.rank),
                min(job.grace_s, longest_grace_s),
            )
            for job, task in stops
        )
    )


async def send_forget(agents: Agents, node: str, keys: Iterable[TaskKey]) -> None:
    try:
        await agents.forget(node, keys)
    except NodeUnreachable:
        log.info("node %s does not answer; what ended there is forgotten when it does", node)
    except Exception:
        log.exception("could not tell node %s what it may forget", node)
