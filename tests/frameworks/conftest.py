from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.agent.conftest import folder
from tests.agent.gangs import GangStory

__all__ = ["folder", "gang", "torch_environment"]

ENVIRONMENT = Path(__file__).parents[2] / ".venv" / "frameworks"


@pytest.fixture(scope="session")
def torch_environment() -> str:
    """A virtual environment with PyTorch in it, apart from ours."""
    path = Path(os.environ.get("DANLU_FRAMEWORKS", ENVIRONMENT))
    if not (path / "bin" / "torchrun").exists():
        reason = "there is no PyTorch: make .venv/frameworks/.installed"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return str(path)


@pytest.fixture
async def gang(folder: Path) -> AsyncIterator[GangStory]:
    async with GangStory(folder) as story:
        yield story
