"""Who leads, measured by one's own clock: the leader's lease, and the vigil of those that stand by.

A leader counts its lease from before it asked for it, a standby from after it saw it. So the leader has
stopped acting before any standby begins, whatever the clocks on the walls say.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from danlu.control.event_bus import EventBus
from danlu.core.errors import Unavailable
from danlu.launch.locations import write_private
from danlu.store.engine.database import Database
from danlu.store.engine.engines import host_of_session
from danlu.store.engine.out_of_use import OutOfUseReason
from danlu.store.leadership import Leader, renew_lead

log = logging.getLogger(__name__)

LEASE_S = 8.0
VARIABLE = "DANLU_LEADER_LEASE_S"
"""For tests: all servers of an installation must have the same."""
RENEWALS = 4
"""How many times within a lease it is renewed."""
MARGIN = 1 / 16
"""Two clocks do not run at quite the same speed."""
RETRY_S = 0.25

_GONE = ("not_leading", "database_taken", *OutOfUseReason)


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is reached: `url` by people and other servers (behind a `#` the fingerprint of its key),
    `messages` by agents."""

    url: str
    messages: str = ""


@dataclass(frozen=True, slots=True)
class Leading:
    """What a server has that leads: the database to write to, with the bus of what it commits, and the number
    of its leadership."""

    database: Database
    bus: EventBus
    fence: int
    lease: LeaderLease
    peers: Callable[[], Sequence[str]]
    """Where agents reach the other servers."""
    other_urls: Callable[[], Sequence[str]] = tuple
    """Where people, and jobs, do."""
    previous: int = 0
    """The number of the leadership before, from this database."""


def lease_time(environment: dict[str, str] | os._Environ[str] = os.environ) -> float:
    return float(environment.get(VARIABLE) or LEASE_S)


def server_id(data: Path) -> str:
    """What the server of a data folder is known by among the servers of a database."""
    file = data / "server-id"
    if not file.exists():
        write_private(file, secrets.token_hex(4) + "\n")
    return file.read_text().strip()


def boot_time() -> float:
    """Also goes on while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Vigil:
    """How long a leader has not been heard of. Pure: it is told what was seen, and when."""

    def __init__(self, own_id: str, host: str, lease_s: float) -> None:
        self._own_id = own_id
        self._host = host
        self._lease_s = lease_s * (1 + MARGIN)
        self._seen: tuple[int, float] | None = None
        self._since = 0.0

    def note(self, leader: Leader | None, now: float) -> bool:
        """Whether it is time to take over from `leader`, who was seen `now`."""
        if leader is None or not leader.holder:
            return True
        if leader.is_of(self._own_id) and host_of_session(leader.holder) == self._host:
            # An earlier process of this very data folder, and only one has the folder at a time. A copy of it
            # on another machine is another server.
            return True
        seen = (leader.fence, leader.renewed_at)
        if seen != self._seen:
            self._seen, self._since = seen, now
        return now - self._since >= self._lease_s


class LeaderLease:
    """The right to act, until it ends. Code that acts on it asks `holds` just before."""

    def __init__(self, lease_s: float, granted_at: float) -> None:
        self.lease_s = lease_s
        self._until = granted_at + lease_s
        self._over = False
        self.succeeded = False
        """It was lost to another server, and not because the database does not answer."""

    def holds(self) -> bool:
        return not self._over and boot_time() < self._until

    def end(self) -> None:
        self._over = True

    async def keep(self, database: Database, fence: int, address: Callable[[], Address]) -> None:
        """Renew it, again and again; return when it is lost."""
        while self.holds():
            asked_at, here = boot_time(), address()
            try:
                async with asyncio.timeout(max(0.0, self._until - boot_time())):
                    await database.write(
                        partial(renew_lead, fence=fence, url=here.url, messages=here.messages)
                    )
            except TimeoutError:
                log.error("the leadership was not renewed in time: the database does not answer")
                break
            except Unavailable as problem:
                if problem.code in _GONE:
                    log.error("the leadership was not renewed: %s", problem.code)
                    self.succeeded = True
                    break
                log.warning("the leadership was not renewed: %s", problem.fact("reason") or problem.code)
                await asyncio.sleep(RETRY_S)
            else:
                self._until = asked_at + self.lease_s
                await asyncio.sleep(self.lease_s / RENEWALS)
        self.end()
