"""Who belongs to the cluster: tokens let machines in, each then has a key of its own, until it leaves."""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqlalchemy import Connection

from danlu import __version__
from danlu.core.errors import Conflict, Forbidden, Invalid, NotFound
from danlu.core.events import EventKind
from danlu.core.job_id import label_of
from danlu.core.nodes.member import Member
from danlu.core.nodes.node import NodeRole
from danlu.core.versions import is_compatible
from danlu.store.engine.database import Database, Transaction
from danlu.store.nodes.members import (
    JoinToken,
    add_join_token,
    drop_member,
    find_join_token,
    forget_old_tokens,
    get_member,
    jobs_on,
    list_join_tokens,
    list_members,
    note_expected,
    note_token_use,
    put_member,
    revoke_join_token,
    set_role,
)
from danlu.store.nodes.node_rows import get_node, list_nodes, mark_lost, remove_node

log = logging.getLogger(__name__)

KEPT_S = 30 * 86_400.0
"""How long a token that has ended is still listed."""
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class MeetingPoint:
    """Where machines find this cluster: `address` is what people type, `servers` what agents dial,
    `fingerprint` that of the certificate they will meet there; `own_node` is this very machine."""

    address: str
    servers: tuple[str, ...]
    fingerprint: str
    own_node: str
    fence: int = 1


@dataclass(frozen=True, slots=True)
class JoinAsk:
    """What a machine says that wants to join."""

    secret: str
    node: str
    public_key: str
    version: str
    role: NodeRole | None = None


@dataclass(frozen=True, slots=True)
class Joined:
    id: str
    node: str
    servers: tuple[str, ...]
    fence: int


class DeclareDead(Protocol):
    async def __call__(self, node: str, actor: str, *, is_empty: bool = False) -> object: ...


async def _no_nodes() -> set[str]:
    return set()


@dataclass
class Membership:
    """The members are in the database; `on_change` is called when they have changed."""

    database: Database
    clock: Callable[[], float]
    declare_dead: DeclareDead
    meeting: MeetingPoint | None = None
    """None while this is no cluster."""
    reachable: Callable[[], Awaitable[set[str]]] = _no_nodes
    on_change: Callable[[], Awaitable[None]] | None = None
    _members: tuple[Member, ...] = field(default=())

    def members(self) -> Sequence[Member]:
        """Those of the last `refresh`."""
        return self._members

    async def refresh(self) -> None:
        self._members = tuple(await self.database.read(list_members))

    async def make_token(self, actor: str, lifetime_s: float, role: NodeRole) -> tuple[JoinToken, str]:
        """A token and its text, which is never shown again."""
        meeting = self._met()
        # Begins with a letter: as an option's value it must not look like an option.
        secret = "j" + secrets.token_urlsafe(24)

        def write(tx: Transaction) -> JoinToken:
            forget_old_tokens(tx, tx.now - KEPT_S)
            return add_join_token(tx, _hash(secret), actor, tx.now + lifetime_s, role)

        token = await self.database.write(write)
        return token, f"{secret}.{meeting.fingerprint}"

    def join_command(self, token: str) -> str:
        """What to type on the machine that shall join."""
        return f"danlu join {self._met().address} --token {token}"

    async def list_tokens(self) -> list[JoinToken]:
        self._met()
        return await self.database.read(list_join_tokens)

    async def revoke_token(self, token_id: int, actor: str) -> None:
        """No machine joins with it any more; those that have joined stay."""
        self._met()
        if not await self.database.write(lambda tx: revoke_join_token(tx, token_id, actor)):
            raise NotFound("no_such_join_token", token=token_id)

    async def join(self, ask: JoinAsk) -> Joined:
        """Let a machine in. Raises DanluError with what is wrong."""
        meeting = self._met()
        if not is_compatible(ask.version, __version__):
            raise Conflict("version_too_far", theirs=ask.version, ours=__version__)
        _check_name(ask.node)
        # Any machine may ask: one without a token must not make us write.
        token = await self.database.read(lambda connection: self._check_token(connection, ask.secret))
        _role_of(ask, token)
        reachable = await self.reachable()
        member = Member(secrets.token_hex(8), ask.node, ask.public_key)

        def write(tx: Transaction) -> Member:
            token = self._check_token(tx.connection, ask.secret)
            known = get_member(tx.connection, node=ask.node)
            if known is not None and known.public_key == ask.public_key:
                # The same machine again: it may not have heard the answer.
                note_token_use(tx, token.id)
                return known
            _check_free(tx.connection, ask.node, known, reachable)
            _take_old_name(tx, ask, meeting.own_node)
            put_member(tx, member, token.created_by)
            note_token_use(tx, token.id)
            role = _role_of(ask, token)
            note_expected(tx, ask.node, role)
            set_role(tx, ask.node, role, token.created_by)
            tx.record(EventKind.NODE_JOINED, node=ask.node, actor=token.created_by, join_token=token.id)
            return member

        joined = await self.database.write(write)
        await self._changed()
        log.info("node %s joined as %s", joined.node, joined.id)
        return Joined(joined.id, joined.node, meeting.servers, meeting.fence)

    async def introduce(self, node: str, public_key: str, actor: str) -> Member:
        """The machine that the server runs on needs no token."""

        def write(tx: Transaction) -> Member:
            known = get_member(tx.connection, node=node)
            if known is not None and known.public_key == public_key:
                return known
            member = Member(secrets.token_hex(8), node, public_key)
            put_member(tx, member, actor)
            return member

        member = await self.database.write(write)
        await self.refresh()
        return member

    async def leave(self, member_id: str, *, force: bool) -> None:
        """A machine says that it goes. Raises Conflict while jobs of it are under way."""
        member = await self.database.read(lambda connection: get_member(connection, member_id=member_id))
        if member is None:
            return
        await self._remove(member.node, f"node {member.node}", force=force)

    async def remove(self, node: str, actor: str) -> None:
        """An administrator takes a node out of the cluster. Raises NotFound, Conflict."""
        self._met()
        await self._remove(node, actor, force=False)

    async def set_role(self, node: str, role: NodeRole, actor: str) -> None:
        if not await self.database.write(lambda tx: set_role(tx, node, role, actor)):
            await self._refuse_unknown(node)

    async def _remove(self, node: str, actor: str, *, force: bool) -> None:
        meeting = self._met()
        if node == meeting.own_node:
            raise Conflict("own_node_stays", node=node)
        if force:
            await self._give_up(node, actor)

        def write(tx: Transaction) -> bool:
            jobs = jobs_on(tx.connection, node)
            if jobs and not force:
                raise Conflict("node_has_jobs", node=node, jobs=", ".join(label_of(job) for job in jobs[:20]))
            known = drop_member(tx, node) or get_node(tx.connection, node) is not None
            remove_node(tx, node, actor)
            return known

        if not await self.database.write(write):
            await self._refuse_unknown(node)
        await self._changed()
        log.info("node %s was removed by %s", node, actor)

    async def _give_up(self, node: str, actor: str) -> None:
        """The node itself says that nothing runs there any more."""

        def write(tx: Transaction) -> bool:
            mark_lost(tx, node)
            return drop_member(tx, node)

        if await self.database.write(write):
            await self._changed()
            await self.declare_dead(node, actor, is_empty=True)

    async def _refuse_unknown(self, node: str) -> None:
        nodes = await self.database.read(list_nodes)
        raise NotFound("no_such_node", node=node, nodes=", ".join(each.name for each in nodes))

    async def _changed(self) -> None:
        await self.refresh()
        if self.on_change is not None:
            await self.on_change()

    def _check_token(self, connection: Connection, secret: str) -> JoinToken:
        token = find_join_token(connection, _hash(secret))
        if token is None:
            raise Forbidden("join_token_unknown")
        if token.revoked_at is not None:
            raise Forbidden("join_token_revoked")
        if token.expires_at <= self.clock():
            raise Forbidden("join_token_expired")
        return token

    def _met(self) -> MeetingPoint:
        if self.meeting is None:
            raise Conflict("not_a_cluster")
        return self.meeting


def _check_free(connection: Connection, node: str, known: Member | None, reachable: set[str]) -> None:
    """A name belongs to one machine. Another may take it over once the first is gone, and nothing of it can
    still be running: what runs there would be taken for ended."""
    if known is not None and node in reachable:
        raise Conflict("node_name_taken", node=node)
    jobs = jobs_on(connection, node)
    if jobs:
        raise Conflict("node_name_busy", node=node, jobs=", ".join(label_of(job) for job in jobs[:20]))


def _take_old_name(tx: Transaction, ask: JoinAsk, own_node: str) -> None:
    """A machine that is a member under another name has one name afterwards: the node it was goes. What runs
    there would have no owner, so it must not have anything."""
    was = get_member(tx.connection, public_key=ask.public_key)
    if was is None or was.node == ask.node:
        return
    if was.node == own_node:
        raise Conflict("own_node_stays", node=was.node)
    jobs = jobs_on(tx.connection, was.node)
    if jobs:
        raise Conflict(
            "old_name_busy", node=ask.node, old=was.node, jobs=", ".join(label_of(job) for job in jobs[:20])
        )
    drop_member(tx, was.node)
    remove_node(tx, was.node)
    log.info("node %s is called %s now", was.node, ask.node)


def _role_of(ask: JoinAsk, token: JoinToken) -> NodeRole:
    """What the machine becomes. Raises Forbidden for what would be given jobs that the token's role is not:
    they come with their owners' code and secrets."""
    role = ask.role or token.role
    if not role.is_within(token.role):
        raise Forbidden("join_token_role", field="role", asked=role.value, role=token.role.value)
    return role


def _check_name(name: str) -> None:
    good = 0 < len(name) <= LONGEST_NAME and name.isprintable()
    if not good or any(c.isspace() or c in ",:" for c in name):
        raise Invalid("bad_node_name", field="name", name=name[:LONGEST_NAME])


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
