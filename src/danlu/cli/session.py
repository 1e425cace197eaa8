"""What one run of the command line knows: its surroundings, its language, the server it talks to."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from danlu.wording.catalogue import Language, language_of_locale, say

if TYPE_CHECKING:
    from danlu.sdk.client import Client
    from danlu.sdk.connecting.connection import Server

FOLLOWING_PATIENCE_S = 900.0
"""How long a follower waits for a server that is being started again."""


class Session:
    """Made once by `run`; `data` and `profile` are filled in by the options of the same names."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = environment
        self.language: Language = language_of_locale(environment)
        self.data: Path | None = None
        self.profile: str | None = None

    def connect(
        self,
        *,
        patience_s: float = 15.0,
        translated: bool = True,
        on_break: Callable[[str], None] | None = None,
    ) -> Client:
        """A client of the server that is meant. What `--json` prints is asked for in English. A broken
        connection is told on standard error, unless `on_break` does something else about it."""
        from danlu.sdk.client import Client

        told: list[str] = []

        def tell_once(reason: str) -> None:
            if not told:
                self.tell("cli.connection_lost", reason=reason)
            told.append(reason)

        return Client(
            data=self.data,
            profile=self.profile,
            language=self.language if translated else "en-x-cli",
            patience_s=patience_s,
            on_break=on_break or tell_once,
            environment=self.environment,
        )

    def stay_with(self, server: Server) -> None:
        """Every later client is of this server: while it is away, another one might be found instead."""
        self.data, self.profile = server.folder, server.profile

    def say(self, key: str, **facts: Any) -> str:
        return say(self.language, key, **facts)

    def way_to(self, server: Server) -> str:
        """How the server was found, in words."""
        if server.profile is not None:
            return self.say("cli.by_profile", profile=server.profile)
        return self.say("cli.by_folder", folder=server.folder)

    def print(self, key: str, **facts: Any) -> None:
        """A sentence that is the answer: to standard output."""
        click.echo(self.say(key, **facts))

    def tell(self, key: str, **facts: Any) -> None:
        """A sentence on the side: to standard error."""
        click.echo(self.say(key, **facts), err=True)

    def print_json(self, value: Any) -> None:
        click.echo(json.dumps(value, indent=2, ensure_ascii=False))

    @property
    def colours(self) -> bool:
        plain = self.environment.get("NO_COLOR") or self.environment.get("TERM") == "dumb"
        return not plain and sys.stdout.isatty()

    @property
    def can_ask(self) -> bool:
        """A user sits at the terminal."""
        return sys.stdin.isatty() and sys.stderr.isatty()

    def ask(self, key: str, **facts: Any) -> str:
        """What the person answers, in lower case; empty at the end of input."""
        click.echo(self.say(key, **facts) + " ", err=True, nl=False)
        return sys.stdin.readline().strip().lower()


def is_local(url: str) -> bool:
    """The way there does not leave this machine."""
    return urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")


pass_session = click.make_pass_decorator(Session)
