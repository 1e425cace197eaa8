"""Asks and task keys."""

from __future__ import annotations

import pytest

from danlu.core.job import JobSpec
from danlu.core.job_id import element_id
from danlu.core.resources import make_ask
from danlu.core.task import TaskKey


class TestMakeAsk:
    def test_fewer_exact_gpus_than_asked_leave_the_rest_to_the_scheduler(self) -> None:
        ask = make_ask(gpus=3, gpu_ids=(5,))
        assert (ask.gpus, ask.gpu_ids) == (3, (5,))

    def test_more_exact_gpus_than_asked_raise_the_number(self) -> None:
        assert make_ask(gpus=1, gpu_ids=(0, 2, 3)).gpus == 3

    def test_exact_gpus_alone_are_the_number(self) -> None:
        assert make_ask(gpu_ids=(4, 6)).gpus == 2

    def test_the_same_gpu_twice_is_one_gpu_and_order_does_not_matter(self) -> None:
        assert make_ask(gpu_ids=(3, 1, 3)) == make_ask(gpu_ids=(1, 3))

    def test_a_job_without_gpus_counts_one_cpu(self) -> None:
        ask = make_ask()
        assert (ask.gpus, ask.cpus) == (0, 1)

    def test_a_gpu_job_that_names_no_cpus_counts_none(self) -> None:
        assert make_ask(gpus=1).cpus == 0
        assert make_ask(gpu_ids=(0,)).cpus == 0

    @pytest.mark.parametrize("gpus", [0, 2])
    def test_cpus_that_were_named_stay_as_named(self, gpus: int) -> None:
        assert make_ask(gpus=gpus, cpus=6).cpus == 6
        assert make_ask(gpus=gpus, cpus=0).cpus == (0 if gpus else 1), "a job counts something"

    def test_the_ask_of_a_spec_is_made_of_its_fields(self) -> None:
        spec = JobSpec(command="x", gpus=1, gpu_ids=(2, 0), cpus=4, memory_mb=512, node="forge")
        assert spec.ask == make_ask(2, (0, 2), 4, 512, "forge")


def test_a_task_key_reads_back_as_it_was_written() -> None:
    key = TaskKey(job=12, attempt=3, rank=0)
    assert str(key) == "12-3-0"
    assert TaskKey.parse(str(key)) == key


def test_people_read_a_task_key_with_the_id_that_they_know() -> None:
    assert TaskKey(12, 3, 0).label == "12-3-0"
    assert TaskKey(element_id(12, 7), 3, 0).label == "12[7]-3-0"
