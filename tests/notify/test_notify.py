"""Who is told what, and channels that fail."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from danlu.control.event_bus import EventBus
from danlu.core.events import Event, EventKind
from danlu.core.job_id import element_id
from danlu.notify.delivery import Delivery
from danlu.notify.notification import LISTENED, Notification, NotificationKind, notification_of
from danlu.notify.notifier import Notifier
from danlu.wording.catalogue import Language
from tests.notify.channels import FailingTwiceChannel, NeverChannel, RecordingChannel


def state(after: str, number: int = 1, job_id: int = 7, **data: Any) -> Event:
    told = {"owner": "bo", "before": "running", "after": after, **data}
    return Event(number, 1_000.0, EventKind.STATE, job_id, attempt=2, actor="ann", data=told)


def english(_: str) -> Language:
    return "en"


def a_notification(number: int = 1) -> Notification:
    found = notification_of(state("failed", number, job_id=number), english)
    assert found is not None
    return found


class History:
    """What the database has."""

    def __init__(self, *events: Event) -> None:
        self.events = list(events)

    async def known(self) -> tuple[int, int]:
        return 0, 0

    async def after(self, seen: int, limit: int) -> tuple[list[Event], int]:
        return [event for event in self.events if event.id > seen][:limit], 0


@asynccontextmanager
async def running(*parts: Any) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(part.run()) for part in parts]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class TestWhoIsToldWhat:
    @pytest.mark.parametrize(
        ("after", "kind"),
        [
            ("running", "started"),
            ("succeeded", "succeeded"),
            ("failed", "failed"),
            ("cancelled", "cancelled"),
        ],
    )
    def test_the_owner_is_told_of_starts_and_ends(self, after: str, kind: str) -> None:
        told = notification_of(state(after, end_reason="exit_code"), english)
        assert told is not None
        assert (told.user, told.kind, told.language) == ("bo", NotificationKind(kind), "en")
        assert "7" in told.title
        assert "7" in told.body
        assert told.facts == {
            "job": "7",
            "attempt": 2,
            "state": after,
            "end_reason": "exit_code",
            "actor": "ann",
            "at": 1_000.0,
        }

    def test_in_their_own_language(self) -> None:
        told = notification_of(state("failed"), lambda user: "zh" if user == "bo" else "en")
        assert told is not None
        assert told.title == "任务 7 已失败"

    @pytest.mark.parametrize(
        "event",
        [
            state("waiting"),
            state("starting"),
            state("deleted"),
            state("failed", job_id=element_id(7, 3)),
            Event(1, 0.0, EventKind.NODE_LOST, node="kiln"),
            Event(1, 0.0, EventKind.SUBMITTED, 7, data={"owner": "bo", "state": "waiting"}),
        ],
        ids=["waits", "begins", "is deleted", "an element of an array", "a node", "a submission"],
    )
    def test_of_nothing_else(self, event: Event) -> None:
        assert notification_of(event, english) is None


class TestDelivery:
    async def test_a_channel_that_fails_is_tried_again_after_growing_pauses(self) -> None:
        channel, pauses = FailingTwiceChannel(), []

        async def note_pause(pause_s: float) -> None:
            pauses.append(pause_s)

        delivery = Delivery(channel, pauses_s=(1.0, 5.0), sleep=note_pause)
        delivery.put(a_notification())
        async with running(delivery):
            await channel.until(1)
        assert (channel.sent, pauses) == ([a_notification()], [1.0, 5.0])

    async def test_one_that_goes_on_failing_loses_that_notification_and_no_other(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        channel = FailingTwiceChannel()
        delivery = Delivery(channel, pauses_s=(0.0,))
        delivery.put(a_notification(1))
        delivery.put(a_notification(2))
        async with running(delivery):
            await channel.until(1)
        assert channel.sent == [a_notification(2)]
        assert "failing twice was not told that job 1 failed: ConnectionError" in caplog.text
        assert "hunter2" not in caplog.text

    async def test_a_channel_that_never_answers_holds_up_no_other(self) -> None:
        never, good = Delivery(NeverChannel(), longest=2), Delivery(channel := RecordingChannel())
        bus = EventBus()
        with bus.subscribe(LISTENED) as news:
            notifier = Notifier(news, History(), [never, good])
            async with running(notifier):
                await asyncio.sleep(0)
                for number in range(1, 6):
                    bus.publish([state("failed", number)])
                await channel.until(5)

    async def test_one_that_never_answers_is_given_up(self, caplog: pytest.LogCaptureFixture) -> None:
        delivery = Delivery(NeverChannel(), pauses_s=(), patience_s=0.0)
        await delivery._deliver(a_notification(3))
        assert "never was not told that job 3 failed: TimeoutError" in caplog.text

    async def test_a_full_queue_drops_the_oldest(self, caplog: pytest.LogCaptureFixture) -> None:
        channel = RecordingChannel()
        delivery = Delivery(channel, longest=2)
        for number in (1, 2, 3):
            delivery.put(a_notification(number))
        assert "not told that job 1 failed" in caplog.text
        async with running(delivery):
            await channel.until(2)
        assert channel.sent == [a_notification(2), a_notification(3)]


class TestNotifier:
    async def test_it_tells_what_happens_once(self) -> None:
        bus, channel = EventBus(), RecordingChannel()
        with bus.subscribe(LISTENED) as news:
            async with running(Notifier(news, History(), [Delivery(channel)])):
                await asyncio.sleep(0)
                bus.publish([state("running", 1), state("waiting", 2)])
                bus.publish([state("running", 1), state("succeeded", 3)])
                await channel.until(2)
        assert [told.kind.value for told in channel.sent] == ["started", "succeeded"]

    async def test_overrun_it_looks_up_what_it_missed(self) -> None:
        bus, channel = EventBus(), RecordingChannel()
        events = [state("failed", number, job_id=number) for number in range(1, 5)]
        news = bus.listen(LISTENED, longest=1)
        for event in events:
            bus.publish([event])
        async with running(Notifier(news, History(*events), [Delivery(channel)])):
            await channel.until(4)
        assert [told.facts["job"] for told in channel.sent] == ["1", "2", "3", "4"]
