"""Futures of jobs: real `concurrent.futures.Future`s, settled by one thread for all of them."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, InvalidStateError
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from danlu.sdk.connecting.patience import is_passing
from danlu.sdk.errors import ClientError, RemoteTraceback
from danlu.sdk.watching import OVER

if TYPE_CHECKING:
    from danlu.sdk.handles import JobHandle
    from danlu.sdk.watching import Watcher

T = TypeVar("T")
_COLLECTORS = 4
_PAUSE_S = 2.0


class JobFuture(Future[T]):
    """The value of a function that runs as a job; `job` is that job.

    It works wherever a future does: `result(timeout)`, `exception`, `add_done_callback`,
    `concurrent.futures.wait` and `as_completed`."""

    def __init__(self, job: JobHandle) -> None:
        super().__init__()
        self.job = job
        self._state_seen = "waiting"
        self._giving_up = threading.Lock()

    def running(self) -> bool:
        return self._state_seen in ("running", "stopping") and not self.done()

    def cancel(self) -> bool:
        """End the job, also when it runs already. False when it had ended."""
        if self.cancelled():
            return True
        if self.done() or not self.job.cancel():
            return False
        self.give_up()
        return self.cancelled()

    def give_up(self) -> None:
        """The job was cancelled."""
        with self._giving_up:
            if not self.done() and super().cancel():
                self.set_running_or_notify_cancel()

    def see(self, state: str) -> None:
        self._state_seen = state

    def settle(self, state: str) -> None:
        """The job is over, in this state: fetch what came of it. Raises ClientError while the server is away,
        and then is to be called again."""
        try:
            if state != "succeeded":
                detail = None if state == "cancelled" else self.job.refresh()
                if detail is None or detail.job.state == "cancelled":
                    self.give_up()
                    return
                value = self.job.collect(detail)
            else:
                value = self.job.fetch_value()
        except BaseException as error:
            if isinstance(error, Exception) and is_passing(error):
                raise
            # What the function raised has its own traceback; ours, of fetching it, says nothing.
            self.fail(error.with_traceback(None) if isinstance(error.__cause__, RemoteTraceback) else error)
        else:
            # The caller who cancelled it was quicker.
            with contextlib.suppress(InvalidStateError):
                self.set_result(value)

    def fail(self, error: BaseException) -> None:
        with contextlib.suppress(InvalidStateError):
            self.set_exception(error)

    def __repr__(self) -> str:
        seen = "done" if self.done() else self._state_seen
        return f"<Danlu future of job {self.job.id}: {seen}>"


class Settling:
    """Settles futures when their jobs are over. The watcher's thread only passes on who is due; results are
    fetched, as large as they may be, by a few threads of their own."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._due: queue.SimpleQueue[tuple[JobFuture[Any], str] | None] = queue.SimpleQueue()
        self._open: set[JobFuture[Any]] = set()
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._closed = False
        watcher.listen_for_failure(self._fail_all)

    def add(self, future: JobFuture[T], array: int | str | None = None) -> None:
        """Settle `future` when its job is over, or the array that it is an element of: one that never began
        has no end of its own to hear of, and shares that of its array."""

        def hear(state: str) -> None:
            if state not in OVER:
                future.see(state)
            else:
                finish(state)

        def hear_of_array(state: str) -> None:
            if state in OVER:
                # Only a cancelled array leaves elements that never began; for any other end, ask.
                finish(state if state == "cancelled" else "over")

        def finish(state: str) -> None:
            self._watcher.forget(future.job.id, hear)
            if array is not None:
                self._watcher.forget(array, hear_of_array)
            with self._lock:
                if future not in self._open:
                    return
                self._open.discard(future)
            if not future.done():
                self._pass_on(future, state)

        with self._lock:
            self._open.add(future)
        self._watcher.listen(future.job.id, hear)
        if array is not None:
            self._watcher.listen(array, hear_of_array)

    def _pass_on(self, future: JobFuture[Any], state: str) -> None:
        with self._lock:
            if len(self._threads) < _COLLECTORS:
                thread = threading.Thread(target=self._collect, name="danlu results", daemon=True)
                self._threads.append(thread)
                thread.start()
        self._due.put((future, state))

    def close(self) -> None:
        """Let the threads go."""
        with self._lock:
            self._closed = True
            for _ in self._threads:
                self._due.put(None)

    def _collect(self) -> None:
        while (due := self._due.get()) is not None:
            future, state = due
            try:
                future.settle(state)
            except ClientError as away:
                if self._closed:
                    future.fail(away)
                else:
                    # The job is over, so the result is there: it only has to be fetched.
                    time.sleep(_PAUSE_S)
                    self._due.put(due)

    def _fail_all(self, failure: Exception) -> None:
        with self._lock:
            open_ones, self._open = self._open, set()
        for future in open_ones:
            future.fail(failure)


class MapResults(Generic[T]):
    """The results of `client.map`, in the order of the arguments, as they are asked for.

    `futures` are the single calls; `job` is the array that they are elements of."""

    def __init__(
        self, job: JobHandle | None, futures: Sequence[JobFuture[T]], left: Callable[[], float | None]
    ) -> None:
        self.futures = futures
        self._job = job
        self._results = self._iterate(left)

    @property
    def job(self) -> JobHandle:
        """Raises ValueError when there was nothing to call."""
        if self._job is None:
            raise ValueError("there was nothing to call, so there is no job")
        return self._job

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        return next(self._results)

    def _iterate(self, left: Callable[[], float | None]) -> Iterator[T]:
        for future in self.futures:
            yield future.result(left())
