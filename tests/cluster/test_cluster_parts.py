"""The small parts behind the messages, each by itself."""

from __future__ import annotations

import json
import math
import random
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.cluster.messages import pack, unpack
from danlu.cluster.node.node_identity import NodeIdentity, forget_identity
from danlu.cluster.node.order_fence import OrderFence, Sender, read_fence, write_fence
from danlu.cluster.own_files import OutsidePath, below
from danlu.cluster.server.fact_decoding import read_fact
from danlu.cluster.server.member_table import MemberTable
from danlu.codec import BadValue, decode, encode
from danlu.core.bounds import is_host
from danlu.core.logs.log_search import Found, LogSearched
from danlu.core.nodes.member import Member
from danlu.core.nodes.node import Gpu, GpuProcess, GpuReading, NodeFacts
from danlu.core.nodes.readings import DiskReading, MachineReading, NodeReading
from danlu.core.task import (
    Gang,
    GangMember,
    LaunchOrder,
    Prepared,
    TaskEnd,
    TaskEnding,
    TaskFact,
    TaskKey,
    UnixAccount,
)

ORDER = LaunchOrder(
    key=TaskKey(1, 2, 3),
    node="forge",
    job_name="熔炼",
    user="li",
    directory="/data/\udcff",
    command="true",
    arguments=("a", "b"),
    gpu_ids=(0, 3),
    variables={"A": "1"},
    account=UnixAccount("li", 1000, 1000, (4, 5), "/home/li"),
    gang=Gang((GangMember("forge", "10.0.0.1", 2), GangMember("kiln", "10.0.0.2", 2)), 29500, 29501),
    leased=True,
)
READING = NodeReading(
    (GpuReading(0, "GPU-1", 100, 5, processes=(GpuProcess(1, "li", "python", 5, 7),)),),
    MachineReading(1.5, 0.1, 2, 3, 4.0, 5.0, (DiskReading("/", 1, 2),)),
)
THINGS = [
    ORDER,
    replace(ORDER, account=None, gang=None, gpu_devices=(1, 2)),
    READING,
    NodeFacts("forge", 4, 100, (Gpu(0, "GPU-1", "H200", 141_000),), "boot", leased=True),
    TaskFact(TaskKey(1, 1, 0), "forge", 2.5, TaskEnd(TaskEnding.LEASE_LOST, 3.0, 9)),
    LogSearched((Found(1, 2, 0, b"\xff\0line"),), None, 10),
]


@pytest.mark.parametrize("thing", THINGS, ids=lambda thing: type(thing).__name__)
def test_things_arrive_as_they_were_sent(thing: object) -> None:
    sent, data = unpack(pack({"thing": encode(thing)}, b"\n{\0"))
    assert decode(type(thing), sent["thing"]) == thing
    assert data == b"\n{\0"


def test_a_version_apart_is_understood() -> None:
    plain = encode(ORDER)
    plain["from_the_future"] = {"a": 1}
    del plain["leased"]
    assert decode(LaunchOrder, plain) == replace(ORDER, leased=False)


FACTS = NodeFacts("forge", 4, 100, (Gpu(0, "GPU-1", "H200", 141_000),), "boot", leased=True)


@pytest.mark.parametrize(
    ("kind", "change", "where"),
    [
        (NodeFacts, {"cpus": "many"}, "cpus: 'many' is not a whole number"),
        (NodeFacts, {"cpus": True}, "cpus: True is not"),
        (NodeFacts, {"cpus": -1}, "cpus: -1 is less than 0"),
        (NodeFacts, {"name": "a" * 201}, "longer than 200"),
        (NodeFacts, {"name": "a\nb"}, "name"),
        (NodeFacts, {"gpus": {}}, "gpus: an object is not a list"),
        (NodeFacts, {"gpus": [{"index": 0, "uuid": "", "name": "", "memory_mb": 1}] * 2}, "own"),
        (NodeFacts, {"gpus": [{"index": 0, "uuid": "", "name": ""}]}, "gpus.0.memory_mb: is missing"),
        (NodeFacts, {"address": "a; rm -rf /"}, "address"),
        (Prepared, {"address": "$(id)"}, "address"),
        (Prepared, {"address": ""}, "address"),
        (Prepared, {"port": 0}, "port: 0 is less than 1"),
        (TaskFact, {"key": [1, 1]}, "key: a list is not a list of 3"),
        (TaskFact, {"key": [2**64, 1, 0]}, "key.job"),
        (TaskFact, {"started_at": math.nan}, "started_at"),
        (TaskFact, {"end": {"ending": "exited", "ended_at": math.inf}}, "end.ended_at"),
        (TaskFact, {"end": {"ending": "exited", "ended_at": 1, "wait_status": 0x7F}}, "end.wait_status"),
        (NodeReading, {"machine": {"cpu_percent": "hot"}}, "machine.cpu_percent"),
        (NodeReading, [], "a list is not an object"),
    ],
    ids=str,
)
def test_what_is_out_of_bounds_is_refused_with_the_place(kind: type, change: Any, where: str) -> None:
    good = {
        NodeFacts: FACTS,
        Prepared: Prepared("10.0.0.1", 1, 2),
        TaskFact: TaskFact(TaskKey(1, 1, 0), "forge"),
        NodeReading: READING,
    }
    assert decode(kind, encode(good[kind])) == good[kind]
    plain = {**encode(good[kind]), **change} if isinstance(change, dict) else change
    with pytest.raises(BadValue) as raised:
        decode(kind, plain)
    assert where in str(raised.value)


def test_prose_is_cut_and_cleaned() -> None:
    plain = encode(TaskEnd(TaskEnding.EXITED, 1, detail="no space on \udcff\0" + "x" * 9000))
    detail = decode(TaskEnd, plain).detail
    assert len(detail) == 4000
    assert detail.startswith("no space on ?\ufffdxx")
    detail.encode()


def test_a_problem_that_only_a_newer_agent_knows_is_an_end_all_the_same() -> None:
    end = {"ending": "setup_failed", "ended_at": 1.0, "problem": "cursed", "detail": "by a witch"}
    fact = read_fact("forge", {"key": [1, 1, 0], "node": "forge", "end": end})
    assert fact.end == TaskEnd(TaskEnding.SETUP_FAILED, 1.0, detail="cursed by a witch")


@pytest.mark.parametrize("host", ["10.0.0.1", "::1", "fe80::1%eth0", "gpu-1.lab.example.org", "node_7", "a."])
def test_hosts_are_taken(host: str) -> None:
    assert is_host(host)


@pytest.mark.parametrize(
    "host",
    [
        *("", ".", "a b", "a;b", "$(id)", "`id`", "-oProxyCommand=x", "a..b", "10.0.0.1%eth0", "fe80::1%a;b"),
        *("a\n", "[::1]", "a/b", "a:1", "a" * 254, "ü"),
    ],
)
def test_what_is_no_host_is_not(host: str) -> None:
    assert not is_host(host)


senders = st.builds(Sender, st.integers(1, 4), st.sampled_from("abc"))


@given(st.lists(senders, max_size=30))
def test_who_was_succeeded_never_acts_again(heard: list[Sender]) -> None:
    gate, admitted = OrderFence(), []
    for sender in heard:
        if gate.admit(sender):
            admitted.append(sender)
    fences = [sender.fence for sender in admitted]
    assert fences == sorted(fences)
    turns = [one for one, before in zip(admitted, [None, *admitted], strict=False) if one != before]
    assert len(turns) == len(set(turns)), "no member has a second turn"


def test_an_overtaken_launch_is_known_only_within_one_session() -> None:
    gate = OrderFence()
    gate.admit(Sender(1, "a"))
    gate.note_forget(10)
    assert gate.is_overtaken(9)
    assert not gate.is_overtaken(11)
    gate.admit(Sender(1, "b"))
    assert not gate.is_overtaken(1)


def test_the_fence_on_disk_only_grows(tmp_path: Path) -> None:
    assert read_fence(tmp_path) == 0
    for fence in (3, 2):
        write_fence(tmp_path, fence)
    assert read_fence(tmp_path) == 3


@given(st.text())
def test_a_relative_path_stays_below(path: str) -> None:
    folder = Path("/data")
    try:
        place = below(folder, path)
    except OutsidePath:
        return
    assert place != folder
    assert place.is_relative_to(folder)
    assert ".." not in place.parts


def test_an_identity_is_for_its_own_account_alone(tmp_path: Path) -> None:
    one = NodeIdentity("m1", "forge", ("tls://a:1",), "PEM", "SUSECRET")
    for each in (one, one.moved_to(["tls://b:1"])):
        each.save(tmp_path)
        assert NodeIdentity.load(tmp_path) == each
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "SUSECRET" not in repr(one)
    file.write_text(json.dumps({"id": "m1"}))
    with pytest.raises(ValueError, match="damaged"):
        NodeIdentity.load(tmp_path)
    forget_identity(tmp_path)
    with pytest.raises(FileNotFoundError):
        NodeIdentity.load(tmp_path)


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(0, 5)), max_size=40), st.floats(0, 10))
def test_the_silent_are_found(beats: list[tuple[int, float]], lease_s: float) -> None:
    seats, now, heard = MemberTable(), 0.0, {}
    seats.update([Member(f"m{n}", f"n{n}", "U") for n in range(5)], now)
    for number, pause_s in beats:
        now += pause_s
        seat = seats.of_member(f"m{number}")
        assert seat is not None
        seat.is_up = True
        seats.note_beat(seat, now)
        heard[f"n{number}"] = now
    silent = {seat.member.node for seat in seats.silent_since(now - lease_s)}
    assert silent == {node for node, at in heard.items() if at <= now - lease_s}
    assert seats.oldest_beat() == min(heard.values(), default=None)


def test_a_fence_written_by_many_at_once_is_the_highest(tmp_path: Path) -> None:
    """An order and a beat may bring the same news at the same moment."""
    fences = list(range(1, 60))
    random.Random(5).shuffle(fences)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda fence: write_fence(tmp_path, fence), fences))
    assert read_fence(tmp_path) == 59
