"""Where an act comes from: noted when a request shows whose it is, and written with what the request changes.

It travels in a context variable, from the request through every task that it starts to the store: so that no
way of changing something can forget to hand it on.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum


class Via(StrEnum):
    SESSION = "session"
    """A browser that is signed in."""
    TOKEN = "token"  # noqa: S105 (a word, no secret)
    LOCAL = "local"
    """The token of who started a server, which the data folder holds: the command line on that machine."""
    SIGN_IN = "sign-in"
    """A request that shows a password or a link, or nothing yet."""
    SERVER = "server"
    """No request: the server itself, or a machine that joins."""


@dataclass(frozen=True, slots=True)
class Origin:
    via: Via
    address: str = ""


SERVER = Origin(Via.SERVER)

acting_from: ContextVar[Origin] = ContextVar("acting_from", default=SERVER)
