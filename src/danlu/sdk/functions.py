"""Python functions as jobs."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from concurrent.futures import wait as wait_for
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from danlu.sdk.calls import Arguments, command_of, pack_call
from danlu.sdk.futures import JobFuture, MapResults
from danlu.sdk.handles import JobHandle, seconds_left
from danlu.sdk.options import OPTION_NAMES, JobOptions
from danlu.wire.calls import StoredCall

if TYPE_CHECKING:
    from danlu.sdk.resources.jobs import Jobs

P = ParamSpec("P")
T = TypeVar("T")


class JobExecutor(Executor):
    """Runs functions as jobs with the same options: a `concurrent.futures.Executor` whose workers are the
    GPUs of a cluster. All arguments of `submit` go to the function.

    >>> with client.executor(gpus=1) as pool:
    ...     futures = [pool.submit(train, rate=rate) for rate in (0.1, 0.01)]
    """

    def __init__(self, jobs: Jobs, options: JobOptions) -> None:
        unknown = sorted(set(options) - OPTION_NAMES)
        if unknown:
            raise TypeError(f"a job has no option {unknown[0]!r}")
        self._jobs = jobs
        self._options = options
        self._futures: list[JobFuture[Any]] = []
        self._shut = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> JobFuture[T]:
        """Run `fn(*args, **kwargs)` as a job."""
        job = self._hand_in(fn, [(args, kwargs)])
        return self._expect(JobFuture[T](job))

    def map(
        self,
        fn: Callable[..., T],
        *iterables: Iterable[Any],
        timeout: float | None = None,
        chunksize: int = 1,  # noqa: ARG002 - each call is an element of its own; the parameter is the Executor's
        at_most: int | None = None,
    ) -> MapResults[T]:
        """Run `fn` on the arguments of all iterables side by side, as one array; the results in
        order. At most `at_most` of them run at a time."""
        left = seconds_left(timeout)
        calls: list[Arguments] = [(args, {}) for args in zip(*iterables, strict=False)]
        if not calls:
            return MapResults(None, (), left)
        indices = f"0-{len(calls) - 1}" + (f"%{at_most}" if at_most is not None else "")
        job = self._hand_in(fn, calls, array=indices)
        parts = [JobHandle(self._jobs, f"{job.id}[{index}]") for index in range(len(calls))]
        return MapResults(job, [self._expect(JobFuture[T](part), job.id) for part in parts], left)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """No more calls. Those under way come to their end, unless `cancel_futures`."""
        self._shut = True
        if cancel_futures:
            for future in self._futures:
                future.cancel()
        if wait:
            wait_for(self._futures)

    def _hand_in(
        self, fn: Callable[..., Any], calls: Sequence[Arguments], array: str | None = None
    ) -> JobHandle:
        if self._shut:
            raise RuntimeError("cannot schedule new futures after shutdown")
        here = None if self._options.get("directory") else _working_directory()
        data = pack_call(fn, calls, directory=here)
        # Before the job exists: then nothing that happens to it goes unseen.
        self._jobs.watcher.start()
        stored = self._jobs.api.upload(StoredCall, "/calls", data)
        fields: dict[str, Any] = {"name": name_of(fn), **self._options, "call": stored.digest}
        fields |= {"command": command_of(sys.executable), "array": array}
        return self._jobs.submit(fields)

    def _expect(self, future: JobFuture[T], array: int | str | None = None) -> JobFuture[T]:
        self._futures.append(future)
        self._jobs.settling.add(future, array)
        return future


def split_options(fn: Callable[..., Any], keywords: Mapping[str, Any]) -> tuple[JobOptions, dict[str, Any]]:
    """The options of the job, and the keywords that are the function's. Raises TypeError where a name could
    be meant for either."""
    options = {name: value for name, value in keywords.items() if name in OPTION_NAMES}
    unclear = sorted(options.keys() & _parameters(fn))
    if unclear:
        name, called = unclear[0], name_of(fn)
        raise TypeError(
            f"{name!r} is an option of a job and a parameter of {called}() as well: "
            f"client.executor({name}=…).submit(…) sets the option, "
            f"client.executor().submit({called}, …, {name}=…) the parameter"
        )
    rest = {name: value for name, value in keywords.items() if name not in options}
    return cast(JobOptions, options), rest


def name_of(fn: Callable[..., Any]) -> str:
    """What a job that runs this function is called."""
    while hasattr(fn, "func"):
        fn = fn.func
    name = getattr(fn, "__name__", None) or type(fn).__name__
    return "".join(char for char in name.strip("<>") if char.isprintable())[:60] or "function"


def _parameters(fn: Callable[..., Any]) -> set[str]:
    try:
        return set(inspect.signature(fn).parameters)
    except (TypeError, ValueError):
        return set()


def _working_directory() -> str | None:
    try:
        return os.getcwd()  # noqa: PTH109 - as text
    except OSError:
        return None
