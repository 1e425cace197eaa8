from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.cluster.story import Cluster, NatsStory, local_story, nats_story
from tests.support.messages import MessagesServer, messages_server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MessagesServer]:
    """One real messages' server for a whole file of tests."""
    with messages_server(tmp_path_factory.mktemp("messages")) as running:
        yield running


@pytest.fixture
async def nats(server: MessagesServer, tmp_path: Path) -> AsyncIterator[NatsStory]:
    async with nats_story(server, tmp_path) as story:
        yield story


@pytest.fixture(params=["local", "nats"])
async def cluster(
    request: pytest.FixtureRequest, server: MessagesServer, tmp_path: Path
) -> AsyncIterator[Cluster]:
    if request.param == "local":
        async with local_story(tmp_path) as story:
            yield story
    else:
        async with nats_story(server, tmp_path) as other:
            yield other
