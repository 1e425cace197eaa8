"""What lets a job use the locks and the key-value store of its owner, and nothing else.

A secret is made of the job, its attempt, when that was made, and a key that only the servers know. Nothing of
it is stored: it counts while that attempt is the active one. The time tells it from an attempt that had the
same number before the database was restored.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from danlu.core.errors import Forbidden, NotSignedIn
from danlu.core.task import LaunchOrder
from danlu.core.user import User
from danlu.store.engine.database import Database
from danlu.store.jobs.attempts import begun_at
from danlu.store.jobs.job_rows import get_job
from danlu.store.locks import is_active
from danlu.store.secrets import keep_secret
from danlu.store.users import get_user

PREFIX = "job_"
_FORM = re.compile(r"job_(\d{1,16})-(\d{1,9})-([0-9a-f]{64})", re.ASCII)


@dataclass(frozen=True, slots=True)
class SecretHolder:
    """Who holds locks: a user, or an attempt of a job of theirs."""

    user: User
    job: tuple[int, int] | None = None
    """A job and its attempt."""


def is_job_secret(text: str) -> bool:
    return text.startswith(PREFIX)


class JobSecrets:
    """`address` is where jobs find this server, if they can; `others` are those that may follow it."""

    def __init__(
        self, database: Database, address: str | None, others: Callable[[], Sequence[str]] = tuple
    ) -> None:
        self._database = database
        self._address = address
        self._others = others
        self._key: bytes | None = None

    async def start(self) -> None:
        """Must have run before orders go out."""
        text = await self._database.write(lambda tx: keep_secret(tx, "jobs", lambda: secrets.token_hex(32)))
        self._key = bytes.fromhex(text)

    def equip(self, order: LaunchOrder) -> LaunchOrder:
        """The order with what its task needs to reach us. Tasks of one attempt have the same secret, also
        where no server can be reached with it: by that they know each other."""
        if self._key is None:
            return order
        secret = self.make(order.key.job, order.key.attempt, order.begun_at)
        return replace(order, job_secret=secret, server=self._address, servers=self._addresses())

    def _addresses(self) -> tuple[str, ...]:
        if self._address is None:
            return ()
        return tuple(dict.fromkeys((self._address, *self._others())))

    def make(self, job_id: int, attempt: int, begun_at: float) -> str:
        return f"{PREFIX}{job_id}-{attempt}-{self._mac(job_id, attempt, begun_at)}"

    async def identify(self, text: str) -> SecretHolder:
        """Whose secret it is. Raises NotSignedIn, Forbidden."""
        match = _FORM.fullmatch(text)
        if match is None:
            raise NotSignedIn("not_signed_in")
        job_id, attempt = int(match[1]), int(match[2])
        begun = await self._database.read(lambda connection: begun_at(connection, job_id, attempt))
        if begun is None or not hmac.compare_digest(match[3], self._mac(job_id, attempt, begun)):
            raise NotSignedIn("not_signed_in")
        owner = await self._database.read(lambda connection: _find_owner(connection, job_id, attempt))
        if owner is None:
            raise NotSignedIn("attempt_over", attempt=attempt)
        if owner.locked:
            raise Forbidden("account_locked", name=owner.name)
        return SecretHolder(owner, (job_id, attempt))

    def _mac(self, job_id: int, attempt: int, begun_at: float) -> str:
        if self._key is None:
            raise NotSignedIn("not_signed_in")
        return hmac.new(self._key, f"{job_id}-{attempt}-{begun_at!r}".encode(), hashlib.sha256).hexdigest()


def _find_owner(connection: Connection, job_id: int, attempt: int) -> User | None:
    if not is_active(connection, job_id, attempt):
        return None
    job = get_job(connection, job_id)
    return get_user(connection, job.owner) if job is not None else None
