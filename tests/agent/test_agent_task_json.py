"""Orders and facts as a keeper of another version says and hears them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from danlu.agent.task_json import fact_from_json, order_to_json
from danlu.core.task import LaunchOrder, OutputPlace, Staging, TaskEnd, TaskEnding, TaskFact, TaskKey

FACT: dict[str, Any] = {"key": "7-2-1", "node": "forge", "started_at": 1.5, "end": None}
END = {"ending": "exited", "ended_at": 2.0, "wait_status": 256, "problem": None, "detail": ""}


def read(**changes: Any) -> TaskFact:
    return fact_from_json({**FACT, **changes})


def test_a_keeper_of_before_says_less() -> None:
    assert read() == TaskFact(TaskKey(7, 2, 1), "forge", 1.5)


def test_a_newer_keeper_says_more() -> None:
    place = {"inode": 3, "filesystem": "f", "offset": 10}
    fact = read(
        outputs={"stdout": {**place, "new": 1}, "stdmind": place},
        end={**END, "started_at": 1.5, "mood": "calm"},
        from_the_future=[1],
    )
    assert fact.stdout_at == OutputPlace(3, "f", 10)
    assert fact.end == TaskEnd(TaskEnding.EXITED, 2.0, 256)


@pytest.mark.parametrize(
    ("change", "end"),
    [
        ({"ending": "abducted"}, TaskEnd(TaskEnding.VANISHED, 2.0, 256, detail="abducted")),
        (
            {"ending": "setup_failed", "problem": "cursed"},
            TaskEnd(TaskEnding.SETUP_FAILED, 2.0, 256, detail="cursed"),
        ),
    ],
    ids=["ending", "problem"],
)
def test_an_end_in_words_of_a_newer_keeper_is_an_end(change: dict[str, Any], end: TaskEnd) -> None:
    assert read(end={**END, **change}).end == end


def test_what_is_no_fact_is_refused_with_the_place() -> None:
    with pytest.raises(ValueError, match=r"end\.ended_at"):
        read(end={**END, "ended_at": "soon"})


def test_an_order_is_plain_and_its_key_one_word() -> None:
    order = LaunchOrder(
        key=TaskKey(7, 2, 1),
        node="forge",
        job_name="熔炼",
        user="li",
        directory="/",
        command="true",
        gpu_ids=(0,),
        staging=Staging(("/d",)),
        job_secret="the secret",
    )
    plain = order_to_json(order, ["/envs"])
    assert json.loads(json.dumps(plain)) == plain
    assert (plain["key"], plain["gpu_ids"], plain["environment_roots"]) == ("7-2-1", [0], ["/envs"])
    staging = plain["staging"]
    assert staging is not None
    assert staging["proof"] != "s"
    assert [each["path"] for each in staging["paths"]] == ["/d"]
