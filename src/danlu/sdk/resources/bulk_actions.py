"""One action for all jobs that a filter means. The server carries it out, also when the client has gone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from danlu.codec import decode, encode_said
from danlu.wire.bulk_actions import LONGEST_WAIT_S, BulkRequest, BulkRow, JobFilter, JobsMatching

if TYPE_CHECKING:
    from danlu.sdk.api import Api
    from danlu.sdk.resources.jobs import Running
    from danlu.wire.jobs import JobAction

LOOK_S = LONGEST_WAIT_S / 2
"""How long the server may keep a look waiting; well below what proxies on the way put up with."""


class BulkActions:
    def __init__(self, api: Api) -> None:
        self._api = api

    def matching(self, action: JobAction | None = None, **filters: Any) -> JobsMatching:
        """How many jobs the filters of `jobs.list` mean, and how many of them are yours to act on; with an
        action, those that it means something to."""
        query = {**encode_said(JobFilter(**filters)), "action": action}
        return self._api.get(JobsMatching, "/bulk-actions/matching", query)

    def begin(
        self,
        action: JobAction,
        *,
        with_successors: bool = False,
        running: Running = "refuse",
        now: bool = False,
        up_to: int | None = None,
        **filters: Any,
    ) -> BulkRow:
        """Begin to cancel (`now`: without their grace), hold, release, delete or resubmit all jobs that the
        filters of `jobs.list` mean and that you may act on, up to the job of the number `up_to`.

        >>> begun = client.bulk_actions.begin("cancel", mine=True, search="sweep")
        >>> for step in client.bulk_actions.watch(begun.id):
        ...     print(step.done, "of", step.total)
        """
        wanted = BulkRequest(
            action=action,
            filter=JobFilter(**filters),
            with_successors=with_successors,
            running=running,
            now=now,
            up_to=up_to,
        )
        return self._api.ask(BulkRow, "POST", "/bulk-actions", body=wanted)

    def list(self) -> Sequence[BulkRow]:
        """Your own since the server was started, the newest first."""
        return self._api.get(list[BulkRow], "/bulk-actions")

    def get(self, number: int) -> BulkRow:
        return self._api.get(BulkRow, f"/bulk-actions/{number}")

    def watch(self, number: int) -> Iterator[BulkRow]:
        """How far it is, each time it has got on; the last is how it ended."""
        step = self.get(number)
        yield step
        while step.state == "running":
            reply = self._api.json_call(
                "GET", f"/bulk-actions/{number}", query={"wait_s": LOOK_S}, held_s=LOOK_S
            )
            step = decode(BulkRow, reply, trusted=True)
            yield step

    def stop(self, number: int) -> BulkRow:
        """Do nothing more of it. What was done stays done."""
        return self._api.ask(BulkRow, "POST", f"/bulk-actions/{number}/stop")

    def undo(self, number: int) -> BulkRow:
        """Release what it held, or hold what it released: those jobs alone."""
        return self._api.ask(BulkRow, "POST", f"/bulk-actions/{number}/undo")
