"""Whatever happens to nodes, messages and the server, in whatever order: a job is never there twice, never
half, its GPUs are its own, and it comes to an end."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from danlu.control.recovery.fencing import LEASE_GRACE_S, longest_s
from danlu.core.nodes.node import NodeState
from danlu.core.states import ACTIVE, ENDED, IN_QUEUE, JobState
from danlu.core.task import LaunchOrder, TaskEnd, TaskEnding, TaskFact, TaskKey
from danlu.store.jobs.job_lists import ListQuery, list_jobs
from danlu.store.nodes.node_rows import list_nodes, set_drained
from tests.control.agents import LeasedAgents, a_machine
from tests.control.world import World
from tests.store.builders import HandClock

LEASE_S = 15.0
NODES = ("n1", "n2", "n3")
MOST_ROUNDS = 30


class StrictAgents(LeasedAgents):
    """Writes down what must never be. A machine that is cut off stops what is leased, as late as it may."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        machines = [a_machine(name, gpus=2, cpus=4, leased=True) for name in NODES]
        super().__init__(*machines, monotonic=monotonic)
        self.told: list[TaskFact] = []
        self.wrong: list[str] = []
        self.orders: dict[TaskKey, LaunchOrder] = {}
        self.boots = 1

    @property
    def alive(self) -> list[TaskKey]:
        return [key for key, fact in self.known.items() if fact.end is None]

    def tell(self, fact: TaskFact) -> None:
        self.told.append(fact)
        super().tell(fact)

    async def launch(self, order: LaunchOrder) -> None:
        key = order.key
        self._reach(order.node)
        if key in self.forgotten:
            self.wrong.append(f"{key} was run to its end, and is sent again")
        for other in self.alive:
            if other.job == key.job and other.attempt != key.attempt:
                self.wrong.append(f"{key} begins while {other} is there")
            mine, theirs = set(order.gpu_ids), set(self.orders[other].gpu_ids)
            if other != key and self.orders[other].node == order.node and mine & theirs:
                self.wrong.append(f"{key} and {other} are on the same GPU")
        self.orders[key] = order
        await super().launch(order)

    def stop_what_is_leased(self) -> None:
        for node in self._cut:
            if self.monotonic() >= self.granted[node] + LEASE_S + LEASE_GRACE_S:
                self.run_out(node)

    def die(self, node: str) -> None:
        """The power is gone; what ran there does not any more."""
        self.cut(node)
        self.known = {key: fact for key, fact in self.known.items() if fact.node != node}

    def reboot(self, node: str) -> None:
        self.boots += 1
        self.heal(node, boot_id=f"boot-{self.boots}")

    def lose_an_order(self, number: int) -> None:
        """It never arrived."""
        fresh = [key for key in self.alive if self.known[key].started_at is None]
        if fresh:
            del self.known[fresh[number % len(fresh)]]


@dataclass(frozen=True)
class Step:
    act: str
    number: int
    flag: bool


ACTS = (
    *["submit"] * 6,
    *["begin"] * 6,
    *["end"] * 3,
    *["cut", "lose"] * 4,
    *["heal", "wait"] * 3,
    *["die", "reboot", "repeat", "repeat", "lose order", "cancel", "declare dead", "restart", "stop"],
)
STEPS = st.lists(
    st.builds(Step, act=st.sampled_from(ACTS), number=st.integers(0, 11), flag=st.booleans()),
    min_size=10,
    max_size=40,
)
KINDS = (
    {"nodes": "2", "gpus": 2, "restartable": True},
    {"nodes": "2", "gpus": 1},
    {"nodes": "1:3", "gpus": 2},
    {"nodes": "3", "cpus": 1, "restartable": True, "launcher": "mpi"},
    {"gpus": 2, "restartable": True},
    {"gpus": 1},
)


class Life:
    def __init__(self, world: World, agents: StrictAgents, clock: HandClock) -> None:
        self.world = world
        self.agents = agents
        self.clock = clock
        self.jobs: list[int] = []

    async def take(self, step: Step) -> None:
        node = NODES[step.number % len(NODES)]
        match step.act:
            case "submit":
                kind = KINDS[step.number % len(KINDS)]
                self.jobs.append(await self.world.submit(**kind, retries=int(step.flag), retry_backoff_s=0))
            case "begin":
                self.begin(step.number, all_of_them=step.flag)
            case "end":
                self.end(step.number, code=int(step.flag))
            case "cut":
                self.agents.cut(node)
            case "heal" if node in self.agents._cut:
                self.agents.heal(node)
            case "wait":
                await self.wait(1.0 + step.number)
            case "lose":
                self.agents.cut(node)
                await self.wait(longest_s(LEASE_S))
            case "die":
                self.agents.die(node)
            case "reboot":
                self.agents.reboot(node)
            case "repeat" if self.agents.told:
                super(StrictAgents, self.agents).tell(
                    self.agents.told[step.number * 7 % len(self.agents.told)]
                )
            case "lose order":
                self.agents.lose_an_order(step.number)
            case "cancel":
                await self.cancel(step.number)
            case "declare dead":
                await self.declare_dead(node)
            case "restart":
                await self.world.restart()
            case "stop" if step.flag:
                await self.world.control.jobs.stop_all()
        await self.world.settle()
        await self.check()

    def begin(self, number: int, *, all_of_them: bool) -> None:
        fresh = [key for key in self.agents.alive if self.agents.known[key].started_at is None]
        for key in fresh if all_of_them else fresh[number % len(fresh or [0]) :][:1]:
            self.agents.begins(key)

    def end(self, number: int, code: int) -> None:
        running = [key for key in self.agents.alive if self.agents.known[key].started_at is not None]
        if running:
            end = TaskEnd(TaskEnding.EXITED, self.world.clock(), wait_status=code << 8)
            self.agents.ends_with(running[number % len(running)], end)

    async def wait(self, seconds: float) -> None:
        # In steps: nothing keeps the server from looking for as long as that.
        for part in (min(seconds, LEASE_S), max(0.0, seconds - LEASE_S)):
            self.clock.advance(part)
            self.world.clock.advance(part)
            self.agents.beat()
            self.agents.stop_what_is_leased()
            await self.world.round()

    async def cancel(self, number: int) -> None:
        open_jobs = [job_id for job_id in self.jobs if await self.world.state(job_id) in IN_QUEUE | ACTIVE]
        if open_jobs:
            chosen = open_jobs[number % len(open_jobs)]
            await self.world.control.jobs.cancel(await self.world.user("bo"), chosen)

    async def declare_dead(self, node: str) -> None:
        nodes = await self.world.control.database.read(list_nodes)
        if any(each.name == node and each.state is NodeState.LOST for each in nodes):
            self.agents.die(node)
            await self.world.control.reconciler.declare_dead(node, "ann")

    async def check(self) -> None:
        assert self.agents.wrong == []
        by_job: dict[int, set[int]] = {}
        for key in self.agents.alive:
            by_job.setdefault(key.job, set()).add(key.attempt)
        assert all(len(attempts) == 1 for attempts in by_job.values())

    async def come_to_an_end(self) -> None:
        """Everything is well again from now on: so every job ends."""
        for node in NODES:
            if node in self.agents._cut:
                self.agents.heal(node)
            await self.world.control.database.write(lambda tx, node=node: set_drained(tx, node, False, "ann"))
        await self.wait(1.0)
        for _ in range(MOST_ROUNDS):
            if not await self.open_jobs():
                break
            await self.check_whole()
            self.begin(0, all_of_them=True)
            await self.world.settle()
            for key in self.agents.alive:
                if self.agents.known[key].started_at is not None:
                    self.agents.ends(key)
            await self.world.settle()
            await self.check()
            await self.wait(2.0)
        for job_id in self.jobs:
            job = await self.world.job(job_id)
            assert job.state in ENDED, f"{job_id} is {job.state}"
            assert all(attempt.ended_at is not None for attempt in await self.world.attempts(job_id))
        assert self.agents.alive == []

    async def check_whole(self) -> None:
        """Where nothing is under way any more, every task of an attempt is there, or none."""
        for job_id in self.jobs:
            job = await self.world.job(job_id)
            if job.state in (JobState.STARTING, JobState.RUNNING):
                attempt = (await self.world.attempts(job_id))[-1]
                there = {key.rank for key in self.agents.alive if key[:2] == (job_id, job.attempt)}
                assert there == {task.rank for task in attempt.tasks if task.end is None}

    async def open_jobs(self) -> bool:
        for area in ("waiting", "running"):
            query = ListQuery(area=area)
            if (await self.world.control.database.read(lambda c, q=query: list_jobs(c, q)))[0]:
                return True
        return False


async def live(path: Path, steps: list[Step]) -> None:
    clock = HandClock()
    agents = StrictAgents(clock)
    world = await World(path, agents, lease_s=LEASE_S, monotonic=clock).open()
    try:
        life = Life(world, agents, clock)
        for step in steps:
            await life.take(step)
        await life.come_to_an_end()
    finally:
        await world.close()


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS)
def test_a_job_is_never_twice_never_half_and_always_comes_to_an_end(blank: Path, steps: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        asyncio.run(live(Path(shutil.copy(blank, Path(folder) / "danlu.db")), steps))
