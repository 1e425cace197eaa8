"""Answers that take their time: logs, events, downloads, and requests that wait for something.

Each ends at once when who asked for it may no longer have it, whichever route it is of: to the route it is as
if they had hung up. A route that waits listens for that anyway, so none has to think of rights.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Iterable
from contextlib import AsyncExitStack

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from danlu.api.errors import problem_response
from danlu.api.sender import JobSender, Sender, sender_of
from danlu.control.control import Control
from danlu.control.identity.access import Access, Identity
from danlu.core.errors import DanluError, NotSignedIn, TooMany
from danlu.wording.catalogue import language_of_header

MOST_PER_USER = 512
LARGE = 1 << 20
"""An answer that is longer takes its time."""
WAIT_S = 5
MARGIN_S = 0.05
_WITH_ENDS = (b"text/event-stream", b"application/octet-stream")
"""Streams whose readers know when something is missing: each has an event, or a record, for its end."""
_HANG_UP: Message = {"type": "http.disconnect"}


class OpenStreams:
    """Stands around the application, and knows how many streams each user has open."""

    def __init__(self, app: ASGIApp, access: Access, control: Control) -> None:
        self._app = app
        self.access = access
        self.control = control
        self.open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope.setdefault("state", {})
        async with AsyncExitStack() as stack:
            exchange = _WatchedExchange(self, scope, receive, send, stack)
            await self._app(scope, exchange.receive, exchange.send)
            await exchange.finish()

    async def check(self, sender: Sender) -> None:
        """Raises what the sender would be told now."""
        if isinstance(sender, JobSender):
            await self.control.job_secrets.identify(sender.secret)
        else:
            await self.access.check_still(sender)


class _WatchedExchange:
    """One request and its answer."""

    def __init__(
        self, streams: OpenStreams, scope: Scope, receive: Receive, send: Send, stack: AsyncExitStack
    ) -> None:
        self._streams = streams
        self._scope = scope
        self._receive = receive
        self._send = send
        self._stack = stack
        self._has_whole_request = False
        self._doubt: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[DanluError] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._changed = False
        self._told = False
        self._ends_cleanly = False
        self._started = False

    async def receive(self) -> Message:
        if not self._has_whole_request:
            message = await self._receive()
            self._has_whole_request = not message.get("more_body", False)
            return message
        # Nothing more is to come: a route that asks for more waits for the sender to hang up.
        sender = sender_of(self._scope)
        if sender is None:
            return await self._receive()
        ended = self._watch(sender)
        receiving = asyncio.ensure_future(self._receive())
        try:
            await asyncio.wait((receiving, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            receiving.cancel()
        return _HANG_UP if ended.done() else receiving.result()

    async def send(self, message: Message) -> None:
        if self._doubt is not None:
            # Nothing leaves while it is not known whether it still may.
            await asyncio.wait((self._doubt,))
        if message["type"] == "http.response.start":
            self._note_start(message["headers"])
        if self._has_ended():
            return
        self._started = True
        self._told = message["type"] == "http.response.body" and not message.get("more_body", False)
        await self._send(message)

    async def _refuse(self, refusal: DanluError) -> None:
        said = dict(self._scope["headers"]).get(b"accept-language", b"").decode("latin-1")
        answer = problem_response(language_of_header(said), refusal.status, refusal.code, **refusal.facts)
        await answer(self._scope, self._receive, self._send)

    async def finish(self) -> None:
        """The route is done. If it was hung up on, its answer has yet to end."""
        if self._ended is None or not self._ended.done() or self._told:
            return
        if not self._started:
            await self._refuse(self._ended.result())
        elif self._ends_cleanly:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        # Else the connection breaks off: what is missing must not look like its end.

    def _note_start(self, headers: Iterable[tuple[bytes, bytes]]) -> None:
        said = dict(headers)
        length = said.get(b"content-length")
        sender = sender_of(self._scope)
        if sender is not None and (length is None or int(length) > LARGE):
            self._count(sender)
        kind = said.get(b"content-type", b"")
        self._ends_cleanly = length is None and kind.startswith(_WITH_ENDS)

    def _count(self, sender: Sender) -> None:
        user = sender.owner if isinstance(sender, JobSender) else sender.user.name
        counted = self._streams.open
        if counted[user] >= MOST_PER_USER:
            self._watch(sender)
            self._end(TooMany("too_many_streams", most=MOST_PER_USER, wait_s=WAIT_S))
            return
        counted[user] += 1

        def let_go() -> None:
            counted[user] -= 1
            if not counted[user]:
                del counted[user]

        self._stack.callback(let_go)

    def _watch(self, sender: Sender) -> asyncio.Future[DanluError]:
        """Done when the sender may no longer have the answer."""
        if self._ended is not None:
            return self._ended
        loop = asyncio.get_running_loop()
        self._ended = ended = loop.create_future()
        self._stack.callback(self._stop_looking)
        self._stack.enter_context(self._streams.access.watch(lambda: self._look(sender)))
        self._look_in_time(sender)
        return ended

    def _look_in_time(self, sender: Sender) -> None:
        """What the sender has shown may count until some time only."""
        if isinstance(sender, Identity) and sender.expires_at < math.inf:
            left_s = sender.expires_at - self._streams.control.clock()
            # A little later: the clock that says when may go differently from that of the timer.
            self._timer = asyncio.get_running_loop().call_later(left_s + MARGIN_S, self._look, sender)

    def _look(self, sender: Sender) -> None:
        self._changed = True
        if self._doubt is None:
            self._doubt = asyncio.create_task(self._decide(sender))

    async def _decide(self, sender: Sender) -> None:
        try:
            while self._changed:
                # What changes while it is looked at has to be looked at again.
                self._changed = False
                await self._streams.check(sender)
            if self._timer is not None and self._timer.when() <= asyncio.get_running_loop().time():
                self._look_in_time(sender)
        except DanluError as refusal:
            self._end(refusal)
        except Exception:
            # Whether they still may cannot be told: a client that may asks again.
            self._end(NotSignedIn("not_signed_in"))
            raise
        finally:
            self._doubt = None

    def _has_ended(self) -> bool:
        return self._ended is not None and self._ended.done()

    def _end(self, refusal: DanluError) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(refusal)

    def _stop_looking(self) -> None:
        for each in (self._doubt, self._timer):
            if each is not None:
                each.cancel()
