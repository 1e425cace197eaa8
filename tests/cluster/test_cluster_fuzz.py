"""One member says whatever it likes, on every subject and to every call. The other node, and all who submit,
notice nothing of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nats.aio.msg import Msg

from danlu.api.views.node_views import show_node
from danlu.cluster.connection import Connection, NoConnection
from danlu.cluster.joining import JOIN_STANDING
from danlu.cluster.messages import pack
from danlu.cluster.nats_config import JOIN_USER
from danlu.cluster.node.node_identity import NodeIdentity
from danlu.cluster.server.agents import NodeUnreachable, OrderRefused
from danlu.cluster.server.nats_cluster import NatsCluster
from danlu.control.control import Control
from danlu.control.event_bus import EventBus
from danlu.control.identity.accounts import AccountBook
from danlu.core.logs.log_search import LogSearch
from danlu.core.nodes.doctor import Question
from danlu.core.nodes.node import FindingLevel, Node, NodeState
from danlu.core.states import ENDED, JobState
from danlu.core.task import LaunchOrder, TaskKey
from danlu.core.user import Role, User
from danlu.settings import ClusterSettings, Settings
from danlu.store.engine.database import Database
from danlu.store.engine.migrate import migrate
from danlu.store.jobs.job_rows import get_job
from danlu.store.nodes.node_rows import list_nodes
from danlu.store.users import add_user, get_user
from danlu.wire.jobs import JobFields
from tests.cluster.story import LEASE_S, PATIENCE_S, AgentProcess, LeavesAnswered
from tests.support.messages import MessagesServer, messages_server

GOOD, BAD = "forge", "mad"
SESSION = "s1"
Answer = Callable[[dict[str, Any]], bytes]


def a_gpu(**fields: Any) -> dict[str, Any]:
    return {"index": 0, "uuid": "GPU-x", "name": "H200", "memory_mb": 141_000, **fields}


def some_facts() -> dict[str, Any]:
    return {"name": BAD, "cpus": 4, "memory_mb": 16_000, "gpus": [a_gpu()], "boot_id": "b", "leased": True}


def a_beat(number: int = 0, **fields: Any) -> dict[str, Any]:
    return {
        "agent_session": SESSION,
        "sent_at": time.clock_gettime(time.CLOCK_BOOTTIME),
        "facts_digest": f"d{number}",
        "facts": some_facts(),
        "clock": time.time(),
        "version": "0.5.0",
        "fence": 0,
        "stood_back": False,
        "reading": {
            "gpus": [
                {
                    "index": 0,
                    "uuid": "GPU-x",
                    "memory_mb": 141_000,
                    "used_mb": 5,
                    "load": 7,
                    "power_w": 100.0,
                    "processes": [{"pid": 1, "user": "li", "command": "x", "memory_mb": 5}],
                    "fault": "",
                }
            ],
            "machine": {
                "cpu_percent": 1.0,
                "load_1m": 0.5,
                "memory_used_mb": 5,
                "memory_total_mb": 10,
                "network_in_bytes_s": 0.0,
                "network_out_bytes_s": 0.0,
                "disks": [{"path": "/", "used_bytes": 1, "total_bytes": 2}],
            },
        },
        **fields,
    }


def a_fact(job: int = 1) -> dict[str, Any]:
    end = {"ending": "exited", "ended_at": 1.0, "wait_status": 0, "problem": None, "detail": ""}
    return {"key": [job, 1, 0], "node": BAD, "started_at": 1.0, "end": end}


MESSAGES: dict[str, Callable[[], dict[str, Any]]] = {
    "beat": a_beat,
    "fact": lambda: {"agent_session": SESSION, "facts": [a_fact()]},
    "changed": lambda: {"watch": "w"},
    "fetch": lambda: {"path": "calls/x", "offset": 0},
}
ANSWERS: dict[str, Any] = {
    "tasks": [a_fact()],
    "prepare": {"address": "10.0.0.1", "port": 29500, "second_port": 29501},
    "diagnose": [
        {"check": "disk", "level": "problem", "code": "full", "facts": {"path": "/", "free_bytes": 1}}
    ],
    "remove_jobs": [1],
    "read_log": {"offset": 0, "size": 0},
    "search_log": {
        "found": [{"offset": 0, "length": 1, "line_offset": 0, "line": "eA=="}],
        "next": 1,
        "size": 9,
    },
    "forget_gpu": True,
    "watch_log": True,
}
CODES = ("stale_server", "order_refused", "file_refused", "overtaken", "unavailable", "failed", "odd")

plain = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
anything = st.recursive(
    plain | st.sampled_from(["many", "\0", "\ud800", "a" * 300, "x y\r\nPUB a 0\r\n", -1, 1e308, 2**70]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def places_in(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(each for key, one in inner for each in places_in(one, (*path, key)))]


def spoil(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = spoil(copy[path[0]], path[1:], odd)
    return copy


@st.composite
def spoilt(draw: st.DrawFn, made: Any) -> Any:
    """Almost right: one thing in it is something else."""
    return spoil(made, draw(st.sampled_from(places_in(made))), draw(anything))


refusals = st.fixed_dictionaries({"code": st.sampled_from(CODES), "text": anything, "errno": anything})
answers = st.fixed_dictionaries({op: spoilt(made) | anything for op, made in ANSWERS.items()})
messages = st.sampled_from(sorted(MESSAGES)).flatmap(
    lambda subject: st.tuples(st.just(subject), spoilt(MESSAGES[subject]()) | anything)
)


class Madness:
    """A member of the cluster with good credentials, and nothing else that is good."""

    def __init__(self, identity: NodeIdentity) -> None:
        self.id = identity.id
        self.says: Answer = lambda _: pack({"result": None})
        self._numbers = iter(range(10**9))
        self.connection = Connection(
            identity.servers,
            identity.certificate,
            name=BAD,
            inbox=identity.id,
            seed=identity.seed,
            subscriptions={f"node.{identity.id}.>": self._answer},
        )

    async def _answer(self, message: Msg) -> None:
        if message.reply:
            with contextlib.suppress(NoConnection):
                await self.connection.publish(
                    message.reply, self.says(json.loads(message.data.partition(b"\n")[0]))
                )

    async def say(self, subject: str, word: Any) -> None:
        """To all subscribers; no answer is waited for."""
        reply = f"_INBOX.{self.id}.x"
        await self.connection.publish(f"from.{self.id}.{subject}", pack_anything(word), reply=reply)

    async def beat(self, **fields: Any) -> None:
        number = next(self._numbers)
        await self.connection.request(f"from.{self.id}.beat", pack(a_beat(number, **fields)), PATIENCE_S)


def pack_anything(word: Any) -> bytes:
    return json.dumps(word).encode() + b"\n"


class FuzzedCluster:
    """A whole control side over two nodes: one is real, the other is mad."""

    def __init__(self, server: MessagesServer, folder: Path) -> None:
        self.folder = folder
        self.server = server
        self.good = AgentProcess(folder / "good", server.add_member(GOOD), name=GOOD)
        self.mad = Madness(server.add_member(BAD))
        server.reload()
        self.settings = Settings(
            data=folder, starter="ann", resync_s=3600.0, cluster=ClusterSettings(lease_s=LEASE_S)
        )
        self.control = self._make_control()

    def _make_control(self) -> Control:
        self.agents = NatsCluster(
            [self.server.url],
            self.server.certificate,
            self.server.seed,
            fence=5,
            lease_s=LEASE_S,
            members=lambda: self.server.members,
            calls_folder=self.folder / "calls",
        )
        bus = EventBus()
        database = Database(self.settings.database, time.time, on_commit=bus.publish)
        return Control(database, bus, self.agents, AccountBook("ann", False), self.settings, time.time)

    async def start(self) -> None:
        await self.good.start()
        self.mad.connection.start()
        await self.mad.connection.wait_up()
        await self._start_control()
        self.mad.says = lambda call: pack({"result": [] if call["op"] in ("tasks", "diagnose") else None})
        await self.until(self._is_mad_one_known, "that the mad node is known")

    async def _is_mad_one_known(self) -> bool:
        await self.mad.beat()
        await self.control.reconciler.round()
        return any(node.name == BAD for node in await self.control.database.read(list_nodes))

    async def _start_control(self) -> None:
        self.control.database.start()
        if await self.control.database.read(lambda c: get_user(c, "ann")) is None:
            await self.control.database.write(lambda tx: add_user(tx, "ann", Role.ADMIN, password_hash=None))
        await self.control.start()

    async def restart(self) -> None:
        await self.control.close()
        self.control = self._make_control()
        await self._start_control()

    async def stop(self) -> None:
        await self.mad.connection.close()
        await self.control.close()
        await self.good.stop()

    async def node(self, name: str) -> Node:
        return next(node for node in await self.control.database.read(list_nodes) if node.name == name)

    async def until(self, condition: Callable[[], Awaitable[Any]], what: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not await condition():
            assert time.monotonic() < deadline, f"{what} never came true"
            await asyncio.sleep(0.02)

    async def works(self) -> None:
        """A user submits, a pass and a round go through, and the job runs on the good node."""
        control = self.control
        found: User | None = await control.database.read(lambda c: get_user(c, "ann"))
        assert found is not None
        wanted = JobFields(command="true", directory=str(self.folder), node=GOOD)
        job_id = (await control.submissions.submit_many(found, [wanted])).ids[0]
        await control.scheduling_loop.pass_now()
        await control.reconciler.round()
        await control.monitor.look()

        async def has_ended() -> bool:
            job = await control.database.read(lambda c: get_job(c, job_id))
            assert job is not None
            assert job.state not in ENDED - {JobState.SUCCEEDED}, job
            return job.state is JobState.SUCCEEDED

        await self.until(has_ended, f"the end of job {job_id}")
        readings, machines = control.monitor.readings, control.monitor.machines
        for node in await control.database.read(list_nodes):
            for language in ("en", "zh"):
                show_node(language, node, (), readings.get(node.name, {}), machines.get(node.name))

    async def asks_all(self) -> None:
        """Every call, whatever comes back: none raises what its caller does not expect."""
        agents, key = self.agents, TaskKey(1, 1, 0)
        order = LaunchOrder(key, BAD, "x", "li", "/", "true")
        calls: list[Awaitable[object]] = [
            agents.tasks(),
            agents.nodes(),
            agents.readings(),
            agents.prepare(BAD, key),
            agents.diagnose(BAD, Question(0.0, "", "")),
            agents.launch(order),
            agents.stop(BAD, key, 1.0),
            agents.forget(BAD, [key]),
            agents.forget_gpu(BAD, 0),
            agents.remove_jobs(BAD, [1, 2]),
            agents.read_log(BAD, "logs/1", 0, 100, None),
            agents.search_log(BAD, "logs/1", None, LogSearch("x")),
        ]
        for outcome in await asyncio.gather(*calls, return_exceptions=True):
            assert not isinstance(outcome, BaseException) or isinstance(
                outcome, (NodeUnreachable, OrderRefused, OSError)
            ), outcome

        async def is_there() -> bool:
            return GOOD in {facts.name for facts in await agents.nodes()}

        await self.until(is_there, "that the other node is there")


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FuzzedCluster, asyncio.Runner]]:
    folder = tmp_path_factory.mktemp("fuzzed")
    migrate(f"sqlite:///{folder / 'danlu.db'}")
    with messages_server(folder / "messages") as server, asyncio.Runner() as runner:
        cluster = FuzzedCluster(server, folder)
        runner.run(cluster.start())
        yield cluster, runner
        runner.run(cluster.stop())
    shutil.rmtree(folder, ignore_errors=True)


few = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@few
@given(words=st.lists(messages, min_size=1, max_size=12), told=answers, refused=st.none() | refusals)
def test_whatever_one_node_says_the_others_go_on(
    fuzzed: tuple[FuzzedCluster, asyncio.Runner],
    words: list[tuple[str, Any]],
    told: dict[str, Any],
    refused: Any,
) -> None:
    cluster, runner = fuzzed

    def answer(call: dict[str, Any]) -> bytes:
        if refused is not None:
            return pack_anything({"error": refused})
        return pack_anything({"result": told.get(call["op"])})

    async def live() -> None:
        cluster.mad.says = answer
        await cluster.mad.beat()
        for subject, word in words:
            await cluster.mad.say(subject, word)
        await cluster.asks_all()
        await cluster.works()

    runner.run(live())


@few
@given(raw=st.binary(max_size=40) | st.sampled_from([b"[" * 100_000, b'{"a":' * 5_000, b"NaN", b"\xff"]))
def test_what_is_no_json_is_nothing_to_the_others(
    fuzzed: tuple[FuzzedCluster, asyncio.Runner], raw: bytes
) -> None:
    cluster, runner = fuzzed

    async def live() -> None:
        cluster.mad.says = lambda _: raw
        await cluster.mad.beat()
        for subject in MESSAGES:
            await cluster.mad.connection.publish(f"from.{cluster.mad.id}.{subject}", raw)
        await cluster.asks_all()

    runner.run(live())


def test_a_server_starts_beside_a_node_that_obeys_another(
    fuzzed: tuple[FuzzedCluster, asyncio.Runner],
) -> None:
    cluster, runner = fuzzed
    cluster.mad.says = lambda _: pack({"error": {"code": "stale_server"}})

    async def live() -> None:
        await cluster.mad.beat()
        await cluster.restart()
        await cluster.mad.beat()
        await cluster.works()

        async def is_shown() -> bool:
            found = (await cluster.node(BAD)).findings
            return any(each.code == "other_server" and each.level is FindingLevel.PROBLEM for each in found)

        await cluster.until(is_shown, "that it follows another server")
        assert (await cluster.node(GOOD)).state is NodeState.UP

    runner.run(live())


def test_facts_that_make_no_sense_are_shown_on_their_node(
    fuzzed: tuple[FuzzedCluster, asyncio.Runner],
) -> None:
    """Nothing starts there until it makes sense again; what is stored of it stays what it was."""
    cluster, runner = fuzzed
    cluster.mad.says = lambda call: pack({"result": [] if call["op"] in ("tasks", "diagnose") else None})
    twice_the_same = {**some_facts(), "gpus": [a_gpu(), a_gpu()]}

    async def look_over(**said: Any) -> None:
        """At once: the doctor looks ever more rarely at a node that was ill for long."""
        await cluster.mad.beat(**said)
        await cluster.control.doctor.examine(BAD)

    async def what_is_said_of_facts() -> list[Any]:
        """What it said of other things lately, as other tests had it do, is shown too."""
        found = (await cluster.node(BAD)).findings
        return [each.facts["why"] for each in found if each.facts.get("about") == "facts"]

    async def live() -> None:
        await cluster.mad.beat()
        await cluster.mad.beat(facts={**some_facts(), "cpus": "many"})
        await cluster.mad.beat(facts=twice_the_same)
        await cluster.works()
        assert BAD not in {facts.name for facts in await cluster.agents.nodes()}
        assert BAD in cluster.control.closed_nodes.names

        async def is_shown() -> bool:
            await look_over(facts=twice_the_same)
            return "gpus" in str(await what_is_said_of_facts())

        await cluster.until(is_shown, "what is wrong with its facts")

        async def is_well() -> bool:
            await look_over()
            return not await what_is_said_of_facts() and BAD not in cluster.control.closed_nodes.names

        await cluster.until(is_well, "that it makes sense again")

    runner.run(live())


def test_what_an_earlier_version_stored_of_a_mad_node_stops_nobody(
    fuzzed: tuple[FuzzedCluster, asyncio.Runner],
) -> None:
    cluster, runner = fuzzed

    async def live() -> None:
        for bad in ({**some_facts(), "cpus": "many"}, {"gpus": 5}, [], {**some_facts(), "gpus": [{"x": 1}]}):
            stored = json.dumps(bad)
            await cluster.control.database.write(
                lambda tx, stored=stored: tx.connection.exec_driver_sql(
                    "UPDATE nodes SET facts = ? WHERE name = ?", (stored, BAD)
                )
            )
            await cluster.restart()
            await cluster.works()
            assert any(each.code == "senseless" for each in (await cluster.node(BAD)).findings)
            await cluster.mad.beat()
            await cluster.works()

    runner.run(live())


def test_answers_go_only_where_who_asked_may_hear_them(fuzzed: tuple[FuzzedCluster, asyncio.Runner]) -> None:
    """A server may speak anywhere. One that answered wherever it is told to would say for a member that it
    leaves."""
    cluster, runner = fuzzed
    left: list[str] = []

    async def let_go(member_id: str, asked: dict[str, Any]) -> dict[str, Any]:
        left.append(member_id)
        return {}

    async def live() -> None:
        cluster.agents.open_desk(LeavesAnswered(let_go))
        good = next(member for member in cluster.server.members if member.node == GOOD)
        for subject in ("beat", "fetch", "fact"):
            word = MESSAGES[subject]()
            await cluster.mad.connection.publish(
                f"from.{cluster.mad.id}.{subject}", pack(word), reply=f"from.{good.id}.leave"
            )
        stranger = Connection(
            [cluster.server.url], cluster.server.certificate, name="x", inbox=JOIN_USER, user=JOIN_USER
        )
        stranger.start()
        await stranger.wait_up()
        await stranger.publish(JOIN_STANDING, pack({"id": good.id}), reply=f"from.{good.id}.leave")
        await stranger.request(JOIN_STANDING, pack({"id": good.id}), PATIENCE_S)
        await stranger.close()
        await cluster.mad.beat()
        await cluster.mad.connection.request(f"from.{cluster.mad.id}.leave", pack({}), PATIENCE_S)
        assert left == [cluster.mad.id]

    runner.run(live())
