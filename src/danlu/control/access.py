"""Who is asking: passwords, sessions, tokens and one-time links. No secret is stored as it is."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection

from danlu.control.throttle import Throttle
from danlu.core.errors import Forbidden, NotFound, NotSignedIn
from danlu.core.user import User
from danlu.settings import Settings
from danlu.store import users as store
from danlu.store.database import Database, Transaction

log = logging.getLogger(__name__)

CACHE_S = 5.0
USED_NOTE_S = 600.0


@dataclass(frozen=True, slots=True)
class Identity:
    """A user who proved who they are. `csrf_token` is set when a browser's cookie was the proof."""

    user: User
    secret_hash: str
    csrf_token: str | None = None


@dataclass(frozen=True, slots=True)
class OpenedSession:
    user: User
    secret: str
    csrf_token: str


class Access:
    def __init__(self, database: Database, settings: Settings, clock: Callable[[], float]) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self._hasher = PasswordHasher()
        # A hash takes 64 MB and half a core: a crowd logging in must not take the machine.
        self._hashing = asyncio.Semaphore(2)
        self._throttle = Throttle(clock)
        self._known: dict[str, tuple[float, Identity]] = {}
        self._noted: dict[str, float] = {}
        self._notes: set[asyncio.Task[None]] = set()
        self._decoy = self._hasher.hash(secrets.token_hex(16))
        self._local_hash = ""

    def make_local_secret(self) -> str:
        """A token for whoever can read the data folder; it lasts as long as this server."""
        secret = "danlu_local_" + secrets.token_urlsafe(32)
        self._local_hash = hash_secret(secret)
        return secret

    def recall(self, secret: str) -> Identity | None:
        """Whose token or session this is, if that was looked up a moment ago."""
        secret_hash = hash_secret(secret)
        identity = self._recall(secret_hash)
        if identity is not None and identity.csrf_token is None:
            self._note_used(secret_hash)
        return identity

    async def identify_token(self, secret: str) -> Identity:
        """The user a bearer token belongs to. Raises NotSignedIn."""
        secret_hash = hash_secret(secret)
        identity = self._recall(secret_hash)
        if identity is None:
            now = self._clock()
            user = await self._database.read(lambda c: self._find_token_user(c, secret_hash, now))
            identity = self._remember(Identity(_check_open(user), secret_hash))
        self._note_used(secret_hash)
        return identity

    def _find_token_user(self, connection: Connection, secret_hash: str, now: float) -> User | None:
        if secrets.compare_digest(secret_hash, self._local_hash):
            return store.get_user(connection, self._settings.starter)
        return store.find_token_user(connection, secret_hash, now)

    async def identify_session(self, secret: str) -> Identity:
        """The user a session cookie belongs to. Raises NotSignedIn."""
        secret_hash = hash_secret(secret)
        if identity := self._recall(secret_hash):
            return identity
        now = self._clock()
        session = await self._database.read(lambda c: store.find_session(c, secret_hash, now))
        user = _check_open(session.user if session else None)
        return self._remember(Identity(user, secret_hash, session.csrf_token if session else None))

    async def check_password(self, name: str, password: str, address: str) -> User:
        """Raises NotSignedIn for a wrong pair, TooMany after too many of them."""
        self._throttle.check(name, address)
        user, known = await self._database.read(
            lambda c: (store.get_user(c, name), store.password_hash_of(c, name))
        )
        # An unknown name costs the same time as a wrong password: names cannot be probed.
        right = await self._verify(known or self._decoy, password) and known is not None
        if not right or user is None:
            self._throttle.note_failure(name, address)
            # Without the name: people type their password there by mistake.
            log.warning("a login with a wrong password from %s", address)
            raise NotSignedIn("wrong_password", field="password")
        if user.locked:
            raise Forbidden("account_locked", name=name)
        self._throttle.forget(name, address)
        return user

    async def open_session(self, user: User) -> OpenedSession:
        secret, csrf_token = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        expires_at = self._clock() + self._settings.session_lifetime_s
        await self._database.write(
            lambda tx: store.add_session(tx, user.name, hash_secret(secret), csrf_token, expires_at)
        )
        return OpenedSession(user, secret, csrf_token)

    async def use_link(self, code: str, address: str) -> User:
        """The user a one-time link logs in. Raises NotSignedIn when it was used or is too old."""
        self._throttle.check("", address)

        def write(tx: Transaction) -> User | None:
            name = store.use_link(tx, hash_secret(code))
            return store.get_user(tx.connection, name) if name else None

        user = await self._database.write(write)
        if user is None:
            self._throttle.note_failure("", address)
            log.warning("a login with a used or unknown link from %s", address)
            raise NotSignedIn("link_used", field="code")
        return _check_open(user)

    async def make_link(self, user: User) -> tuple[str, float]:
        """A code that logs the user in once, and when it ends."""
        code = secrets.token_urlsafe(24)
        expires_at = self._clock() + self._settings.link_lifetime_s
        await self._database.write(lambda tx: store.add_link(tx, user.name, hash_secret(code), expires_at))
        return code, expires_at

    async def make_token(self, user: User, name: str, lifetime_s: float | None) -> tuple[int, str]:
        """A new token's id and its secret, which is never shown again."""
        secret = "danlu_" + secrets.token_urlsafe(32)
        expires_at = self._clock() + lifetime_s if lifetime_s is not None else None
        token_id = await self._database.write(
            lambda tx: store.add_token(tx, user.name, name, hash_secret(secret), expires_at)
        )
        return token_id, secret

    async def end_token(self, user: User, token_id: int) -> None:
        ended = await self._database.write(lambda tx: store.end_token(tx, user.name, token_id=token_id))
        if not ended:
            raise NotFound("no_such_token", token=token_id)
        self.forget_cached()

    async def end(self, identity: Identity) -> None:
        """Log out: the session or token that was presented is worth nothing from now on."""

        def write(tx: Transaction) -> None:
            store.end_session(tx, identity.secret_hash)
            store.end_token(tx, identity.user.name, secret_hash=identity.secret_hash)

        await self._database.write(write)
        self.forget_cached()

    async def set_password(self, user: User, new: str, *, by: User, keep: str | None = None) -> None:
        """Set a password. Set by somebody else, it must be changed before anything else works.

        Every session and token of the user ends, except the one with the secret hash `keep`.
        """
        password_hash = await self.hash_password(new)

        def write(tx: Transaction) -> None:
            store.change_user(
                tx,
                user.name,
                by.name,
                password_hash=password_hash,
                must_change_password=by.name != user.name,
            )
            store.end_all_access(tx, user.name, keep=keep)

        await self._database.write(write)
        self.forget_cached()

    async def hash_password(self, password: str) -> str:
        async with self._hashing:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def is_still_valid(self, identity: Identity) -> bool:
        """Whether the proof behind an open stream still counts: not ended, its user not locked."""
        now, secret_hash = self._clock(), identity.secret_hash

        def read(connection: Connection) -> User | None:
            session = store.find_session(connection, secret_hash, now)
            return session.user if session else self._find_token_user(connection, secret_hash, now)

        user = await self._database.read(read)
        return user is not None and not user.locked

    def forget_cached(self) -> None:
        """Somebody's rights changed: look everybody up again."""
        self._known.clear()

    async def _verify(self, password_hash: str, password: str) -> bool:
        async with self._hashing:
            try:
                return await asyncio.to_thread(self._hasher.verify, password_hash, password)
            except (VerificationError, InvalidHashError):
                return False

    def _recall(self, secret_hash: str) -> Identity | None:
        known = self._known.get(secret_hash)
        return known[1] if known and known[0] > self._clock() else None

    def _remember(self, identity: Identity) -> Identity:
        if len(self._known) > 10_000:
            self._known.clear()
        self._known[identity.secret_hash] = (self._clock() + CACHE_S, identity)
        return identity

    def _note_used(self, secret_hash: str) -> None:
        """Remember roughly when a token was last used, without a write per request."""
        now = self._clock()
        if self._noted.get(secret_hash, 0.0) + USED_NOTE_S > now:
            return
        self._noted[secret_hash] = now
        note = asyncio.create_task(
            self._database.write(lambda tx: store.note_token_used(tx, secret_hash)), name="token used"
        )
        self._notes.add(note)
        note.add_done_callback(self._notes.discard)


def hash_secret(secret: str) -> str:
    """Random secrets of 256 bits need no slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _check_open(user: User | None) -> User:
    if user is None:
        raise NotSignedIn("not_signed_in")
    if user.locked:
        raise Forbidden("account_locked", name=user.name)
    return user
