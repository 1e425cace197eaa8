"""The machines that may speak for a node, and the tokens that let them in. Tokens are stored hashed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from danlu.codec import encode, known_word
from danlu.core.events import EventKind
from danlu.core.nodes.member import Member
from danlu.core.nodes.node import NodeFacts, NodeRole, NodeState
from danlu.core.states import ACTIVE
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction

_M = schema.members.c
_T = schema.join_tokens.c
_N = schema.nodes.c
_A = schema.tasks.c
_J = schema.jobs.c


@dataclass(frozen=True, slots=True)
class JoinToken:
    id: int
    created_by: str
    created_at: float
    expires_at: float
    revoked_at: float | None
    uses: int
    role: NodeRole


def list_members(connection: Connection) -> list[Member]:
    rows = connection.execute(select(schema.members).order_by(_M.node))
    return [Member(row.id, row.node, row.public_key) for row in rows]


def get_member(
    connection: Connection,
    *,
    node: str | None = None,
    member_id: str | None = None,
    public_key: str | None = None,
) -> Member | None:
    """The one with what is given."""
    if public_key is not None:
        which = _M.public_key == public_key
    else:
        which = _M.node == node if node is not None else _M.id == member_id
    row = connection.execute(select(schema.members).where(which)).one_or_none()
    return Member(row.id, row.node, row.public_key) if row else None


def put_member(tx: Transaction, member: Member, invited_by: str) -> None:
    """From now on this machine, and no other, speaks for its node."""
    tx.connection.execute(
        delete(schema.members).where((_M.node == member.node) | (_M.public_key == member.public_key))
    )
    tx.connection.execute(
        insert(schema.members).values(
            id=member.id,
            node=member.node,
            public_key=member.public_key,
            joined_at=tx.now,
            invited_by=invited_by,
        )
    )


def drop_member(tx: Transaction, node: str) -> bool:
    """No machine speaks for the node any more; False where none did."""
    return bool(tx.connection.execute(delete(schema.members).where(_M.node == node)).rowcount)


def add_join_token(
    tx: Transaction, secret_hash: str, created_by: str, expires_at: float, role: NodeRole
) -> JoinToken:
    result = tx.connection.execute(
        insert(schema.join_tokens).values(
            secret_hash=secret_hash,
            created_by=created_by,
            created_at=tx.now,
            expires_at=expires_at,
            uses=0,
            role=role.value,
        )
    )
    made = int(result.inserted_primary_key[0])  # type: ignore[index]
    tx.record(
        EventKind.JOIN_TOKEN_MADE, actor=created_by, join_token=made, role=role.value, expires_at=expires_at
    )
    return JoinToken(made, created_by, tx.now, expires_at, None, 0, role)


def find_join_token(connection: Connection, secret_hash: str) -> JoinToken | None:
    row = connection.execute(select(schema.join_tokens).where(_T.secret_hash == secret_hash)).one_or_none()
    return _token(row) if row else None


def list_join_tokens(connection: Connection) -> list[JoinToken]:
    return [_token(row) for row in connection.execute(select(schema.join_tokens).order_by(_T.id))]


def revoke_join_token(tx: Transaction, token_id: int, actor: str) -> bool:
    """False where there is none of that number. One that was revoked before stays as it is."""
    known = tx.connection.execute(select(_T.id).where(_T.id == token_id)).one_or_none()
    revoked = tx.connection.execute(
        update(schema.join_tokens).where(_T.id == token_id, _T.revoked_at.is_(None)).values(revoked_at=tx.now)
    )
    if revoked.rowcount:
        tx.record(EventKind.JOIN_TOKEN_REVOKED, actor=actor, join_token=token_id)
    return known is not None


def note_token_use(tx: Transaction, token_id: int) -> None:
    tx.connection.execute(update(schema.join_tokens).where(_T.id == token_id).values(uses=_T.uses + 1))


def forget_old_tokens(tx: Transaction, before: float) -> None:
    """Those that ended before then."""
    tx.connection.execute(delete(schema.join_tokens).where(_T.expires_at < before))


def note_expected(tx: Transaction, node: str, role: NodeRole) -> None:
    """A node that has joined and not reported in yet; one that is known already stays as it is."""
    if tx.connection.execute(select(_N.name).where(_N.name == node)).one_or_none() is not None:
        return
    facts = NodeFacts(name=node, cpus=0, memory_mb=0, gpus=(), boot_id="")
    tx.connection.execute(
        insert(schema.nodes).values(
            name=node,
            facts=encode(facts),
            state=NodeState.LOST.value,
            since=tx.now,
            drained=False,
            drained_gpus=[],
            gpu_rules={},
            role=role.value,
        )
    )
    tx.record(EventKind.NODE_CHANGED, node=node)


def set_role(tx: Transaction, node: str, role: NodeRole, actor: str) -> bool:
    """What a node is there for; False where there is no such node."""
    known = tx.connection.execute(select(_N.role).where(_N.name == node)).scalar_one_or_none()
    if known is not None and known != role.value:
        tx.connection.execute(update(schema.nodes).where(_N.name == node).values(role=role.value))
        tx.record(
            EventKind.NODE_CHANGED,
            node=node,
            actor=actor,
            before={"role": known},
            after={"role": role.value},
        )
    return known is not None


def jobs_on(connection: Connection, node: str) -> list[int]:
    """The jobs that have a task of their current attempt there and have not ended."""
    found = connection.execute(
        select(func.distinct(_J.id))
        .join(schema.tasks, (_A.job_id == _J.id) & (_A.attempt == _J.attempt))
        .where(_A.node == node, _J.state.in_([state.value for state in ACTIVE]))
        .order_by(_J.id)
    )
    return [int(row[0]) for row in found]


def _token(row: Any) -> JoinToken:
    return JoinToken(
        id=row.id,
        created_by=row.created_by,
        created_at=row.created_at,
        expires_at=row.expires_at,
        revoked_at=row.revoked_at,
        uses=row.uses,
        role=known_word(NodeRole, row.role, NodeRole.LOGIN),
    )
