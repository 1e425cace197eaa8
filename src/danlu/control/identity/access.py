"""Who is asking: passwords, sessions, tokens and one-time links. No secret is stored as it is."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from danlu.control.event_bus import EventBus
from danlu.control.identity.failed_sign_ins import FailedSignIns
from danlu.control.identity.hashing import Hashing
from danlu.control.identity.throttle import Throttle
from danlu.core.errors import Forbidden, NotFound, NotSignedIn
from danlu.core.events import Event, EventKind
from danlu.core.origin import Via
from danlu.core.user import Role, User
from danlu.settings import Settings
from danlu.store import users as store
from danlu.store.engine.database import Database, Transaction

log = logging.getLogger(__name__)

CACHE_S = 5.0
USED_NOTE_S = 600.0


@dataclass(frozen=True, slots=True)
class Identity:
    """A user who proved who they are. `csrf_token` is set when a browser's cookie was the proof, which counts
    until `expires_at` unless it is ended before. Nothing that is made with it may last beyond `ceiling`."""

    user: User
    secret_hash: str
    csrf_token: str | None = None
    expires_at: float = math.inf
    ceiling: float = math.inf
    groups: int = 0
    """How often groups had changed by then: who leads which is a matter of the moment."""

    @property
    def is_limited(self) -> bool:
        """What it proves ends by itself, so that it may make nothing that lasts for ever."""
        return self.ceiling < math.inf


@dataclass(frozen=True, slots=True)
class OpenedSession:
    user: User
    secret: str
    csrf_token: str


Find = Callable[[Connection, str, float], Identity | None]


class Access:
    def __init__(
        self, database: Database, bus: EventBus, settings: Settings, clock: Callable[[], float]
    ) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self._hashing = Hashing()
        self._throttle = Throttle(clock)
        self._failures = FailedSignIns(database, clock)
        self.seen: dict[str, float] = {}
        """When each user was last looked up, which is every few seconds while they ask for anything."""
        self._known: dict[str, tuple[float, Identity]] = {}
        self._changes = 0
        self._group_changes = 0
        self._watchers: set[Callable[[], None]] = set()
        self._noted: dict[str, float] = {}
        self._notes: set[asyncio.Task[None]] = set()
        self._local: dict[str, str] = {}
        """Whose tokens those are that are written in no database, by the hash of each."""
        self._vouched: dict[str, str] = {}
        # At the commit: who was locked is refused by the very next request.
        bus.project({EventKind.USER_CHANGED, EventKind.GROUP_CHANGED}, self._note)

    def _note(self, events: list[Event]) -> None:
        self._group_changes += any(_concerns_groups(event) for event in events)
        self.forget_cached()

    def make_local_secret(self) -> str:
        """A token for clients that can read the data folder; it lasts as long as this server."""
        secret = new_local_secret()
        self.take_local_secret(secret, self._settings.starter)
        return secret

    def take_local_secret(self, secret: str, name: str) -> None:
        self._local[hash_secret(secret)] = name

    def way_of(self, identity: Identity) -> Via:
        """How the user behind it proved who they are."""
        if identity.csrf_token is not None:
            return Via.SESSION
        return Via.LOCAL if identity.secret_hash in self._local else Via.TOKEN

    async def vouch(self, name: str) -> str:
        """A token for who started another server of this installation: an administrator there as here."""
        if name not in self._vouched:
            await self._database.write(
                lambda tx: (
                    store.get_user(tx.connection, name)
                    or store.add_user(tx, name, Role.ADMIN, password_hash=None)
                )
            )
            secret = new_local_secret()
            self.take_local_secret(secret, name)
            self._vouched[name] = secret
        return self._vouched[name]

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
        identity = self._recall(secret_hash) or await self._look_up(self._find_token, secret_hash)
        self._note_used(secret_hash)
        return identity

    def _find_token(self, connection: Connection, secret_hash: str, now: float) -> Identity | None:
        if (name := self._local.get(secret_hash)) is not None:
            starter = store.get_user(connection, name)
            return Identity(starter, secret_hash) if starter else None
        token = store.find_token(connection, secret_hash, now)
        if token is None:
            return None
        end = math.inf if token.expires_at is None else token.expires_at
        return Identity(token.user, secret_hash, expires_at=end, ceiling=end)

    async def identify_session(self, secret: str) -> Identity:
        """The user a session cookie belongs to. Raises NotSignedIn."""
        secret_hash = hash_secret(secret)
        return self._recall(secret_hash) or await self._look_up(self._find_session, secret_hash)

    def _find_session(self, connection: Connection, secret_hash: str, now: float) -> Identity | None:
        session = store.find_session(connection, secret_hash, now)
        if session is None:
            return None
        ceiling = math.inf if session.ceiling is None else session.ceiling
        return Identity(session.user, secret_hash, session.csrf_token, session.expires_at, ceiling)

    async def _look_up(self, find: Find, secret_hash: str) -> Identity:
        """Raises NotSignedIn, Forbidden."""
        now, changes, groups = self._clock(), self._changes, self._group_changes
        identity = await self._database.read(lambda connection: find(connection, secret_hash, now))
        if identity is None:
            raise NotSignedIn("not_signed_in")
        self.seen[_check_open(identity.user).name] = now
        identity = replace(identity, groups=groups)
        if changes == self._changes:
            # Else it may be what was true a moment ago.
            self._remember(identity)
        return identity

    async def check_password(self, name: str, password: str, address: str) -> User:
        """Raises NotSignedIn for a wrong pair, TooMany after too many of them, or while too many try."""
        self._throttle.check(name, address)
        async with self._hashing.turn(address):
            # Counted now and not when they came: an earlier right try is not held against them.
            self._throttle.take(name, address)
            user, known = await self._database.read(
                lambda c: (store.get_user(c, name), store.password_hash_of(c, name))
            )
            right = await self._hashing.verify(known, password)
            if not right or user is None:
                # Without the name: people type their password there by mistake.
                log.warning("a login with a wrong password from %s", address)
                await self._failures.note(user, "wrong_password")
                raise NotSignedIn("wrong_password", field="password")
            self._throttle.forgive(name, address)
        if user.locked:
            await self._failures.note(user, "account_locked")
        return _check_open(user)

    async def open_session(
        self, user: User, ceiling: float = math.inf, *, way: str = "password"
    ) -> OpenedSession:
        """`way` is what the user has signed in with."""
        secret, csrf_token = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        expires_at = min(self._clock() + self._settings.session_lifetime_s, ceiling)
        await self._database.write(
            lambda tx: store.add_session(
                tx, user.name, hash_secret(secret), csrf_token, expires_at, _stored(ceiling), way=way
            )
        )
        return OpenedSession(user, secret, csrf_token)

    async def use_link(self, code: str, address: str) -> OpenedSession:
        """Log in whom a one-time link is for. Raises NotSignedIn when it was used or is too old."""
        self._throttle.take("", address)
        secret_hash, now = hash_secret(code), self._clock()
        # Any client may ask: one without a link must not make us write.
        if await self._database.read(lambda connection: store.has_link(connection, secret_hash, now)):
            used = await self._database.write(lambda tx: store.use_link(tx, secret_hash))
            if used is not None:
                self._throttle.forgive("", address)
                ceiling = math.inf if used.ceiling is None else used.ceiling
                return await self.open_session(_check_open(used.user), ceiling, way="link")
        log.warning("a login with a used or unknown link from %s", address)
        await self._failures.note(None, "link_used")
        raise NotSignedIn("link_used", field="code")

    async def make_link(self, user: User, ceiling: float = math.inf) -> tuple[str, float]:
        """A code that logs the user in once, and when it ends."""
        code = secrets.token_urlsafe(24)
        expires_at = min(self._clock() + self._settings.link_lifetime_s, ceiling)
        await self._database.write(
            lambda tx: store.add_link(tx, user.name, hash_secret(code), expires_at, _stored(ceiling))
        )
        return code, expires_at

    async def make_token(
        self, user: User, name: str, lifetime_s: float | None, ceiling: float = math.inf
    ) -> tuple[int, str]:
        """A new token's id and its secret, which is never shown again. Raises Forbidden."""
        secret = "danlu_" + secrets.token_urlsafe(32)
        expires_at = self.end_below(ceiling, lifetime_s)
        token_id = await self._database.write(
            lambda tx: store.add_token(tx, user.name, name, hash_secret(secret), expires_at)
        )
        return token_id, secret

    def end_below(self, ceiling: float, lifetime_s: float | None) -> float | None:
        """When something ends that shall last so long (None: for ever). Raises Forbidden where that is later
        than the end of what it is made with."""
        now = self._clock()
        end = math.inf if lifetime_s is None else now + lifetime_s
        if end > ceiling:
            raise Forbidden("outlives_token", field="lifetime_s", most_s=max(0, int(ceiling - now)))
        return _stored(end)

    async def list_tokens(self, user: User) -> list[store.Token]:
        return await self._database.read(lambda connection: store.list_tokens(connection, user.name))

    async def end_token(self, user: User, token_id: int) -> None:
        ended = await self._database.write(lambda tx: store.end_token(tx, user.name, token_id=token_id))
        if not ended:
            raise NotFound("no_such_token", token=token_id)
        self.forget_cached()

    async def end(self, identity: Identity) -> None:
        """Log out: the session or token that was presented is worth nothing from now on."""

        def write(tx: Transaction) -> None:
            store.end_session(tx, identity.user.name, identity.secret_hash)
            store.end_token(tx, identity.user.name, secret_hash=identity.secret_hash)

        await self._database.write(write)
        self.forget_cached()

    async def set_password(self, user: User, new: str, *, by: User, keep: str | None = None) -> None:
        """Set a password. Set by another user, it must be changed before anything else works.

        Every session and token of the user ends, except the one with the secret hash `keep`.
        """
        password_hash = await self._hashing.make(new)

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
        return await self._hashing.make(password)

    async def check_still(self, identity: Identity) -> None:
        """Whether the proof behind an open stream still counts for what it did when the stream began: not
        ended, its user not locked and in the same role. Raises NotSignedIn, Forbidden. The database is asked
        only when a user's rights have changed."""
        known = self._known.get(identity.secret_hash)
        if known is None:
            find = self._find_session if identity.csrf_token is not None else self._find_token
            found = await self._look_up(find, identity.secret_hash)
        else:
            found = known[1]
        if self._clock() >= found.expires_at:
            raise NotSignedIn("not_signed_in")
        if found.user.role is not identity.user.role:
            raise Forbidden("rights_changed")
        if found.user.role is Role.MENTOR and found.groups != identity.groups:
            # What is open may be of a group that is theirs no more; who asks again is looked at afresh.
            raise Forbidden("rights_changed")

    @contextmanager
    def watch(self, on_change: Callable[[], None]) -> Iterator[None]:
        """Have `on_change` called whenever a proof may have been ended."""
        self._watchers.add(on_change)
        try:
            yield
        finally:
            self._watchers.discard(on_change)

    def forget_cached(self) -> None:
        """A user's rights changed: look every user up again."""
        self._changes += 1
        self._known.clear()
        for on_change in self._watchers:
            on_change()

    def _recall(self, secret_hash: str) -> Identity | None:
        until, identity = self._known.get(secret_hash, (0.0, None))
        now = self._clock()
        return identity if identity is not None and until > now and identity.expires_at > now else None

    def _remember(self, identity: Identity) -> None:
        if len(self._known) > 10_000:
            self._known.clear()
        self._known[identity.secret_hash] = (self._clock() + CACHE_S, identity)

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


def _stored(end: float) -> float | None:
    return None if end == math.inf else end


def _concerns_groups(event: Event) -> bool:
    return event.kind is EventKind.GROUP_CHANGED or "group_name" in event.data.get("change", ())


def new_local_secret() -> str:
    return "danlu_local_" + secrets.token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """Random secrets of 256 bits need no slow hash."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _check_open(user: User | None) -> User:
    if user is None:
        raise NotSignedIn("not_signed_in")
    if user.locked:
        raise Forbidden("account_locked", name=user.name)
    return user
