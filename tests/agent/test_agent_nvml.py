"""Real NVML bindings, asked about GPUs that a fake driver has."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.drivers import FakeDriver

LOOK = """
import json, sys
from dataclasses import asdict
from danlu.agent.nvml import NvmlGpus
probe = NvmlGpus()
for line in sys.stdin:
    print(json.dumps([asdict(gpu) for gpu in probe.read()]), flush=True)
"""


class Looking:
    """A program that looks at the machine's GPUs whenever it is told to."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", LOOK],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **environment},
        )

    def look(self) -> list[dict]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("look\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


@pytest.fixture
def driver(tmp_path: Path) -> FakeDriver:
    return FakeDriver(tmp_path)


@pytest.fixture
def looking(driver: FakeDriver):
    program = Looking(driver.environment)
    yield program
    program.close()


def test_gpus_have_their_name_uuid_and_memory(driver, looking):
    driver.plug("NVIDIA H200", memory_mb=143_771)
    driver.plug("NVIDIA GeForce RTX 3090")
    first, second = looking.look()
    expected = {
        "index": 0,
        "uuid": "GPU-fake-0",
        "name": "NVIDIA H200",
        "memory_mb": 143_771,
        "drained": False,
    }
    assert first == expected
    assert (second["index"], second["name"]) == (1, "NVIDIA GeForce RTX 3090")


def test_a_gpu_that_is_lost_is_left_out_and_the_others_keep_their_numbers(driver, looking):
    driver.plug("A", "B", "C")
    assert [gpu["index"] for gpu in looking.look()] == [0, 1, 2]
    driver.break_gpu(1)
    assert [gpu["index"] for gpu in looking.look()] == [0, 2]


def test_a_driver_that_goes_and_comes_back(driver, looking):
    driver.plug("A")
    driver.unload()
    assert looking.look() == []


def test_a_machine_without_the_library_has_no_gpus(tmp_path):
    program = Looking({"LD_LIBRARY_PATH": str(tmp_path)})
    assert program.look() == []
    program.close()
