"""A real data-parallel training over two hosts loses one of them, and goes on from its checkpoint."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.frameworks.conftest import torch_environment
from tests.support.hosts import hosts
from tests.support.installation import REPOSITORY, wait_until

__all__ = ["torch_environment"]

pytestmark = pytest.mark.e2e

TRAIN = REPOSITORY / "tests" / "frameworks" / "train_ddp.py"
STEPS = 100
PAUSE_S = 0.1


def test_a_training_survives_the_loss_of_a_node(tmp_path: Path, torch_environment: str):
    shutil.copy(TRAIN, tmp_path / "train.py")
    with hosts(3, tmp_path / "hosts") as (one, second, third):
        master = one.up("--cluster", "--simulate", "1")
        for host in (second, third):
            host.join(master, "--simulate", "1")
        master.cli("drain", "one")
        job = master.submit(
            f"train.py {STEPS} {PAUSE_S}",
            **{"nodes": "2", "gpus": 1, "launcher": "torchrun", "restartable": True, "name": "train"},
            directory=str(tmp_path),
            environment=torch_environment,
        )
        checkpoints = tmp_path / ".danlu" / "checkpoints" / str(job)
        wait_until((checkpoints / "model.pt").exists, 90, f"the first checkpoint:\n{_log(master, job)}")
        assert sorted(master.job(job)["job"]["on_nodes"]) == ["three", "two"]
        master.cli("undrain", "one")
        third.power_off()
        done = master.wait_ended(job, 120)
        assert done["job"]["state"] == "succeeded", _log(master, job)
        assert sorted(done["job"]["on_nodes"]) == ["one", "two"]
        last = done["job"]["attempt"]
        seen = [json.loads((checkpoints / f"seen-{last}-{rank}.json").read_text()) for rank in range(2)]
    assert [(each["rank"], each["world"]) for each in seen] == [(0, 2), (1, 2)]
    assert {each["node"] for each in seen} == {"one", "two"}
    # It did not begin anew, and went on learning.
    assert all(each["first"] >= 10 for each in seen)
    assert seen[0]["parameters"] == seen[1]["parameters"]
    assert seen[0]["losses"][-1] < seen[0]["losses"][0]


def _log(master, job: int) -> str:
    return master.cli("logs", str(job), check=False).stdout[-3000:]
