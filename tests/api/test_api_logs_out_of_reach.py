"""A log on a node that does not answer: a clear answer, in the reader's language, and never a 500."""

from __future__ import annotations

import pytest

from danlu.api.routes.logs import read_log_info
from danlu.cluster.server.agents import NodeUnreachable
from danlu.core.errors import Conflict
from danlu.core.task import LogChunk, UnixAccount
from danlu.wire.logs import LogName
from danlu.wording.catalogue import Language
from tests.control.agents import RecordingAgents
from tests.control.conftest import OpenWorld, blank, open_world  # noqa: F401 - fixtures


class UnreachableLogs(RecordingAgents):
    """Runs tasks, and does not answer for their logs."""

    async def read_log(
        self, node: str, path: str, offset: int, limit: int, account: UnixAccount | None
    ) -> LogChunk:
        raise NodeUnreachable(f"{node}: no answer on node.m1.s.call within 15 s")


class ForbiddenLogs(RecordingAgents):
    """May not read them."""

    async def read_log(
        self, node: str, path: str, offset: int, limit: int, account: UnixAccount | None
    ) -> LogChunk:
        raise PermissionError(13, "Permission denied", path)


@pytest.mark.parametrize(
    ("agents", "language", "words"),
    [
        (UnreachableLogs, "en", "is on node forge, which does not answer"),
        (UnreachableLogs, "zh", "日志位于节点 forge，而该节点没有响应"),
        (ForbiddenLogs, "en", "cannot be read: Permission denied"),
        (ForbiddenLogs, "zh", "无法读取日志"),
    ],
)
async def test_where_a_log_is_can_be_asked_though_it_cannot_be_read(
    open_world: OpenWorld,  # noqa: F811
    agents: type[RecordingAgents],
    language: Language,
    words: str,
) -> None:
    world = await open_world(agents())
    job = await world.submit("ann")
    await world.runs_to_end(job)
    ann = await world.user("ann")
    info = await read_log_info(job, LogName(), ann, world.control, language)
    assert (info.size, info.attempt) == (0, 1)
    assert info.problem is not None
    assert words in info.problem
    assert "node.m1" not in info.problem
    file = await world.control.job_logs.find(ann, job, LogName())
    with pytest.raises(Conflict):
        await world.control.job_logs.read(file, 0, 1)
