"""The web app in a real browser, on a real server with simulated GPUs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browser import Person, Windows, chromium
from tests.support.installation import LiveServer, live_server

# A build of the app that lies elsewhere than in the package, while the app is being worked on.
ELSEWHERE = os.environ.get("DANLU_TEST_STATIC")
ENTRY = ("tests/support/served_from_elsewhere.py",) if ELSEWHERE else ("-m", "danlu.main")


# The files that take longest, so that none of them is the last to begin.
LONGEST = (
    "test_job.py",
    "test_submit.py",
    "test_many_tabs.py",
    "test_many_jobs.py",
    "test_cluster.py",
    "test_restart.py",
    "test_door.py",
    "test_account.py",
    "test_every_page.py",
    "test_admin.py",
    "test_long_log.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))


@pytest.fixture(scope="session")
def windows() -> Iterator[Windows]:
    # A busy machine is slow, not wrong.
    expect.set_options(timeout=20_000)
    with chromium() as browser:
        yield Windows(browser)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Two simulated nodes with four GPUs each; one server for all tests of a file."""
    data: Path = tmp_path_factory.mktemp("web") / "danlu"
    with live_server(data, "--simulate", "2x4", entry=ENTRY) as running:
        yield running


@pytest.fixture
def person(windows: Windows, server: LiveServer) -> Iterator[Callable[..., Person]]:
    """`person(language="zh", width=390)` gives a user a window; all windows must be without troubles."""
    people: list[Person] = []

    def enter(**options) -> Person:
        people.append(Person(windows, options.pop("server", server), **options))
        return people[-1]

    yield enter
    for each in people:
        each.leave()
