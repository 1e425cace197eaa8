"""What every benchmark shares: its options, its verdicts, what it prints and what it leaves behind."""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import shutil
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

BENCH = Path(__file__).resolve().parent
REPOSITORY = BENCH.parent
RESULTS = Path(os.environ.get("DANLU_BENCH_RESULTS") or BENCH / "results")
"""Where each run leaves its line."""
BUSY_SHARE = 0.5
"""Of its cores in use by others, from which on a machine is too busy for figures to be trusted."""


class CannotRun(Exception):
    """Why a benchmark, or one peer of it, cannot be measured on this machine."""


@dataclass(frozen=True, slots=True)
class Options:
    """`quick`: small numbers, no peers to install; shows that the benchmark works, not how fast Danlu is.
    `numbers` are those that the benchmark itself asks for, where its caller gave them."""

    quick: bool
    peers: bool
    profile: bool
    numbers: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One ratio against its target. `met` is None where there is no target, or no peer to compare with."""

    text: str
    target: str = ""
    met: bool | None = None

    def __str__(self) -> str:
        if not self.target:
            return self.text
        end = {True: "met", False: "MISSED", None: "not measured"}[self.met]
        return f"{self.text} (target {self.target}, {end})"


@dataclass(slots=True)
class Report:
    """What a benchmark found. `figures` are for programs, `said` is their short form for people."""

    title: str
    said: str = ""
    figures: dict[str, Any] = field(default_factory=dict)
    verdicts: list[Verdict] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def line(self) -> str:
        return f"{self.title}: {self.said} -> " + ", ".join(map(str, self.verdicts))


def at_least(value: float, target: float, of: str = "") -> Verdict:
    """`value` times the peer, which shall be at least `target` times."""
    return Verdict(f"{_round(value)} x{of and ' ' + of}", f">= {target:g}", value >= target)


def at_most(value: float, target: float, unit: str) -> Verdict:
    """The ratio to a target that is a limit: 1 is the target itself, less is better."""
    text = f"{_round(value)} {unit}, {_round(value / target)} of the limit"
    return Verdict(text, f"<= {target:g} {unit}", value <= target)


def unmeasured(of: str, target: str) -> Verdict:
    return Verdict(f"no {of}", target, None)


def run(name: str, measure: Callable[[Options], Report], *numbers: str) -> NoReturn:
    """The main function of a benchmark: 0 when it could be measured, whatever came out of it. Each of
    `numbers` is an option of this one alone."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__)
    parser.add_argument("--quick", action="store_true", help="small numbers and no peers: does it work?")
    parser.add_argument("--without-peers", action="store_true", help="measure Danlu alone, install nothing")
    parser.add_argument(
        "--profile", action="store_true", help="sample the server with py-spy where it is hot"
    )
    for number in numbers:
        parser.add_argument(f"--{number}", type=int, metavar="N")
    chosen = parser.parse_args()
    given = {number: value for number in numbers if (value := getattr(chosen, number)) is not None}
    options = Options(chosen.quick, not (chosen.quick or chosen.without_peers), chosen.profile, given)
    # A terminated benchmark clears away like an interrupted one: contexts are left, temporary folders go.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    started, load = time.time(), os.getloadavg()[0]
    try:
        report = measure(options)
    except CannotRun as problem:
        sys.exit(f"{name} could not run: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
    report.figures["load_average_before"] = load
    if load > BUSY_SHARE * (os.cpu_count() or 1) and not options.quick:
        report.notes.append(f"the machine was not quiet: load average {load:.1f} before the start")
    for note in report.notes:
        print(f"  note: {note}")
    print(report.line(), flush=True)
    _keep(name, report, options, started)
    sys.exit(0)


def _keep(name: str, report: Report, options: Options, started: float) -> None:
    """One line of JSON per run."""
    RESULTS.mkdir(exist_ok=True)
    kept = {
        "benchmark": name,
        "title": report.title,
        "at": started,
        "took_s": round(time.time() - started, 1),
        "quick": options.quick,
        "machine": machine(),
        "line": report.line(),
        "figures": report.figures,
        "verdicts": [{"text": v.text, "target": v.target, "met": v.met} for v in report.verdicts],
        "notes": report.notes,
    }
    with (RESULTS / f"{name}.json").open("a") as file:
        file.write(json.dumps(kept) + "\n")


def machine() -> dict[str, Any]:
    model = ""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
            break
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "kernel": platform.release(),
        "python": platform.python_version(),
    }


@contextmanager
def temporary_folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="danlu-bench-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def table(rows: Sequence[Sequence[object]]) -> None:
    """Rows with aligned columns: the first to the left, the others to the right."""
    cells = [[cell if isinstance(cell, str) else _round(cell) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    for row in cells:
        first, *rest = zip(row, widths, strict=True)
        print("  " + "  ".join([first[0].ljust(first[1]), *(c.rjust(w) for c, w in rest)]).rstrip())
    sys.stdout.flush()


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` of all values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def wait_until(question: Callable[[], Any], timeout_s: float, what: str, pause_s: float = 0.02) -> Any:
    deadline = time.monotonic() + timeout_s
    while not (answer := question()):
        if time.monotonic() > deadline:
            raise CannotRun(f"{what} did not happen within {timeout_s:.0f} s")
        time.sleep(pause_s)
    return answer


def _round(value: object) -> str:
    if not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int) or abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.2g}" if abs(value) < 1 else f"{value:.1f}"
