"""Puts the parts of one node together: its keeper, its GPUs, its agent."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from danlu.agent import machine
from danlu.agent.gpus import PatientProbe
from danlu.agent.keeper_link import KeeperLink
from danlu.agent.node_agent import NodeAgent
from danlu.agent.nvml import NvmlGpus
from danlu.agent.simulation import SimulatedGpus, SimulatedTasks, SimulatedUsage
from danlu.agent.usage import MachineUsage
from danlu.settings import Settings

if TYPE_CHECKING:
    from danlu.cluster.identity import Identity
    from danlu.launch.agent_process import AgentOptions

log = logging.getLogger(__name__)


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
    settings: Settings, identity: Identity, options: AgentOptions, version: str
) -> str | None:
    """Be the agent of a member until cancelled, or until the control side wants it no more: why."""
    from danlu.cluster.agent_service import AgentService, MemberRefused
    from danlu.launch.upgrade import AgentUpgrade

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
    )
    await link.start()
    try:
        await service.run()
    except MemberRefused as refusal:
        log.error("the control side wants this machine no more: %s %s", refusal.code, refusal.facts)
        return refusal.code
    finally:
        await link.close()
    return None
