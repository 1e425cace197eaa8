"""Functions as jobs, handles and futures, on a whole installation without a socket."""

from __future__ import annotations

import dataclasses
import functools
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor, as_completed
from concurrent.futures import wait as wait_for
from pathlib import Path

import pytest

from danlu import ApiError, Client, JobFailed, JobFuture
from danlu.sdk.errors import Closed, RemoteTraceback
from danlu.sdk.functions import name_of, split_options
from danlu.sdk.options import JobOptions
from danlu.testing import cluster
from danlu.wire.jobs import JobFields
from tests.support.installation import wait_until

PATIENCE_S = 60


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with cluster(gpus=4) as client:
        yield client


def until_there(path: Path) -> Callable[[], str]:
    """A function that ends when the file is there. Made here: its job need not import this module."""

    def hold() -> str:
        while not path.exists():
            time.sleep(0.01)
        return path.read_text()

    return hold


def is_running(future: JobFuture) -> bool:
    until = time.monotonic() + PATIENCE_S
    while not future.running() and not future.done() and time.monotonic() < until:
        time.sleep(0.01)
    return future.running()


class TestFutures:
    def test_a_function_runs_as_a_job_with_its_options(self, client):
        future = client.submit(lambda: os.environ["CUDA_VISIBLE_DEVICES"], gpus=2, name="two")
        assert future.result(PATIENCE_S) == "0,1"
        job = future.job.refresh().job
        assert (job.name, job.gpus, job.state) == ("two", 2, "succeeded")
        assert (future.done(), future.running(), future.cancelled()) == (True, False, False)

    def test_keywords_that_are_no_options_are_the_functions(self, client):
        assert client.submit(dict, [("a", 1)], b=2, gpus=0).result(PATIENCE_S) == {"a": 1, "b": 2}

    def test_what_the_function_raised_is_raised_with_its_traceback(self, client):
        def fail(number):
            raise LookupError(f"number {number}")

        future = client.submit(fail, 9)
        with pytest.raises(LookupError, match="number 9") as raised:
            future.result(PATIENCE_S)
        assert isinstance(raised.value.__cause__, RemoteTraceback)
        assert "in fail" in str(raised.value.__cause__)
        assert isinstance(future.exception(), LookupError)
        job = future.job.refresh().job
        assert (job.state, job.exit_code) == ("failed", 1)
        assert "LookupError: number 9" in future.job.logs()

    def test_it_works_with_what_works_with_futures(self, client):
        called = threading.Event()
        futures = [client.submit(pow, 2, n) for n in range(4)]
        futures[0].add_done_callback(lambda _: called.set())
        assert sorted(future.result() for future in as_completed(futures, PATIENCE_S)) == [1, 2, 4, 8]
        assert called.wait(PATIENCE_S)
        done, waiting = wait_for(futures, PATIENCE_S)
        assert (len(done), len(waiting)) == (4, 0)

    def test_a_running_one_can_be_cancelled(self, client, tmp_path):
        future = client.submit(until_there(tmp_path / "never"), grace_s=0)
        assert is_running(future)
        assert future.cancel()
        assert future.cancelled()
        with pytest.raises(CancelledError):
            future.result(0)
        assert future.cancel(), "once more is no mistake"
        assert future.job.wait(PATIENCE_S).job.state == "cancelled"
        with pytest.raises(JobFailed, match="cancelled"):
            future.job.result(PATIENCE_S)

    def test_one_that_somebody_else_cancels_is_cancelled(self, client):
        future = client.submit(abs, 1, hold=True)
        client.jobs.cancel(future.job.id)
        with pytest.raises(CancelledError):
            future.result(PATIENCE_S)

    def test_one_that_is_over_cannot_be_cancelled(self, client):
        future = client.submit(abs, -1)
        assert future.result(PATIENCE_S) == 1
        assert not future.cancel()
        assert not future.job.cancel()

    def test_one_that_is_deleted_says_so(self, client):
        future = client.submit(abs, 1, hold=True)
        client.jobs.delete(future.job.id)
        with pytest.raises(ApiError, match="no job"):
            future.result(PATIENCE_S)

    def test_one_that_is_killed_says_how_and_shows_its_log(self, client):
        def die():
            print("the last words", flush=True)
            os.kill(os.getpid(), 9)

        with pytest.raises(JobFailed, match="signal 9") as failed:
            client.submit(die).result(PATIENCE_S)
        assert (failed.value.signal, failed.value.reason) == (9, "signal")
        assert failed.value.log == "the last words\n"

    def test_one_that_ends_without_a_result_says_so(self, client):
        with pytest.raises(JobFailed, match="without a result"):
            client.submit(os._exit, 0).result(PATIENCE_S)

    def test_a_time_limit_is_a_failure(self, client, tmp_path):
        future = client.submit(until_there(tmp_path / "never"), time_limit_s=0.5, grace_s=0)
        with pytest.raises(JobFailed) as failed:
            future.result(PATIENCE_S)
        assert failed.value.reason == "time_limit"

    def test_the_last_attempt_counts(self, client, tmp_path):
        def try_again(path):
            with path.open("a") as file:
                file.write("x")
            tries = len(path.read_text())
            if tries < 3:
                raise RuntimeError("not yet")
            return tries

        future = client.submit(try_again, tmp_path / "tries", retries=5, retry_backoff_s=0)
        assert future.result(PATIENCE_S) == 3
        assert future.job.refresh().job.attempt == 3

    def test_a_resubmitted_or_edited_job_runs_the_same_call(self, client):
        future = client.submit(pow, 3, 4)
        assert future.result(PATIENCE_S) == 81
        again = client.job(client.jobs.resubmit(future.job.id))
        assert again.result(PATIENCE_S) == 81
        from danlu.wire.jobs import JobEdit

        client.jobs.edit(again.id, JobEdit(set=JobFields(name="other")))
        assert again.result(PATIENCE_S) == 81
        assert again.refresh().job.attempt == 2

    def test_a_future_waits_for_another_jobs_end(self, client, tmp_path):
        first = client.submit(until_there(tmp_path / "go"))
        second = client.submit(abs, -5, after_ok=[first])
        (tmp_path / "go").write_text("now")
        assert (second.result(PATIENCE_S), first.result(0)) == (5, "now")

    def test_results_larger_than_a_piece_come_whole(self, client):
        data = client.submit(os.urandom, 3_000_000).result(PATIENCE_S)
        assert len(data) == 3_000_000


class TestOptions:
    def test_there_is_an_option_for_every_field_but_those_that_say_what_runs(self):
        fields = {field.name for field in dataclasses.fields(JobFields)}
        assert set(JobOptions.__annotations__) == fields - {"command", "arguments", "call", "array"}

    def test_a_name_that_could_be_meant_for_either_is_refused(self, client):
        def train(name):
            return name

        with pytest.raises(TypeError, match=re.escape("client.executor().submit(train, …, name=…)")):
            client.submit(train, name="resnet")
        assert client.executor(name="job").submit(train, name="resnet").result(PATIENCE_S) == "resnet"

    def test_options_and_arguments_part(self):
        def train(path, *, epochs):
            pass

        assert split_options(train, {"gpus": 1, "epochs": 3}) == ({"gpus": 1}, {"epochs": 3})
        assert split_options(dict, {"gpus": 1, "x": 3}) == ({"gpus": 1}, {"x": 3})

    def test_a_job_is_called_as_its_function(self):
        assert name_of(until_there) == "until_there"
        assert name_of(functools.partial(functools.partial(until_there))) == "until_there"
        assert name_of(lambda: None) == "lambda"

    def test_an_option_that_is_none_is_refused_at_once(self, client):
        with pytest.raises(TypeError, match="no option 'gpu'"):
            client.executor(gpu=1)

    def test_the_folder_is_the_callers_unless_one_is_named(self, client, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        assert client.submit(os.getcwd).result(PATIENCE_S) == str(tmp_path)
        assert client.submit(os.getcwd, directory="/usr").result(PATIENCE_S) == "/usr"


class TestMap:
    def test_it_is_one_array_and_its_results_come_in_order(self, client):
        results = client.map(
            lambda a, b: (a, b, os.environ["CUDA_VISIBLE_DEVICES"]), "abc", [1, 2, 3, 4], gpus=1
        )
        assert [(a, b) for a, b, _ in results] == [("a", 1), ("b", 2), ("c", 3)]
        assert [future.job.id for future in results.futures] == [f"{results.job.id}[{n}]" for n in range(3)]
        detail = results.job.wait(PATIENCE_S)
        assert (detail.job.state, detail.job.array.succeeded) == ("succeeded", 3)
        assert [a for a, _, _ in results.job.result(PATIENCE_S)] == ["a", "b", "c"]

    def test_one_that_fails_fails_alone(self, client):
        results = client.map(lambda n: 6 // n, [1, 0, 2])
        first, second, third = results.futures
        assert isinstance(second.exception(PATIENCE_S), ZeroDivisionError)
        assert (first.result(PATIENCE_S), third.result(PATIENCE_S)) == (6, 3)
        assert "ZeroDivisionError" in second.job.logs()
        assert results.job.wait(PATIENCE_S).job.state == "failed"

    def test_what_never_began_is_cancelled_with_the_rest(self, client, tmp_path):
        hold = until_there(tmp_path / "never")
        results = client.map(lambda _: hold(), range(20), at_most=1, grace_s=0)
        first, second, *_, last = results.futures
        assert is_running(first)
        assert not second.running()
        assert last.cancel()
        assert last.cancelled()
        assert results.job.cancel()
        done, waiting = wait_for(results.futures, PATIENCE_S)
        assert not waiting
        assert all(future.cancelled() for future in done)

    def test_no_more_run_at_a_time_than_it_says(self, client, tmp_path):
        def count(number):
            mine = tmp_path / str(number)
            mine.touch()
            there = len(list(tmp_path.iterdir()))
            mine.unlink()
            return there

        assert set(client.map(count, range(6), at_most=1)) == {1}

    def test_nothing_to_call_is_no_job(self, client):
        results = client.map(abs, [])
        assert (list(results), results.futures) == ([], ())
        with pytest.raises(ValueError, match="nothing to call"):
            _ = results.job

    def test_its_time_is_limited(self, client):
        results = client.map(abs, [1], timeout=0.1, hold=True)
        with pytest.raises(TimeoutError):
            next(results)
        assert results.job.cancel()


class TestTheExecutor:
    def test_it_is_one_and_waits_for_its_futures(self, client):
        with client.executor(gpus=1) as pool:
            assert isinstance(pool, Executor)
            futures = [pool.submit(divmod, n, 2) for n in range(3)]
        assert all(future.done() for future in futures)
        assert [future.result() for future in futures] == [(0, 0), (0, 1), (1, 0)]
        with pytest.raises(RuntimeError, match="shutdown"):
            pool.submit(abs, 1)

    def test_shutting_down_can_cancel(self, client, tmp_path):
        pool = client.executor(grace_s=0)
        future = pool.submit(until_there(tmp_path / "never"))
        pool.shutdown(cancel_futures=True)
        assert future.cancelled()


class TestHandles:
    def test_a_command_has_a_handle(self, client):
        job = client.jobs.submit(command="echo hello", name="greeting")
        assert job.wait(PATIENCE_S).job.state == "succeeded"
        assert (job.state, job.logs(), job.result()) == ("succeeded", "hello\n", None)
        assert job == client.job(job.id)
        assert repr(job) == f"<Danlu job {job.id}>"

    def test_a_failed_command_raises_with_the_end_of_its_log(self, client):
        job = client.jobs.submit(command="seq 1 50; exit 3")
        with pytest.raises(JobFailed, match="exit code 3") as failed:
            job.result(PATIENCE_S)
        assert failed.value.exit_code == 3
        assert failed.value.log.split() == [str(n) for n in range(31, 51)]

    def test_waiting_for_what_has_ended_returns_at_once(self, client):
        job = client.jobs.submit(command="true")
        job.wait(PATIENCE_S)
        assert job.wait(0).job.state == "succeeded"

    def test_waiting_has_an_end_of_its_own(self, client, tmp_path):
        job = client.jobs.submit(
            command=f"until [ -e {tmp_path}/go ]; do sleep 0.01; done", gpus=99, wait_for_hardware=True
        )
        assert wait_until(lambda: "hardware" in job.why())
        with pytest.raises(TimeoutError, match=f"job {job.id} is still waiting"):
            job.wait(0.05)
        assert job.cancel()
        assert job.wait(PATIENCE_S).job.state == "cancelled"

    def test_lines_come_as_they_are_written(self, client, tmp_path):
        go = tmp_path / "go"
        job = client.jobs.submit(command=f"echo one; until [ -e {go} ]; do sleep 0.01; done; printf two")
        lines = job.logs(follow=True)
        assert next(lines) == "one"
        go.touch()
        assert list(lines) == ["two"]

    def test_a_job_that_is_not_there_is_told(self, client):
        with pytest.raises(ApiError):
            client.job(999_999).wait()


def test_one_stream_serves_every_future(client):
    """However many wait, one connection and one thread follow the events."""
    futures = [client.submit(abs, n) for n in range(6)]
    names = [thread.name for thread in threading.enumerate()]
    assert names.count("danlu events") == 1
    assert [future.result(PATIENCE_S) for future in futures] == list(range(6))


def test_a_closed_client_leaves_nobody_waiting():
    with cluster(gpus=1) as client:
        future = client.submit(abs, 1, hold=True)
        job = client.jobs.submit(command="true", hold=True)
        with ThreadPoolExecutor(1) as threads:
            waiting = threads.submit(job.wait)
            client.jobs.close()
            assert isinstance(waiting.exception(PATIENCE_S), Closed)
        assert isinstance(future.exception(PATIENCE_S), Closed)
        with pytest.raises(Closed):
            client.submit(abs, 1)


def test_a_cluster_leaves_nothing_behind(tmp_path):
    with cluster(data=tmp_path / "data") as client:
        future = client.submit(until_there(tmp_path / "never"), grace_s=0)
        assert is_running(future)
    wrappers = [
        entry for entry in Path("/proc").iterdir() if entry.name.isdigit() and _mentions(entry, str(tmp_path))
    ]
    assert wrappers == []


def _mentions(entry: Path, word: str) -> bool:
    try:
        return word in (entry / "cmdline").read_text()
    except OSError:
        return False
