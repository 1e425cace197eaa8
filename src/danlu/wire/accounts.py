"""Accounts, sessions and tokens on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import Ge, Le, MaxLen

from danlu.wire.fields import STRICT, Email, Name, Password, Seconds, Secret, ShortText, StudentId, UserName

Role = Literal["member", "mentor", "admin", "viewer"]
Language = Literal["en", "zh"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginRequest:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    name: UserName
    password: Secret


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkLogin:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    code: Secret


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordChange:
    """`old` may be left out only while no password has been set."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    new: Password
    old: Secret | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    name: str
    role: Role
    must_change_password: bool
    csrf_token: str | None
    """Send it as X-CSRF-Token with every change made in a browser session; null for token users."""
    may_read_server_log: bool = False
    has_password: bool = False
    """Who has none signs in by one-time links."""
    runs_as: str | None = ""
    """The Unix account that their jobs run as; null where there is none that they could. Earlier servers do
    not say."""
    runs_all_as_one: bool = False
    """The server is not root: the jobs of all users run as that account."""
    leads: list[str] = field(default_factory=list)
    """The groups that they lead as a mentor."""
    last_event: int | None = None
    """The newest event by now: following the events behind it misses nothing of what is asked for later.
    Earlier servers do not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRequest:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    name: Name
    lifetime_s: Seconds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRow:
    id: int
    name: str
    created_at: float
    expires_at: float | None
    last_used_at: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    """`secret` is shown this once."""

    id: int
    name: str
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginToken:
    """What a password gets the command line: a token of its own."""

    name: str
    secret: str
    must_change_password: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginLink:
    """A link that logs its maker in once. The code stands behind a '#', so no server log ever sees it."""

    url: str
    expires_at: float
    elsewhere: list[str] = field(default_factory=list)
    """The same link by every address at which another device may reach this server, the likeliest first.
    Empty: no other device can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewUser:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    name: UserName
    password: Password
    role: Role = "member"
    unix_account: Name | None = None
    group: UserName | None = None
    full_name: ShortText = ""
    student_id: StudentId = ""
    email: Email = ""
    language: Language | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UserEdit:
    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    role: Role | None = None
    priority: Annotated[float, Ge(-1e6), Le(1e6)] | None = None
    locked: bool | None = None
    password: Password | None = None
    unix_account: Name | None = None
    group: UserName | None = None
    full_name: ShortText | None = None
    student_id: StudentId | None = None
    email: Email | None = None
    language: Language | None = None
    clear: Annotated[list[Literal["unix_account", "group", "language"]], MaxLen(3)] = field(
        default_factory=list
    )
    """What shall be unset: `unix_account` leaves the user without one, `group` in none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserRow:
    name: str
    role: Role
    priority: float
    locked: bool
    unix_account: str | None
    created_at: float
    group: str | None = None
    full_name: str = ""
    student_id: str = ""
    email: str = ""
    language: Language | None = None
    waiting: int = 0
    """How many jobs of theirs wait."""
    running: int = 0
    last_seen_at: float | None = None
    """About when they last asked for anything; null: not since this server started, and by no token of theirs
    before."""
