"""A Danlu server as a Python object.

The resources load when they are first used: a program pays only for what it asks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from danlu.sdk.api import Api, Query
from danlu.sdk.connecting.connection import Server, at, locate
from danlu.sdk.connecting.http_transport import HttpTransport
from danlu.sdk.connecting.transport import Transport

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Unpack

    from danlu.sdk.functions import JobExecutor
    from danlu.sdk.futures import JobFuture, MapResults
    from danlu.sdk.handles import JobHandle
    from danlu.sdk.options import JobOptions
    from danlu.sdk.resources.account import Account
    from danlu.sdk.resources.audit import Audit
    from danlu.sdk.resources.bulk_actions import BulkActions
    from danlu.sdk.resources.examples import Examples
    from danlu.sdk.resources.groups import Groups
    from danlu.sdk.resources.installations import Installations
    from danlu.sdk.resources.jobs import Jobs
    from danlu.sdk.resources.keys import Keys
    from danlu.sdk.resources.locks import Locks
    from danlu.sdk.resources.nodes import JoinTokens, Nodes
    from danlu.sdk.resources.notices import Notices
    from danlu.sdk.resources.service import SchedulingControl, Service, SettingsControl
    from danlu.sdk.resources.users import Users

T = TypeVar("T")


class Client:
    """`url` and `token` name a server; left out, it is found as the command line finds it.

    `fingerprint` is of the key of a server whose certificate no authority vouches for: nothing is sent to
    a server that does not have that key."""

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        fingerprint: str | None = None,
        data: Path | str | None = None,
        profile: str | None = None,
        language: str = "en",
        patience_s: float = 15.0,
        on_break: Callable[[str], None] | None = None,
        transport: Transport | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        surroundings = os.environ if environment is None else environment
        where = at(url, token, fingerprint) if url is not None else locate(surroundings, data, profile)
        self._transport = transport or HttpTransport()
        self._manner: dict[str, Any] = {
            "language": language,
            "patience_s": patience_s,
            "on_break": on_break,
        }
        self.api = Api(where, self._transport, **self._manner)
        self._is_named = any(said is not None for said in (url, data, profile, transport))
        self._surroundings = surroundings

    @property
    def server(self) -> Server:
        """Where it is, and how it was found. Raises NotRunning."""
        return self.api.server

    @cached_property
    def jobs(self) -> Jobs:
        from danlu.sdk.resources.jobs import Jobs

        return Jobs(self.api)

    @cached_property
    def bulk_actions(self) -> BulkActions:
        """One action for all jobs that a filter means, carried out by the server."""
        from danlu.sdk.resources.bulk_actions import BulkActions

        return BulkActions(self.api)

    @cached_property
    def nodes(self) -> Nodes:
        from danlu.sdk.resources.nodes import Nodes

        return Nodes(self.api)

    @cached_property
    def join_tokens(self) -> JoinTokens:
        from danlu.sdk.resources.nodes import JoinTokens

        return JoinTokens(self.api)

    @cached_property
    def installations(self) -> Installations:
        from danlu.sdk.resources.installations import Installations

        return Installations(self.api)

    @cached_property
    def locks(self) -> Locks:
        """Named locks. In a job they are the job's own, unless another server was named."""
        from danlu.sdk.resources.locks import Locks

        return Locks(self._for_sharing, in_job=self._for_sharing is not self.api)

    @cached_property
    def kv(self) -> Keys:
        """Keys and values that all jobs of one owner share."""
        from danlu.sdk.resources.keys import Keys

        return Keys(self._for_sharing)

    @cached_property
    def _for_sharing(self) -> Api:
        """With the job's own secret, where there is one: what a job holds is free when the job has ended."""
        from danlu.sdk.in_job import locate_from_job

        in_job = None if self._is_named else locate_from_job(self._surroundings)
        return self.api if in_job is None else Api(in_job, self._transport, **self._manner)

    @cached_property
    def examples(self) -> Examples:
        from danlu.sdk.resources.examples import Examples

        return Examples(self.jobs)

    @cached_property
    def me(self) -> Account:
        from danlu.sdk.resources.account import Account

        return Account(self.api)

    @cached_property
    def users(self) -> Users:
        """The users of this server, for administrators."""
        from danlu.sdk.resources.users import Users

        return Users(self.api)

    @cached_property
    def groups(self) -> Groups:
        """Groups of users and their mentors."""
        from danlu.sdk.resources.groups import Groups

        return Groups(self.api)

    @cached_property
    def scheduling(self) -> SchedulingControl:
        from danlu.sdk.resources.service import SchedulingControl

        return SchedulingControl(self.api)

    @cached_property
    def settings(self) -> SettingsControl:
        from danlu.sdk.resources.service import SettingsControl

        return SettingsControl(self.api)

    @cached_property
    def audit(self) -> Audit:
        """Who did what, from where. For administrators."""
        from danlu.sdk.resources.audit import Audit

        return Audit(self.api)

    @cached_property
    def notices(self) -> Notices:
        from danlu.sdk.resources.notices import Notices

        return Notices(self.api)

    @cached_property
    def service(self) -> Service:
        from danlu.sdk.resources.service import Service

        return Service(self.api)

    def submit(self, fn: Callable[..., T], /, *args: Any, **keywords: Any) -> JobFuture[T]:
        """Run `fn(*args)` as a job and return its future at once.

        Keywords that are options of a job (`gpus`, `name`, `environment`, `time_limit_s`, …) are the job's,
        all others the function's. Where one name could be either, this raises TypeError; `executor` tells
        them apart.

        >>> future = client.submit(train, "data.csv", epochs=3, gpus=1)
        >>> future.result()
        0.93
        """
        from danlu.sdk.functions import JobExecutor, split_options

        options, kwargs = split_options(fn, keywords)
        return JobExecutor(self.jobs, options).submit(fn, *args, **kwargs)

    def map(
        self,
        fn: Callable[..., T],
        *iterables: Iterable[Any],
        at_most: int | None = None,
        timeout: float | None = None,
        **options: Unpack[JobOptions],
    ) -> MapResults[T]:
        """Run `fn` on every item, as one array; its results in order.

        >>> list(client.map(train, [0.1, 0.01, 0.001], gpus=1, at_most=2))
        [0.91, 0.93, 0.90]
        """
        from danlu.sdk.functions import JobExecutor

        return JobExecutor(self.jobs, options).map(fn, *iterables, at_most=at_most, timeout=timeout)

    def executor(self, **options: Unpack[JobOptions]) -> JobExecutor:
        """A `concurrent.futures.Executor` whose calls are jobs with these options."""
        from danlu.sdk.functions import JobExecutor

        return JobExecutor(self.jobs, options)

    def job(self, job_id: int | str) -> JobHandle:
        """A job that exists already, to wait for, read and cancel."""
        return self.jobs.handle(job_id)

    def get_json(self, path: str, query: Query | None = None) -> Any:
        """Any read of the API below /api/v1, as parsed JSON and otherwise untouched."""
        return self.api.get_json(path, query)

    def close(self) -> None:
        if "jobs" in self.__dict__:
            self.jobs.close()
        self.api.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
