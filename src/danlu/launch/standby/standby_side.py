"""What a machine keeps running while its server stands by: its messages' server, so that agents find the one
that leads through either, and its agent, where jobs run on it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from danlu.cluster.node.node_identity import NodeIdentity
from danlu.core.nodes.member import Member
from danlu.launch.cluster.agent_process import AgentBeside, AgentOptions
from danlu.launch.cluster.cluster_identity import SECRET, ClusterIdentity, read_identity
from danlu.launch.cluster.cluster_side import render_for, routes_port_of
from danlu.launch.cluster.nats_process import MessagesServer, NoCluster, find_binary
from danlu.launch.door.listening import is_local_url
from danlu.settings import ClusterSettings
from danlu.store.leadership import list_servers
from danlu.store.nodes.members import list_members
from danlu.store.secrets import get_secret

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MessagesSetup:
    """What a messages' server follows from: None where there was no leader yet to make the identity."""

    identity: ClusterIdentity | None
    members: tuple[Member, ...]
    peers: tuple[str, ...]


def read_surroundings(connection: Connection, own_id: str) -> MessagesSetup:
    text = get_secret(connection, SECRET)
    identity = read_identity(text) if text is not None else None
    return MessagesSetup(identity, tuple(list_members(connection)), read_peers(connection, own_id))


def read_peers(connection: Connection, own_id: str) -> tuple[str, ...]:
    """Where agents reach the other servers, also those that are away for a while."""
    others = (server for server in list_servers(connection) if server.id != own_id and server.messages)
    return tuple(server.messages for server in others)


def read_other_urls(connection: Connection, own_id: str) -> tuple[str, ...]:
    """Where people and jobs reach the other servers, wherever they are themselves."""
    others = (server.url for server in list_servers(connection) if server.id != own_id)
    return tuple(url for url in others if not is_local_url(url))


class StandbySide:
    def __init__(self, data: Path, cluster: ClusterSettings) -> None:
        self._data = data
        self._known: MessagesSetup | None = None
        binary = find_binary() or Path("nats-server")
        self._messages = MessagesServer(
            data, cluster.messages_port, binary, self._render, routes_port_of(cluster)
        )
        self._watching: list[asyncio.Task[None]] = []

    async def update(self, now: MessagesSetup) -> None:
        """See to it that everything runs, as it follows from `now`."""
        if now == self._known or now.identity is None:
            return
        self._known = now
        if self._watching:
            self._messages.reload()
            return
        try:
            self._messages.prepare(now.identity.certificate, now.identity.key)
            await self._messages.start()
        except (NoCluster, OSError) as problem:
            log.error("the messages' server of this machine does not start: %s", problem)
            self._known = None
            return
        self._watching.append(asyncio.create_task(self._messages.watch(), name="messages' server"))
        await self._start_agent(now.identity, now.members)

    async def _start_agent(self, identity: ClusterIdentity, members: Sequence[Member]) -> None:
        own: NodeIdentity | None = None
        with suppress(OSError, ValueError):
            own = NodeIdentity.load(self._data)
        if own is None or own.certificate != identity.certificate:
            return
        if all(member.id != own.id for member in members):
            return
        agent = AgentBeside(self._data, own, AgentOptions.load(self._data))
        await agent.start()
        self._watching.append(asyncio.create_task(agent.watch(), name="own agent"))

    async def close(self) -> None:
        """What runs, runs on."""
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)
        self._watching.clear()
        self._known = None

    def _render(self) -> str:
        known = self._known
        assert known is not None  # noqa: S101 - nothing is rendered before
        assert known.identity is not None  # noqa: S101
        return render_for(self._messages, known.identity, known.members, known.peers)
