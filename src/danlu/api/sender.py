"""Who sent a request, noted on it as soon as they have shown who they are: the code that holds the
connection, or sends the answer, has to know."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.types import Scope

from danlu.control.identity.access import Identity

_SENDER = "danlu_sender"
_KNOWN = "danlu_known"


@dataclass(frozen=True, slots=True)
class JobSender:
    """A job, by its secret."""

    secret: str
    owner: str


Sender = Identity | JobSender


def note_sender(scope: Scope, sender: Sender) -> None:
    state = scope.setdefault("state", {})
    state[_SENDER] = sender
    state[_KNOWN] = True


def note_known(scope: Scope) -> None:
    """The connection is no stranger's: it is that of another server of ours, or was vouched for by one."""
    scope.setdefault("state", {})[_KNOWN] = True


def sender_of(scope: Scope) -> Sender | None:
    sender: Sender | None = scope.get("state", {}).get(_SENDER)
    return sender


def is_known(scope: Scope) -> bool:
    return _KNOWN in scope.get("state", {})
