"""One action for all jobs that a filter means, carried out by the server piece by piece.

Which jobs it is for is settled at its beginning: one that is submitted later is not touched. It goes on when
the page that asked for it is closed, and ends when it is stopped. It is kept in memory: a restart of the
server ends it, what was done stays done, and who asks for it then is told that it is not known any more.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from sqlalchemy import Connection

from danlu.control.identity.group_book import GroupBook
from danlu.control.identity.rights import check_may_submit
from danlu.control.jobs.job_actions import SUITABLE, Outcome, Wish, act_on_jobs
from danlu.control.jobs.job_service import JobService
from danlu.control.search.job_search import JobSearch
from danlu.core.errors import Conflict, DanluError, Forbidden, Invalid, NotFound, Unavailable
from danlu.core.job import JobSummary
from danlu.core.job_id import label_of
from danlu.core.rights import JobAct, may_act_on_job
from danlu.core.states import JobState
from danlu.core.user import User
from danlu.store.engine.database import Database
from danlu.store.jobs.job_lists import ListQuery, list_jobs
from danlu.store.jobs.job_rows import newest_job
from danlu.store.jobs.job_tags import parse_tag
from danlu.store.users import get_user
from danlu.wire.bulk_actions import MOST_IN_BULK, BulkState, JobFilter
from danlu.wire.jobs import Area, JobAction

log = logging.getLogger(__name__)

PIECE = 50
"""So many jobs are acted on at a time: they share a commit."""
PAUSE_S = 0.02
"""Between two pieces, for what other people do."""
PAGE = 1000
REMEMBERED = 100
FEW_NAMED = 3
OPPOSITE: dict[JobAction, JobAction] = {"hold": "release", "release": "hold"}
ACTS: dict[JobAction, JobAct] = {"delete": JobAct.CHANGE, "resubmit": JobAct.CHANGE}
"""What a user must have the right to, where that is more than stopping a job."""
AREAS: dict[JobAction, tuple[Area, ...]] = {
    "cancel": ("waiting", "running"),
    "hold": ("waiting",),
    "release": ("waiting",),
}
"""Where the jobs are for which an action means something, where that is not everywhere: the history of a lab
is longer than all that may be looked through for one wish."""


@dataclass(frozen=True, slots=True)
class Matching:
    """The jobs of a filter up to the newest one; those that are the user's to act on."""

    total: int
    theirs: tuple[JobSummary, ...]
    up_to: int

    @property
    def states(self) -> Counter[JobState]:
        return Counter(job.state for job in self.theirs)


@dataclass(slots=True)
class RefusedJobs:
    """Jobs that were refused for the same reason."""

    first: DanluError
    count: int = 0
    refs: list[str] = field(default_factory=list)


@dataclass(slots=True)
class BulkAction:
    """`total` is None while the jobs are looked up. `ids`, where given, are those it is for."""

    id: int
    user: str
    wish: Wish
    filter: JobFilter
    up_to: int | None
    began_at: float
    ids: Sequence[int] | None = None
    undoes: int | None = None
    total: int | None = None
    skipped: int = 0
    done: list[int] = field(default_factory=list)
    refused: dict[str, RefusedJobs] = field(default_factory=dict)
    ended_at: float | None = None
    stopped: bool = False
    error: DanluError | None = None
    progress: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when it has got on; then there is a new one."""

    @property
    def state(self) -> BulkState:
        if self.ended_at is None:
            return "running"
        if self.error is not None:
            return "failed"
        return "stopped" if self.stopped else "done"

    @property
    def undoable(self) -> bool:
        return self.ended_at is not None and bool(self.done) and self.wish.action in OPPOSITE

    def note(self, outcomes: dict[int, Outcome]) -> None:
        for job_id, outcome in outcomes.items():
            if outcome.refusal is None:
                self.done.append(job_id)
                continue
            refused = self.refused.setdefault(outcome.refusal.code, RefusedJobs(outcome.refusal))
            refused.count += 1
            if len(refused.refs) < FEW_NAMED:
                refused.refs.append(label_of(job_id))
        self.tell_progress()

    def tell_progress(self) -> None:
        self.progress.set()
        self.progress = asyncio.Event()


class BulkActionService:
    def __init__(
        self,
        database: Database,
        jobs: JobService,
        search: JobSearch,
        groups: GroupBook,
        clock: Callable[[], float],
    ) -> None:
        self._database = database
        self._jobs = jobs
        self._search = search
        self._groups = groups
        self._clock = clock
        self._known: dict[int, BulkAction] = {}
        self._ids = itertools.count(1)
        self._running: dict[int, asyncio.Task[None]] = {}

    def list(self, user: User) -> list[BulkAction]:
        """Those of a user, the newest first."""
        return [each for each in reversed(self._known.values()) if each.user == user.name]

    def get(self, user: User, number: int) -> BulkAction:
        """Raises NotFound, also for another user's."""
        found = self._known.get(number)
        if found is None or found.user != user.name:
            raise NotFound("no_such_bulk_action", id=number)
        return found

    async def wait(self, user: User, number: int, wait_s: float) -> BulkAction:
        """As `get`, as soon as it has got on or is over, and after so many seconds anyway."""
        found = self.get(user, number)
        if found.ended_at is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await found.progress.wait()
        return found

    async def match(
        self, user: User, wanted: JobFilter, action: JobAction | None = None, up_to: int | None = None
    ) -> Matching:
        """What a filter means now, for an action. Raises Invalid where that is more than can be acted on at
        once."""
        areas: Sequence[Area | None] = (wanted.area,)
        if wanted.area is None and wanted.state is None and action is not None:
            areas = AREAS.get(action, (None,))
        queries = [
            await self._search.narrow(query_of(user, replace(wanted, area=area), self._groups))
            for area in areas
        ]
        return await self._database.read(
            partial(_match, groups=self._groups, user=user, action=action, queries=queries, up_to=up_to)
        )

    def begin(self, user: User, wish: Wish, wanted: JobFilter, up_to: int | None) -> BulkAction:
        """Begin to carry it out. The same wish while it is under way is that wish, not a second one. Raises
        Conflict while another one of theirs is under way."""
        check_may_submit(user)
        for other in self.list(user):
            if other.ended_at is not None:
                continue
            if (other.wish, other.filter, other.up_to, other.undoes) == (wish, wanted, up_to, None):
                return other
            raise Conflict("bulk_action_under_way", id=other.id)
        return self._start(BulkAction(next(self._ids), user.name, wish, wanted, up_to, self._clock()))

    def undo(self, user: User, number: int) -> BulkAction:
        """Take back what a wish did, of those jobs alone. Raises NotFound, Conflict."""
        check_may_submit(user)
        undone = self.get(user, number)
        for other in self.list(user):
            if other.undoes == number:
                return other
            if other.ended_at is None:
                raise Conflict("bulk_action_under_way", id=other.id)
        if not undone.undoable:
            raise Conflict("bulk_action_final", id=number)
        wish = Wish(OPPOSITE[undone.wish.action])
        made = BulkAction(next(self._ids), user.name, wish, undone.filter, None, self._clock())
        made.ids, made.undoes = tuple(undone.done), number
        return self._start(made)

    def stop(self, user: User, number: int) -> BulkAction:
        """Do nothing more of it. What was done stays done."""
        found = self.get(user, number)
        if found.ended_at is None:
            found.stopped = True
        return found

    async def close(self) -> None:
        for task in self._running.values():
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)

    def _start(self, made: BulkAction) -> BulkAction:
        self._known[made.id] = made
        ended = [each.id for each in self._known.values() if each.ended_at is not None]
        for old in ended[: max(0, len(self._known) - REMEMBERED)]:
            del self._known[old]
        task = asyncio.create_task(self._see_through(made), name=f"bulk action {made.id}")
        self._running[made.id] = task
        task.add_done_callback(lambda _: self._running.pop(made.id, None))
        return made

    async def _see_through(self, made: BulkAction) -> None:
        try:
            await self._carry_out(made)
        except DanluError as problem:
            made.error = problem
        except Exception as problem:
            log.exception("bulk action %d of %s failed", made.id, made.user)
            made.error = Unavailable("bulk_action_failed", reason=f"{type(problem).__name__}: {problem}")
        finally:
            made.ended_at = self._clock()
            made.tell_progress()
            refused = sum(each.count for each in made.refused.values())
            log.info(
                "%s of many jobs by %s: %s, %d done, %d refused",
                made.wish.action,
                made.user,
                made.state,
                len(made.done),
                refused,
            )

    async def _carry_out(self, made: BulkAction) -> None:
        ids = made.ids
        if ids is None:
            user = await self._database.read(partial(_find_able, name=made.user))
            matching = await self.match(user, made.filter, made.wish.action, made.up_to)
            ids = [job.id for job in matching.theirs if job.state in SUITABLE[made.wish.action]]
            made.skipped = len(matching.theirs) - len(ids)
        made.total = len(ids)
        made.tell_progress()
        for start in range(0, len(ids), PIECE):
            if made.stopped:
                return
            # Who loses the right to do it meanwhile does no more of it.
            user = await self._database.read(partial(_find_able, name=made.user))
            made.note(await act_on_jobs(self._jobs, user, made.wish, ids[start : start + PIECE]))
            await asyncio.sleep(PAUSE_S)


def query_of(user: User, wanted: JobFilter, groups: GroupBook) -> ListQuery:
    """Raises Forbidden for a group that is not the user's to look at."""
    if wanted.group is not None and not groups.may_see(user, wanted.group):
        raise Forbidden("not_your_group", field="group", group=wanted.group)
    return ListQuery(
        area=wanted.area,
        owner=user.name if wanted.mine else wanted.owner,
        among=None if wanted.group is None else sorted(groups.members(wanted.group)),
        state=wanted.state,
        end_reason=wanted.end_reason,
        name=wanted.name,
        search=wanted.search,
        tag=None if wanted.tag is None else parse_tag(wanted.tag),
    )


def _find_able(connection: Connection, name: str) -> User:
    user = get_user(connection, name)
    if user is None or user.locked:
        raise Forbidden("account_locked", name=name)
    check_may_submit(user)
    return user


def _match(
    connection: Connection,
    groups: GroupBook,
    user: User,
    action: JobAction | None,
    queries: Sequence[ListQuery],
    up_to: int | None,
) -> Matching:
    newest = newest_job(connection)
    last = newest if up_to is None else min(up_to, newest)
    act = ACTS.get(action, JobAct.STOP) if action else JobAct.STOP
    found: dict[int, JobSummary] = {}
    for query in queries:
        page: ListQuery | None = replace(query, limit=PAGE)
        while page is not None:
            jobs, after = list_jobs(connection, page)
            found |= {job.id: job for job in jobs if job.id <= last}
            if len(found) > MOST_IN_BULK:
                raise Invalid("too_many_jobs_match", most=MOST_IN_BULK)
            page = replace(page, cursor=after) if after is not None else None
    theirs = (
        job for job in found.values() if may_act_on_job(user, act, job.owner, groups.mentors_of(job.owner))
    )
    return Matching(len(found), tuple(theirs), last)
