"""Any machine may ask to join. Whatever strangers send, messages of nodes arrive."""

from __future__ import annotations

import asyncio
import contextlib
from urllib.parse import urlsplit

import pytest

from danlu.cluster.connection import Connection, NoConnection, fingerprint_of, pinned_context
from danlu.cluster.joining import JOIN_ASK, ask_to_join
from danlu.cluster.keys import is_public_key, make_seed, public_key_of
from danlu.cluster.nats_config import JOIN_USER, LONGEST_FROM_STRANGERS, MOST_STRANGERS, render
from danlu.cluster.server.join_connections import Visitor, VisitorTable
from danlu.cluster.server.join_requests import Rate
from danlu.core.nodes.member import Member
from danlu.core.nodes.node import NodeState
from danlu.launch.cluster.join_desk import read_ask
from tests.cluster.story import NODE, JoinsAnswered, NatsStory, eventually

HUGE = b"{" + b"x" * (20 << 20)
FITTING = b"{" + b"x" * (LONGEST_FROM_STRANGERS - 100)


class Lingerer(asyncio.Protocol):
    """Signs in as a stranger and stays, alive and silent."""

    transport: asyncio.Transport

    def __init__(self) -> None:
        self.answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """It is in, or was refused."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(b'CONNECT {"user":"join","pass":"join","verbose":false,"protocol":1}\r\nPING\r\n')

    def data_received(self, data: bytes) -> None:
        if b"PING" in data:
            self.transport.write(b"PONG\r\n")
        if b"PONG" in data and not self.answered.done():
            self.answered.set_result(None)

    def connection_lost(self, _problem: Exception | None) -> None:
        if not self.answered.done():
            self.answered.set_result(None)


async def flood(nats: NatsStory, message: bytes, times: int) -> None:
    line = Connection(
        [nats.server.url], nats.server.certificate, name="flood", inbox=JOIN_USER, user=JOIN_USER
    )
    line.start()
    try:
        await line.wait_up()
        with contextlib.suppress(NoConnection, TimeoutError):
            # A client that is thrown out may not notice.
            async with asyncio.timeout(1.0):
                for _ in range(times):
                    await line.publish(JOIN_ASK, message, reply=f"_INBOX.{JOIN_USER}.flood.1")
    finally:
        await line.close()


async def test_strangers_do_not_silence_the_nodes(nats: NatsStory) -> None:
    lines: list[bool] = []
    on_up = nats.agents._control.connection._on_up
    assert on_up is not None
    nats.agents._control.connection._on_up = lambda: (lines.append(True), on_up())[1]  # type: ignore[func-returns-value]
    beats = nats.agents.last_grants()[NODE]
    await asyncio.gather(flood(nats, HUGE, 3), flood(nats, HUGE, 3), flood(nats, FITTING, 300))
    await eventually(lambda: nats.agents.last_grants()[NODE] > beats)
    assert lines == []
    assert (NODE, NodeState.LOST) not in nats.memberships
    assert "maximum payload exceeded" in (nats.server.folder / "nats.log").read_text()


async def test_who_may_join_does_so_after_a_flood(nats: NatsStory) -> None:
    asked: list[object] = []

    async def answer(question: dict[str, object]) -> dict[str, object]:
        asked.append(question)
        return {"id": "m1"} if question.get("secret") == "right" else {"error": {"code": "unknown"}}

    nats.agents.open_desk(JoinsAnswered(answer))
    nats.agents._strangers._rate = Rate(per_s=100.0, at_once=5)
    await flood(nats, b'{"secret":"guessed"}\n', 100)

    async def is_let_in() -> bool:
        fingerprint = fingerprint_of(nats.server.certificate)
        with contextlib.suppress(Exception):
            answer, _ = await ask_to_join(nats.server.url, fingerprint, {"secret": "right"}, 0.5)
            return answer == {"id": "m1"}
        return False

    while not await is_let_in():
        pass
    assert len(asked) < 90, "most guesses were dropped unread"


async def test_connections_that_never_say_who_they_are_keep_nobody_out(nats: NatsStory) -> None:
    async def answer(_question: dict[str, object]) -> dict[str, object]:
        return {"id": "m1"}

    nats.agents.open_desk(JoinsAnswered(answer))
    where = urlsplit(nats.server.url)
    crowd = [await asyncio.open_connection(where.hostname, where.port) for _ in range(1200)]
    try:
        beats = nats.agents.last_grants()[NODE]
        fingerprint = fingerprint_of(nats.server.certificate)
        joined, _ = await ask_to_join(nats.server.url, fingerprint, {"secret": "right"}, 20.0)
        assert joined == {"id": "m1"}
        await eventually(lambda: nats.agents.last_grants()[NODE] > beats)
        assert (NODE, NodeState.LOST) not in nats.memberships
        # They are let go by themselves.
        async with asyncio.timeout(60):
            for reader, _ in crowd:
                with contextlib.suppress(ConnectionError):
                    while await reader.read(4096):
                        pass
    finally:
        for _, writer in crowd:
            writer.transport.abort()


async def test_connections_that_sign_in_and_stay_keep_nobody_out(nats: NatsStory) -> None:
    async def answer(_question: dict[str, object]) -> dict[str, object]:
        return {"id": "m1"}

    nats.agents.open_desk(JoinsAnswered(answer))
    tls = pinned_context(nats.server.certificate)
    where = urlsplit(nats.server.url)
    crowd: list[Lingerer] = []
    try:
        while len(crowd) < MOST_STRANGERS + 100:
            lingerer = Lingerer()
            await asyncio.get_running_loop().create_connection(
                lambda lingerer=lingerer: lingerer, where.hostname, where.port, ssl=tls
            )
            crowd.append(lingerer)
            await lingerer.answered
        fingerprint = fingerprint_of(nats.server.certificate)
        joined, _ = await ask_to_join(nats.server.url, fingerprint, {"secret": "right"}, 20.0)
        assert joined == {"id": "m1"}
    finally:
        for lingerer in crowd:
            lingerer.transport.abort()


def test_who_stays_too_long_is_put_out() -> None:
    table = VisitorTable(longest_s=60, most=100)
    assert table.next_due() is None
    table.come(Visitor("s", 1), "10.0.0.1", now=0)
    table.come(Visitor("s", 2), "10.0.0.2", now=30)
    assert table.next_due() == 60
    assert table.put_out_overdue(59) == []
    assert table.put_out_overdue(60) == [Visitor("s", 1)]
    table.go(Visitor("s", 2))
    assert table.put_out_overdue(1000) == []


def test_a_crowd_from_one_address_pushes_out_its_own() -> None:
    table = VisitorTable(longest_s=60, most=3)
    assert table.come(Visitor("s", 1), "10.0.0.1", now=0) is None
    assert table.come(Visitor("s", 2), "10.0.0.2", now=1) is None
    assert table.come(Visitor("t", 2), "10.0.0.2", now=2) is None
    assert table.come(Visitor("s", 3), "10.0.0.3", now=3) == Visitor("s", 2)
    assert table.come(Visitor("s", 3), "10.0.0.3", now=4) is None, "known already"


def test_there_is_room_for_every_member_beside_the_strangers() -> None:
    members = [Member(f"m{number}", f"n{number}", "U") for number in range(1000)]
    text = render(
        listen="x",
        certificate_file="c",
        key_file="k",
        server_key="s",
        watch_key="w",
        members=members,
        log_file="l",
    )
    most = int(text.partition("max_connections: ")[2].split()[0])
    assert most >= 2 * len(members) + MOST_STRANGERS + 1000


def test_only_who_gets_nothing_is_slowed_down() -> None:
    rate = Rate(per_s=2.0, at_once=3)
    assert all(rate.allows(0.0) for _ in range(100))
    for _ in range(3):
        assert rate.allows(0.0)
        rate.charge()
    assert not rate.allows(0.0)
    assert not rate.allows(0.0)
    assert rate.allows(0.6)


def test_a_public_key_is_one() -> None:
    key, seed = public_key_of(make_seed()), make_seed()
    assert is_public_key(key)
    other = "A" if key[20] != "A" else "B"
    for wrong in (
        "",
        "U" + "A" * 55,
        key[:20] + other + key[21:],
        key.lower(),
        key[:-1],
        seed,
        "A" + key[1:],
        "é",
    ):
        assert not is_public_key(wrong), wrong
    question = {"secret": "s", "node": "n", "public_key": "U" + "A" * 55, "version": "0.5.0"}
    with pytest.raises(ValueError, match="public key"):
        read_ask(question)
    assert read_ask(question | {"public_key": key}).public_key == key
