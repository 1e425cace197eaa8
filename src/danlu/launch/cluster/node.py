"""Puts the parts of one node together: its keeper, its GPUs, its agent."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from danlu.agent import machine
from danlu.agent.gpus.gpu_probe import PatientProbe
from danlu.agent.gpus.nvml import NvmlGpus
from danlu.agent.gpus.simulation import SimulatedGpus, SimulatedTasks, SimulatedUsage
from danlu.agent.keeper_link import KeeperLink
from danlu.agent.node_agent import NodeAgent
from danlu.agent.usage import MachineUsage
from danlu.settings import Settings

if TYPE_CHECKING:
    from danlu.cluster.node.node_identity import NodeIdentity
    from danlu.launch.cluster.agent_process import AgentOptions

log = logging.getLogger(__name__)

LAST_GRACE_S = 10.0
"""What tasks have left when their machine was removed from its cluster."""


def make_link(settings: Settings) -> KeeperLink:
    return KeeperLink(
        settings.node_folder,
        cgroup_mode=settings.cgroups,
        environment_roots=(str(settings.environments),),
    )


def make_node(name: str, link: KeeperLink, settings: Settings) -> NodeAgent:
    """The agent of this very machine."""
    gpus = PatientProbe(NvmlGpus(settings.node_folder / "gpus.json"))
    return NodeAgent(name, link, gpus, usage=MachineUsage([settings.data]))


def simulate_node(name: str, cards: int, link: KeeperLink) -> NodeAgent:
    tasks = SimulatedTasks(link.folder, name)
    link.subscribe(tasks.hear)
    usage = SimulatedUsage(name, machine.cpu_count(), machine.memory_mb(), tasks)
    return NodeAgent(name, link, SimulatedGpus(name, cards, tasks), usage=usage, simulated=True)


async def serve_node(
    settings: Settings,
    identity: NodeIdentity,
    options: AgentOptions,
    version: str,
    on_refused: Callable[[str | None], None],
) -> bool:
    """Be the agent of a member until cancelled, or until it is none any more: True then, and nothing runs.

    `on_refused` is told why the control side wants nothing to do with it for now; None when it does again."""
    from danlu.cluster.node.agent_service import AgentService, MemberRefused
    from danlu.launch.install.upgrade import AgentUpgrade

    link = make_link(settings)
    agent = (
        make_node(identity.node, link, settings)
        if options.simulate is None
        else simulate_node(identity.node, options.simulate, link)
    )
    service = AgentService(
        agent,
        identity,
        settings.data,
        version,
        address=options.address,
        upgrade=AgentUpgrade(settings.data),
        on_refused=on_refused,
    )
    await link.start()
    try:
        await service.run()
    except MemberRefused:
        log.error("this machine was removed from its cluster")
        # No server would ever ask for these tasks again.
        await stop_tasks(link, identity.node, LAST_GRACE_S)
        return True
    finally:
        await link.close()
    return False


async def stop_tasks(link: KeeperLink, node: str, grace_s: float) -> None:
    """End everything that lives here, and wait for it."""
    ended = asyncio.Event()
    link.subscribe(lambda fact: ended.set() if fact.end is not None else None)
    while living := [fact.key for fact in await link.list() if fact.end is None]:
        ended.clear()
        for key in living:
            await link.stop(key, node, grace_s)
        await ended.wait()
