"""A server tells people through its channels, and spends nothing while it has none."""

from __future__ import annotations

from danlu.core.states import JobState
from danlu.launch.serve.notifications import make_channels, notifying
from tests.control.agents import RecordingAgents
from tests.control.conftest import OpenWorld, blank, open_world  # noqa: F401 - what the fixtures here are made of
from tests.notify.channels import RecordingChannel


async def test_no_channel_exists_yet_and_so_nothing_listens(open_world: OpenWorld) -> None:  # noqa: F811
    world = await open_world(RecordingAgents())
    before = len(world.control.bus._streams)
    async with notifying(world.control, make_channels(world.settings)):
        assert len(world.control.bus._streams) == before


async def test_a_channel_hears_of_a_job_from_its_start_to_its_end(open_world: OpenWorld) -> None:  # noqa: F811
    world, channel = await open_world(RecordingAgents()), RecordingChannel()
    async with notifying(world.control, [channel]):
        job_id = await world.submit()
        world.agents.ends(await world.starts(job_id))
        await world.until(job_id, JobState.SUCCEEDED)
        await channel.until(2)
    assert [(told.user, told.kind.value) for told in channel.sent] == [("bo", "started"), ("bo", "succeeded")]
