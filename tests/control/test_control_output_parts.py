"""Whose part of a file is whose, when several write into one: one after another, or at the same time."""

from __future__ import annotations

from dataclasses import replace

from danlu.core.job import Attempt
from danlu.core.logs.output_part import OutputPart
from danlu.core.states import ENDED, JobState
from danlu.core.task import OutputPlace, TaskKey
from danlu.store.jobs.output_parts import find_part
from tests.control.agents import RecordingAgents, a_machine
from tests.control.conftest import OpenWorld
from tests.control.world import World

FILE = "/work/o"


def place(offset: int, inode: int = 2**63 + 5, filesystem: str = "cafe") -> OutputPlace:
    return OutputPlace(inode, filesystem, offset)


class Story:
    """Jobs that all write to one file."""

    def __init__(self, world: World, agents: RecordingAgents) -> None:
        self.world = world
        self.agents = agents

    async def begins(self, *places: OutputPlace, **fields: object) -> int:
        """A job starts, on as many nodes as there are places; each says where its output began."""
        job_id = await self.world.submit(
            stdout="o", nodes=str(len(places)) if len(places) > 1 else None, gpus=1, **fields
        )
        keys = [TaskKey(job_id, 1, rank) for rank in range(len(places))]
        await self.world.until_true(lambda: all(key in self.agents.known for key in keys))
        self._pass_time()
        for key, at in zip(keys, places, strict=True):
            fact = replace(self.agents.known[key], started_at=self.world.clock(), stdout_at=at, stderr_at=at)
            self.agents._learn(fact)
        await self.world.until(job_id, JobState.RUNNING)
        return job_id

    async def ends(self, job_id: int) -> None:
        self._pass_time()
        for key in [key for key in self.agents.known if key.job == job_id]:
            self.agents.ends(key)
        await self.world.until(job_id, *ENDED)

    def _pass_time(self) -> None:
        """On the server, and on its nodes alike."""
        self.world.clock.advance(1)
        self.agents._now = self.world.clock()

    async def part(self, job_id: int, rank: int = 0) -> OutputPart | None:
        attempt: Attempt = (await self.world.attempts(job_id))[-1]
        return await self.world.control.database.read(
            lambda connection: find_part(connection, job_id, attempt, rank, FILE)
        )


async def open_story(open_world: OpenWorld) -> Story:
    agents = RecordingAgents(*(a_machine(name) for name in ("n1", "n2")))
    return Story(await open_world(agents), agents)


async def test_one_after_another_each_has_what_it_wrote(open_world: OpenWorld) -> None:
    story = await open_story(open_world)
    one = await story.begins(place(10))
    assert await story.part(one) == OutputPart(2**63 + 5, 10)
    await story.ends(one)
    assert await story.part(one) == OutputPart(2**63 + 5, 10)
    two = await story.begins(place(500))
    assert await story.part(one) == OutputPart(2**63 + 5, 10, 500)
    assert await story.part(two) == OutputPart(2**63 + 5, 500)


async def test_at_the_same_time_nothing_of_either_is_hidden(open_world: OpenWorld) -> None:
    story = await open_story(open_world)
    one = await story.begins(place(10))
    two = await story.begins(place(500))
    await story.ends(one)
    await story.ends(two)
    assert await story.part(one) == OutputPart(2**63 + 5, 10)
    assert await story.part(two) == OutputPart(2**63 + 5, 500)


async def test_another_file_of_the_same_name_ends_nothing(open_world: OpenWorld) -> None:
    story = await open_story(open_world)
    one = await story.begins(place(10))
    await story.ends(one)
    await story.begins(place(500, inode=7))
    await story.begins(place(600, filesystem="beef"))
    assert await story.part(one) == OutputPart(2**63 + 5, 10)


async def test_the_tasks_of_a_gang_share_their_part_of_one_file(open_world: OpenWorld) -> None:
    story = await open_story(open_world)
    job_id = await story.begins(place(120), place(100))
    assert await story.part(job_id, 0) == await story.part(job_id, 1) == OutputPart(2**63 + 5, 100)


async def test_nothing_is_kept_of_a_deleted_job(open_world: OpenWorld) -> None:
    story = await open_story(open_world)
    job_id = await story.begins(place(10))
    await story.ends(job_id)
    user = await story.world.user("bo")
    await story.world.control.jobs.delete(user, job_id, with_successors=False, running="refuse")
    assert await story.part(job_id) is None


async def test_what_a_node_does_not_tell_is_not_known(open_world: OpenWorld) -> None:
    story = await open_story(open_world)
    job_id = await story.world.submit(stdout="o")
    key = TaskKey(job_id, 1, 0)
    await story.world.until_true(lambda: key in story.agents.known)
    story.agents.begins(key)
    await story.world.until(job_id, JobState.RUNNING)
    assert await story.part(job_id) is None
