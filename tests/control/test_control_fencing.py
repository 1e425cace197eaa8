"""A node that is lost: what may be run elsewhere is, but not before it has stopped where it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.control.recovery.differences import Desired
from danlu.control.recovery.fencing import LEASE_GRACE_S, fence, longest_s
from danlu.control.recovery.flapping import LOSSES, WITHIN_S, comes_and_goes, note_loss
from danlu.core.blockers import NodeUnavailable
from danlu.core.errors import Conflict, NotFound
from danlu.core.events import EventKind
from danlu.core.nodes.node import Node, NodeState
from danlu.core.states import EndReason, JobState
from danlu.core.task import TaskEnd, TaskEnding, TaskFact, TaskKey
from danlu.settings import Settings
from danlu.store.events import events_after
from danlu.store.nodes.node_rows import get_node, list_nodes, set_drained
from tests.control.agents import LeasedAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import World
from tests.store.builders import HandClock

S = JobState
LEASE_S = 15.0
WHOLE_S = longest_s(LEASE_S)

RESIZE_PAUSE_S = Settings(Path("/"), "li").resize_pause_s


class Cluster(World):
    """Three machines, whose leases last for fifteen seconds of a clock that the test moves."""

    agents: LeasedAgents

    @property
    def monotonic_clock(self) -> HandClock:
        assert isinstance(self.monotonic, HandClock)
        return self.monotonic

    async def pass_s(self, seconds: float) -> None:
        """Time goes by; beats of nodes that are reachable arrive."""
        self.monotonic_clock.advance(seconds)
        self.clock.advance(seconds)
        self.agents.beat()
        await self.round()

    async def lose(self, node: str) -> None:
        """A node is not heard for the time of its lease."""
        self.agents.cut(node)
        await self.pass_s(LEASE_S)
        assert (await self.node(node)).state is NodeState.LOST

    async def node(self, name: str) -> Node:
        node = await self.control.database.read(lambda connection: get_node(connection, name))
        assert node is not None
        return node

    async def place_of(self, job_id: int) -> str:
        return (await self.attempts(job_id))[-1].tasks[0].allocation.node


@pytest.fixture
async def world(open_world: OpenWorld, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr("tests.control.conftest.World", Cluster)
    clock = HandClock()
    machines = [a_machine(f"n{number}", leased=True) for number in (1, 2, 3)]
    return await open_world(LeasedAgents(*machines, monotonic=clock), lease_s=LEASE_S, monotonic=clock)


def a_task(node: str, *, leased: bool = True) -> Desired:
    return Desired(TaskKey(1, 1, 0), node, S.RUNNING, "boot", leased)


class TestFencing:
    def test_it_is_over_when_the_lease_the_grace_and_the_kill_are_and_not_before(self) -> None:
        task = a_task("n1")
        early = fence([task], {"n1"}, {"n1": 100.0}, 0.0, LEASE_S, 100.0 + WHOLE_S - 0.001)
        assert (early.over, early.again_at) == ((), 100.0 + WHOLE_S)
        late = fence([task], {"n1"}, {"n1": 100.0}, 0.0, LEASE_S, 100.0 + WHOLE_S)
        assert (late.over, late.again_at) == ((task,), None)

    @given(
        granted=st.none() | st.floats(0, 1_000),
        since=st.floats(0, 1_000),
        lease_s=st.floats(0.1, 100),
        now=st.floats(0, 3_000),
        leased=st.booleans(),
        lost=st.booleans(),
    )
    def test_nothing_is_over_that_could_still_be_there(
        self,
        granted: float | None,
        since: float,
        lease_s: float,
        now: float,
        leased: bool,
        lost: bool,
    ) -> None:
        """Whichever server granted last: this one or the one before it."""
        grants = {} if granted is None else {"n1": granted}
        fenced = fence([a_task("n1", leased=leased)], {"n1"} if lost else set(), grants, since, lease_s, now)
        last_possible_grant = max(since, granted or 0.0)
        if fenced.over:
            assert leased
            assert lost
            assert now >= last_possible_grant + lease_s + LEASE_GRACE_S
        elif leased and lost:
            assert fenced.again_at is not None
            assert fenced.again_at > now
        else:
            assert fenced.again_at is None


class TestMoving:
    async def test_a_restartable_job_goes_on_elsewhere_but_not_too_early(self, world: Cluster) -> None:
        job_id = await world.submit(gpus=4, restartable=True)
        await world.starts(job_id)
        node = await world.place_of(job_id)
        assert world.agents.launched[0].leased
        await world.lose(node)
        await world.pass_s(WHOLE_S - LEASE_S - 0.001)
        assert (await world.job(job_id)).attempt == 1
        assert await world.state(job_id) is S.RUNNING
        await world.pass_s(0.001)
        await world.launch_of(job_id, attempt=2)
        assert await world.place_of(job_id) != node
        first = (await world.attempts(job_id))[0]
        assert (first.end_reason, (await world.job(job_id)).retries_used) == (EndReason.NODE_LOST, 0)

    async def test_it_goes_before_everybody_who_waits(self, world: Cluster) -> None:
        job_id = await world.submit(gpus=4, restartable=True)
        await world.starts(job_id)
        for _ in range(2):
            await world.starts(await world.submit(gpus=4))
        waiting = await world.submit(gpus=4)
        await world.lose(await world.place_of(job_id))
        await world.pass_s(WHOLE_S)
        await world.until(job_id, S.WAITING)
        assert await world.queue() == [job_id, waiting]

    async def test_one_that_may_not_move_stays_and_is_picked_up(self, world: Cluster) -> None:
        job_id = await world.submit(gpus=4)
        key = await world.starts(job_id)
        node = await world.place_of(job_id)
        assert not world.agents.launched[0].leased
        await world.lose(node)
        await world.pass_s(1_000.0)
        assert await world.state(job_id) is S.RUNNING
        assert world.control.reconciler.lost == {node: (await world.node(node)).since}
        world.agents.ends(key)
        await world.settle()
        assert await world.state(job_id) is S.RUNNING
        world.agents.heal(node)
        await world.until(job_id, S.SUCCEEDED)
        assert world.agents.stopped == []
        assert world.control.reconciler.lost == {}

    async def test_a_silence_shorter_than_the_lease_changes_nothing(self, world: Cluster) -> None:
        job_id = await world.submit(nodes="3", restartable=True)
        for rank in range(3):
            key = TaskKey(job_id, 1, rank)
            await world.until_true(lambda key=key: key in world.agents.known)
            world.agents.begins(key)
        await world.until(job_id, S.RUNNING)
        world.agents.cut("n2")
        await world.pass_s(LEASE_S - 0.001)
        assert (await world.node("n2")).state is NodeState.UP
        world.agents.heal("n2")
        await world.pass_s(1.0)
        assert await world.state(job_id) is S.RUNNING

    async def test_a_job_that_its_node_stopped_itself_goes_back_at_once_when_that_is_known(
        self, world: Cluster
    ) -> None:
        job_id = await world.submit(gpus=4, restartable=True)
        await world.starts(job_id)
        node = await world.place_of(job_id)
        await world.lose(node)
        world.agents.run_out(node)
        world.agents.heal(node)
        await world.launch_of(job_id, attempt=2)
        assert (await world.attempts(job_id))[0].end_reason is EndReason.NODE_LOST

    async def test_what_a_lost_node_tells_afterwards_is_stale_and_stopped(self, world: Cluster) -> None:
        job_id = await world.submit(gpus=4, restartable=True)
        key = await world.starts(job_id)
        node = await world.place_of(job_id)
        await world.lose(node)
        await world.pass_s(WHOLE_S)
        await world.starts(job_id, attempt=2)
        world.agents.heal(node)
        await world.until_true(lambda: key in world.agents.stopped)
        await world.until_true(lambda: key in world.agents.forgotten)
        assert await world.state(job_id) is S.RUNNING

    async def test_a_restart_of_the_server_counts_from_its_start(self, world: Cluster) -> None:
        job_id = await world.submit(gpus=4, restartable=True)
        await world.starts(job_id)
        await world.lose(await world.place_of(job_id))
        await world.pass_s(WHOLE_S - LEASE_S - 1.0)
        world.agents.granted.clear()
        await world.restart()
        await world.pass_s(WHOLE_S - 0.001)
        assert (await world.job(job_id)).attempt == 1
        await world.pass_s(0.001)
        await world.launch_of(job_id, attempt=2)

    async def test_nobody_is_lost_before_a_new_server_could_have_heard_them(self, world: Cluster) -> None:
        for name in ("n1", "n2", "n3"):
            world.agents.cut(name)
        world.agents.granted.clear()
        await world.restart()
        nodes = await world.control.database.read(list_nodes)
        assert [node.state for node in nodes] == [NodeState.UP] * 3
        await world.pass_s(LEASE_S)
        nodes = await world.control.database.read(list_nodes)
        assert [node.state for node in nodes] == [NodeState.LOST] * 3

    async def test_the_time_comes_by_itself(self, world: Cluster) -> None:
        """No caller has to ask: the next look is when there is something to see."""
        job_id = await world.submit(gpus=4, restartable=True)
        await world.starts(job_id)
        world.agents.cut(await world.place_of(job_id))
        world.monotonic_clock.advance(LEASE_S)
        world.clock.advance(LEASE_S)
        world.agents.beat()
        world.agents.lose(await world.place_of(job_id))
        await world.until_true(lambda: world.control.reconciler.lost)
        pause_s = world.control.reconciler._pause_s
        await world.until_true(lambda: pause_s() == pytest.approx(WHOLE_S - LEASE_S))

    async def test_a_cancelled_job_on_a_lost_node_is_cancelled_once_it_is_over(self, world: Cluster) -> None:
        job_id = await world.submit(gpus=4, restartable=True)
        await world.starts(job_id)
        await world.lose(await world.place_of(job_id))
        await world.control.jobs.cancel(await world.user("bo"), job_id)
        assert await world.state(job_id) is S.STOPPING
        await world.pass_s(WHOLE_S)
        await world.until(job_id, S.CANCELLED)


class TestGangs:
    async def start(self, world: Cluster, **fields: object) -> tuple[int, list[TaskKey]]:
        job_id = await world.submit(nodes="2", gpus=4, **fields)
        keys = [TaskKey(job_id, 1, rank) for rank in range(2)]
        await world.until_true(lambda: world.agents.known.keys() >= set(keys))
        for key in keys:
            world.agents.begins(key)
        await world.until(job_id, S.RUNNING)
        return job_id, keys

    async def test_the_others_are_stopped_at_once_and_all_begin_anew_when_it_is_certain(
        self, world: Cluster
    ) -> None:
        job_id, keys = await self.start(world, restartable=True)
        first, second = (await world.job(job_id)).on_nodes
        await world.lose(second)
        await world.until_true(lambda: world.agents.stopped == [keys[0]])
        await world.pass_s(WHOLE_S - LEASE_S - 0.001)
        assert await world.state(job_id) is S.STOPPING
        await world.pass_s(0.001)
        await world.until_true(lambda: TaskKey(job_id, 2, 1) in world.agents.known)
        assert set((await world.job(job_id)).on_nodes) == {"n1", "n2", "n3"} - {second}
        assert (await world.attempts(job_id))[0].end_reason is EndReason.NODE_LOST
        assert first in (await world.job(job_id)).on_nodes

    async def test_one_that_broke_off_before_the_loss_was_known_begins_anew_as_well(
        self, world: Cluster
    ) -> None:
        job_id, keys = await self.start(world, restartable=True)
        world.agents.cut((await world.job(job_id)).on_nodes[1])
        world.agents.ends(keys[0], 1)
        await world.until(job_id, S.STOPPING)
        await world.pass_s(LEASE_S)
        await world.pass_s(WHOLE_S)
        await world.until_true(lambda: TaskKey(job_id, 2, 1) in world.agents.known)

    async def test_one_that_may_not_move_waits_for_its_node(self, world: Cluster) -> None:
        job_id, keys = await self.start(world)
        lost = (await world.job(job_id)).on_nodes[1]
        await world.lose(lost)
        await world.pass_s(1_000.0)
        assert await world.state(job_id) is S.RUNNING
        assert world.agents.stopped == []
        world.agents.heal(lost)
        for key in keys:
            world.agents.ends(key)
        await world.until(job_id, S.SUCCEEDED)


class TestWhoSpeaks:
    async def test_the_end_of_a_task_is_not_another_nodes_to_tell(self, world: Cluster) -> None:
        job_id = await world.submit(gpus=4)
        key = await world.starts(job_id)
        liar = next(name for name in world.agents.everything if name != world.agents.known[key].node)
        world.agents.tell(TaskFact(key, liar, end=TaskEnd(TaskEnding.EXITED, 1_000.0, wait_status=0)))
        await world.until_true(lambda: key in world.agents.forgotten)
        assert await world.state(job_id) is S.RUNNING

    async def test_nor_is_that_of_a_rank(self, world: Cluster) -> None:
        job_id, keys = await TestGangs().start(world)
        first = (await world.job(job_id)).on_nodes[0]
        world.agents.tell(TaskFact(keys[1], first, end=TaskEnd(TaskEnding.EXITED, 1_000.0, wait_status=256)))
        await world.until_true(lambda: keys[1] in world.agents.forgotten)
        assert await world.state(job_id) is S.RUNNING


class TestOneNodesTrouble:
    async def test_it_keeps_no_other_from_what_it_needs(
        self, world: Cluster, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A node cannot be told to forget; another is lost, and its job begins anew all the same."""
        odd, job_id = TaskKey(9_999, 1, 0), await world.submit(gpus=4, restartable=True)
        await world.starts(job_id)
        node = await world.place_of(job_id)
        trouble = next(name for name in world.agents.everything if name != node)
        world.agents.known[odd] = TaskFact(
            odd, trouble, end=TaskEnd(TaskEnding.EXITED, 1_000.0, wait_status=0)
        )

        async def fail(node: str, keys: object) -> None:
            raise ValueError(f"{node} is odd about {keys}")

        monkeypatch.setattr(world.agents, "forget", fail)
        await world.lose(node)
        await world.pass_s(WHOLE_S)
        await world.launch_of(job_id, attempt=2)


class TestDeclaringDead:
    async def test_what_stops_with_its_lease_is_left_to_that(self, world: Cluster) -> None:
        """It may live on for some seconds yet: a second attempt must not begin meanwhile."""
        job_id = await world.submit(gpus=4, restartable=True)
        await world.starts(job_id)
        node = await world.place_of(job_id)
        await world.lose(node)
        assert await world.control.reconciler.declare_dead(node, "ann") == [job_id]
        await world.settle()
        assert await world.state(job_id) is S.RUNNING
        await world.pass_s(WHOLE_S - LEASE_S)
        await world.launch_of(job_id, attempt=2)

    async def test_one_that_comes_back_takes_nothing_before_it_is_rid_of_the_old(
        self, world: Cluster, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        job_id = await world.submit(gpus=4)
        key = await world.starts(job_id)
        node = await world.place_of(job_id)
        await world.lose(node)
        await world.control.reconciler.declare_dead(node, "ann")
        await world.until(job_id, S.FAILED)
        stops: list[TaskKey] = []

        async def ignore(_node: str, key: TaskKey, _grace_s: float) -> None:
            stops.append(key)

        with monkeypatch.context() as stubborn:
            stubborn.setattr(world.agents, "stop", ignore)
            waiting = await world.submit(gpus=4, node=node)
            world.agents.heal(node)
            await world.until_true(lambda: key in stops)
            await world.round()
            assert (await world.node(node)).state is NodeState.UP
            assert world.control.scheduling_loop.blockers[waiting] == (
                NodeUnavailable(node, drained=True, closed=True),
            )
        world.agents.ends(key)
        await world.launch_of(waiting)

    async def test_it_ends_what_was_there_and_says_who_did_it(self, world: Cluster) -> None:
        job_id = await world.submit(gpus=4)
        key = await world.starts(job_id)
        node = await world.place_of(job_id)
        await world.lose(node)
        assert await world.control.reconciler.declare_dead(node, "ann") == [job_id]
        job = await world.until(job_id, S.FAILED)
        assert job.end_reason is EndReason.NODE_LOST
        events = await world.control.database.read(lambda connection: events_after(connection, 0, 1_000))
        [said] = [event for event in events if event.kind is EventKind.NODE_DECLARED_DEAD]
        assert (said.node, said.actor, said.data["jobs"]) == (node, "ann", [job_id])
        world.agents.heal(node)
        await world.until_true(lambda: key in world.agents.stopped)

    async def test_the_rest_of_a_gang_ends_with_it(self, world: Cluster) -> None:
        job_id, keys = await TestGangs().start(world)
        node = (await world.job(job_id)).on_nodes[0]
        await world.lose(node)
        await world.control.reconciler.declare_dead(node, "ann")
        job = await world.until(job_id, S.FAILED)
        assert (job.end_reason, job.detail) == (EndReason.NODE_LOST, f"rank 0 on {node}")
        assert world.agents.stopped == [keys[1]]

    async def test_a_node_that_answers_or_that_nobody_knows_is_refused(self, world: Cluster) -> None:
        with pytest.raises(Conflict, match="node_answers"):
            await world.control.reconciler.declare_dead("n1", "ann")
        with pytest.raises(NotFound, match="no_such_node"):
            await world.control.reconciler.declare_dead("n9", "ann")

    async def test_the_service_does_not_wait_for_what_cannot_be_stopped(self, world: Cluster) -> None:
        job_id = await world.submit(gpus=4)
        await world.starts(job_id)
        await world.lose(await world.place_of(job_id))
        await world.control.stop_jobs()
        assert await world.state(job_id) is S.STOPPING


class TestFlapping:
    def test_three_losses_in_ten_minutes_are_too_many(self) -> None:
        losses: tuple[float, ...] = ()
        judged = []
        for at in (0.0, WITHIN_S, WITHIN_S + 1, WITHIN_S + 2):
            losses = note_loss(losses, at)
            judged.append(comes_and_goes(losses))
        assert judged == [False, False, False, True]
        assert losses == (600.0, 601.0, 602.0)

    @given(st.lists(st.integers(0, 1500), max_size=12).map(sorted))
    def test_it_is_so_when_any_three_in_a_row_are_near(self, times: list[int]) -> None:
        losses: tuple[float, ...] = ()
        for count, at in enumerate(times, 1):
            losses = note_loss(losses, at)
            near = [each for each in times[:count] if at - each <= WITHIN_S]
            assert comes_and_goes(losses) == (len(near) >= LOSSES)

    async def test_a_server_that_comes_anew_knows_of_the_losses_before(self, world: Cluster) -> None:
        for _ in range(LOSSES - 1):
            await world.lose("n1")
            world.agents.heal("n1")
            await world.pass_s(1.0)
            await world.restart()
        assert not (await world.node("n1")).quarantine
        await world.lose("n1")
        assert len((await world.node("n1")).quarantine.split(",")) == LOSSES
        # Who lifts it gives the node a fresh start.
        await world.control.database.write(lambda tx: set_drained(tx, "n1", False, "ann"))
        world.agents.heal("n1")
        await world.pass_s(1.0)
        await world.lose("n1")
        assert not (await world.node("n1")).quarantine

    async def test_such_a_node_takes_nothing_until_somebody_undrains_it(self, world: Cluster) -> None:
        for _ in range(LOSSES):
            await world.lose("n1")
            world.agents.heal("n1")
            await world.pass_s(1.0)
        assert (await world.node("n1")).quarantine
        job_id = await world.submit(node="n1")
        await world.settle()
        assert await world.state(job_id) is S.WAITING
        await world.control.database.write(lambda tx: set_drained(tx, "n1", False, "ann"))
        assert not (await world.node("n1")).quarantine
        await world.launch_of(job_id)

    async def test_nobody_is_blamed_for_our_own_outage(self, world: Cluster) -> None:
        """All of them go at once, again and again: that is the connection to them."""
        for _ in range(LOSSES):
            for name in world.agents.everything:
                world.agents.cut(name)
            await world.pass_s(LEASE_S)
            for name in world.agents.everything:
                world.agents.heal(name)
            await world.pass_s(1.0)
        assert [node.quarantine for node in await world.control.database.read(list_nodes)] == [""] * 3

    @pytest.mark.parametrize("over", [False, True])
    async def test_nor_for_what_we_did_not_hear_while_we_could_not(self, world: Cluster, over: bool) -> None:
        """Also when our line is up again before the loss is noticed."""
        for _ in range(LOSSES):
            world.agents.is_connected = False
            world.agents.cut("n1")
            await world.round()
            world.agents.is_connected = over
            await world.pass_s(LEASE_S)
            assert (await world.node("n1")).state is NodeState.LOST
            world.agents.is_connected = True
            world.agents.heal("n1")
            await world.pass_s(1.0)
        assert not (await world.node("n1")).quarantine


class TestServices:
    async def test_it_is_begun_again_after_a_pause_and_never_twice_at_a_time(self, world: Cluster) -> None:
        job_id = await world.submit(service=True)
        for attempt, pause_s in ((1, 1.0), (2, 2.0), (3, 4.0)):
            job = await world.runs_to_end(job_id, attempt - 1, attempt=attempt)
            assert (job.state, job.not_before) == (S.WAITING, world.clock() + pause_s)
            await world.settle()
            assert len(world.agents.launched) == attempt
            world.clock.advance(pause_s)
            world.agents._now = world.clock()
            world.control.scheduling_loop.wake()
        await world.launch_of(job_id, attempt=4)

    async def test_it_moves_when_its_node_is_lost_and_ends_when_it_is_cancelled(self, world: Cluster) -> None:
        job_id = await world.submit(service=True)
        await world.starts(job_id)
        node = await world.place_of(job_id)
        await world.lose(node)
        await world.pass_s(WHOLE_S)
        await world.starts(job_id, attempt=2)
        assert await world.place_of(job_id) != node
        await world.control.jobs.cancel(await world.user("bo"), job_id)
        await world.until(job_id, S.CANCELLED)


class TestElastic:
    async def running(self, world: Cluster, job_id: int, attempt: int = 1) -> int:
        """Let all of its tasks start; on how many nodes they are."""
        await world.until_true(lambda: TaskKey(job_id, attempt, 0) in world.agents.known)
        await world.settle()
        keys = [key for key in world.agents.known if key[:2] == (job_id, attempt)]
        for key in keys:
            world.agents.begins(key)
        job = await world.until(job_id, S.RUNNING)
        # Clocks of nodes and of the server are one here.
        assert job.started_at is not None
        return len(keys)

    async def test_it_takes_what_is_there_and_grows_when_there_is_more(self, world: Cluster) -> None:
        other = await world.submit(gpus=4)
        key = await world.starts(other)
        job_id = await world.submit(nodes="1:3", gpus=4)
        assert await self.running(world, job_id) == 2
        world.agents.ends(key)
        await world.until(other, S.SUCCEEDED)
        await world.settle()
        assert await world.state(job_id) is S.RUNNING
        await world.pass_s(RESIZE_PAUSE_S)
        world.control.scheduling_loop.wake()
        await world.until_true(lambda: TaskKey(job_id, 2, 0) in world.agents.known)
        assert await self.running(world, job_id, 2) == 3
        first = (await world.attempts(job_id))[0]
        assert (first.end_reason, (await world.job(job_id)).retries_used) == (EndReason.RESIZED, 0)

    async def test_it_makes_room_for_whoever_is_next_and_grows_back(self, world: Cluster) -> None:
        job_id = await world.submit(nodes="1:3", gpus=4)
        assert await self.running(world, job_id) == 3
        other = await world.submit(gpus=4)
        await world.settle()
        assert await world.state(other) is S.WAITING
        await world.pass_s(RESIZE_PAUSE_S)
        world.control.scheduling_loop.wake()
        key = await world.starts(other)
        assert await self.running(world, job_id, 2) == 2
        world.agents._now = world.clock()
        world.agents.ends(key)
        await world.until(other, S.SUCCEEDED)
        await world.pass_s(RESIZE_PAUSE_S)
        world.control.scheduling_loop.wake()
        await world.until_true(lambda: TaskKey(job_id, 3, 2) in world.agents.known)

    async def test_that_of_a_locked_user_runs_on_as_it_is(self, world: Cluster) -> None:
        """Ended to be resized, it would not begin again."""
        job_id = await world.submit(nodes="1:3", gpus=4)
        assert await self.running(world, job_id) == 3
        await world.change_user("bo", locked=True)
        other = await world.submit("cy", gpus=4)
        await world.pass_s(RESIZE_PAUSE_S)
        await world.control.scheduling_loop.pass_now()
        assert await world.state(job_id) is S.RUNNING
        await world.change_user("bo", locked=False)
        await world.starts(other)

    async def test_it_goes_on_with_those_that_are_left_when_a_node_is_lost(self, world: Cluster) -> None:
        job_id = await world.submit(nodes="1:3", gpus=4)
        assert await self.running(world, job_id) == 3
        await world.lose("n2")
        await world.pass_s(WHOLE_S)
        assert await self.running(world, job_id, 2) == 2
