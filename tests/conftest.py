"""What every test may ask for."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.installation import LiveServer, live_server

# A shell without job control starts what it puts into the background deaf to Ctrl-C, and so all its children.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    """A running server with four simulated GPUs."""
    with live_server(tmp_path / "danlu", "--simulate", "4") as running:
        yield running
