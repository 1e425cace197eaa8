"""Keeps a picture of the server up to date, from threads of its own.

One thread follows the server's events; each makes the other one look again. Without events it looks at the
readings every two seconds, and no faster. A connection that breaks is told, and tried again for ever.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from danlu.cli.top.picture import JobsShown, Picture
from danlu.sdk.connecting.transport import Broken
from danlu.sdk.errors import ClientError
from danlu.sdk.following import follow_events

if TYPE_CHECKING:
    from danlu.sdk.client import Client

READINGS_S = 2.0
GAP_S = 0.4
"""Many events at once make one look."""
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 5.0
MOST_SHOWN = 200
RECENT = 20


class Feed:
    """`show` gets every new picture, `trouble` what is wrong with the connection (None: nothing any more).
    Both are called from threads."""

    def __init__(
        self,
        connect: Callable[[], Client],
        show: Callable[[Picture], None],
        trouble: Callable[[Exception | None], None],
    ) -> None:
        self._connect = connect
        self._show = show
        self._trouble = trouble
        self._news = threading.Event()
        self._closed = threading.Event()
        self._following = False
        self._mine = False

    def start(self) -> None:
        for work in (self._look, self._follow):
            # A thread that waits for the network must not keep the user from leaving.
            threading.Thread(target=work, name=work.__name__, daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        self._news.set()

    def look_again(self, *, mine: bool | None = None) -> None:
        if mine is not None:
            self._mine = mine
        self._news.set()

    def _follow(self) -> None:
        pause_s = FIRST_PAUSE_S
        while not self._closed.is_set():
            try:
                with self._connect() as client:
                    for _ in follow_events(client.api, "/events", {}):
                        # Also the first, which only says hello: what happened before it may be unseen.
                        self._following, pause_s = True, FIRST_PAUSE_S
                        self._news.set()
                        if self._closed.is_set():
                            return
            except (ClientError, Broken, OSError) as fault:
                self._trouble(fault)
            self._following = False
            self._closed.wait(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    def _look(self) -> None:
        client, jobs, pause_s = self._connect(), None, FIRST_PAUSE_S
        while not self._closed.is_set():
            news = self._news.is_set() or not self._following
            self._news.clear()
            try:
                if jobs is None or news:
                    jobs = self._read_jobs(client)
                picture = Picture(client.service.status(), tuple(client.nodes.list()), jobs)
            except (ClientError, Broken, OSError) as fault:
                jobs = None
                self._trouble(fault)
                self._closed.wait(pause_s)
                pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
                continue
            pause_s = FIRST_PAUSE_S
            self._trouble(None)
            self._show(picture)
            self._closed.wait(GAP_S)
            self._news.wait(READINGS_S - GAP_S)

    def _read_jobs(self, client: Client) -> JobsShown:
        mine = self._mine or None
        running = client.jobs.list(area="running", mine=mine, limit=MOST_SHOWN)
        waiting = client.jobs.list(area="waiting", mine=mine, limit=MOST_SHOWN)
        recent = client.jobs.list(area="history", mine=mine, limit=RECENT)
        # An array may be in two areas: it is one row, where some of it runs.
        seen = {row.ref for row in running.jobs}
        return JobsShown(
            tuple(running.jobs),
            tuple(row for row in waiting.jobs if row.ref not in seen),
            tuple(recent.jobs),
            {str(area): count for area, count in recent.counts.items()},
        )
