"""Sign-ins that failed, as the audit log keeps them: strangers cause these, so that they are bounded."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

from danlu.core.errors import DanluError
from danlu.core.events import EventKind
from danlu.core.user import User
from danlu.store.engine.database import Database, Transaction

log = logging.getLogger(__name__)

MOST = 20
WITHIN_S = 60.0


class FailedSignIns:
    """Writes at most `MOST` entries in `WITHIN_S` seconds, from whatever addresses they come; the next entry
    behind that says how many there were that were not written."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock
        self._written: deque[float] = deque(maxlen=MOST)
        self._unwritten = 0

    async def note(self, user: User | None, reason: str) -> None:
        """`user` is None where no account has the name that was typed. That is not kept: people type their
        password there by mistake."""
        now = self._clock()
        if len(self._written) == MOST and 0 <= now - self._written[0] < WITHIN_S:
            self._unwritten += 1
            return
        self._written.append(now)
        missed, self._unwritten = self._unwritten, 0
        name = user.name if user is not None else None

        def write(tx: Transaction) -> None:
            tx.record(EventKind.SIGN_IN_FAILED, user=name, reason=reason, not_written=missed)

        try:
            await self._database.write(write)
        except DanluError:
            # The answer to a wrong password does not depend on whether it can be noted.
            log.exception("a sign-in that failed could not be noted")
