"""Whatever keeps a job waiting, however it ended: there is a sentence for it in both languages."""

from __future__ import annotations

import errno
import os

import pytest

from danlu.core import blockers as b
from danlu.core.resources import Ask
from danlu.core.states import EndReason
from danlu.wording.catalogue import Language
from danlu.wording.os_errors import word_os_error
from danlu.wording.sentences import describe_ask, sentence_of_blocker, sentence_of_end

LANGUAGES: tuple[Language, ...] = ("en", "zh")

SAMPLES: list[b.Blocker] = [
    b.Held(),
    b.DiskFull(),
    b.SchedulingPaused(),
    b.NotYet(until=1_090.0),
    b.PredecessorsRunning((3, 4)),
    b.PredecessorsFailed((3,)),
    b.NoSuchHardware(8, 2, 2_048, "forge", (1, 2)),
    b.NoSuchHardware(8, 0, 0, None),
    b.NoSuchHardware(2, 0, 0, None, wanted_nodes=2, gpu_model="A100", only_nodes=("anvil", "forge")),
    b.NoSuchHardware(2, 0, 0, None, wanted_nodes=2, mixed=3),
    b.OwnerLocked(),
    b.NodeNotForJobs("gate", "login"),
    b.NodeNotForJobs("gate", "transfer"),
    b.NodeNotForJobs("gate", "debug"),
    b.NodeUnavailable("forge", drained=True),
    b.NodeUnavailable("forge", drained=True, quarantined=True),
    b.TooFewNodes(3, 1, ("anvil", "forge")),
    b.NodeUnavailable("forge", drained=False),
    b.NodesUnavailable(("anvil", "forge")),
    b.NodesUnavailable(("anvil", "forge"), (("anvil", "disk"),), ("unfit", "closed")),
    b.NodeUnavailable("anvil", drained=True, unfit=("disk", "folder")),
    b.AvoidsNodes(("anvil", "forge"), 1_060.0),
    b.TooFewGpus(4, 2, "forge", (0,), (3,), ("anvil",)),
    b.TooFewGpus(4, 3, "forge", faulty=(3,)),
    b.ExactGpusBusy("forge", (1, 2)),
    b.ExactGpusBusy(None, (1,)),
    b.ExactGpusDrained("forge", (1,)),
    b.ExactGpusDrained(None, (1, 2)),
    b.GpusBusy(4, 2, "forge"),
    b.GpusBusy(4, 2, None),
    b.GpusBusy(4, 2, None, foreign=1),
    b.GpusBusy(4, 2, None, foreign=1, gpu_model="A100"),
    b.GpusKept(head=3, gpu_ids=(1, 2), nodes=("anvil", "forge")),
    b.NodesBusy(2, 1, 1, gpus=4, cpus=0, memory_mb=0),
    b.NodesBusy(2, 1, 2, gpus=4, cpus=0, memory_mb=0, gpu_model="A100"),
    b.NodesBusy(2, 1, 1, gpus=0, cpus=8, memory_mb=2_048),
    b.ExactGpusBusyOnNodes((1, 2), 2, 1),
    b.ExactGpusFaulty("forge", (1,)),
    b.GpuMemoryBusy(1, 8_192, 512, None),
    b.GpuMemoryBusy(2, 0, 512, "forge"),
    b.GpuMemoryBusy(1, 8_192, 512, None, closed=3),
    b.GpuMemoryBusy(1, 8_192, 0, None, closed=3, joinable=False),
    b.ArrayFull(10),
    b.CpusBusy(4, 2, None),
    b.CpusBusy(4, 2, None, gpus=1),
    b.NoSuchHardware(4, 0, 0, None, removed_on=("forge",)),
    b.GpusBusy(4, 2, None, gpu_memory_mb=40_960, whole=True, first=False),
    b.MemoryBusy(16_384, 512, "forge"),
    b.BehindInQueue(head=3, place=2),
]


KINDS = [
    kind
    for kind in vars(b).values()
    if isinstance(kind, type) and issubclass(kind, b.Blocker) and kind is not b.Blocker
]


def test_what_the_system_says_of_a_file_is_said_in_chinese_too() -> None:
    said = f"/data/x: {os.strerror(errno.ENOENT)}"
    assert word_os_error("en", said) == said
    assert word_os_error("zh", said) == "/data/x: 文件或目录不存在"
    assert word_os_error("zh", "its own words") == "its own words"


def test_every_kind_of_blocker_is_among_the_samples() -> None:
    assert {type(sample) for sample in SAMPLES} == set(KINDS)


def test_every_blocker_has_a_code_of_its_own() -> None:
    codes = [kind.code for kind in KINDS]
    assert all(codes)
    assert len(set(codes)) == len(codes)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("blocker", SAMPLES, ids=repr)
def test_every_blocker_has_a_sentence_with_its_facts_in_words(blocker: b.Blocker, language: Language) -> None:
    said = sentence_of_blocker(language, blocker, job_id=42, now=1_000.0)
    assert said.endswith((".", "。", "）。"))
    assert "(1," not in said, "a raw tuple is no word"
    assert "None" not in said


def test_the_facts_are_in_the_sentence() -> None:
    def say(blocker: b.Blocker) -> str:
        return sentence_of_blocker("en", blocker, job_id=42, now=1_000.0)

    assert "danlu release 42" in say(b.Held())
    assert "1m30s" in say(b.NotYet(until=1_090.0))
    assert "0s" in say(b.NotYet(until=900.0))
    assert "3, 4" in say(b.PredecessorsRunning((3, 4)))
    assert "8 GPU, exactly GPU 1,2, 2 CPU, 2 GB of memory, node forge" in say(
        b.NoSuchHardware(8, 2, 2_048, "forge", (1, 2))
    )
    assert "16 GB" in say(b.MemoryBusy(16_384, 512, None))
    assert "512 MB" in say(b.MemoryBusy(16_384, 512, None))
    assert "on node forge" in say(b.GpusBusy(4, 2, "forge"))
    assert "on node" not in say(b.GpusBusy(4, 2, None)).replace("on one node", "")
    assert "drained" in say(b.NodeUnavailable("forge", drained=True))
    assert "reached" in say(b.NodeUnavailable("forge", drained=False))
    assert "number 2" in say(b.BehindInQueue(head=3, place=2))
    assert "danlu undrain forge" in say(b.NodeUnavailable("forge", drained=True, quarantined=True))
    assert "login node" in say(b.NodeNotForJobs("gate", "login"))
    assert "2 nodes" in say(b.TooFewNodes(2, 1, ("anvil", "forge")))
    assert "anvil, forge" in say(b.TooFewNodes(2, 1, ("anvil", "forge")))
    assert "4 A100 GPU(s)" in say(b.GpusBusy(4, 2, None, gpu_model="A100")).replace("free ", "")


def test_what_a_job_for_several_nodes_lacks() -> None:
    def say(blocker: b.Blocker) -> str:
        return sentence_of_blocker("en", blocker, job_id=42, now=1_000.0)

    one_ready = say(b.NodesBusy(2, 1, 1, gpus=4, cpus=0, memory_mb=0))
    assert one_ready.startswith("It needs 2 nodes with this free on each: 4 GPU, all with the same GPU model")
    assert "nodes ready now: 1." in one_ready
    mixed = say(b.NodesBusy(2, 1, 3, gpus=4, cpus=0, memory_mb=0))
    assert "nodes ready now: 3, but their models differ" in mixed
    assert "model" not in say(b.NodesBusy(2, 1, 1, gpus=0, cpus=8, memory_mb=0))
    never = b.NoSuchHardware(2, 0, 0, None, wanted_nodes=3, gpu_model="A100", exclude_nodes=("anvil",))
    assert "asks for 3 nodes" in say(never)
    assert "2 A100 GPU, not on anvil" in say(never)
    assert "models differ" in say(b.NoSuchHardware(2, 0, 0, None, wanted_nodes=2, mixed=2))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", EndReason)
def test_every_reason_of_an_end_has_a_sentence(reason: EndReason, language: Language) -> None:
    said = sentence_of_end(language, reason, exit_code=3, signal=9, detail="/x: gone {not a placeholder}")
    assert said.strip()
    assert sentence_of_end(language, reason, exit_code=None, signal=None, detail="").strip()


def test_a_job_that_waits_for_a_lost_node_and_one_that_lost_its_node_read_differently() -> None:
    waits = sentence_of_blocker("en", b.NodeUnavailable("forge", drained=False), 1, 0.0)
    ended = sentence_of_end("en", EndReason.NODE_LOST, None, None, "")
    assert waits != ended


@pytest.mark.parametrize(("number", "name"), [(9, "SIGKILL"), (15, "SIGTERM"), (40, "40")])
def test_signals_have_names_where_there_is_one(number: int, name: str) -> None:
    assert name in sentence_of_end("en", EndReason.SIGNAL, None, number, "")


def test_details_are_quoted_as_they_are() -> None:
    said = sentence_of_end("en", EndReason.DIRECTORY_MISSING, None, None, "/data/{x}: No such file")
    assert "/data/{x}: No such file" in said


def test_an_ask_names_only_what_it_asks_for() -> None:
    assert describe_ask("en", Ask(gpus=2)) == "2 GPU"
    assert describe_ask("zh", Ask(gpus=2, cpus=4)) == "2 块 GPU，4 个 CPU"
    assert describe_ask("en", Ask()) == ""
    gang = Ask(gpus=2, nodes=4, nodes_min=4, gpu_model="H100", only_nodes=("anvil", "forge"))
    assert describe_ask("en", gang) == "2 H100 GPU on each of 4 nodes, only on anvil, forge"
    assert describe_ask("zh", Ask(gpus=2, nodes=4, nodes_min=1)) == "1:4 个节点，每个 2 块 GPU"
