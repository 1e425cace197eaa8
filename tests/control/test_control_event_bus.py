"""The bus hands events to all listeners, and leaves none waiting for ever."""

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
        assert not slow.take_overrun()
        bus.publish(some_events(1))
        bus.publish(some_events(1))
        assert await slow.next() == [], "what comes behind a gap waits until the gap was heard of"
        assert slow.take_overrun()
        bus.publish(some_events(1))
        assert len(await slow.next()) == 1
        assert not slow.take_overrun()
        assert not quick.take_overrun()
        assert len(await quick.next()) == 3


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


async def test_projections_are_called_at_the_commit_before_any_listener() -> None:
    bus, order = EventBus(), []
    listening = bus.listen({EventKind.STATE})
    bus.project({EventKind.STATE}, lambda events: order.append((events[0].id, len(listening.take()))))
    bus.publish(some_events(1))
    assert order == [(1, 0)]
    assert len(listening.take()) == 1


async def test_each_hears_only_the_kinds_that_it_declared() -> None:
    bus, noted = EventBus(), []
    bus.project({EventKind.NODE_UP}, noted.extend)
    of_job_2 = bus.listen({EventKind.STATE}, only=lambda event: event.job_id == 2)
    with bus.subscribe({EventKind.NODE_UP}) as of_nodes:
        up, second = Event(7, 0.0, EventKind.NODE_UP, node="kiln"), Event(8, 0.0, EventKind.STATE, job_id=2)
        bus.publish([*some_events(3), up, second])
        assert noted == of_nodes.take() == [up]
        assert of_job_2.take() == [second]
        bus.publish(some_events(1))
        waiting = asyncio.create_task(of_nodes.next())
        await asyncio.sleep(0)
        assert not waiting.done(), "what it did not ask for does not wake it"
        waiting.cancel()


async def test_events_that_are_not_for_a_listener_never_overrun_it() -> None:
    bus = EventBus()
    few = bus.listen({EventKind.NODE_UP}, longest=1)
    bus.publish(some_events(5))
    assert not few.take_overrun()


async def test_a_projection_that_fails_keeps_nothing_from_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bus, noted = EventBus(), []
    bus.project({EventKind.STATE}, lambda events: 1 / 0)
    bus.project({EventKind.STATE}, noted.extend)
    with bus.subscribe() as news:
        bus.publish(some_events(1))
        assert len(noted) == len(news.take()) == 1
    assert "could not take in" in caplog.text


async def test_a_close_ends_streams_and_not_the_parts_of_the_server() -> None:
    bus = EventBus()
    part = bus.listen({EventKind.STATE})
    bus.close()
    assert not part.closed
    bus.publish(some_events(1))
    assert len(await part.next()) == 1


async def test_commits_are_counted() -> None:
    bus = EventBus()
    bus.publish(some_events(3))
    bus.publish(some_events(1))
    assert bus.commits == 2
