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

from danlu.api.errors import language_of
from danlu.control.control import Control
from danlu.core.user import User

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
        state = self._control.state_number
        key = (request.url.path, request.url.query, language_of(request), user.name, user.role, state)
        made = self._made.get(key)
        if made is not None and time.monotonic() - made[0] <= LONGEST_S:
            return _respond(made[1])
        if key in self._making:
            return _respond(await asyncio.shield(self._making[key]))
        making: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self._making[key] = making
        try:
            body = _adapter(model).dump_json(await make())
        except BaseException as error:
            if isinstance(error, Exception):
                making.set_exception(error)
                making.exception()  # whoever waits gets it as well; nobody may be waiting
            else:
                making.cancel()
            raise
        else:
            making.set_result(body)
            self._keep(key, body)
            return _respond(body)
        finally:
            del self._making[key]

    def _keep(self, key: Key, body: bytes) -> None:
        before = self._made.pop(key, None)
        self._bytes += len(body) - (len(before[1]) if before else 0)
        self._made[key] = (time.monotonic(), body)
        while self._bytes > MOST_BYTES:
            _, (_, oldest) = self._made.popitem(last=False)
            self._bytes -= len(oldest)


@cache
def _adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def _respond(body: bytes) -> Response:
    return Response(body, media_type="application/json")


async def get_answers(request: Request) -> Answers:
    answers: Answers = request.app.state.answers
    return answers


TheAnswers = Annotated[Answers, Depends(get_answers)]
