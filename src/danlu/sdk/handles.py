"""One job in a program's hands."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, overload

from danlu.sdk.errors import ApiError, JobFailed
from danlu.sdk.watching import OVER, JobWait

if TYPE_CHECKING:
    from danlu.sdk.calls import Result
    from danlu.sdk.resources.jobs import Jobs
    from danlu.wire.jobs import JobDetail
    from danlu.wire.logs import LogStream

LINES_SHOWN = 20
"""How much of its log a failed job's error carries."""


class JobHandle:
    """A job on the server. Nothing is asked until a method is called.

    >>> job = client.jobs.submit(command="python train.py", gpus=1)
    >>> job.wait().job.state
    'succeeded'
    >>> print(job.logs())
    epoch 1 loss 0.90
    """

    def __init__(self, jobs: Jobs, job_id: int | str) -> None:
        self._jobs = jobs
        self.id = job_id

    def refresh(self) -> JobDetail:
        """All about it as it is now."""
        return self._jobs.get(self.id)

    @property
    def state(self) -> str:
        """Its state now: asks the server."""
        return str(self.refresh().job.state.value)

    def why(self) -> str:
        """Where it stands, in a sentence: why it waits, or how it ended."""
        return self._jobs.why(self.id).message

    def wait(self, timeout: float | None = None) -> JobDetail:
        """Return once it is over, however it ended. Raises TimeoutError after `timeout` seconds.

        It follows the server's events, and a server that is restarted meanwhile is waited for."""
        watcher = self._jobs.watcher
        watcher.start()
        with JobWait(watcher, self.id) as waiting:
            # Asked after we listen: an end in between is heard, one before is seen.
            detail = self.refresh()
            if detail.job.state.value in OVER:
                return detail
            if not waiting.wait(timeout):
                raise TimeoutError(f"job {self.id} is still {self.state}")
        return self.refresh()

    @overload
    def logs(
        self,
        *,
        follow: Literal[False] = False,
        attempt: int | None = None,
        stream: LogStream = "stdout",
        rank: int = 0,
    ) -> str: ...

    @overload
    def logs(
        self,
        *,
        follow: Literal[True],
        attempt: int | None = None,
        stream: LogStream = "stdout",
        rank: int = 0,
    ) -> Iterator[str]: ...

    def logs(
        self, *, follow: bool = False, attempt: int | None = None, stream: LogStream = "stdout", rank: int = 0
    ) -> str | Iterator[str]:
        """Its output up to now; with `follow`, its lines as they come, until the attempt ends."""
        if follow:
            return _lines(self._jobs.follow(self.id, attempt=attempt, stream=stream, rank=rank))
        pieces = self._jobs.read_log(self.id, attempt=attempt, stream=stream, rank=rank)
        return b"".join(pieces).decode("utf-8", "replace")

    def cancel(self, *, now: bool = False) -> bool:
        """End it, whatever it is doing; `now` without its grace. False when it had ended already."""
        try:
            self._jobs.cancel(self.id, now=now)
        except ApiError as refusal:
            if refusal.problem.code != "wrong_state":
                raise
            return False
        return True

    def result(self, timeout: float | None = None) -> Any:
        """Wait for its success: what its function returned (for an array, the list of it all), or None for a
        plain command.

        Raises what the function raised, JobFailed when the job failed otherwise or was cancelled, and
        TimeoutError after `timeout` seconds."""
        return self.collect(self.wait(timeout))

    def collect(self, detail: JobDetail) -> Any:
        """As `result`, for a job that is over."""
        succeeded = detail.job.state == "succeeded"
        array = detail.job.array
        if detail.fields is None or detail.fields.call is None or (array is not None and not succeeded):
            if succeeded:
                return None
            raise self._failure(detail)
        if array is not None:
            elements = [self._jobs.handle(f"{self.id}[{index}]") for index in range(array.total)]
            return [element.result() for element in elements]
        result = self._fetch()
        if result is not None and result.status == "refused":
            raise self._failure(detail, result.message)
        expected = succeeded or detail.job.end_reason == "exit_code"
        if result is None or not expected or succeeded != (result.status == "ok"):
            raise self._failure(detail, "it ended without a result" if succeeded else None)
        return result.get()

    def fetch_value(self) -> Any:
        """As `result`, for a function that succeeded: with one request, if all is well."""
        result = self._fetch()
        if result is None or result.status != "ok":
            return self.collect(self.refresh())
        return result.get()

    def _fetch(self) -> Result | None:
        from danlu.sdk.calls import parse_result

        try:
            return parse_result(self._jobs.result_bytes(self.id))
        except ApiError as refusal:
            if refusal.problem.code != "no_result":
                raise
            return None

    def _failure(self, detail: JobDetail, message: str | None = None) -> JobFailed:
        try:
            log = self._jobs.log_tail(self.id, LINES_SHOWN).data.decode("utf-8", "replace")
        except ApiError:
            log = ""
        job = detail.job
        return JobFailed(
            self.id,
            message or detail.message,
            state=job.state.value,
            reason=job.end_reason.value if job.end_reason else None,
            exit_code=job.exit_code,
            signal=job.signal,
            log=log,
        )

    def __repr__(self) -> str:
        return f"<Danlu job {self.id}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, JobHandle) and (self.id, self._jobs) == (other.id, other._jobs)

    def __hash__(self) -> int:
        return hash(self.id)


def _lines(pieces: Any) -> Iterator[str]:
    """Whole lines, without their ends, as soon as each is there."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.decode("utf-8", "replace")
    if rest:
        yield rest.decode("utf-8", "replace")


def seconds_left(timeout: float | None) -> Any:
    """A function that says how much of a timeout is left."""
    if timeout is None:
        return lambda: None
    until = time.monotonic() + timeout
    return lambda: max(0.0, until - time.monotonic())
