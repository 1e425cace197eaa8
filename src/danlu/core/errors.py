"""Everything that can be wrong with a request.

    DanluError
    ├── Invalid          the request itself is wrong: names the field            (422)
    ├── NotSignedIn      no, or no longer valid, credentials                     (401)
    ├── Forbidden        it is not theirs                                        (403)
    ├── NotFound         there is no such thing (or none they may know of)       (404)
    ├── Conflict         it is not in a state that allows this                   (409)
    ├── TooLarge         more bytes than we take                                 (413)
    ├── TooMany          too many tries; carries when to come back               (429)
    └── Unavailable      we cannot do it now (stopping, node unreachable)        (503)

An error carries a `code` and facts, never a sentence: `danlu.wording` has the sentence and the remedy
in every language, under `error.CODE` and `hint.CODE`.
"""

from __future__ import annotations

from typing import Any


class DanluError(Exception):
    status = 500

    def __init__(self, code: str, *, field: str | None = None, **facts: Any) -> None:
        super().__init__(code, field, facts)
        self.code = code
        self.field = field
        self.facts = facts

    def fact(self, name: str) -> str:
        """One of its facts, as text; empty where this error has none of that name. Errors of one kind differ
        in their facts: code takes none out of `facts` by its name."""
        value = self.facts.get(name)
        return "" if value is None else str(value)


class Invalid(DanluError):
    status = 422


class NotSignedIn(DanluError):
    status = 401


class Forbidden(DanluError):
    status = 403


class NotFound(DanluError):
    status = 404


class Conflict(DanluError):
    status = 409


class TooLarge(DanluError):
    status = 413


class TooMany(DanluError):
    status = 429


class Unavailable(DanluError):
    status = 503
