"""What only many machines have: leases, fences, broken lines, members that come and go."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from danlu.agent.logs.log_files import LogRefused
from danlu.agent.machine import boot_id
from danlu.cluster.connection import Connection, NoAnswer, NoConnection, NoListener, fingerprint_of, pin_of
from danlu.cluster.fence_proof import FenceProofs
from danlu.cluster.joining import CannotReach, WrongCertificate, ask_to_join
from danlu.cluster.node import agent_service
from danlu.cluster.node.agent_service import MemberRefused
from danlu.cluster.node.lease_file import now_s
from danlu.cluster.server import attendance
from danlu.cluster.server.agents import NodeUnreachable, OrderRefused, StaleServer
from danlu.cluster.server.control_connection import ControlConnection
from danlu.cluster.server.node_calls import CALL_S
from danlu.core.nodes.node import NodeState
from danlu.core.task import TaskEnd, TaskEnding, TaskFact, TaskKey
from danlu.launch.cluster.agent_process import AgentOptions
from danlu.launch.cluster.node import make_link, serve_node
from danlu.settings import Settings
from tests.cluster.story import (
    LEASE_S,
    NODE,
    PATIENCE_S,
    AgentProcess,
    JoinsAnswered,
    NatsStory,
    eventually,
    nats_story,
)
from tests.support.messages import MessagesServer, messages_server
from tests.support.ports import free_port
from tests.support.unix_accounts import OTHER_ACCOUNT


def lease_of(story: NatsStory) -> tuple[float, str]:
    until, boot = (story.process.folder / "node" / "lease").read_text().split()
    return float(until), boot


async def test_each_beat_grants_a_lease(nats: NatsStory) -> None:
    await eventually((nats.process.folder / "node" / "lease").exists)
    first, boot = lease_of(nats)
    assert boot == boot_id()
    assert first <= now_s() + LEASE_S
    granted_at = nats.agents.last_grants()[NODE]
    await eventually(lambda: lease_of(nats)[0] > first, "the lease was renewed")
    await eventually(lambda: nats.agents.last_grants()[NODE] > granted_at)
    # Never later than the control side believes, by whichever of its clocks.
    ahead = lease_of(nats)[0] - now_s()
    assert ahead <= nats.agents.last_grants()[NODE] + LEASE_S - time.monotonic()


async def test_a_frozen_line_ends_the_lease_and_the_node_is_lost(nats: NatsStory) -> None:
    order = await nats.started("sleep 1000")
    await eventually((nats.process.folder / "node" / "lease").exists)
    nats.server.freeze()
    try:
        await eventually(lambda: (NODE, NodeState.LOST) in nats.memberships, "the node is lost")
        assert lease_of(nats)[0] <= now_s()
        assert time.monotonic() >= nats.agents.last_grants()[NODE] + LEASE_S
        assert await nats.agents.nodes() == []
        began = time.monotonic()
        with pytest.raises(NodeUnreachable):
            await nats.agents.stop(NODE, order.key, 0.0)
        assert time.monotonic() - began < CALL_S, "a node that is known to be lost is not waited for"
    finally:
        nats.server.thaw()
    await eventually(lambda: nats.memberships[-1] == (NODE, NodeState.UP), "the node is back")
    async with asyncio.timeout(PATIENCE_S):
        # What was said on the old line may come before the node itself.
        while not await nats.agents.tasks():
            await nats.is_up()
    assert {fact.key for fact in await nats.agents.tasks()} == {order.key}


async def test_the_messages_server_is_killed_in_the_middle(nats: NatsStory) -> None:
    order = await nats.started("echo a; until [ -e go ]; do sleep 0.01; done; echo b")
    async with asyncio.timeout(PATIENCE_S), nats.agents.watch_log(NODE, order.log_path, None) as watch:
        await watch.changed()
        nats.server.kill()
        # While no server is connected, it ends.
        (nats.folder / "go").touch()
        await eventually(lambda: not nats.agents.is_connected)
        with pytest.raises(NodeUnreachable):
            await nats.agents.launch(nats.an_order())
        nats.server.start()
        assert (await nats.end_of(order.key)).wait_status == 0
        while await nats.log_of(order) != b"a\nb\n":
            await watch.changed()


async def test_the_agent_is_restarted_in_the_middle(nats: NatsStory) -> None:
    order = await nats.started("until [ -e go ]; do sleep 0.01; done")
    await nats.process.stop()
    (nats.folder / "go").touch()
    with pytest.raises(NodeUnreachable):
        await nats.agents.stop(NODE, TaskKey(99, 1, 0), 0.0)
    nats.process._make()
    await nats.process.start()
    # Its end is said again by the new one: no server had received it.
    assert (await nats.end_of(order.key)).wait_status == 0


async def test_facts_wait_for_a_server_that_is_away(nats: NatsStory) -> None:
    order = await nats.started("until [ -e go ]; do sleep 0.01; done")
    await nats.agents.close()
    (nats.folder / "go").touch()
    await eventually(lambda: nats.process.agent._living == set(), "it has ended")
    control = await nats.replace_control()
    assert [facts.name for facts in await control.nodes()] == [NODE], "it waited for who was there"
    await nats.end_of(order.key)


async def test_a_server_that_was_succeeded_is_not_obeyed(nats: NatsStory) -> None:
    old, stale = nats.agents, []
    old._attendance._on_stale = lambda: stale.append(True)
    new = nats.make_control(fence=2)
    await new.start(nats.hear)
    try:
        await eventually(lambda: new._seats.of_node(NODE).answers, "the node is up")
        await new.prepare(NODE, TaskKey(1, 1, 0))
        with pytest.raises(StaleServer):
            await old.launch(nats.an_order("touch ran"))
        assert stale
        await nats.process.restart()
        await eventually(lambda: nats.process.service._connection.is_up)
        with pytest.raises(NodeUnreachable):
            await old.launch(nats.an_order("touch ran"))
        granted_at = new.last_grants()[NODE]
        await eventually(lambda: new.last_grants()[NODE] > granted_at, "it hears the one that acts")
        assert (nats.process.folder / "node" / "fence").read_text() == "2\n"
        assert not (nats.folder / "ran").exists()
    finally:
        await new.close()


async def test_a_succeeded_server_grants_no_lease(nats: NatsStory) -> None:
    await nats.replace_control(fence=7)
    await nats.is_up()
    await nats.agents.prepare(NODE, TaskKey(1, 1, 0))
    await nats.replace_control(fence=6)
    await eventually(lambda: lease_of(nats)[0] <= now_s(), "the lease runs out")


async def test_an_earlier_process_of_the_same_server_is_not_obeyed(nats: NatsStory) -> None:
    old = nats.agents
    new = nats.make_control()
    await new.start(nats.hear)
    try:
        await eventually(lambda: new._seats.of_node(NODE).answers, "the node is up")
        await new.prepare(NODE, TaskKey(1, 1, 0))
        with pytest.raises(StaleServer):
            await old.prepare(NODE, TaskKey(1, 1, 0))
    finally:
        await new.close()


async def test_a_server_that_may_not_act_does_not(server: MessagesServer, tmp_path: Path) -> None:
    leading = True
    async with nats_story(server, tmp_path, may_act=lambda: leading) as story:
        leading = False
        with pytest.raises(StaleServer):
            await story.agents.launch(story.an_order())
        await eventually((story.process.folder / "node" / "lease").exists)
        await eventually(lambda: lease_of(story)[0] <= now_s(), "no lease is granted")


async def test_a_launch_that_was_overtaken_does_not_run_again(nats: NatsStory) -> None:
    """A copy of it was held up on its way, until its task had long ended and was forgotten."""
    order = nats.an_order("echo x >> ran")
    line = nats.agents._control
    held_up = line.sign({"op": "launch"})
    await nats.agents.launch(order)
    await nats.end_of(order.key)
    await nats.agents.forget(NODE, [order.key])
    line.sign = lambda call: {**held_up, **call}  # type: ignore[method-assign]
    with pytest.raises(NodeUnreachable, match="too late"):
        await nats.agents.launch(order)
    del line.sign  # type: ignore[method-assign]
    assert await nats.agents.tasks() == []
    assert (nats.folder / "ran").read_text() == "x\n"


async def test_a_launch_that_was_held_up_longer_than_the_lease_does_not_run(nats: NatsStory) -> None:
    seat = nats.agents._seats.of_node(NODE)
    for sent_at in (now_s() - LEASE_S - 0.1, now_s() + 1000):
        nats.agents._control.sign = lambda call, sent_at=sent_at: (  # type: ignore[method-assign]
            ControlConnection.sign(nats.agents._control, call | {"heard_at": sent_at})
        )
        with pytest.raises(NodeUnreachable, match="too late"):
            await nats.launched("touch ran")
    del nats.agents._control.sign  # type: ignore[method-assign]
    assert seat.beat_sent_at <= now_s()
    order = await nats.launched()
    await nats.end_of(order.key)
    assert not (nats.folder / "ran").exists()


async def test_a_lapse_of_the_lease_is_seen_before_the_next_one(
    nats: NatsStory, monkeypatch: pytest.MonkeyPatch
) -> None:
    await eventually((nats.process.folder / "node" / "lease").exists)
    await nats.process.stop()
    lapsed = f"{now_s() - 1:.3f} {boot_id()}\n"
    (nats.process.folder / "node" / "lease").write_text(lapsed)
    monkeypatch.setattr(agent_service, "LAPSE_PAUSE_S", 1000.0)
    granted_at = nats.agents.last_grants()[NODE]
    await nats.process.restart()
    await eventually(lambda: nats.agents.last_grants()[NODE] > granted_at, "it beats again")
    assert (nats.process.folder / "node" / "lease").read_text() == lapsed
    monkeypatch.setattr(agent_service, "LAPSE_PAUSE_S", 0.0)
    await nats.process.restart()
    await eventually(lambda: lease_of(nats)[0] > now_s(), "it has a lease again")


async def test_a_node_that_beats_and_does_not_answer_is_not_there(nats: NatsStory) -> None:
    real = nats.process.agent.tasks

    async def never() -> list[TaskFact]:
        raise RuntimeError("the keeper hangs")

    nats.process.agent.tasks = never  # type: ignore[method-assign]
    assert await nats.agents.tasks() == []
    assert await nats.agents.nodes() == []
    nats.process.agent.tasks = real  # type: ignore[method-assign]
    await eventually(lambda: nats.memberships[-2:] == [(NODE, NodeState.UP)] * 2, "it answers again")
    assert len(await nats.agents.nodes()) == 1


async def test_an_odd_word_of_one_node_is_nothing_to_the_others(nats: NatsStory) -> None:
    bad = AgentProcess(nats.folder / "bad", nats.server.add_member("bad"), name="bad")
    nats.server.reload()
    nats.agents.members_changed()
    told: list[object] = []

    async def say(call: object) -> tuple[object, bytes]:
        return told, b""

    def fact(node: str, **end: object) -> dict[str, object]:
        return {"key": [7, 1, 0], "node": node, "end": end}

    await bad.start()
    try:
        seat = nats.agents._seats.of_node("bad")
        await eventually(lambda: seat.answers)
        bad.service._calls._ops["tasks"] = say
        order = await nats.started("sleep 1000")
        told[:] = [fact("bad", ending="from_a_newer_agent", ended_at=1.0, detail="why")]
        facts = {each.key: each for each in await nats.agents.tasks()}
        end = TaskEnd(TaskEnding.VANISHED, 1.0, detail="from_a_newer_agent why")
        assert facts[TaskKey(7, 1, 0)] == TaskFact(TaskKey(7, 1, 0), "bad", end=end)
        assert order.key in facts
        for odd in (fact("bad", ending="exited"), fact(NODE, ending="exited", ended_at=1.0), "nonsense"):
            told[:] = [odd]
            assert [each.key for each in await nats.agents.tasks()] == [order.key]
            assert [facts.name for facts in await nats.agents.nodes()] == [NODE], "nothing is known of it"
            told.clear()
            await eventually(lambda: seat.answers, "it makes sense again")
        seat.take_reading({"gpus": [{"x": 1}]})
        assert NODE in await nats.agents.readings()
        bad.service._calls._ops["prepare"] = say
        with pytest.raises(NodeUnreachable, match="no sense"):
            await nats.agents.prepare("bad", TaskKey(1, 1, 0))
    finally:
        await bad.stop()


async def test_an_answer_comes_although_members_change_meanwhile(nats: NatsStory) -> None:
    asked, may_answer = asyncio.Event(), asyncio.Event()

    async def slow(call: object) -> tuple[object, bytes]:
        asked.set()
        await may_answer.wait()
        return [], b""

    nats.process.service._calls._ops["tasks"] = slow
    asking = asyncio.create_task(nats.agents.tasks())
    await asked.wait()
    nats.server.add_member("kiln")
    await asyncio.to_thread(nats.server.reload)
    may_answer.set()
    assert await asking == []
    assert len(await nats.agents.nodes()) == 1


async def test_a_call_is_brought_to_its_node(nats: NatsStory) -> None:
    content = b"\0call" * 700_000
    digest = hashlib.sha256(content).hexdigest()
    calls = nats.server.folder / "calls" / "li"
    calls.mkdir(parents=True, exist_ok=True)
    (calls / digest).write_bytes(content)
    order = nats.an_order(call_path=f"calls/li/{digest}", result_path="results/1/1")
    await nats.agents.launch(order)
    fetched = nats.process.folder / "fetched" / "calls" / "li" / digest
    assert fetched.read_bytes() == content
    assert fetched.stat().st_mode & 0o077 == 0
    await nats.end_of(order.key)
    with pytest.raises(OrderRefused):
        await nats.launched(call_path="calls/li/missing")


async def test_a_node_gets_only_what_its_orders_name(nats: NatsStory) -> None:
    secret = nats.server.folder / "calls" / "wang"
    secret.mkdir(parents=True, exist_ok=True)
    (secret / "call").write_text("private")
    for path in ("calls/wang/call", "key.pem", "calls/../key.pem"):
        nats.agents._files.allow("another", path)
        with pytest.raises(OSError):
            await nats.agents._files.read(nats.process.identity.id, path, 0)
    nats.agents._files.allow("member", "key.pem")
    with pytest.raises(PermissionError):
        await nats.agents._files.read("member", "key.pem", 0)


async def test_paths_do_not_lead_out_of_the_data_folder(nats: NatsStory) -> None:
    for path in ("../nats.log", "logs/../../x", "/etc/hostname", "member.json"):
        with pytest.raises(LogRefused):
            await nats.agents.read_log(NODE, path, 0, 10, None)
    outside = ("../outside", "/outside", "node/lease")
    for order in ({which: path} for which in ("log_path", "call_path", "result_path") for path in outside):
        with pytest.raises(OrderRefused):
            await nats.launched(**order)


async def test_a_server_that_names_only_the_number_is_understood(nats: NatsStory) -> None:
    """As those did that were made before names were compared."""
    theirs = nats.folder / "theirs.log"
    theirs.write_bytes(b"epoch 1")
    asked = {"path": str(theirs), "offset": 0, "limit": 100, "may_refuse": (LogRefused,)}
    _, data = await nats.agents._call(NODE, "read_log", uid=os.getuid(), **asked)
    assert data == b"epoch 1"
    with pytest.raises(LogRefused):
        await nats.agents._call(NODE, "read_log", uid=OTHER_ACCOUNT.uid, **asked)


async def test_nobody_speaks_or_hears_for_another(nats: NatsStory) -> None:
    """With the credentials of one member: what another is told cannot be heard, nor said in its name."""
    stranger = nats.server.add_member("quarry")
    nats.server.reload()
    heard: list[bytes] = []

    async def listen(message: object) -> None:
        heard.append(message.data)  # type: ignore[attr-defined]

    forge = nats.process.identity
    line = Connection(
        [nats.server.url],
        nats.server.certificate,
        name="quarry",
        inbox=stranger.id,
        seed=stranger.seed,
        subscriptions={
            f"node.{forge.id}.>": listen,
            "from.>": listen,
            f"_INBOX.{forge.id}.>": listen,
            ">": listen,
        },
    )
    line.start()
    try:
        await line.wait_up()
        beats = nats.agents.last_grants()[NODE]
        lie = b'{"facts":[{"key":[1,1,0],"node":"forge","end":{"ending":"exited","ended_at":1}}]}\n'
        for subject in (f"from.{forge.id}.fact", f"node.{forge.id}.call", f"_INBOX.{forge.id}.x", "join.ask"):
            with pytest.raises(NoConnection):
                await line.request(subject, lie, 0.3)
        with pytest.raises(NoConnection):
            # Its own subject, and another's name: it is heard, and the lie is dropped.
            await line.request(f"from.{stranger.id}.elsewhere", lie, 0.3)
        await line.publish(f"from.{stranger.id}.fact", lie)
        await eventually(lambda: nats.agents.last_grants()[NODE] > beats, "the others go on")
        assert heard == []
        assert nats.known == {}
    finally:
        await line.close()


async def test_a_removed_member_is_told(nats: NatsStory) -> None:
    nats.server.drop_member(NODE)
    nats.agents.members_changed()
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(MemberRefused, match="removed"):
            await nats.process.running
    assert await nats.agents.nodes() == []
    assert NODE not in nats.agents.last_grants()


async def test_a_removed_member_leaves_nothing_behind(nats: NatsStory, tmp_path: Path) -> None:
    """As `danlu join` runs it: what it was given ends with its membership."""
    quarry = nats.server.add_member("quarry")
    nats.server.reload()
    nats.agents.members_changed()
    settings = Settings(data=tmp_path / "quarry", starter="", cgroups="none")
    settings.data.mkdir()
    options = AgentOptions(simulate=1)
    serving = asyncio.create_task(serve_node(settings, quarry, options, "0.5.0", lambda _: None))
    await eventually(lambda: ("quarry", NodeState.UP) in nats.memberships)
    order = await nats.started("sleep 1000", node="quarry")
    nats.server.drop_member("quarry")
    nats.agents.members_changed()
    async with asyncio.timeout(PATIENCE_S):
        assert await serving is True
    link = make_link(settings)
    await link.start()
    (fact,) = await link.list()
    assert (fact.key, fact.end and fact.end.ending) == (order.key, TaskEnding.STOPPED)
    await link.forget([order.key])
    await link.close()


async def test_a_member_that_was_removed_while_it_was_away_is_told(nats: NatsStory) -> None:
    await nats.process.stop()
    nats.server.drop_member(NODE)
    nats.server.reload()
    nats.agents.members_changed()
    nats.process._make()
    await nats.process.start()
    async with asyncio.timeout(PATIENCE_S):
        with pytest.raises(MemberRefused, match="removed"):
            await nats.process.running


async def test_others_stay_when_members_change(nats: NatsStory) -> None:
    ups = len(nats.memberships)
    quarry = AgentProcess(nats.folder / "quarry", nats.server.add_member("quarry"), name="quarry")
    nats.server.reload()
    nats.agents.members_changed()
    await quarry.start()
    try:
        await eventually(lambda: ("quarry", NodeState.UP) in nats.memberships)
        assert nats.memberships[ups:] == [("quarry", NodeState.UP)]
        assert {facts.name for facts in await nats.agents.nodes()} == {NODE, "quarry"}
        nats.server.drop_member("quarry")
        nats.agents.members_changed()
        await nats.agents.prepare(NODE, TaskKey(1, 1, 0))
    finally:
        await quarry.stop()


async def test_an_agent_that_is_too_old_is_told_and_waits_for_better_times(
    server: MessagesServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = {"0.1.0"}
    monkeypatch.setattr(attendance, "OLD_RETRY_S", 0.1)
    async with nats_story(server, tmp_path, accepts_version=lambda version: version not in refused) as story:
        await story.process.stop()
        story.process.version = "0.1.0"
        story.process._make()
        story.process.refusals.clear()
        await story.process.start()
        await eventually(lambda: story.process.refusals == ["too_old"])
        granted_at = story.agents.last_grants()[NODE]
        refused.clear()
        await eventually(lambda: story.process.refusals == ["too_old", None], "it is taken after all")
        assert story.agents.last_grants()[NODE] > granted_at


async def test_a_stranger_asks_to_join(nats: NatsStory) -> None:
    asked: list[dict[str, object]] = []

    async def answer(question: dict[str, object]) -> dict[str, object]:
        asked.append(question)
        return {"id": "m1"}

    nats.agents.open_desk(JoinsAnswered(answer))
    fingerprint = fingerprint_of(nats.server.certificate)
    joined, certificate = await ask_to_join(f"127.0.0.1:{nats.server.port}", fingerprint, {"node": "kiln"})
    assert (joined, asked) == ({"id": "m1"}, [{"node": "kiln"}])
    assert certificate.split() == nats.server.certificate.split()
    with pytest.raises(WrongCertificate):
        await ask_to_join(f"127.0.0.1:{nats.server.port}", "x" + fingerprint[1:], {})
    with pytest.raises(CannotReach):
        await ask_to_join(f"127.0.0.1:{free_port()}", fingerprint, {})


async def test_two_servers_carry_one_cluster(server: MessagesServer, tmp_path: Path) -> None:
    """An agent at one, the control side at the other; then the agent's server dies and it moves."""
    pin, ports = pin_of(server.certificate), (free_port(), free_port())
    with messages_server(tmp_path / "a") as here, messages_server(tmp_path / "b") as there:
        identity = here.add_member(NODE)
        there.seed, there.members = here.seed, here.members
        for one, own, other in ((here, *ports), (there, *reversed(ports))):
            one.kill()
            one.start(cluster_listen=f"127.0.0.1:{own}", routes=[f"127.0.0.1:{other}"], certificate_pin=pin)
        process = AgentProcess(tmp_path / "data", replace(identity, servers=(there.url,)))
        control = NatsStory.make_control(_Servers(here), advertised=lambda: (there.url, here.url))
        await process.start()
        await control.start(lambda _: None)
        try:
            await eventually(lambda: control._seats.of_node(NODE).answers)
            await control.prepare(NODE, TaskKey(1, 1, 0))
            there.kill()
            await eventually(lambda: control._seats.of_node(NODE).granted_at)
            granted_at = control.last_grants()[NODE]
            await eventually(lambda: control.last_grants()[NODE] > granted_at, "it beats through the other")
            await eventually(lambda: here.url in (tmp_path / "data" / "member.json").read_text())
        finally:
            await control.close()
            await process.stop()


class _Servers:
    def __init__(self, server: MessagesServer) -> None:
        self.server = server
        self.memberships: list[object] = []


async def test_answers_come_to_whoever_asked_and_nobody_else(nats: NatsStory) -> None:
    line = Connection(
        [nats.server.url], nats.server.certificate, name="x", inbox="server", seed=nats.server.seed
    )
    line.start()
    try:
        await line.wait_up()
        with pytest.raises(NoListener):
            await line.request("node.nobody.call", b"{}\n", 5.0)
        with pytest.raises(NoAnswer):
            await line.request(f"node.{nats.process.identity.id}.call", b"no json\n", 0.2)
    finally:
        await line.close()


def test_a_lie_would_have_been_believed() -> None:
    """The lie above is well-formed."""
    from danlu.codec import decode

    plain = {"key": [1, 1, 0], "node": "forge", "end": {"ending": "exited", "ended_at": 1}}
    end = TaskEnd(TaskEnding.EXITED, 1)
    assert decode(TaskFact, plain) == TaskFact(TaskKey(1, 1, 0), "forge", end=end)


async def test_an_agent_outlives_a_disk_that_takes_nothing(
    server: MessagesServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with nats_story(server, tmp_path) as story:
        lease = story.process.folder / "node" / "lease"
        await eventually(lease.exists, "the first lease")

        def is_full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("danlu.cluster.node.agent_service.write_lease", is_full)
            granted_at = story.agents.last_grants()[NODE]
            await eventually(lambda: story.agents.last_grants()[NODE] > granted_at, "the next beats")
        before = lease.read_text()
        await eventually(lambda: lease.read_text() != before, "the lease once there is room again")


async def test_a_server_of_an_old_copy_does_not_take_the_nodes_from_the_one_they_follow(
    nats: NatsStory,
) -> None:
    """It has the higher number, by the clock; but its database knows nothing of the one that leads."""
    await nats.replace_control(fence=50)
    await nats.is_up()
    await eventually(lambda: nats.process.service._proof.fence == 50, "the proof")
    found: list[int] = []
    old = nats.make_control(fence=90, previous=7, members=list, on_foreign=found.append)
    await old.start(nats.hear)
    try:
        await eventually(lambda: found == [50], "a node that follows another copy")
        with pytest.raises(NodeUnreachable):
            await old.launch(nats.an_order("touch ran"))
        granted_at = nats.agents.last_grants()[NODE]
        await eventually(lambda: nats.agents.last_grants()[NODE] > granted_at, "it follows who led before")
        assert nats.process.refusals[-1] is None, "nor is it told that it was removed"
    finally:
        await old.close()
    await nats.process.restart()
    await nats.is_up()
    await eventually(lambda: nats.process.service._gate.highest == 50, "what it had heard before")
    # The server that comes after that one from the same database is followed.
    new = await nats.replace_control(fence=91, previous=50)
    await nats.is_up()
    assert new._control.may_act()


def test_no_node_alone_can_stop_a_server_with_a_number_that_nobody_had() -> None:
    servers, strangers = FenceProofs("a seed"), FenceProofs("another seed")
    line = ControlConnection(None, 90, lambda: True, 7, servers)  # type: ignore[arg-type]

    def follows_another(fence: object, session: object, proof: object) -> bool:
        return line.follows_another({"fence": fence, "fence_session": session, "fence_proof": proof})

    assert follows_another(50, "s", servers.prove(50, "s"))
    assert follows_another(91, "s", servers.prove(91, "s"))
    # Of another copy, which began in the same second.
    assert follows_another(90, "s", servers.prove(90, "s"))
    for fence, session, proof in [
        (50, "s", servers.prove(51, "s")),
        (50, "s", servers.prove(50, "t")),
        (50, "s", strangers.prove(50, "s")),
        (50, "s", None),
        (50, None, servers.prove(50, "s")),
        ("50", "s", servers.prove(50, "s")),
        (True, "s", servers.prove(1, "s")),
        (10**12, "s", "\u00e9\ud800" * 32),
        # Ours, and those from the same database before us.
        (90, line.session, line.proof),
        (7, "s", servers.prove(7, "s")),
    ]:
        assert not follows_another(fence, session, proof)
    assert not line.follows_another({})
