"""What a server runs for its cluster: the messages' server, the agent of its own machine, the join desk."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from danlu import __version__
from danlu.cluster.connection import pin_of
from danlu.cluster.keys import make_seed, public_key_of
from danlu.cluster.nats_config import render
from danlu.cluster.node.node_identity import NodeIdentity
from danlu.cluster.server.nats_cluster import NatsCluster
from danlu.control.control import Control
from danlu.control.nodes.membership import MeetingPoint, Membership
from danlu.core.nodes.member import Member
from danlu.core.versions import is_compatible
from danlu.launch.addresses import in_url, usual_address
from danlu.launch.cluster.agent_process import AgentBeside, AgentOptions, stop_agent
from danlu.launch.cluster.cluster_identity import ClusterIdentity, find_or_make_identity
from danlu.launch.cluster.join_desk import JoinDesk
from danlu.launch.cluster.nats_process import MessagesServer, OtherCluster, find_binary
from danlu.launch.install.node_file import USUAL as NODE_FILE
from danlu.launch.install.node_file import NodeFile
from danlu.launch.install.ssh_install import NodeInstaller
from danlu.launch.leadership import Leading
from danlu.settings import ClusterSettings, Settings
from danlu.store.engine.database import Database
from danlu.store.leadership import last_fence, next_fence

log = logging.getLogger(__name__)


def messages_address(cluster: ClusterSettings) -> str:
    """Where agents reach the messages' server of this machine."""
    host = cluster.advertise or str(usual_address() or "127.0.0.1")
    return f"{in_url(host)}:{cluster.messages_port}"


def routes_port_of(cluster: ClusterSettings) -> int:
    """Where the messages' servers of several machines reach each other: the port behind the agents'."""
    return cluster.messages_port + 1


def render_for(
    messages: MessagesServer, identity: ClusterIdentity, members: Sequence[Member], peers: Sequence[str]
) -> str:
    """The configuration of a messages' server. It passes on what is said at those of its `peers`, if it may
    have any."""
    pairs = [peer.rpartition(":") for peer in peers]
    routed = messages.routes_port is not None
    return render(
        listen=f"0.0.0.0:{messages.port}",
        certificate_file=messages.certificate_file,
        key_file=messages.key_file,
        server_key=identity.public_key,
        watch_key=identity.watch_key,
        members=members,
        log_file=messages.log_file,
        routes=[f"{host}:{int(port) + 1}" for host, _, port in pairs] if routed else (),
        cluster_listen=f"0.0.0.0:{messages.routes_port}" if routed else None,
        certificate_pin=pin_of(identity.certificate),
    )


class ClusterSide:
    """Implements `ClusterHost`. Made before `Control`, whose agents it has; started with it; closed before
    it."""

    def __init__(
        self,
        settings: Settings,
        cluster: ClusterSettings,
        identity: ClusterIdentity,
        node: str,
        fences: tuple[int, int],
        leading: Leading | None,
        on_foreign: Callable[[int], None],
    ) -> None:
        """`fences` are that of the server before, from the same database, and ours."""
        self._settings = settings
        self._is_node = cluster.is_node
        self._peers: Callable[[], Sequence[str]] = leading.peers if leading is not None else tuple
        self._identity = identity
        self._node = node
        previous, self._fence = fences
        self._control: Control | None = None
        self.address = messages_address(cluster)
        self._here = (f"tls://127.0.0.1:{cluster.messages_port}",)
        binary = find_binary() or Path("nats-server")
        routes_port = routes_port_of(cluster) if leading is not None else None
        self._messages = MessagesServer(
            settings.data, cluster.messages_port, binary, self._render, routes_port
        )
        self.agents = NatsCluster(
            self._here,
            identity.certificate,
            identity.seed,
            fence=self._fence,
            previous=previous,
            lease_s=cluster.lease_s,
            members=lambda: self._control.membership.members() if self._control else (),
            calls_folder=settings.calls,
            advertised=lambda: self.servers,
            may_act=leading.lease.holds if leading is not None else lambda: True,
            accepts_version=lambda version: is_compatible(version, __version__),
            on_foreign=on_foreign,
        )
        self._agent: AgentBeside | None = None
        self._watching: list[asyncio.Task[None]] = []

    @classmethod
    async def prepare(
        cls,
        settings: Settings,
        database: Database,
        node: str,
        leading: Leading | None,
        on_foreign: Callable[[int], None],
    ) -> ClusterSide:
        """`on_foreign` is told when the nodes prove to follow another copy of the database."""
        assert settings.cluster is not None  # noqa: S101 - asked before
        identity = await find_or_make_identity(database)
        if leading is not None:
            fences = leading.previous, leading.fence
        else:
            fences = await database.write(lambda tx: (last_fence(tx), next_fence(tx)))
        return cls(settings, settings.cluster, identity, node, fences, leading, on_foreign)

    @property
    def servers(self) -> tuple[str, ...]:
        """Where agents may dial."""
        return tuple(f"tls://{address}" for address in dict.fromkeys((self.address, *self._peers())))

    @property
    def meeting(self) -> MeetingPoint:
        return MeetingPoint(self.address, self.servers, self._identity.fingerprint, self._node, self._fence)

    def make_installer(self, membership: Membership) -> NodeInstaller:
        return NodeInstaller(self._settings.data, membership, self.agents)

    async def start(self, control: Control) -> None:
        """Everything but the desk runs when this returns. Raises NoCluster, OSError."""
        self._control = control
        own = await self._introduce_own() if self._is_node else None
        # A node that is not known by now is told that it does not belong here.
        await control.membership.refresh()
        self._messages.prepare(self._identity.certificate, self._identity.key)
        await self._messages.start()
        self._watching = [asyncio.create_task(self._messages.watch(), name="messages' server")]
        if own is not None:
            options = self._own_options()
            options.save(self._settings.data)
            self._agent = AgentBeside(self._settings.data, own, options)
            await self._agent.start()
            self._watching.append(asyncio.create_task(self._agent.watch(), name="own agent"))

    def open_desk(self) -> None:
        """Machines may join from now on."""
        assert self._control is not None  # noqa: S101
        desk = JoinDesk(self._control.membership)
        self.agents.open_desk(desk)
        named = self._settings.cluster.node_file if self._settings.cluster is not None else None
        path = Path(named) if named is not None else self._settings.data / NODE_FILE
        watched = NodeFile(path, self._control, self._node, self._settings.data, named=named is not None)
        self._watching.append(asyncio.create_task(watched.run(), name="node file"))

    async def close(self) -> None:
        """The messages' server and the agent run on."""
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*self._watching, return_exceptions=True)

    async def _introduce_own(self) -> NodeIdentity:
        """The agent of this machine is a member like any other, but for the token."""
        assert self._control is not None  # noqa: S101
        known: NodeIdentity | None = None
        with suppress(OSError, ValueError):
            known = NodeIdentity.load(self._settings.data)
        if known is not None and known.certificate != self._identity.certificate:
            raise OtherCluster(", ".join(known.servers))
        seed = known.seed if known is not None else make_seed()
        member = await self._control.membership.introduce(
            self._node, public_key_of(seed), self._settings.starter
        )
        own = NodeIdentity(member.id, self._node, self._here, self._identity.certificate, seed)
        if known is not None and not set(self._here).issubset(known.servers):
            # The port is another: an agent that still runs dials the one before, and would never be heard.
            await asyncio.to_thread(stop_agent, self._settings.data)
            known = None
        if known is None or (known.id, known.node) != (own.id, own.node):
            own.save(self._settings.data)
        return own

    def _own_options(self) -> AgentOptions:
        simulate = self._settings.simulate
        host = self.address.rpartition(":")[0].strip("[]")
        return AgentOptions(
            simulate=simulate[1] if simulate is not None else None,
            address=host,
            cgroups=self._settings.cgroups,
        )

    def _render(self) -> str:
        members = self._control.membership.members() if self._control else ()
        return render_for(self._messages, self._identity, members, self._peers())

    async def members_changed(self) -> None:
        self._messages.reload()
        self.agents.members_changed()

    async def reachable(self) -> set[str]:
        return {facts.name for facts in await self.agents.nodes()}
