"""What every test may ask for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.installation import LiveServer, live_server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    """A running server with four simulated GPUs."""
    with live_server(tmp_path / "danlu", "--simulate", "4") as running:
        yield running
