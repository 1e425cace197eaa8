"""The one way by which the parts of a server hear of what was committed.

There are two kinds of hearing, and each part declares by kind of event which it wants when it is made:

- A *projection* is a picture kept in memory that must include all that was committed: it is called at the
  commit, in order, before any listener. It only notes; it waits for nothing and asks nothing.
- A *listener* has a bounded queue that it empties in its own time. One that is too slow loses the queue, is
  told that it was overrun, and looks for itself. It never holds up a commit.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from danlu.core.events import FOR_ADMINS, OF_ACCOUNTS, Event, EventKind

log = logging.getLogger(__name__)

LONGEST_BACKLOG = 10_000

ALL_KINDS = frozenset(EventKind)
NO_KINDS: frozenset[EventKind] = frozenset()
"""For a listener that only wants to know when the server stops."""
SCHEDULING_KINDS = ALL_KINDS - ({EventKind.TASK, *FOR_ADMINS, *OF_ACCOUNTS} - {EventKind.USER_CHANGED})
"""What may change which job starts next, and where. What an attempt holds, all of its tasks hold until the
last of them has ended."""
JOB_KINDS = frozenset(kind for kind in EventKind if kind.value.startswith("job."))
NODE_KINDS = frozenset(kind for kind in EventKind if kind.value.startswith("node."))

Projection = Callable[[list[Event]], None]
Only = Callable[[Event], bool]


def _any(_: Event) -> bool:
    return True


class Subscription:
    """The events of some kinds since the subscription began; with `only`, those of them that it lets pass.

    `closed` means no more will come.
    """

    def __init__(self, kinds: Collection[EventKind], only: Only, longest: int) -> None:
        self._kinds = frozenset(kinds)
        self._only = only
        self._longest = longest
        self._events: list[Event] = []
        self._news = asyncio.Event()
        self._overrun = False
        self.closed = False

    def put(self, events: list[Event]) -> None:
        wanted = [event for event in events if event.kind in self._kinds and self._only(event)]
        if not wanted:
            return
        if self._overrun or len(self._events) + len(wanted) > self._longest:
            # What comes behind a gap is no use before the listener has heard of the gap.
            self._overrun = True
            self._events.clear()
        else:
            self._events += wanted
        self._news.set()

    def nudge(self) -> None:
        """Have `next` return, though nothing happened: there is something else to look at."""
        self._news.set()

    def close(self) -> None:
        self.closed = True
        self._news.set()

    async def next(self) -> list[Event]:
        """All that happened since the last call; empty only when nudged, overrun or closed."""
        await self._news.wait()
        return self.take()

    def take(self) -> list[Event]:
        """The same without waiting for anything."""
        if not self.closed:
            self._news.clear()
        events, self._events = self._events, []
        return events

    def take_overrun(self) -> bool:
        """Whether events were lost since this was last asked: then whatever they said has to be looked up."""
        overrun, self._overrun = self._overrun, False
        return overrun


class EventBus:
    """`commits` grows with everything that is committed."""

    def __init__(self) -> None:
        self.commits = 0
        self._projections: list[tuple[frozenset[EventKind], Projection]] = []
        self._listeners: list[Subscription] = []
        self._streams: set[Subscription] = set()
        self._closed = False

    def project(self, kinds: Collection[EventKind], note: Projection) -> None:
        """Have `note` called with the events of these kinds at their commit, before any listener hears of
        them."""
        self._projections.append((frozenset(kinds), note))

    def listen(
        self, kinds: Collection[EventKind], *, only: Only = _any, longest: int = LONGEST_BACKLOG
    ) -> Subscription:
        """A queue of the events of these kinds for a part of the server, as long as that is there. A close
        does not reach it: the server ends its parts itself."""
        subscription = Subscription(kinds, only, longest)
        self._listeners.append(subscription)
        return subscription

    @contextmanager
    def subscribe(self, kinds: Collection[EventKind] = ALL_KINDS) -> Iterator[Subscription]:
        """A queue for a while: for a request, a stream, or whatever else waits for something to happen."""
        subscription = Subscription(kinds, _any, LONGEST_BACKLOG)
        if self._closed:
            subscription.close()
        self._streams.add(subscription)
        try:
            yield subscription
        finally:
            self._streams.discard(subscription)

    def publish(self, events: list[Event]) -> None:
        """These were committed."""
        self.commits += 1
        for kinds, note in self._projections:
            if wanted := [event for event in events if event.kind in kinds]:
                try:
                    note(wanted)
                except Exception:
                    # One picture that is wrong must not keep the others from being right.
                    log.exception("a projection could not take in %d events", len(wanted))
        for subscription in (*self._listeners, *self._streams):
            subscription.put(events)

    def close(self) -> None:
        """The server stops: every open stream ends by itself."""
        self._closed = True
        for subscription in self._streams:
            subscription.close()
