"""A Danlu server as a Python object.

The resources load when they are first used: a program pays only for what it asks.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from danlu.sdk.api import Api, Query
from danlu.sdk.connection import Server, at, locate
from danlu.sdk.http_transport import HttpTransport
from danlu.sdk.transport import Transport

if TYPE_CHECKING:
    from danlu.sdk.account import Account
    from danlu.sdk.jobs import Jobs
    from danlu.sdk.nodes import Nodes
    from danlu.sdk.service import SchedulingControl, Service


class Client:
    """`url` and `token` name a server; left out, it is found as the command line finds it."""

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        data: Path | str | None = None,
        profile: str | None = None,
        language: str = "en",
        patience_s: float = 15.0,
        on_break: Callable[[str], None] | None = None,
        transport: Transport | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        surroundings = os.environ if environment is None else environment
        where = at(url, token) if url is not None else locate(surroundings, data, profile)
        self.api = Api(
            where,
            transport or HttpTransport(),
            language=language,
            patience_s=patience_s,
            on_break=on_break,
        )

    @property
    def server(self) -> Server:
        """Where it is, and how it was found. Raises NotRunning."""
        return self.api.server

    @cached_property
    def jobs(self) -> Jobs:
        from danlu.sdk.jobs import Jobs

        return Jobs(self.api)

    @cached_property
    def nodes(self) -> Nodes:
        from danlu.sdk.nodes import Nodes

        return Nodes(self.api)

    @cached_property
    def me(self) -> Account:
        from danlu.sdk.account import Account

        return Account(self.api)

    @cached_property
    def scheduling(self) -> SchedulingControl:
        from danlu.sdk.service import SchedulingControl

        return SchedulingControl(self.api)

    @cached_property
    def service(self) -> Service:
        from danlu.sdk.service import Service

        return Service(self.api)

    def get_json(self, path: str, query: Query | None = None) -> Any:
        """Any read of the API below /api/v1, as parsed JSON and otherwise untouched."""
        return self.api.get_json(path, query)

    def close(self) -> None:
        self.api.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
