"""What every test may ask for."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.support.installation import LiveServer, live_server

# A shell without job control starts what it puts into the background deaf to Ctrl-C, and so all its children.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Each of their tests has a server of its own, and takes long.
ALONE = (
    "tests/bench/test_bench.py",
    "tests/e2e/test_crash_points.py",
    "tests/e2e/test_soak.py",
    "tests/e2e/test_surprises.py",
    "tests/e2e/test_takeover.py",
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    """A running server with four simulated GPUs."""
    with live_server(tmp_path / "danlu", "--simulate", "4") as running:
        yield running


class FilesAndTests(LoadFileScheduling):
    """Whole files, the largest first; at the end, wherever there is room, single tests of those in ALONE."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return nodeid if file in ALONE else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FilesAndTests | None:
    return FilesAndTests(config, log) if config.getoption("dist") == "loadfile" else None
