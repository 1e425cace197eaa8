"""Users and the ways they prove who they are. Secrets are stored hashed, never as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, bindparam, delete, func, insert, select, update

from danlu.core.events import EventKind
from danlu.core.user import Role, User
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction
from danlu.store.engine.records import user_from_row

_U = schema.users.c
_S = schema.sessions.c
_K = schema.tokens.c
_L = schema.login_links.c

TOLD = frozenset(
    {
        *("role", "priority", "locked", "unix_account", "must_change_password"),
        *("group_name", "full_name", "student_id", "email", "language"),
    }
)
"""The columns whose values an event tells; of the others it tells that they changed."""

_GET_USER = select(schema.users).where(_U.name == bindparam("wanted"))
_LOCKED = select(_U.name).where(_U.locked.is_(True))
_GET_DEFAULTS = select(_U.defaults).where(_U.name == bindparam("wanted"))


@dataclass(frozen=True, slots=True)
class Token:
    id: int
    name: str
    created_at: float
    expires_at: float | None
    last_used_at: float | None


@dataclass(frozen=True, slots=True)
class StoredSession:
    user: User
    csrf_token: str
    expires_at: float
    ceiling: float | None
    """When what it was opened with ends."""


@dataclass(frozen=True, slots=True)
class TokenHolder:
    user: User
    expires_at: float | None


@dataclass(frozen=True, slots=True)
class UsedLink:
    user: User
    ceiling: float | None


def add_user(
    tx: Transaction,
    name: str,
    role: Role,
    *,
    password_hash: str | None,
    must_change_password: bool = False,
    unix_account: str | None = None,
    actor: str | None = None,
    **columns: Any,
) -> User:
    """`columns`: what else is known of them."""
    tx.connection.execute(
        insert(schema.users).values(
            name=name,
            role=role.value,
            password_hash=password_hash,
            must_change_password=must_change_password,
            locked=False,
            priority=1.0,
            unix_account=unix_account,
            defaults={},
            created_at=tx.now,
            **columns,
        )
    )
    after = {"role": role.value, "unix_account": unix_account, **columns}
    tx.record(EventKind.USER_CHANGED, actor=actor, user=name, change="added", after=after)
    user = get_user(tx.connection, name)
    if user is None:
        raise LookupError(name)
    return user


def get_user(connection: Connection, name: str) -> User | None:
    row = connection.execute(_GET_USER, {"wanted": name}).one_or_none()
    return user_from_row(row) if row else None


def list_users(connection: Connection) -> list[User]:
    return [user_from_row(row) for row in connection.execute(select(schema.users).order_by(_U.name))]


def count_admins(connection: Connection) -> int:
    """Administrators who can still act."""
    admins = select(func.count()).where(_U.role == Role.ADMIN.value, _U.locked.is_(False))
    return int(connection.execute(admins).scalar_one())


def locked_users(connection: Connection) -> frozenset[str]:
    return frozenset(connection.execute(_LOCKED).scalars())


def change_user(tx: Transaction, name: str, actor: str, **columns: Any) -> None:
    told = [each for each in sorted(columns) if each in TOLD]
    row = tx.connection.execute(select(schema.users).where(_U.name == name)).one()
    tx.connection.execute(update(schema.users).where(_U.name == name).values(**columns))
    tx.record(
        EventKind.USER_CHANGED,
        actor=actor,
        user=name,
        change=sorted(columns),
        before={each: getattr(row, each) for each in told},
        after={each: columns[each] for each in told},
    )


def password_hash_of(connection: Connection, name: str) -> str | None:
    return connection.execute(select(_U.password_hash).where(_U.name == name)).scalar_one_or_none()


def defaults_of(connection: Connection, name: str) -> dict[str, Any]:
    return dict(connection.execute(_GET_DEFAULTS, {"wanted": name}).scalar_one_or_none() or {})


def end_all_access(tx: Transaction, name: str, *, keep: str | None = None) -> None:
    """End every session, token and link of a user, except the one with the secret hash `keep`."""
    for table in (schema.sessions, schema.tokens, schema.login_links):
        spared = table.c.secret_hash != (keep or "")
        tx.connection.execute(delete(table).where(table.c.user_name == name, spared))


def add_session(
    tx: Transaction,
    name: str,
    secret_hash: str,
    csrf_token: str,
    expires_at: float,
    ceiling: float | None = None,
    *,
    way: str = "password",
) -> None:
    """`way` is what the user signed in with."""
    tx.connection.execute(delete(schema.sessions).where(_S.expires_at <= tx.now))
    tx.connection.execute(
        insert(schema.sessions).values(
            secret_hash=secret_hash,
            user_name=name,
            csrf_token=csrf_token,
            expires_at=expires_at,
            ceiling=ceiling,
        )
    )
    tx.record(EventKind.SIGNED_IN, actor=name, user=name, way=way)


def find_session(connection: Connection, secret_hash: str, now: float) -> StoredSession | None:
    row = connection.execute(
        select(_S.user_name, _S.csrf_token, _S.expires_at, _S.ceiling).where(
            _S.secret_hash == secret_hash, _S.expires_at > now
        )
    ).one_or_none()
    user = get_user(connection, row.user_name) if row else None
    return StoredSession(user, row.csrf_token, row.expires_at, row.ceiling) if row and user else None


def end_session(tx: Transaction, name: str, secret_hash: str) -> None:
    if tx.connection.execute(delete(schema.sessions).where(_S.secret_hash == secret_hash)).rowcount:
        tx.record(EventKind.SIGNED_OUT, actor=name, user=name)


def add_token(tx: Transaction, name: str, token_name: str, secret_hash: str, expires_at: float | None) -> int:
    result = tx.connection.execute(
        insert(schema.tokens).values(
            secret_hash=secret_hash,
            user_name=name,
            name=token_name,
            created_at=tx.now,
            expires_at=expires_at,
        )
    )
    made = int(result.inserted_primary_key[0])  # type: ignore[index]
    tx.record(EventKind.TOKEN_MADE, actor=name, user=name, token=made, name=token_name, expires_at=expires_at)
    return made


def find_token(connection: Connection, secret_hash: str, now: float) -> TokenHolder | None:
    row = connection.execute(
        select(_K.user_name, _K.expires_at).where(_K.secret_hash == secret_hash)
    ).one_or_none()
    if row is None or (row.expires_at is not None and row.expires_at <= now):
        return None
    user = get_user(connection, row.user_name)
    return TokenHolder(user, row.expires_at) if user else None


def note_token_used(tx: Transaction, secret_hash: str) -> None:
    tx.connection.execute(
        update(schema.tokens).where(_K.secret_hash == secret_hash).values(last_used_at=tx.now)
    )


def last_token_uses(connection: Connection) -> dict[str, float]:
    """When each user's tokens were last used, roughly."""
    latest = select(_K.user_name, func.max(_K.last_used_at)).where(_K.last_used_at.is_not(None))
    return {row[0]: row[1] for row in connection.execute(latest.group_by(_K.user_name))}


def list_tokens(connection: Connection, name: str) -> list[Token]:
    rows = connection.execute(select(schema.tokens).where(_K.user_name == name).order_by(_K.id))
    return [Token(row.id, row.name, row.created_at, row.expires_at, row.last_used_at) for row in rows]


def end_token(
    tx: Transaction, name: str, *, token_id: int | None = None, secret_hash: str | None = None
) -> bool:
    which = _K.id == token_id if token_id is not None else _K.secret_hash == secret_hash
    mine = _K.user_name == name
    found = tx.connection.execute(select(_K.id, _K.name).where(mine, which)).one_or_none()
    if found is None:
        return False
    tx.connection.execute(delete(schema.tokens).where(_K.id == found.id))
    tx.record(EventKind.TOKEN_ENDED, actor=name, user=name, token=found.id, name=found.name)
    return True


def add_link(
    tx: Transaction, name: str, secret_hash: str, expires_at: float, ceiling: float | None = None
) -> None:
    tx.connection.execute(delete(schema.login_links).where(_L.expires_at <= tx.now))
    tx.connection.execute(
        insert(schema.login_links).values(
            secret_hash=secret_hash, user_name=name, expires_at=expires_at, ceiling=ceiling
        )
    )


def has_link(connection: Connection, secret_hash: str, now: float) -> bool:
    return connection.execute(_which_link(secret_hash, now)).one_or_none() is not None


def use_link(tx: Transaction, secret_hash: str) -> UsedLink | None:
    """Whom a link logs in. It works once."""
    row = tx.connection.execute(_which_link(secret_hash, tx.now)).one_or_none()
    tx.connection.execute(delete(schema.login_links).where(_L.secret_hash == secret_hash))
    user = get_user(tx.connection, row.user_name) if row else None
    return UsedLink(user, row.ceiling) if row and user else None


def _which_link(secret_hash: str, now: float) -> Select[Any]:
    return select(_L.user_name, _L.ceiling).where(_L.secret_hash == secret_hash, _L.expires_at > now)
