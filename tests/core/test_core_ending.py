"""What the end of an attempt means for its job."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from danlu.core.ending import LONGEST_BACKOFF_S, Verdict, judge_end
from danlu.core.job import Job, StopIntent
from danlu.core.states import RETRYABLE, STATE_AFTER, EndReason, JobState, check_transition
from danlu.core.task import TaskEnd, TaskEnding
from tests.core.builders import NOW, a_running_job, ended, exited, killed_by

CANCEL, REQUEUE, GPU_FAULT = StopIntent.CANCEL, StopIntent.REQUEUE, StopIntent.GPU_FAULT
FAILED, LOST, RESIZE = StopIntent.TASK_FAILED, StopIntent.NODE_LOST, StopIntent.RESIZE
R = EndReason


def judge(job: Job, end: TaskEnd, *more: Any, **facts: Any) -> Verdict:
    return judge_end(job, end, NOW, *more, **facts)


REASONS: dict[TaskEnding, dict[StopIntent | None, EndReason]] = {
    # It came to its own end, whatever was wanted of it: the end is its own.
    TaskEnding.EXITED: {None: R.EXIT_CODE, CANCEL: R.EXIT_CODE, REQUEUE: R.EXIT_CODE, GPU_FAULT: R.GPU_FAULT},
    TaskEnding.TIME_LIMIT: {None: R.TIME_LIMIT, CANCEL: R.TIME_LIMIT, REQUEUE: R.TIME_LIMIT},
    TaskEnding.OUT_OF_MEMORY: {None: R.OUT_OF_MEMORY, CANCEL: R.OUT_OF_MEMORY, FAILED: R.OUT_OF_MEMORY},
    # Stopped by none of Danlu's processes: something outside did it.
    TaskEnding.STOPPED: {None: R.VANISHED, CANCEL: R.CANCELLED, REQUEUE: R.REQUEUED, GPU_FAULT: R.GPU_FAULT},
    # What had not begun when its GPU broke simply begins on another.
    TaskEnding.NEVER_STARTED: {
        None: R.VANISHED,
        CANCEL: R.CANCELLED,
        REQUEUE: R.REQUEUED,
        GPU_FAULT: R.NOT_STARTED,
        FAILED: R.NOT_STARTED,
        LOST: R.NODE_LOST,
        RESIZE: R.RESIZED,
    },
    TaskEnding.SETUP_FAILED: {None: R.LAUNCH_FAILED, CANCEL: R.LAUNCH_FAILED, REQUEUE: R.LAUNCH_FAILED},
    TaskEnding.VANISHED: {None: R.VANISHED, CANCEL: R.CANCELLED, GPU_FAULT: R.GPU_FAULT},
    TaskEnding.REBOOTED: {None: R.NODE_REBOOTED, CANCEL: R.CANCELLED, GPU_FAULT: R.NODE_REBOOTED},
    # Its node stopped it, or is gone: unless a user or the scheduler wanted it to end anyway, that is why.
    TaskEnding.LEASE_LOST: {None: R.NODE_LOST, CANCEL: R.CANCELLED, REQUEUE: R.REQUEUED, RESIZE: R.RESIZED},
    TaskEnding.NODE_LOST: {
        None: R.NODE_LOST,
        CANCEL: R.CANCELLED,
        FAILED: R.NODE_LOST,
        GPU_FAULT: R.NODE_LOST,
    },
}
TABLE = [(ending, intent, reason) for ending, row in REASONS.items() for intent, reason in row.items()]


@pytest.mark.parametrize(("ending", "intent", "reason"), TABLE)
def test_each_ending_under_each_intent_has_its_reason(
    ending: TaskEnding, intent: StopIntent | None, reason: EndReason
) -> None:
    status = 3 << 8 if ending is TaskEnding.EXITED else None
    job = replace(a_running_job(stopping=intent), detail="its GPU broke" if intent is GPU_FAULT else "")
    verdict = judge(job, ended(ending, wait_status=status))
    assert (verdict.reason, verdict.state) == (reason, STATE_AFTER[reason])


@pytest.mark.parametrize(
    ("ending", "intent", "used"), list(product(TaskEnding, [None, *StopIntent], [0, 1])), ids=str
)
def test_every_verdict_is_a_legal_step_for_the_job(
    ending: TaskEnding, intent: StopIntent | None, used: int
) -> None:
    job = a_running_job(stopping=intent, retries=1, used=used)
    status = 3 << 8 if ending is TaskEnding.EXITED else None
    check_transition(job.id, job.state, judge(job, ended(ending, wait_status=status)).state)


EVIDENCE = "GPU 1 of n1: NVML error 15: GPU is lost"


@pytest.mark.parametrize("end", [exited(1), killed_by(7)])
def test_a_bad_end_on_a_broken_gpu_is_the_gpus_fault_whether_or_not_anybody_stopped_it(end: TaskEnd) -> None:
    for verdict in (
        judge(a_running_job(), end, EVIDENCE),
        judge(replace(a_running_job(stopping=GPU_FAULT), detail=EVIDENCE), end),
    ):
        assert (verdict.reason, verdict.detail, verdict.state) == (R.GPU_FAULT, EVIDENCE, JobState.FAILED)
    assert judge(a_running_job(), exited(0), EVIDENCE).reason is R.COMPLETED


def test_a_broken_gpu_costs_a_retry_and_a_cancel_still_ends_it() -> None:
    job = replace(a_running_job(stopping=GPU_FAULT, retries=1), detail=EVIDENCE)
    again = judge(job, ended(TaskEnding.STOPPED))
    assert (again.state, again.reason, again.retries_used) == (JobState.WAITING, R.GPU_FAULT, 1)
    cancelled = judge(replace(job, stop_intent=CANCEL), ended(TaskEnding.STOPPED))
    assert cancelled.state is JobState.CANCELLED


def test_exit_137_and_sigkill_are_told_apart_by_the_raw_wait_status() -> None:
    by_itself = judge(a_running_job(), exited(137))
    by_the_kernel = judge(a_running_job(), killed_by(9))
    assert (by_itself.reason, by_itself.exit_code, by_itself.signal) == (R.EXIT_CODE, 137, None)
    assert (by_the_kernel.reason, by_the_kernel.exit_code, by_the_kernel.signal) == (R.SIGNAL, None, 9)


def test_a_core_dump_does_not_hide_the_signal() -> None:
    verdict = judge(a_running_job(), ended(TaskEnding.EXITED, wait_status=11 | 0x80))
    assert (verdict.reason, verdict.signal) == (R.SIGNAL, 11)


@pytest.mark.parametrize("code", [0, 1, 2, 126, 127, 143, 255])
def test_exit_codes_arrive_as_they_were(code: int) -> None:
    verdict = judge(a_running_job(), exited(code))
    assert verdict.exit_code == code
    assert verdict.state is (JobState.SUCCEEDED if code == 0 else JobState.FAILED)


@pytest.mark.parametrize("intent", StopIntent)
def test_a_job_that_finished_before_the_stop_reached_it_has_succeeded(intent: StopIntent) -> None:
    verdict = judge(a_running_job(stopping=intent), exited(0))
    assert verdict.state is JobState.SUCCEEDED


@pytest.mark.parametrize("reason", sorted(RETRYABLE))
def test_a_setup_problem_becomes_the_reason_of_the_same_name(reason: EndReason) -> None:
    end = ended(TaskEnding.SETUP_FAILED, problem=reason.value, detail="/nowhere")
    verdict = judge(a_running_job(), end)
    assert (verdict.reason, verdict.detail, verdict.state) == (reason, "/nowhere", JobState.FAILED)


@pytest.mark.parametrize("ending", [TaskEnding.VANISHED, TaskEnding.REBOOTED])
def test_a_job_sent_back_to_the_queue_gets_there_even_when_its_node_dies(ending: TaskEnding) -> None:
    verdict = judge(a_running_job(stopping=REQUEUE), ended(ending))
    assert verdict.state is JobState.WAITING


def test_a_stopped_task_keeps_the_signal_it_died_of() -> None:
    verdict = judge(a_running_job(stopping=CANCEL), ended(TaskEnding.STOPPED, wait_status=15))
    assert (verdict.state, verdict.signal) == (JobState.CANCELLED, 15)


class TestRetries:
    def test_a_failure_with_a_retry_left_goes_back_to_the_queue_and_waits_a_while(self) -> None:
        verdict = judge(a_running_job(retries=2), exited(3))
        assert verdict == Verdict(
            JobState.WAITING, R.EXIT_CODE, exit_code=3, not_before=NOW + 10.0, retries_used=1
        )

    def test_the_last_retry_used_up_it_fails(self) -> None:
        verdict = judge(a_running_job(retries=2, used=2), exited(3))
        assert (verdict.state, verdict.retries_used, verdict.not_before) == (JobState.FAILED, 2, None)

    def test_each_retry_waits_twice_as_long_as_the_one_before(self) -> None:
        pauses = [
            (judge(a_running_job(retries=9, used=used, retry_backoff_s=3.0), exited(1)).not_before or 0) - NOW
            for used in range(5)
        ]
        assert pauses == [3.0, 6.0, 12.0, 24.0, 48.0]

    def test_but_never_longer_than_an_hour_even_after_a_thousand_tries(self) -> None:
        verdict = judge(a_running_job(retries=1000, used=999), exited(1))
        assert verdict.not_before == NOW + LONGEST_BACKOFF_S

    def test_without_backoff_it_may_go_again_at_once(self) -> None:
        verdict = judge(a_running_job(retries=1, retry_backoff_s=0.0), exited(1))
        assert verdict.not_before == NOW

    def test_a_success_is_never_retried(self) -> None:
        assert judge(a_running_job(retries=5), exited(0)).state is JobState.SUCCEEDED

    @pytest.mark.parametrize("intent", [CANCEL, REQUEUE])
    def test_what_is_being_stopped_is_not_retried(self, intent: StopIntent) -> None:
        verdict = judge(a_running_job(retries=5, stopping=intent), exited(1))
        assert (verdict.state, verdict.retries_used) == (JobState.FAILED, 0)

    def test_a_requeue_uses_up_no_retry(self) -> None:
        job = a_running_job(retries=5, used=2, stopping=REQUEUE)
        verdict = judge(job, ended(TaskEnding.STOPPED))
        assert (verdict.state, verdict.retries_used, verdict.not_before) == (JobState.WAITING, 2, None)

    @pytest.mark.parametrize(
        ("end", "counts"),
        [
            (exited(1), True),
            (killed_by(9), True),
            (ended(TaskEnding.VANISHED), True),
            (ended(TaskEnding.REBOOTED), True),
            (ended(TaskEnding.SETUP_FAILED, problem="output_unwritable"), True),
            (ended(TaskEnding.TIME_LIMIT), False),
            (ended(TaskEnding.SETUP_FAILED, problem="directory_missing"), False),
            (ended(TaskEnding.SETUP_FAILED, problem="no_account"), False),
        ],
        ids=str,
    )
    def test_by_default_only_reasons_that_may_pass_count(self, end: object, counts: bool) -> None:
        verdict = judge(a_running_job(retries=1), end)  # type: ignore[arg-type]
        assert (verdict.state is JobState.WAITING) == counts

    def test_a_job_may_say_itself_which_reasons_count(self) -> None:
        job = a_running_job(retries=1, retry_on=frozenset({R.TIME_LIMIT}))
        assert judge(job, ended(TaskEnding.TIME_LIMIT)).state is JobState.WAITING
        assert judge(job, exited(1)).state is JobState.FAILED


def test_what_was_cut_short_before_it_began_starts_again_and_uses_up_no_retry() -> None:
    job = replace(a_running_job(), state=JobState.STARTING)
    verdict = judge(job, ended(TaskEnding.NEVER_STARTED))
    assert (verdict.state, verdict.reason, verdict.retries_used) == (JobState.WAITING, R.NOT_STARTED, 0)
    assert verdict.not_before is not None
    assert verdict.not_before > NOW


class TestMoving:
    """What is no fault of a job costs it nothing, if it may be run elsewhere."""

    @pytest.mark.parametrize("ending", [TaskEnding.LEASE_LOST, TaskEnding.NODE_LOST, TaskEnding.REBOOTED])
    @pytest.mark.parametrize("spec", [{"restartable": True}, {"service": True}, {"nodes": 4, "nodes_min": 1}])
    def test_a_job_that_may_move_goes_to_the_head_at_once(
        self, ending: TaskEnding, spec: dict[str, int]
    ) -> None:
        verdict = judge(a_running_job(used=1, **spec), ended(ending))
        assert (verdict.state, verdict.to_head) == (JobState.WAITING, True)
        assert (verdict.not_before, verdict.retries_used) == (None, 1)

    def test_another_one_ends_or_uses_a_retry(self) -> None:
        lost = ended(TaskEnding.NODE_LOST)
        assert judge(a_running_job(), lost).state is JobState.FAILED
        again = judge(a_running_job(retries=1), lost)
        assert (again.state, again.retries_used, again.to_head) == (JobState.WAITING, 1, False)

    def test_a_cancel_goes_before_a_lost_node(self) -> None:
        verdict = judge(a_running_job(stopping=CANCEL, restartable=True), ended(TaskEnding.NODE_LOST))
        assert verdict.state is JobState.CANCELLED

    def test_resizing_costs_nothing_and_a_bad_end_in_between_is_a_bad_end(self) -> None:
        job = a_running_job(stopping=RESIZE, nodes=4, nodes_min=1, retries=1)
        resized = judge(job, ended(TaskEnding.STOPPED))
        assert (resized.state, resized.to_head, resized.retries_used) == (JobState.WAITING, True, 0)
        assert judge(job, exited(3)).retries_used == 1


class TestServices:
    @pytest.mark.parametrize("end", [exited(0), exited(1), killed_by(9), ended(TaskEnding.VANISHED)], ids=str)
    def test_however_it_ends_it_is_begun_again(self, end: TaskEnd) -> None:
        verdict = judge(a_running_job(service=True), end)
        assert (verdict.state, verdict.not_before, verdict.retries_used) == (JobState.WAITING, NOW + 1.0, 1)

    def test_it_waits_ever_longer_but_never_longer_than_a_minute(self) -> None:
        pauses = []
        for used in (0, 1, 2, 5, 6, 7, 10_000):
            until = judge(a_running_job(service=True, used=used), exited(1)).not_before
            pauses.append((until or 0.0) - NOW)
        assert pauses == [1.0, 2.0, 4.0, 32.0, 60.0, 60.0, 60.0]

    @pytest.mark.parametrize(("ran_s", "used"), [(59.0, 4), (60.0, 1)])
    def test_one_that_ran_for_a_while_begins_as_if_new(self, ran_s: float, used: int) -> None:
        job = replace(a_running_job(service=True, used=3), started_at=NOW - ran_s)
        assert judge(job, exited(1)).retries_used == used
        starting = replace(job, state=JobState.STARTING, started_at=None)
        assert judge(starting, exited(1), started_at=NOW - ran_s).retries_used == used

    @pytest.mark.parametrize(
        "end", [exited(0), exited(1), ended(TaskEnding.STOPPED), ended(TaskEnding.NODE_LOST)]
    )
    def test_a_cancelled_one_is_cancelled_whatever_it_came_to(self, end: TaskEnd) -> None:
        assert judge(a_running_job(service=True, stopping=CANCEL), end).state is JobState.CANCELLED


@pytest.mark.parametrize("told", [0.0, NOW - 3600.0, NOW + 3600.0])
def test_pauses_begin_at_our_own_clock_whatever_the_nodes_says(told: float) -> None:
    end = replace(exited(3), ended_at=told)
    assert judge(a_running_job(retries=1), end).not_before == NOW + 10.0
    assert judge(a_running_job(service=True), end, started_at=told).not_before == NOW + 1.0
    never = TaskEnd(TaskEnding.NEVER_STARTED, told)
    starting = replace(a_running_job(), state=JobState.STARTING)
    assert judge(starting, never).not_before == NOW + 1.0
