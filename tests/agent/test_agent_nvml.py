"""Real NVML bindings, asked about GPUs that a fake driver has."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.drivers import MISMATCH, UNKNOWN, FakeDriver

LOOK = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from danlu.agent.gpus.nvml import NvmlGpus
now = 1000.0
probe = NvmlGpus(Path(sys.argv[1]), lambda: now)
for line in sys.stdin:
    word, _, argument = line.strip().partition(" ")
    if word == "forget":
        print(json.dumps(probe.forget(int(argument))), flush=True)
        continue
    now += float(argument or 0)
    sight = probe.look() if word == "look" else probe.remembered()
    print(json.dumps({**asdict(sight), "devices": list(sight.devices.items())}), flush=True)
"""


class Looking:
    """A program that looks at the machine's GPUs whenever it is told to, at a time that it is told."""

    def __init__(self, memory: Path, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", LOOK, str(memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **environment},
        )

    def look(self, after_s: float = 2.0) -> dict:
        return self._ask(f"look {after_s}")

    def gpus(self, after_s: float = 2.0) -> list[dict]:
        return self.look(after_s)["gpus"]

    def readings(self, after_s: float = 2.0) -> list[dict]:
        return self.look(after_s)["readings"]

    def remembered(self) -> dict:
        return self._ask("remember")

    def forget(self, index: int) -> bool:
        return self._ask(f"forget {index}")

    def _ask(self, line: str):
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture
def driver(tmp_path: Path) -> FakeDriver:
    return FakeDriver(tmp_path)


@pytest.fixture
def look_around(tmp_path: Path):
    """Starts a program that remembers the GPUs where the last one did."""
    programs: list[Looking] = []

    def start(environment: dict[str, str]) -> Looking:
        programs.append(Looking(tmp_path / "gpus.json", environment))
        return programs[-1]

    yield start
    for program in programs:
        program.close()


@pytest.fixture
def looking(driver: FakeDriver, look_around) -> Looking:
    return look_around(driver.environment)


def test_gpus_have_their_name_uuid_and_memory(driver, looking):
    driver.plug("NVIDIA H200", memory_mb=143_771)
    driver.plug("NVIDIA GeForce RTX 3090", minor=7)
    sight = looking.look()
    first, second = sight["gpus"]
    expected = {"index": 0, "uuid": "GPU-fake-0", "name": "NVIDIA H200", "memory_mb": 143_771, "fault": ""}
    assert expected.items() <= first.items()
    assert (second["index"], second["name"]) == (1, "NVIDIA GeForce RTX 3090")
    assert sight["devices"] == [[0, 0], [1, 7]]
    assert sight["names"] == {}


def test_what_a_gpu_is_doing(driver, looking):
    driver.plug("A", load=93, temperature=71, power=280)
    driver.occupy(0, (4_000_001, 9000), (4_000_002, -1))
    driver.set(0, graphics="4000003:40,4000001:9000")
    (reading,) = looking.readings()
    processes = reading.pop("processes")
    assert reading == {
        "index": 0,
        "uuid": "GPU-fake-0",
        "memory_mb": 24_576,
        "used_mb": 9000,
        "load": 93,
        "temperature_c": 71,
        "power_w": 280.0,
        "power_limit_w": 300.0,
        "fault": "",
        "lost": False,
    }
    assert [(each["pid"], each["memory_mb"], each["graphics"]) for each in processes] == [
        (4_000_001, 9000, False),
        (4_000_002, 0, False),
        (4_000_003, 40, True),
    ]


def test_what_the_driver_does_not_tell_is_not_known_and_no_fault(driver, looking):
    driver.plug("A")
    driver.set(0, load=None, temperature=None, power=None, power_limit=None, minor=None)
    sight = looking.look()
    (reading,) = sight["readings"]
    assert {reading[name] for name in ("load", "temperature_c", "power_w", "power_limit_w")} == {None}
    assert reading["fault"] == ""
    assert sight["devices"] == []


@pytest.mark.parametrize(
    "fault", [{"result": 15}, {"result": UNKNOWN}, {"handle": 15}, {"memory_result": UNKNOWN}]
)
def test_a_gpu_that_errs_stays_with_its_evidence_and_the_others_go_on(driver, looking, fault):
    driver.plug("A", "B", "C")
    driver.occupy(2, (4_000_001, 100))
    looking.look()
    driver.set(1, **fault)
    first, broken, third = looking.readings()
    code = next(iter(fault.values()))
    assert broken["fault"].startswith(f"NVML error {code}: ")
    assert ", first seen 1970-01-01" in broken["fault"]
    assert (first["fault"], third["fault"], third["used_mb"]) == ("", "", 100)
    assert not broken["lost"], "a moment's silence is no loss"
    again = looking.readings()[1]
    assert (again["fault"], again["lost"]) == (broken["fault"], True)
    driver.set(1, **dict.fromkeys(fault))
    assert [gpu["fault"] for gpu in looking.gpus()] == ["", "", ""]


def test_cuda_is_told_names_while_its_numbers_may_differ_from_ours(driver, looking):
    driver.plug("A", "B")
    looking.look()
    driver.break_gpu(0)
    assert looking.look()["names"] == {"0": "GPU-fake-0", "1": "GPU-fake-1"}


def test_a_gpu_that_vanishes_is_missed_and_the_others_keep_their_numbers(driver, looking):
    driver.plug("A", "B", "C")
    looking.look()
    driver.unplug(1)
    gpus = looking.gpus()
    assert [(gpu["index"], gpu["name"]) for gpu in gpus] == [(0, "A"), (1, "B"), (2, "C")]
    assert gpus[1]["fault"].startswith("the driver does not list it any more, first seen ")
    sight = looking.look()
    assert [reading["lost"] for reading in sight["readings"]] == [False, True, False]
    assert sight["names"]["2"] == "GPU-fake-2"


def test_a_missing_gpu_is_still_missed_after_a_restart_until_it_is_forgotten(driver, looking, look_around):
    driver.plug("A", "B")
    looking.look()
    driver.unplug(0)
    second = look_around(driver.environment)
    assert [gpu["index"] for gpu in second.remembered()["gpus"]] == [0, 1]
    missing, there = second.gpus()
    assert (missing["index"], bool(missing["fault"])) == (0, True)
    assert (there["index"], there["uuid"], there["fault"]) == (1, "GPU-fake-1", "")
    assert not second.forget(1), "one that is there is not forgotten"
    assert second.forget(0)
    assert [gpu["uuid"] for gpu in look_around(driver.environment).gpus()] == ["GPU-fake-1"]


def test_another_card_takes_the_place_of_one_that_is_gone(driver, looking):
    driver.plug("A", "B")
    looking.look()
    driver.set(0, uuid="GPU-new", name="N")
    assert [(gpu["index"], gpu["name"], gpu["fault"]) for gpu in looking.gpus()] == [
        (0, "N", ""),
        (1, "B", ""),
    ]


@pytest.mark.parametrize("code", [9, MISMATCH])
def test_a_driver_that_goes_and_comes_back(driver, looking, code):
    driver.plug("A", "B")
    looking.look()
    driver.unload(code)
    readings = looking.readings()
    assert [reading["fault"].startswith(f"NVML error {code}: ") for reading in readings] == [True, True]
    assert not any(reading["lost"] for reading in looking.readings()), "jobs may well go on without NVML"
    assert not looking.forget(0)
    driver.load()
    assert [gpu["fault"] for gpu in looking.gpus()] == ["", ""]


def test_a_machine_without_a_driver_has_no_gpus(driver, looking):
    driver.unload()
    assert looking.look() == {"gpus": [], "readings": [], "devices": [], "names": {}}
    driver.load()
    driver.plug("A")
    assert [gpu["name"] for gpu in looking.gpus()] == ["A"]


def test_a_machine_without_the_library_has_no_gpus(tmp_path, look_around):
    assert look_around({"LD_LIBRARY_PATH": str(tmp_path)}).gpus() == []


def test_gpus_whose_library_is_gone_are_missed_and_can_be_forgotten(driver, looking, look_around, tmp_path):
    driver.plug("A")
    looking.look()
    (tmp_path / "libnvidia-ml.so.1").unlink()
    without = look_around(driver.environment)
    (gpu,) = without.gpus()
    assert gpu["fault"].startswith("NVML error 12: ")
    assert without.forget(0)
    assert without.gpus() == []


@pytest.mark.parametrize(
    ("facts", "words"),
    [({"rows": 1}, "row remapping failed"), ({"recovery": 1}, "the driver asks for a reset of this GPU")],
)
def test_a_gpu_that_answers_can_be_sick_and_its_job_may_go_on(driver, looking, facts, words):
    driver.plug("A", **facts)
    looking.look()
    (reading,) = looking.readings()
    assert words in reading["fault"]
    assert (reading["lost"], reading["temperature_c"]) == (False, 35)
