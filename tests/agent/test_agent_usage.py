"""How busy the machine is: what the kernel counts, told rightly, and no reading waits for a disk."""

from __future__ import annotations

import asyncio
import os
import shutil
from pathlib import Path

import pytest

from danlu.agent import machine, usage
from danlu.agent.mounts import Mount, choose_disks, parse_mounts
from danlu.agent.usage import MachineUsage, counted_interfaces
from danlu.core.nodes.readings import MachineReading
from tests.agent.hung_disk import hung_disk
from tests.agent.story import eventually

MOUNTS = """\
22 1 0:20 / / rw,relatime shared:1 - overlay overlay rw,lowerdir=/a:/b
23 22 0:21 / /proc rw - proc proc rw
24 22 8:1 /hosts /etc/hosts rw - ext4 /dev/sda1 rw
25 22 8:17 / /home rw shared:2 - xfs /dev/sdb1 rw
26 22 8:17 /data /srv/data rw shared:2 - xfs /dev/sdb1 rw
27 22 0:52 / /mnt/lab\\040data rw shared:3 - nfs4 nas:/lab rw
28 22 0:53 / /home rw - tmpfs tmpfs rw
29 22 0:54 / /scratch rw - zfs tank/scratch rw
30 22 0:55 / /models rw - zfs tank/models rw
31 22 7:0 / /snap/core rw - squashfs /dev/loop0 ro
32 22 0:56 / /dev/shm rw - tmpfs tmpfs rw
a torn line
"""


class MadeUpKernel:
    """A /proc that says what the test wants."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "net").mkdir()
        (folder / "self").mkdir()
        (folder / "loadavg").write_text("1.25 0.80 0.60 2/300 4711\n")
        (folder / "meminfo").write_text("MemTotal: 8388608 kB\nMemFree: 100 kB\nMemAvailable: 6291456 kB\n")
        (folder / "self/mountinfo").write_text("")

    def counts(self, busy: int, idle: int, **network: tuple[int, int]) -> None:
        (self.folder / "stat").write_text(f"cpu  {busy} 0 0 {idle} 0 0 0 0 0 0\ncpu0 1 2 3 4 5 6 7 8 9 0\n")
        rows = [
            f"  {name}: {received} 1 0 0 0 0 0 0 {sent} 1 0 0 0 0 0 0"
            for name, (received, sent) in network.items()
        ]
        (self.folder / "net/dev").write_text("\n".join(["Inter-|", " face |", *rows]) + "\n")


@pytest.fixture
def kernel(tmp_path: Path) -> MadeUpKernel:
    return MadeUpKernel(tmp_path)


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, for the test to set."""
    now = [100.0]

    class Time:
        monotonic = staticmethod(lambda: now[0])

    monkeypatch.setattr(usage, "time", Time)
    return now


async def measured(meter: MachineUsage) -> MachineReading:
    reading = await meter.measure()
    assert reading is not None
    return reading


async def test_what_was_counted_in_between_is_what_is_told(
    kernel: MadeUpKernel, seconds: list[float]
) -> None:
    meter = MachineUsage([], kernel.folder)
    kernel.counts(100, 900, lo=(5, 5), made_up0=(1000, 2000), made_up1=(0, 0))
    first = await measured(meter)
    assert (first.cpu_percent, first.network_in_bytes_s) == (10.0, 0.0), "since the machine was started"
    kernel.counts(175, 925, lo=(9_000_000, 9_000_000), made_up0=(3000, 12_000), made_up1=(500, 0))
    seconds[0] += 2
    second = await measured(meter)
    assert second.cpu_percent == 75.0
    assert (second.network_in_bytes_s, second.network_out_bytes_s) == (1250.0, 5000.0)
    assert (second.load_1m, second.memory_used_mb, second.memory_total_mb) == (1.25, 2048, 8192)


async def test_counters_that_begin_anew_are_no_flood(kernel: MadeUpKernel, seconds: list[float]) -> None:
    meter = MachineUsage([], kernel.folder)
    kernel.counts(100, 900, made_up0=(10**12, 10**12))
    await measured(meter)
    kernel.counts(90, 1010, made_up0=(10, 10), made_up9=(10**12, 10**12))
    seconds[0] += 1
    reading = await measured(meter)
    assert (reading.cpu_percent, reading.network_in_bytes_s, reading.network_out_bytes_s) == (0.0, 0.0, 0.0)


async def test_the_same_moment_again_says_the_same(kernel: MadeUpKernel, seconds: list[float]) -> None:
    meter = MachineUsage([], kernel.folder)
    kernel.counts(60, 40, made_up0=(1, 1))
    assert (await measured(meter)).cpu_percent == (await measured(meter)).cpu_percent == 60.0


@pytest.mark.parametrize("name", ["stat", "meminfo", "loadavg", "net/dev"])
async def test_a_kernel_that_does_not_tell_is_not_measured(kernel: MadeUpKernel, name: str) -> None:
    meter = MachineUsage([], kernel.folder)
    kernel.counts(1, 1)
    (kernel.folder / name).write_text("what is this\nand\nthat")
    assert await meter.measure() is None
    (kernel.folder / name).unlink()
    assert await meter.measure() is None


def test_what_passes_through_a_bridge_is_counted_once(tmp_path: Path) -> None:
    for name in ("eth0", "br0", "veth1"):
        (tmp_path / name).mkdir()
    names = {"lo": 0, "br0": 0, "eth0": 0, "veth1": 0}
    assert counted_interfaces(names, tmp_path) == ["br0", "eth0", "veth1"], "a container has no device at all"
    (tmp_path / "eth0" / "device").mkdir()
    assert counted_interfaces(names, tmp_path) == ["eth0"]


async def test_this_very_machine(tmp_path: Path) -> None:
    meter = MachineUsage([tmp_path])
    reading = await measured(meter)
    assert 0 <= reading.cpu_percent <= 100
    assert reading.memory_total_mb == machine.memory_mb()
    assert 0 < reading.memory_used_mb < reading.memory_total_mb
    assert reading.load_1m >= 0
    await eventually(lambda: meter._looking_at_disks is None)
    disks = {disk.path: disk for disk in (await measured(meter)).disks}
    assert "/" in disks
    assert any(str(tmp_path).startswith(path) for path in disks)
    real = shutil.disk_usage("/")
    # Others write meanwhile.
    assert disks["/"].used_bytes == pytest.approx(real.used, rel=0.2)
    assert disks["/"].total_bytes == pytest.approx(real.used + real.free, rel=0.2)


async def test_a_spinning_processor_is_busy() -> None:
    meter = MachineUsage([])
    await measured(meter)
    spinning = [await asyncio.create_subprocess_exec("sh", "-c", "while :; do :; done") for _ in range(2)]
    try:
        # What the kernel counts comes in hundredths of a second: it takes a few for the truth to show.
        async with asyncio.timeout(20):
            while (await measured(meter)).cpu_percent < 50 / machine.cpu_count():
                await asyncio.sleep(0.05)
    finally:
        for process in spinning:
            process.kill()
            await process.wait()


async def test_a_disk_that_hangs_holds_up_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "DISK_PATIENCE_S", 0.2)
    monkeypatch.setattr(usage, "DISKS_EVERY_S", 0.0)
    with hung_disk(tmp_path):
        meter = MachineUsage([tmp_path / "danlu"])
        for _ in range(3):
            reading = await measured(meter)
            assert reading.memory_total_mb
            await eventually(lambda: meter._looking_at_disks is None)
        disks = [disk.path for disk in (await measured(meter)).disks]
        assert "/" in disks, "the others are told of"
        assert str(tmp_path) not in disks
        await eventually(lambda: meter._looking_at_disks is None)


def test_mounts_are_read_with_their_spaces_and_the_last_one_lies_on_top() -> None:
    mounts = {mount.path: mount for mount in parse_mounts(MOUNTS)}
    assert mounts["/mnt/lab data"] == Mount("/mnt/lab data", "nfs4", "nas:/lab", "0:52")
    assert mounts["/home"].kind == "tmpfs"
    assert len(mounts) == 10


def test_every_device_that_holds_data_is_chosen_once() -> None:
    chosen = choose_disks(parse_mounts(MOUNTS), ["/srv/data/danlu"])
    assert chosen == ["/", "/srv/data", "/models", "/mnt/lab data"]


def test_a_folder_is_told_of_whatever_it_lies_on() -> None:
    assert choose_disks(parse_mounts(MOUNTS), ["/home/li/danlu"])[:2] == ["/", "/home"]
    assert choose_disks(parse_mounts(MOUNTS), ["/var/lib/danlu"])[0] == "/"
    assert choose_disks([], ["/x"]) == []


def test_this_machines_own_mounts_can_be_read() -> None:
    mounts = parse_mounts(Path("/proc/self/mountinfo").read_text())
    for path in choose_disks(mounts, [os.getcwd()]):
        assert Path(path).is_absolute()
