"""The bus tells everybody who listens, and lets nobody hang."""

from __future__ import annotations

import asyncio

import pytest

from danlu.control.event_bus import LONGEST_BACKLOG, EventBus
from danlu.core.events import Event, EventKind


def some_events(count: int, first: int = 1) -> list[Event]:
    return [Event(first + n, 0.0, EventKind.STATE, job_id=1) for n in range(count)]


async def test_every_listener_hears_everything_since_it_began_to_listen() -> None:
    bus = EventBus()
    bus.publish(some_events(1))
    with bus.subscribe() as early, bus.subscribe() as other:
        bus.publish(some_events(2, first=2))
        bus.publish(some_events(1, first=4))
        assert [event.id for event in await early.next()] == [2, 3, 4]
        assert [event.id for event in await other.next()] == [2, 3, 4]


async def test_a_listener_waits_until_there_is_news() -> None:
    bus = EventBus()
    with bus.subscribe() as news:
        waiting = asyncio.create_task(news.next())
        await asyncio.sleep(0)
        assert not waiting.done()
        bus.publish(some_events(1))
        assert len(await waiting) == 1


async def test_a_listener_too_slow_is_told_to_look_for_itself() -> None:
    bus = EventBus()
    with bus.subscribe() as slow, bus.subscribe() as quick:
        bus.publish(some_events(LONGEST_BACKLOG))
        assert len(await quick.next()) == LONGEST_BACKLOG
        assert not slow.overrun
        bus.publish(some_events(1))
        assert slow.overrun
        assert await slow.next() == []
        assert not quick.overrun
        assert len(await quick.next()) == 1


async def test_whoever_left_is_told_nothing_more() -> None:
    bus = EventBus()
    with bus.subscribe() as news:
        pass
    bus.publish(some_events(1))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(news.next(), 0.01)


async def test_closing_ends_every_stream_after_its_last_events() -> None:
    bus = EventBus()
    with bus.subscribe() as busy, bus.subscribe() as idle:
        waiting = asyncio.create_task(idle.next())
        await asyncio.sleep(0)
        bus.publish(some_events(1))
        bus.close()
        assert len(await waiting) == 1
        assert len(await busy.next()) == 1
        for news in (busy, idle):
            assert news.closed
            assert await news.next() == []
            assert await news.next() == []


async def test_whoever_comes_after_the_close_does_not_wait() -> None:
    bus = EventBus()
    bus.close()
    with bus.subscribe() as late:
        assert late.closed
        assert await late.next() == []
