"""What every cluster promises, over agents in this process and over a real messages' server alike."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from danlu.cluster.server.agents import OrderRefused
from danlu.control.identity.accounts import own_account
from danlu.core.logs.log_search import LogSearch
from danlu.core.nodes.doctor import Question
from danlu.core.task import TaskEnding, TaskKey
from tests.cluster.story import NODE, PATIENCE_S, Cluster, eventually, local_story
from tests.support.unix_accounts import OTHER_ACCOUNT


async def test_nodes_say_what_they_are_and_what_they_do(cluster: Cluster) -> None:
    (facts,) = await cluster.agents.nodes()
    readings = await cluster.agents.readings()
    assert (facts.name, len(facts.gpus), facts.simulated) == (NODE, 2, True)
    assert [gpu.uuid for gpu in readings[NODE].gpus] == [gpu.uuid for gpu in facts.gpus]
    assert readings[NODE].machine is not None
    assert readings[NODE].machine.disks[0].path == "/"


async def test_a_task_runs_once_however_often_it_is_launched(cluster: Cluster) -> None:
    order = cluster.an_order("echo $DANLU_ATTEMPT $GREETING >> ran", variables={"GREETING": "嗨 \udcff"})
    await asyncio.gather(*(cluster.agents.launch(order) for _ in range(3)))
    end = await cluster.end_of(order.key)
    await cluster.agents.launch(order)
    assert (end.ending, end.wait_status) == (TaskEnding.EXITED, 0)
    assert (cluster.folder / "ran").read_bytes() == "1 嗨 ".encode() + b"\xff\n"


async def test_what_a_node_can_never_do_it_refuses(cluster: Cluster) -> None:
    # More than may be sent at all: what takes long to send may come too late, and is refused for that.
    with pytest.raises(OrderRefused):
        await cluster.launched("x" * (25 << 20))


async def test_a_task_is_stopped(cluster: Cluster) -> None:
    order = await cluster.started("sleep 1000")
    await cluster.agents.stop(NODE, order.key, 0.2)
    assert (await cluster.end_of(order.key)).ending is TaskEnding.STOPPED


async def test_one_that_is_stopped_before_its_launch_arrives_never_starts(cluster: Cluster) -> None:
    order = cluster.an_order("touch ran")
    await cluster.agents.stop(NODE, order.key, 0.2)
    await cluster.agents.launch(order)
    assert (await cluster.end_of(order.key)).ending is TaskEnding.NEVER_STARTED
    assert not (cluster.folder / "ran").exists()


async def test_tasks_are_known_until_they_are_forgotten(cluster: Cluster) -> None:
    ended, running = await cluster.launched("exit 3"), await cluster.started("sleep 1000")
    await cluster.end_of(ended.key)
    known = {fact.key: fact for fact in await cluster.agents.tasks()}
    assert known[ended.key].end is not None
    assert known[ended.key].end.wait_status == 3 << 8
    assert known[running.key].end is None
    await cluster.agents.forget(NODE, [ended.key])
    assert {fact.key for fact in await cluster.agents.tasks()} == {running.key}


async def test_logs_are_read_in_pieces(cluster: Cluster) -> None:
    order = await cluster.launched("printf 'one\\ntwo\\nthree\\n'")
    await cluster.end_of(order.key)

    async def read(offset: int, limit: int) -> tuple[bytes, int, int]:
        chunk = await cluster.agents.read_log(NODE, order.log_path, offset, limit, None)
        return chunk.data, chunk.offset, chunk.size

    assert await read(0, 4) == (b"one\n", 0, 14)
    assert await read(-6, 100) == (b"three\n", 8, 14)
    missing = await cluster.agents.read_log(NODE, cluster.own("logs/none.log"), 0, 10, None)
    assert (missing.data, missing.size) == (b"", 0)


async def test_a_users_file_is_read_only_as_theirs(cluster: Cluster) -> None:
    theirs = cluster.folder / "theirs.log"
    theirs.write_bytes(bytes(range(256)))
    chunk = await cluster.agents.read_log(NODE, str(theirs), 0, 1000, own_account())
    assert chunk.data == bytes(range(256))
    with pytest.raises(PermissionError, match=r"denied|root can act"):
        await cluster.agents.read_log(NODE, str(theirs), 0, 1000, OTHER_ACCOUNT)


async def test_logs_are_searched(cluster: Cluster) -> None:
    order = await cluster.launched("printf 'fine\\n\\377 CUDA out of memory\\nfine\\n'")
    await cluster.end_of(order.key)
    found = await cluster.agents.search_log(NODE, order.log_path, None, LogSearch("cuda"))
    assert [(each.offset, each.line) for each in found.found] == [(7, b"\xff CUDA out of memory")]
    assert (found.next, found.size) == (None, 31)


async def test_logs_are_kept_within_a_limit(cluster: Cluster) -> None:
    order = await cluster.launched("yes a long log | head -c 3000000")
    await cluster.end_of(order.key)
    assert await cluster.agents.trim_logs(NODE, 0, 0) >= 3_000_000
    held = await cluster.agents.trim_logs(NODE, 1 << 20, 0)
    assert 0 < held < 1 << 20
    chunk = await cluster.agents.read_log(NODE, order.log_path, 2_000_000, 10, None)
    assert chunk.cut is not None
    assert (chunk.size, chunk.offset, chunk.inode > 0) == (3_000_000, chunk.cut[1], True)
    assert chunk.held == 3_000_000 - (chunk.cut[1] - chunk.cut[0])


async def test_a_log_is_followed_from_before_it_exists(cluster: Cluster) -> None:
    order = cluster.an_order("echo first; until [ -e go ]; do sleep 0.01; done; echo second")
    async with asyncio.timeout(PATIENCE_S), cluster.agents.watch_log(NODE, order.log_path, None) as watch:
        await cluster.agents.launch(order)
        while await cluster.log_of(order) != b"first\n":
            await watch.changed()
        (cluster.folder / "go").touch()
        while await cluster.log_of(order) != b"first\nsecond\n":
            await watch.changed()
    await cluster.end_of(order.key)


async def test_who_follows_slowly_holds_up_nobody(cluster: Cluster) -> None:
    """It writes 20 MB in small pieces, which are not read meanwhile: it ends all the same, others are served,
    and what was written is all there."""
    order = cluster.an_order("dd if=/dev/zero bs=1000 count=20000 status=none")
    async with asyncio.timeout(PATIENCE_S), cluster.agents.watch_log(NODE, order.log_path, None) as watch:
        await cluster.agents.launch(order)
        other = await cluster.launched("echo hello")
        await cluster.end_of(other.key)
        assert await cluster.log_of(other) == b"hello\n"
        await cluster.end_of(order.key)
        await watch.changed()
        assert (await cluster.agents.read_log(NODE, order.log_path, 0, 1, None)).size == 20_000_000


async def test_a_gpu_that_is_there_is_not_forgotten(cluster: Cluster) -> None:
    assert await cluster.agents.forget_gpu(NODE, 0) is False


async def test_a_node_prepares_for_a_gang(cluster: Cluster) -> None:
    first = await cluster.agents.prepare(NODE, TaskKey(1, 1, 0))
    assert first.address == "127.0.0.1"
    assert first.port != first.second_port


async def test_a_node_is_looked_over(cluster: Cluster) -> None:
    findings = await cluster.agents.diagnose(NODE, Question(0.0, "0.5.0", "3.11", ()))
    assert ("clock", "problem") in [(finding.check, finding.level) for finding in findings]


async def test_what_danlu_keeps_of_a_job_is_removed(cluster: Cluster) -> None:
    kept = cluster.folder / "data" / "logs" / "7"
    kept.mkdir(parents=True)
    (kept / "1.log").write_text("text")
    assert await cluster.agents.remove_jobs(NODE, [7]) == [7]
    assert not kept.exists()


async def test_facts_of_many_tasks_arrive(cluster: Cluster) -> None:
    orders = [cluster.an_order() for _ in range(20)]
    await asyncio.gather(*(cluster.agents.launch(order) for order in orders))
    await eventually(
        lambda: all(order.key in cluster.known and cluster.known[order.key].end for order in orders)
    )


async def test_a_task_of_a_node_that_is_simulated_no_longer_is_stopped(tmp_path: Path) -> None:
    async with local_story(tmp_path) as cluster:
        order = await cluster.started("sleep 1000", node="former")
        await cluster.agents.stop("former", order.key, 0.0)
        assert (await cluster.end_of(order.key)).ending is TaskEnding.STOPPED
        assert cluster.known[order.key].node == "former"
