"""What is no news: an idle machine is quiet, and no reader is told what is far from the truth."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from danlu.control.telemetry import reading_changes
from danlu.control.telemetry.reading_changes import settle_gpu, settle_machine
from danlu.core.nodes.node import GpuProcess, GpuReading
from danlu.core.nodes.readings import DiskReading, MachineReading

DISK = DiskReading("/", 400 * 10**9, 10**12)
IDLE = MachineReading(1.4, 0.03, 3000, 64_000, 812.0, 95.0, (DISK,))
GPU = GpuReading(0, "GPU-0", 24_576, 300, 0, 34, 24.8, 300.0)


def test_the_first_is_always_news_and_is_told_with_few_digits() -> None:
    told = settle_machine(None, replace(IDLE, cpu_percent=37.46, network_in_bytes_s=1_234_567.8))
    assert told is not None
    assert (told.cpu_percent, told.load_1m, told.network_in_bytes_s) == (37.0, 0.0, 1_230_000.0)
    assert settle_machine(IDLE, None) is None
    assert settle_gpu(None, GPU) is GPU


@pytest.mark.parametrize(
    ("changes", "news"),
    [
        ({"cpu_percent": 3.0}, False),
        ({"cpu_percent": 9.0}, True),
        ({"load_1m": 0.2}, False),
        ({"load_1m": 0.6}, True),
        ({"memory_used_mb": 3200}, False),
        ({"memory_used_mb": 3400}, True),
        ({"memory_total_mb": 65_000}, True),
        ({"network_in_bytes_s": 15_000.0}, False),
        ({"network_out_bytes_s": 2e6}, True),
        ({"disks": (replace(DISK, used_bytes=DISK.used_bytes + 10**8),)}, False),
        ({"disks": (replace(DISK, used_bytes=DISK.used_bytes + 10**10),)}, True),
        ({"disks": ()}, True),
        ({"disks": (replace(DISK, path="/data"),)}, True),
    ],
)
def test_what_is_news_of_a_machine(changes: dict[str, object], news: bool) -> None:
    told = settle_machine(None, IDLE)
    assert (settle_machine(told, replace(IDLE, **changes)) is not told) is news  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "news"),
    [
        ({"power_w": 26.0, "temperature_c": 35, "used_mb": 310}, False),
        ({"power_w": 60.0}, True),
        ({"power_w": None}, True),
        ({"temperature_c": 40}, True),
        ({"used_mb": 2000}, True),
        ({"load": 1}, True),
        ({"fault": "lost"}, True),
        ({"processes": (GpuProcess(1, "li", "python", 300),)}, True),
    ],
)
def test_what_is_news_of_a_gpu(changes: dict[str, object], news: bool) -> None:
    assert (settle_gpu(GPU, replace(GPU, **changes)) is not GPU) is news  # type: ignore[arg-type]


RATES = st.floats(0, 1e11)
MACHINES = st.builds(
    MachineReading,
    cpu_percent=st.floats(0, 100),
    load_1m=st.floats(0, 1000),
    memory_used_mb=st.integers(0, 10_000),
    memory_total_mb=st.just(10_000),
    network_in_bytes_s=RATES,
    network_out_bytes_s=RATES,
    disks=st.lists(st.builds(DiskReading, st.just("/"), st.integers(0, 1000), st.just(1000)), max_size=1).map(
        tuple
    ),
)


@settings(deadline=None)
@given(st.lists(MACHINES, min_size=1, max_size=8))
def test_what_is_told_is_never_far_from_the_truth(looks: list[MachineReading]) -> None:
    told = None
    for now in looks:
        told = settle_machine(told, now)
        assert told is not None
        assert abs(told.cpu_percent - now.cpu_percent) <= reading_changes.CPU_PERCENT + 0.5
        assert abs(told.load_1m - now.load_1m) <= reading_changes.LOAD + 0.05
        assert abs(told.memory_used_mb - now.memory_used_mb) <= 10_000 * reading_changes.MEMORY_SHARE
        for before, after in (
            (told.network_in_bytes_s, now.network_in_bytes_s),
            (told.network_out_bytes_s, now.network_out_bytes_s),
        ):
            assert (
                abs(before - after)
                <= max(reading_changes.NETWORK_BYTES_S, reading_changes.NETWORK_SHARE * before) + 1
            )
        assert [disk.path for disk in told.disks] == [disk.path for disk in now.disks]
        assert settle_machine(told, now) is told, "the same truth again is no news"
