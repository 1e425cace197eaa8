"""Answers that many ask for again and again: made once for each state of the cluster, then handed out.

A page that is open in twenty browsers costs the database what it costs in one. An answer is given again only
to the same user, and only while nothing was committed and no pass has run since it was made; and never for
longer than a second, since some sentences in it count seconds.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request, Response
from pydantic import TypeAdapter
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from danlu.api.auth import secret_of
from danlu.api.errors import language_of
from danlu.api.sender import note_sender
from danlu.control.control import Control
from danlu.control.identity.access import Access
from danlu.core.user import User
from danlu.wording.catalogue import Language, language_of_header

LONGEST_S = 1.0
MOST_BYTES = 16 << 20
MOST_FACTS = 1000

T = TypeVar("T")

Key = tuple[Any, ...]


class Answers:
    def __init__(self, control: Control) -> None:
        self._control = control
        self._made: OrderedDict[Key, tuple[float, bytes]] = OrderedDict()
        self._making: dict[Key, asyncio.Future[bytes]] = {}
        self._bytes = 0
        self._facts: dict[Key, Any] = {}
        self._facts_of: Key = ()

    async def fact(self, key: Key, find: Callable[[], Awaitable[T]]) -> T:
        """Something that is so as long as nothing is committed: looked up once."""
        state = self._control.state_number[:1]
        if state != self._facts_of or len(self._facts) > MOST_FACTS:
            self._facts, self._facts_of = {}, state
        if key in self._facts:
            return self._facts[key]  # type: ignore[no-any-return]
        facts, found = self._facts, await find()
        facts[key] = found
        return found

    async def give(
        self, request: Request, user: User, model: Any, make: Callable[[], Awaitable[Any]]
    ) -> Response:
        """The answer to this request of this user, as JSON of `model`."""
        key = self._key(request.scope, language_of(request), user)
        if (made := self._recall(key)) is not None:
            return _respond(made)
        if key in self._making:
            return _respond(await asyncio.shield(self._making[key]))
        making: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._making[key] = making
        try:
            body = _adapter(model).dump_json(await make())
        except BaseException as error:
            if isinstance(error, Exception):
                making.set_exception(error)
                making.exception()  # requests that wait get it as well; there may be none
            else:
                making.cancel()
            raise
        else:
            making.set_result(body)
            self._keep(key, body)
            return _respond(body)
        finally:
            del self._making[key]

    def recall(self, scope: Scope, language: Language, user: User) -> bytes | None:
        """The answer to this question of this user, if it was made a moment ago and still holds."""
        return self._recall(self._key(scope, language, user))

    def _key(self, scope: Scope, language: Language, user: User) -> Key:
        state = self._control.state_number
        return scope["path"], scope["query_string"], language, user.name, user.role, state

    def _recall(self, key: Key) -> bytes | None:
        made = self._made.get(key)
        return made[1] if made is not None and time.monotonic() - made[0] <= LONGEST_S else None

    def _keep(self, key: Key, body: bytes) -> None:
        before = self._made.pop(key, None)
        self._bytes += len(body) - (len(before[1]) if before else 0)
        self._made[key] = (time.monotonic(), body)
        while self._bytes > MOST_BYTES:
            _, (_, oldest) = self._made.popitem(last=False)
            self._bytes -= len(oldest)


class QuickAnswers:
    """Answers a question that was just answered without asking the application again: the same user, proved
    by the same secret, which was looked up a moment ago and would be taken for good now as well."""

    def __init__(self, app: ASGIApp, answers: Answers, access: Access) -> None:
        self._app = app
        self._answers = answers
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = self._recall(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        if body is None:
            await self._app(scope, receive, send)
        else:
            await _respond(body)(scope, receive, send)

    def _recall(self, scope: Scope) -> bytes | None:
        headers = Headers(scope=scope)
        secret = secret_of(headers)
        identity = self._access.recall(secret) if secret else None
        if identity is None or identity.user.must_change_password:
            return None
        note_sender(scope, identity)
        language = language_of_header(headers.get("accept-language"))
        return self._answers.recall(scope, language, identity.user)


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _respond(body: bytes) -> Response:
    return Response(body, media_type="application/json")


async def get_answers(request: Request) -> Answers:
    answers: Answers = request.app.state.answers
    return answers


TheAnswers = Annotated[Answers, Depends(get_answers)]
