"""What every test may ask for."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.support import sandbox
from tests.support.installation import LiveServer, live_server

# A shell without job control starts what it puts into the background deaf to Ctrl-C, and so all its children.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine is slow, not wrong.
settings.register_profile("danlu", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("danlu")

# A file that takes minutes must not be the last to begin.
LONGEST = (
    "tests/e2e/test_two_commands.py",
    "tests/docs/test_docs_examples.py",
    "tests/e2e/test_cluster_training.py",
    "tests/e2e/test_failover.py",
    "tests/e2e/test_cluster_faults.py",
    "tests/e2e/test_postgresql.py",
    "tests/e2e/test_backup.py",
)

# Rooms whose tests wait for real processes.
SLOW_ROOMS = ("tests/agent/", "tests/cluster/", "tests/launch/")

# Each of their tests has a server of its own, or a node, and takes long.
ALONE = (
    "tests/agent/test_agent_lease.py",
    "tests/agent/test_agent_lease_overlap.py",
    "tests/bench/test_bench.py",
    "tests/e2e/test_crash_points.py",
    "tests/e2e/test_soak.py",
    "tests/e2e/test_surprises.py",
    "tests/e2e/test_takeover.py",
)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Tests as root run where nothing but their own folders can be written to."""
    runs_tests = hasattr(session.config, "workerinput") or not session.config.getoption("numprocesses", None)
    if os.geteuid() == 0 and runs_tests and not session.config.getoption("collectonly"):
        # Where the kernel refuses, tests/support/test_sandbox.py says so.
        with contextlib.suppress(OSError):
            sandbox.enter(sandbox.for_tests())


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Nothing that a test started outlives the tests, also where one failed half way."""
    sandbox.end_processes()


@pytest.fixture(autouse=True)
def same_umask() -> Iterator[None]:
    """Commands that a test calls in its own process close what they write for others; the next test's files
    are made as usual."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    os.umask(before)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    """A running server with four simulated GPUs."""
    with live_server(tmp_path / "danlu", "--simulate", "4") as running:
        yield running


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest goes first, so that at the end no core waits for a long file: whole servers, then
    single nodes, then all else."""
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    file = item.nodeid.partition("::")[0]
    if file in LONGEST:
        return LONGEST.index(file)
    if item.get_closest_marker("e2e"):
        return len(LONGEST)
    return len(LONGEST) + (1 if file.startswith(SLOW_ROOMS) else 2)


class FilesAndTests(LoadFileScheduling):
    """Whole files, in the order of their collection; those in ALONE test by test."""

    def _split_scope(self, nodeid: str) -> str:
        file = super()._split_scope(nodeid)
        return nodeid if file in ALONE else file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FilesAndTests | None:
    if config.getoption("dist") != "loadfile":
        return None
    config.option.loadscopereorder = False
    return FilesAndTests(config, log)
