"""Two machines with the credentials of one: a copied disk. Nothing runs twice, and both sides say it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.cluster.server import member_processes as claims_module
from danlu.cluster.server.member_processes import ClaimVerdict, MemberProcesses
from danlu.core.nodes.node import NodeState
from danlu.core.task import TaskEnd, TaskEnding, TaskFact, TaskKey
from tests.cluster.story import NODE, AgentProcess, NatsStory, eventually

LEASE_S = 10.0


@asynccontextmanager
async def a_twin(nats: NatsStory) -> AsyncIterator[AgentProcess]:
    twin = AgentProcess(nats.folder / "twin", nats.process.identity)
    await twin.start()
    try:
        yield twin
    finally:
        await twin.stop()


def holder(nats: NatsStory) -> str:
    seat = nats.agents._seats.of_node(NODE)
    assert seat is not None
    return seat.claims.holder


async def test_a_copy_is_refused_and_the_original_goes_on(nats: NatsStory) -> None:
    running = await nats.started("sleep 1000")
    async with a_twin(nats) as twin:
        # It knows of a task that is not its own, as a copied disk does.
        end = TaskEnd(TaskEnding.REBOOTED, 1.0)
        twin.service._reports.take(TaskFact(running.key, NODE, end=end))
        await eventually(lambda: twin.refusals == ["twin"], "the copy is told")
        out = nats.folder / "runs"
        order = await nats.launched(f"echo x >> {out}")
        await nats.end_of(order.key)
        assert out.read_text() == "x\n"
        assert holder(nats) == nats.process.service._session
        assert nats.known[running.key].end is None
        assert not (twin.folder / "node" / "lease").exists()
        assert (NODE, NodeState.LOST) not in nats.memberships
        # Nor does it take the place of the original while a new server gets to know them.
        await nats.replace_control()
        await nats.is_up()
        assert holder(nats) == nats.process.service._session


async def test_a_copy_takes_over_only_once_the_original_is_gone(nats: NatsStory) -> None:
    async with a_twin(nats) as twin:
        await eventually(lambda: twin.refusals == ["twin"])
        await nats.process.stop()
        await eventually(lambda: twin.refusals == ["twin", None], "it is taken")
        nats.process._make()
        await nats.process.start()
        await eventually(lambda: nats.process.refusals[-1] == "twin", "it finds its place taken")
        assert holder(nats) == twin.service._session


async def test_who_were_taken_by_turns_are_both_refused(
    nats: NatsStory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claims_module, "KEPT_LEASES", 1.5)
    seat = nats.agents._seats.of_node(NODE)
    assert seat is not None
    async with a_twin(nats) as twin:
        await eventually(lambda: twin.refusals == ["twin"])
        # The original was away for a moment, and the copy was believed.
        seat.claims._take(twin.service._session)
        await eventually(lambda: seat.claims.disputed)
        await eventually(lambda: nats.process.refusals[-1] == "twin" and twin.refusals[-1] == "twin")
        await eventually(lambda: nats.memberships[-1] == (NODE, NodeState.LOST))
    await eventually(lambda: nats.process.refusals[-1] is None, "one is left, and is taken")
    await nats.is_up()
    assert await nats.agents.tasks() == []


async def test_a_restart_is_no_copy(nats: NatsStory) -> None:
    for _ in range(3):
        before = holder(nats)
        nats.process.refusals.clear()
        await nats.process.restart()
        await eventually(lambda before=before: holder(nats) != before, "the new process is taken")
        await nats.agents.prepare(NODE, TaskKey(1, 1, 0))
    await eventually(lambda: nats.process.refusals == [None])
    assert (NODE, NodeState.LOST) not in nats.memberships


def test_what_a_process_said_before_it_ended_counts_for_nothing() -> None:
    claims = MemberProcesses()
    assert claims.hear("a", 0.0, LEASE_S) is ClaimVerdict.HOLDS
    assert claims.hear("b", 1.0, LEASE_S) is ClaimVerdict.CONTESTED
    assert claims.settle("b", holder_is_there=False, is_there=True) is ClaimVerdict.HOLDS
    assert claims.hear("a", 1.1, LEASE_S) is ClaimVerdict.CONTESTED
    assert claims.settle("a", holder_is_there=True, is_there=False) is ClaimVerdict.IGNORED
    assert (claims.holder, claims.disputed, claims.believes("a")) == ("b", False, False)


beats = st.tuples(st.sampled_from("abc"), st.floats(0, LEASE_S), st.frozensets(st.sampled_from("abc")))


@given(st.lists(beats, max_size=40))
def test_the_seat_is_never_taken_from_one_that_is_there(
    story: list[tuple[str, float, frozenset[str]]],
) -> None:
    """`alive` answer when they are asked. A holder that is heard within the lease and answers keeps the seat,
    or none has it."""
    claims, now, heard = MemberProcesses(), 0.0, dict[str, float]()
    for session, pause_s, others in story:
        now += pause_s
        before, alive = claims.holder, others | {session}
        verdict = claims.hear(session, now, LEASE_S)
        if verdict is ClaimVerdict.CONTESTED:
            verdict = claims.settle(session, holder_is_there=before in alive, is_there=True)
        is_fresh = before in heard and now - heard[before] <= LEASE_S and before in alive
        if is_fresh and session != before:
            assert verdict is ClaimVerdict.REFUSED
            assert claims.holder in (before, "")
        assert (verdict is ClaimVerdict.HOLDS) == (claims.holder == session)
        assert claims.disputed <= (claims.holder == "")
        heard[session] = now
