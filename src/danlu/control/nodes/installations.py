"""Machines that are made nodes from here, and nodes that get another version: what is under way, how far it
is, and what came of it. Kept in memory: a restart of the server forgets it, and all can be begun again."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from sqlalchemy import Connection

from danlu import __version__
from danlu.cluster.server.agents import NodeUnreachable
from danlu.control.event_bus import NODE_KINDS, EventBus
from danlu.control.nodes.membership import Membership
from danlu.core.errors import Conflict, DanluError, NotFound, Unavailable
from danlu.core.events import EventKind
from danlu.core.nodes.node import Node, NodeRole, NodeState
from danlu.store.engine.database import Database, Transaction
from danlu.store.nodes.node_rows import get_node, list_nodes

log = logging.getLogger(__name__)

AT_A_TIME = 4
REMEMBERED = 100
TOKEN_LIFETIME_S = 900.0
REPORT_S = 60.0
"""How long a node that has joined may take to report in."""
RETURN_S = 120.0
"""How long an upgraded node may take to come back."""


class Kind(StrEnum):
    ADD = "add"
    UPGRADE = "upgrade"


class StepState(StrEnum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


ADD_STEPS = ("connect", "bundle", "look", "send", "join", "report")
"""What an installation goes through, in this order."""
UPGRADE_STEPS = ("bundle", "replace", "return")


@dataclass(frozen=True, slots=True)
class Target:
    """The machine that shall become a node, as ssh reaches it. What is None is found out, or left to ssh."""

    host: str
    user: str | None = None
    port: int | None = None
    name: str | None = None
    role: NodeRole | None = None
    data: str | None = None
    identity: str | None = None
    python: str | None = None

    def __str__(self) -> str:
        place = f"{self.user}@{self.host}" if self.user else self.host
        return place if self.port is None else f"{place}:{self.port}"


@dataclass(slots=True)
class Step:
    """`node` only where several have a step of the same name. `percent` where it can be told."""

    name: str
    node: str | None = None
    state: StepState = StepState.RUNNING
    percent: int | None = None


@dataclass(slots=True)
class NodeInstallation:
    """One undertaking. `error` is why it failed; `node` the name that a new machine got."""

    id: int
    kind: Kind
    target: str
    actor: str
    began_at: float
    from_file: bool = False
    node: str | None = None
    ended_at: float | None = None
    error: DanluError | None = None
    steps: list[Step] = field(default_factory=list)
    changes: int = 0
    _listeners: set[Callable[[], None]] = field(default_factory=set)

    def begin(self, step: str, node: str | None = None) -> None:
        """The step before is done."""
        self._settle(StepState.DONE)
        self.steps.append(Step(step, node))
        self.tell()

    def advance(self, percent: int) -> None:
        step = self.steps[-1]
        if step.percent != percent:
            step.percent = percent
            self.tell()

    def end(self, now: float, error: DanluError | None = None) -> None:
        self._settle(StepState.DONE if error is None else StepState.FAILED)
        self.error = error
        self.ended_at = now
        self.tell()

    def tell(self) -> None:
        self.changes += 1
        for listener in tuple(self._listeners):
            listener()

    @contextmanager
    def watch(self, listener: Callable[[], None]) -> Iterator[None]:
        """Have `listener` called at each change."""
        self._listeners.add(listener)
        try:
            yield
        finally:
            self._listeners.discard(listener)

    def _settle(self, state: StepState) -> None:
        if self.steps and self.steps[-1].state is StepState.RUNNING:
            self.steps[-1].state = state


@dataclass(frozen=True, slots=True)
class NodeFileState:
    """The node file as it was last read, and what is wrong with it."""

    path: str
    nodes: int
    problems: tuple[DanluError, ...] = ()


class Installer(Protocol):
    """How machines are reached and what they get; raises DanluError with what is wrong."""

    async def install(
        self, target: Target, make_token: Callable[[], Awaitable[str]], progress: NodeInstallation
    ) -> str:
        """Make a machine a node; its name. It may be repeated on a machine where it was interrupted."""

    async def prepare_upgrade(self) -> str:
        """The name of what nodes are upgraded to, ready to be fetched by them."""

    async def upgrade(self, node: str, bundle: str) -> None:
        """Have a node replace its agent. Returns when it is about to. Raises NodeUnreachable too."""


@dataclass
class NodeInstallations:
    """`installer` is None while this is no cluster."""

    database: Database
    bus: EventBus
    membership: Membership
    clock: Callable[[], float]
    installer: Installer | None = None
    node_file: NodeFileState | None = None
    on_upgraded: Callable[[str], None] = lambda _: None
    """Told the name of a node that has another version now."""
    _known: dict[int, NodeInstallation] = field(default_factory=dict)
    _ids: itertools.count[int] = field(default_factory=lambda: itertools.count(1))
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_A_TIME))
    _running: dict[int, asyncio.Task[None]] = field(default_factory=dict)

    def note_node_file(self, state: NodeFileState | None) -> None:
        """The node file was read; None: there is none."""
        self.node_file = state

    def list(self) -> list[NodeInstallation]:
        """The newest first."""
        return list(reversed(self._known.values()))

    def get(self, installation_id: int) -> NodeInstallation:
        """Raises NotFound."""
        if installation_id not in self._known:
            raise NotFound("no_such_installation", id=installation_id)
        return self._known[installation_id]

    def add(self, target: Target, actor: str, *, from_file: bool = False) -> NodeInstallation:
        """Begin to make a machine a node. Raises Conflict."""
        installer = self._installer()
        for other in self._known.values():
            if other.ended_at is None and other.kind is Kind.ADD and other.target == str(target):
                raise Conflict("installation_under_way", target=str(target), id=other.id)
        made = self._make(Kind.ADD, str(target), actor, from_file=from_file)
        self._start(made, self._install(made, installer, target))
        return made

    async def upgrade(self, nodes: Sequence[str], actor: str) -> NodeInstallation:
        """Begin to bring nodes, or all of them, to the version of this server. Raises Conflict, NotFound."""
        installer = self._installer()
        if any(each.ended_at is None and each.kind is Kind.UPGRADE for each in self._known.values()):
            raise Conflict("upgrade_under_way")
        known = {node.name: node for node in await self.database.read(list_nodes)}
        for name in nodes:
            if name not in known:
                raise NotFound("no_such_node", node=name, nodes=", ".join(known))
        behind = [name for name in nodes or known if known[name].facts.version != __version__]
        # Of one that was named and cannot be asked it is not known what it is by now.
        behind += [name for name in nodes if name not in behind and known[name].state is NodeState.LOST]
        lost = [name for name in behind if known[name].state is NodeState.LOST]
        made = self._make(Kind.UPGRADE, ", ".join(behind), actor)
        self._start(made, self._upgrade(made, installer, behind, lost))
        return made

    async def close(self) -> None:
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _installer(self) -> Installer:
        if self.installer is None:
            raise Conflict("not_a_cluster")
        return self.installer

    def _make(self, kind: Kind, target: str, actor: str, *, from_file: bool = False) -> NodeInstallation:
        made = NodeInstallation(next(self._ids), kind, target, actor, self.clock(), from_file)
        self._known[made.id] = made
        ended = [each.id for each in self._known.values() if each.ended_at is not None]
        for old in ended[: max(0, len(self._known) - REMEMBERED)]:
            del self._known[old]
        return made

    def _start(self, made: NodeInstallation, work: Awaitable[None]) -> None:
        task = asyncio.create_task(self._see_through(made, work), name=f"installation {made.id}")
        self._running[made.id] = task
        task.add_done_callback(lambda _: self._running.pop(made.id, None))

    async def _note(self, made: NodeInstallation) -> None:
        """That it begins, and who has begun it."""

        def write(tx: Transaction) -> None:
            tx.record(
                EventKind.INSTALLATION_BEGUN,
                actor=made.actor,
                installation=made.target,
                work=made.kind.value,
            )

        await self.database.write(write)

    async def _see_through(self, made: NodeInstallation, work: Awaitable[None]) -> None:
        error: DanluError | None = Unavailable("installation_interrupted")
        try:
            await work
            error = None
        except DanluError as problem:
            error = problem
            log.warning("%s of %s failed: %s %s", made.kind, made.target, problem.code, problem.facts)
        except Exception as problem:
            log.exception("%s of %s failed", made.kind, made.target)
            error = Unavailable("installation_failed", reason=f"{type(problem).__name__}: {problem}")
        finally:
            made.end(self.clock(), error)

    async def _install(self, made: NodeInstallation, installer: Installer, target: Target) -> None:
        await self._note(made)
        async with self._turns:
            tokens: list[int] = []

            async def make_token() -> str:
                role = target.role or NodeRole.COMPUTE
                token, text = await self.membership.make_token(made.actor, TOKEN_LIFETIME_S, role)
                tokens.append(token.id)
                return text

            try:
                node = await installer.install(target, make_token, made)
            finally:
                for token in tokens:
                    await self.membership.revoke_token(token, made.actor)
            made.node = node
            made.begin("report")
            if not await self._wait_for(node, lambda known: known.state is NodeState.UP, REPORT_S):
                raise Unavailable("node_silent_after_join", node=node, seconds=round(REPORT_S))
            log.info("%s was installed as node %s by %s", target, node, made.actor)

    async def _upgrade(
        self, made: NodeInstallation, installer: Installer, nodes: Sequence[str], lost: Sequence[str]
    ) -> None:
        """One by one: if the first does not come back, the others stay as they are. Those that are `lost`
        hold up no other, but are not passed over in silence."""
        await self._note(made)
        reachable = [node for node in nodes if node not in lost]
        if reachable:
            made.begin("bundle")
            bundle = await installer.prepare_upgrade()
            for node in reachable:
                await self._upgrade_one(made, installer, node, bundle)
        if lost:
            raise Unavailable("nodes_not_reached", nodes=", ".join(lost))

    async def _upgrade_one(
        self, made: NodeInstallation, installer: Installer, node: str, bundle: str
    ) -> None:
        made.begin("replace", node)
        try:
            await installer.upgrade(node, bundle)
        except NodeUnreachable as problem:
            # What says no more than its name was lost just now.
            if (reason := str(problem).removeprefix(node).lstrip(": ")) == "":
                raise Unavailable("nodes_not_reached", nodes=node) from problem
            raise Unavailable("node_not_upgraded", node=node, reason=reason) from problem
        made.begin("return", node)
        if not await self._wait_for(node, _is_upgraded, RETURN_S):
            raise Unavailable("node_fell_back", node=node, version=__version__, seconds=round(RETURN_S))
        # What was found of the version before is found no more.
        self.on_upgraded(node)
        log.info("node %s was upgraded to %s by %s", node, __version__, made.actor)

    async def _wait_for(self, name: str, is_there: Callable[[Node], bool], patience_s: float) -> bool:
        def look(connection: Connection) -> bool:
            node = get_node(connection, name)
            return node is not None and is_there(node)

        with self.bus.subscribe(NODE_KINDS) as news:
            try:
                async with asyncio.timeout(patience_s):
                    while not await self.database.read(look):
                        if news.closed:
                            return False
                        await news.next()
            except TimeoutError:
                return False
        return True


def _is_upgraded(node: Node) -> bool:
    return node.state is NodeState.UP and node.facts.version == __version__
