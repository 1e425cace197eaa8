"""Staying with a job: why it waits, its output as it comes, attempt after attempt, to its end."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, TextIO

import click

from danlu.cli.layout import clean, shorten
from danlu.sdk.errors import ClientError

if TYPE_CHECKING:
    from danlu.cli.interrupts import Interrupts
    from danlu.cli.session import Session
    from danlu.sdk.client import Client
    from danlu.wire.jobs import JobDetail

FIRST_LOOK_S = 0.05
LONGEST_LOOK_S = 1.0
JUST_SUBMITTED = "starting_soon"
"""The one reason that is over before a user could read it."""


class WaitDisplay:
    """Looks at a job until an attempt starts, and shows on standard error why it has not yet."""

    def __init__(self, session: Session, client: Client, job_id: int | str) -> None:
        self._session = session
        self._client = client
        self._job_id = job_id
        self._shown = ""

    def for_attempt(self, number: int) -> JobDetail:
        """Returns when attempt `number` exists, or when the job ended without it."""
        pause_s = FIRST_LOOK_S
        while True:
            detail = self._client.jobs.get(self._job_id)
            if detail.job.attempt >= number or detail.job.area == "history":
                self._clear()
                return detail
            if not any(why.code == JUST_SUBMITTED for why in detail.job.why):
                self._show(detail.message)
            time.sleep(pause_s)
            pause_s = min(pause_s * 1.5, LONGEST_LOOK_S)

    def _show(self, reason: str) -> None:
        if not reason or reason == self._shown:
            return
        line = self._session.say("cli.waiting", job=self._job_id, reason=clean(reason))
        if sys.stderr.isatty():
            import shutil

            room = shutil.get_terminal_size().columns - 1
            click.echo(f"\r\x1b[K{shorten(line, room)}", err=True, nl=False)
        else:
            click.echo(line, err=True)
        self._shown = reason

    def _clear(self) -> None:
        if self._shown and sys.stderr.isatty():
            click.echo("\r\x1b[K", err=True, nl=False)
        self._shown = ""


class Output:
    """The output of one attempt, on our own standard output and error. It can be interrupted and taken up
    again: what was written is not written twice. A caller that holds `quiet` keeps it silent."""

    def __init__(
        self,
        client: Client,
        job_id: int | str,
        attempt: int,
        *,
        quiet: threading.Lock,
        interrupts: Interrupts,
    ) -> None:
        self._client = client
        self._job_id = job_id
        self._attempt = attempt
        self._quiet = quiet
        self._interrupts = interrupts
        self._offset = 0
        self._errors = threading.Thread(target=self._write_errors, daemon=True)
        self._fault: Exception | None = None

    def start(self) -> None:
        """Standard error comes by itself, unless it goes nowhere or where standard output goes."""
        info = self._client.jobs.log_info(self._job_id, attempt=self._attempt, stream="stderr")
        if not (info.merged or info.discarded):
            self._errors.start()

    def write(self) -> None:
        """Returns when the attempt is over and everything was written."""
        following = self._client.jobs.follow(self._job_id, attempt=self._attempt, offset=self._offset)
        for data in following:
            with self._interrupts.whole(), self._quiet:
                write_bytes(sys.stdout, data)
                self._offset = following.offset
        if self._errors.ident is not None:
            self._errors.join()
        if self._fault is not None:
            raise self._fault

    def _write_errors(self) -> None:
        try:
            for data in self._client.jobs.follow(self._job_id, attempt=self._attempt, stream="stderr"):
                with self._quiet:
                    write_bytes(sys.stderr, data)
        except (ClientError, OSError) as fault:
            self._fault = fault


def write_bytes(stream: TextIO, data: bytes) -> None:
    """Bytes as they are, at once."""
    stream.buffer.write(data)
    stream.buffer.flush()
