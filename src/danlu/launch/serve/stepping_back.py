"""A server whose nodes follow another copy of its database: it acts no more, notes that down, and says so."""

from __future__ import annotations

import asyncio
import logging
import time

from starlette.types import ASGIApp, Receive, Scope, Send

from danlu.api.errors import problem_response
from danlu.core.errors import Unavailable
from danlu.store.engine.database import Database
from danlu.store.engine.out_of_use import OutOfUse, OutOfUseReason, put_out_of_use
from danlu.wording.catalogue import language_of_header

log = logging.getLogger(__name__)


class SteppingBack:
    """Begun by the first node that proves it; once it `has_begun`, nothing is scheduled any more."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writing: asyncio.Task[None] | None = None
        self._refusal: Unavailable | None = None
        self._is_done = asyncio.Event()

    @property
    def has_begun(self) -> bool:
        return self._writing is not None

    async def wait(self) -> Unavailable:
        """What every request is to be answered, once it has come to that."""
        await self._is_done.wait()
        assert self._refusal is not None  # noqa: S101 - set before the event
        return self._refusal

    def begin(self, fence: int) -> None:
        """A node has proved that it followed a server with this fence, from another copy."""
        if self._writing is None:
            mark = OutOfUse(OutOfUseReason.SUPERSEDED, time.time(), fence=fence)
            self._writing = asyncio.create_task(self._write_down(mark))

    async def _write_down(self, mark: OutOfUse) -> None:
        """So that no other server of this database begins to lead either, and none after a restart."""
        try:
            await self._database.write(lambda tx: put_out_of_use(tx.connection, mark))
        except Unavailable as problem:
            # Another server has the database, and finds out by itself.
            log.warning("it was not written down that the database is out of use: %s", problem.code)
        self._refusal = mark.refusal()
        self._is_done.set()


def refusing(refusal: Unavailable) -> ASGIApp:
    """Answers every request with this."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            said = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
            language = language_of_header(said.decode("latin-1"))
            await problem_response(language, 503, refusal.code, **refusal.facts)(scope, receive, send)

    return answer
