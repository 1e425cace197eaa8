"""The jobs of a server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from danlu.sdk.resources.job_logs import JobId, LogCalls, path_of
from danlu.sdk.resources.submission import submit
from danlu.wire.jobs import (
    Area,
    Deleted,
    ElementPage,
    JobAction,
    JobActionResult,
    JobActions,
    JobActionsDone,
    JobDetail,
    JobEdit,
    JobFields,
    JobPage,
    JobRow,
    JobSort,
    JobSubmitted,
    MoveRequest,
    WhyAnswer,
)

if TYPE_CHECKING:
    from danlu.sdk.api import Api
    from danlu.sdk.futures import Settling
    from danlu.sdk.handles import JobHandle
    from danlu.sdk.watching import Watcher
    from danlu.wire.forms import JobCheck
    from danlu.wire.nodes.node import JobUsage
    from danlu.wire.server import EventRow

Running = Literal["refuse", "leave", "cancel"]
"""What shall become of running successors when a job is deleted with its successors."""


class Jobs(LogCalls):
    def __init__(self, api: Api) -> None:
        super().__init__(api)

    @property
    def api(self) -> Api:
        return self._api

    @cached_property
    def watcher(self) -> Watcher:
        """Follows what happens to all jobs, once a caller waits for one."""
        from danlu.sdk.watching import Watcher

        return Watcher(self._api)

    @cached_property
    def settling(self) -> Settling:
        from danlu.sdk.futures import Settling

        return Settling(self.watcher)

    def submit(
        self, fields: JobFields | Mapping[str, Any] | None = None, key: str | None = None, **more: Any
    ) -> JobHandle:
        """A new job, from the fields of the API reference: as an object, or by their names.

        The same `key` never makes a second one.

        >>> client.jobs.submit(command="python train.py", gpus=1, name="resnet")
        <Danlu job 12>
        """
        from danlu.codec import encode_said
        from danlu.sdk.handles import JobHandle
        from danlu.sdk.options import plain

        said = (
            dict(fields) if isinstance(fields, Mapping) else encode_said(fields) if fields is not None else {}
        )
        return JobHandle(self, submit(self._api, plain({**said, **more}), key))

    def check(
        self,
        fields: JobFields | Mapping[str, Any] | None = None,
        *,
        job: JobId | None = None,
        clear: Iterable[str] = (),
        **more: Any,
    ) -> JobCheck:
        """What would become of a job if it were submitted now: its problems, and when it would start. With
        `job`, of an edit of that one, which also sets back the fields in `clear`. Nothing is changed.

        >>> client.jobs.check(command="python train.py", gpus=1).message
        'It would start now on n2, GPU 0.'
        """
        from danlu.codec import decode, encode_said
        from danlu.sdk.options import plain
        from danlu.wire.forms import JobCheck

        said = (
            dict(fields) if isinstance(fields, Mapping) else encode_said(fields) if fields is not None else {}
        )
        body = {"fields": plain({**said, **more}), "clear": [*clear]}
        if job is not None:
            body["job"] = str(job)
        return decode(
            JobCheck, self._api.json_call("POST", "/jobs/check", body=body, repeatable=True), trusted=True
        )

    def command_line(self, job_id: JobId) -> str:
        """What repeats the job when it is typed in a shell."""
        from danlu.wire.forms import CommandLine

        return self._api.get(CommandLine, f"{path_of(job_id)}/command").command_line

    def submit_many(
        self, many: Iterable[JobFields | Mapping[str, Any]], key: str | None = None
    ) -> Sequence[JobHandle]:
        """Many jobs in one request: all are accepted, or none. Much quicker than one by one.

        >>> client.jobs.submit_many([{"command": f"python train.py --seed {n}"} for n in range(100)])
        [<Danlu job 13>, ...]
        """
        from danlu.sdk.handles import JobHandle
        from danlu.sdk.resources.submission import submit_many

        return [JobHandle(self, job_id) for job_id in submit_many(self._api, many, key)]

    def elements(
        self, job_id: int, *, state: str | None = None, limit: int | None = None, start: int | None = None
    ) -> ElementPage:
        """Elements of an array from the index `start` on; `next` is where the following page begins."""
        query = {"state": state, "limit": limit, "start": start}
        return self._api.get(ElementPage, f"{path_of(job_id)}/elements", query)

    def handle(self, job_id: JobId) -> JobHandle:
        """A job that exists already, to wait for, read and cancel."""
        from danlu.sdk.handles import JobHandle

        return JobHandle(self, job_id)

    def result_bytes(self, job_id: JobId) -> bytes:
        """What the function of a job gave back, as it travels. Raises ApiError where there is nothing."""
        headers = {"Accept": "application/octet-stream"}
        return self._api.call("GET", f"{path_of(job_id)}/result", headers=headers).body

    def close(self) -> None:
        if "watcher" in self.__dict__:
            self.watcher.close()
        if "settling" in self.__dict__:
            self.settling.close()

    def list(
        self,
        *,
        area: Area | None = None,
        owner: str | None = None,
        state: str | None = None,
        name: str | None = None,
        mine: bool | None = None,
        search: str | None = None,
        end_reason: str | None = None,
        tag: str | None = None,
        group: str | None = None,
        sort: JobSort | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> JobPage:
        """One page; its `next` is the cursor of the following one. `search` is a part of a name or of an
        owner's, or a number; `tag` is `KEY=VALUE`, or `KEY` for whatever value."""
        query = {"area": area, "owner": owner, "state": state, "name": name, "mine": mine or None}
        more = {"search": search, "end_reason": end_reason, "tag": tag, "group": group}
        return self._api.get(
            JobPage, "/jobs", {**query, **more, "sort": sort, "limit": limit, "cursor": cursor}
        )

    def iterate(self, **filters: Any) -> Iterator[JobRow]:
        """All jobs that `list` finds, page after page."""
        page = self.list(**filters)
        yield from page.jobs
        while page.next is not None:
            page = self.list(**{**filters, "cursor": page.next})
            yield from page.jobs

    def get(self, job_id: JobId) -> JobDetail:
        return self._api.get(JobDetail, path_of(job_id))

    def why(self, job_id: JobId) -> WhyAnswer:
        return self._api.get(WhyAnswer, f"{path_of(job_id)}/why")

    def events(self, job_id: JobId) -> Sequence[EventRow]:
        from danlu.wire.server import EventRow

        return self._api.get(list[EventRow], f"{path_of(job_id)}/events")

    def usage(self, job_id: JobId, seconds: float | None = None) -> JobUsage:
        """What the GPUs of its last attempt did, from its start to its end or in the last `seconds`."""
        from danlu.wire.nodes.node import JobUsage

        query = {} if seconds is None else {"seconds": str(seconds)}
        return self._api.get(JobUsage, f"{path_of(job_id)}/usage", query)

    def edit(self, job_id: JobId, edit: JobEdit) -> JobDetail:
        """Waiting: changed in place. Ended: waits again, as the next attempt."""
        return self._api.ask(JobDetail, "PATCH", path_of(job_id), body=edit)

    def cancel(self, job_id: JobId, *, now: bool = False) -> JobDetail:
        """`now`: without its grace, or what is left of that where it is being stopped already."""
        return self._api.ask(JobDetail, "POST", f"{path_of(job_id)}/cancel", query={"now": now or None})

    def hold(self, job_id: JobId) -> JobDetail:
        return self._api.ask(JobDetail, "POST", f"{path_of(job_id)}/hold")

    def release(self, job_id: JobId) -> JobDetail:
        return self._api.ask(JobDetail, "POST", f"{path_of(job_id)}/release")

    def move(self, job_id: JobId, position: int) -> JobDetail:
        """Position 1 is the top of the list of waiting jobs; the answer has the one that the job got."""
        body = MoveRequest(position=position)
        return self._api.ask(JobDetail, "POST", f"{path_of(job_id)}/move", body=body)

    def resubmit(self, job_id: JobId) -> int:
        """The id of the copy."""
        return self._api.ask(JobSubmitted, "POST", f"{path_of(job_id)}/resubmit").id

    def delete(self, job_id: JobId, *, with_successors: bool = False, running: Running = "refuse") -> Deleted:
        query = {"with_successors": with_successors or None, "running": running}
        return self._api.ask(Deleted, "DELETE", path_of(job_id), query=query)

    def act(
        self,
        action: JobAction,
        jobs: Iterable[JobId],
        *,
        with_successors: bool = False,
        running: Running = "refuse",
        now: bool = False,
    ) -> Sequence[JobActionResult]:
        """Cancel (`now`: without their grace), hold, release, delete or resubmit many jobs in one request,
        each on its own: what became of each, in this order."""
        wanted = JobActions(
            action=action,
            jobs=[str(job) for job in jobs],
            with_successors=with_successors,
            running=running,
            now=now,
        )
        return self._api.ask(JobActionsDone, "POST", "/jobs/actions", body=wanted).results
