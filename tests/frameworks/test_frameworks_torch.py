"""Real PyTorch over two nodes: it finds its world, and trains one model."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.agent.gangs import GangStory

pytestmark = pytest.mark.frameworks

TRAIN = Path(__file__).with_name("train_ddp.py")


async def test_two_nodes_train_one_model(gang: GangStory, torch_environment: str) -> None:
    shutil.copy(TRAIN, gang.directory / "train.py")
    await gang.outputs_of("train.py 30", "torchrun", environment=torch_environment)
    files = sorted(gang.directory.glob(".danlu/checkpoints/1/seen-*.json"))
    seen = [json.loads(file.read_text()) for file in files]
    assert [(each["rank"], each["world"], each["node"]) for each in seen] == [(0, 2, "n0"), (1, 2, "n1")]
    assert seen[0]["parameters"] == seen[1]["parameters"]
    assert seen[0]["losses"] != seen[1]["losses"]
    for each in seen:
        assert each["losses"][-1] < each["losses"][0] / 10
