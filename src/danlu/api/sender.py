"""Who sent a request, noted on it as soon as they have shown who they are: whoever holds the connection, or
sends the answer, has to know."""

from __future__ import annotations

from starlette.types import Scope

from danlu.control.access import Identity

_SENDER = "danlu_sender"
_KNOWN = "danlu_known"


def note_sender(scope: Scope, identity: Identity) -> None:
    state = scope.setdefault("state", {})
    state[_SENDER] = identity
    state[_KNOWN] = True


def note_known(scope: Scope) -> None:
    """It is no stranger's, whoever's it is: a job's, or another server's."""
    scope.setdefault("state", {})[_KNOWN] = True


def sender_of(scope: Scope) -> Identity | None:
    sender: Identity | None = scope.get("state", {}).get(_SENDER)
    return sender


def is_known(scope: Scope) -> bool:
    return _KNOWN in scope.get("state", {})
