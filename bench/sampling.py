"""Where a process spends its time, sampled by py-spy: the functions themselves, hottest first."""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from harness import temporary_folder


@contextlib.contextmanager
def sampled(pid: int, title: str, *, wanted: bool, top: int = 25) -> Iterator[None]:
    """Print the hottest functions of `pid` while the block ran. Costs time itself: never part of a figure."""
    spy = shutil.which("py-spy", path=str(Path(sys.executable).parent)) or shutil.which("py-spy")
    if not wanted or spy is None:
        yield
        return
    with temporary_folder() as folder:
        out = folder / "stacks"
        argv = [spy, "record", "-p", str(pid), "-f", "raw", "-r", "200", "-d", "3600", "-o", str(out), "-tF"]
        spying = subprocess.Popen(
            [*argv, "--nonblocking"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            yield
        finally:
            spying.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                spying.wait(30)
            spying.kill()
        if out.exists():
            _print_hottest(out, title, top)


def _print_hottest(stacks: Path, title: str, top: int) -> None:
    alone: Counter[str] = Counter()
    within: Counter[str] = Counter()
    threads: Counter[str] = Counter()
    for line in stacks.read_text(errors="replace").splitlines():
        stack, _, count = line.rpartition(" ")
        if not count.isdigit():
            continue  # read while the process changed it, since the process is never stopped
        frames = stack.split(";")
        threads[frames[0]] += int(count)
        alone[frames[-1]] += int(count)
        for frame in set(frames[1:]):
            if "danlu/" in frame:
                within[frame] += int(count)
    total = sum(alone.values()) or 1
    print(f"  profile of {title} ({total} samples)")
    for heading, counted in (("by thread", threads), ("self time", alone), ("of ours, with callees", within)):
        print(f"    {heading}")
        for frame, count in counted.most_common(top):
            print(f"      {100 * count / total:5.1f} %  {frame}")
