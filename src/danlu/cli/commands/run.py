"""`danlu run`: submit, stay with it, and end as it ends."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from danlu.cli import values
from danlu.cli.commands.submit import job_of, submit_job
from danlu.cli.exit_codes import DONE, FAILED, INTERRUPTED, NOT_THE_JOBS
from danlu.cli.following import Output, WaitDisplay
from danlu.cli.interrupts import Interrupts
from danlu.cli.job_options import DASHED, JobCommand, job_options, words_argument
from danlu.cli.refusals import report
from danlu.cli.session import FOLLOWING_PATIENCE_S, Session
from danlu.cli.worded import option, session_of
from danlu.sdk.errors import ApiError, ClientError

if TYPE_CHECKING:
    from danlu.sdk.client import Client
    from danlu.wire.jobs import JobDetail


@click.command("run", cls=JobCommand, context_settings={"allow_interspersed_args": False})
@job_options
@option("--key", metavar="KEY", type=values.KEY)
@words_argument()
@click.pass_context
def run(ctx: click.Context, /, key: str | None, words: tuple[str, ...], **params: Any) -> int:
    session = session_of(ctx)
    with own_troubles_apart(session) as ending:
        fields = job_of(session, params, words, dashed=ctx.meta[DASHED])
        client = session.connect()
        job_id = submit_job(session, client, fields, key)
        session.tell("cli.submitted", job=job_id)
        client.api.be_patient(FOLLOWING_PATIENCE_S)
        ending.code = JobWatch(session, client, job_id).attend()
    return ending.code


class ExitCode:
    """The exit code for our caller."""

    code = NOT_THE_JOBS


@contextmanager
def own_troubles_apart(session: Session) -> Iterator[ExitCode]:
    """What goes wrong here, and not in the job, is told and has an exit code of its own."""
    ending = ExitCode()
    try:
        yield ending
    except BrokenPipeError:
        raise
    except (ClientError, OSError) as fault:
        code = report(session, fault)
        ending.code = NOT_THE_JOBS if code == FAILED else code


class JobWatch:
    """Stays with a job until it ends or the user goes."""

    def __init__(self, session: Session, client: Client, job_id: int) -> None:
        self._session = session
        self._client = client
        self._job_id = job_id
        self._quiet = threading.Lock()
        self._interrupts = Interrupts()
        self._attempt = 1
        self._output: Output | None = None

    def attend(self) -> int:
        """The exit code for our caller."""
        with self._interrupts:
            return self._attend()

    def _attend(self) -> int:
        while True:
            try:
                return self._exit_code(self._follow())
            except KeyboardInterrupt:
                if self._wants_to_go():
                    self._quiet.acquire()  # for good: we end now, and a thread must not be caught writing
                    self._session.tell("cli.detached", job=self._job_id)
                    return INTERRUPTED

    def _follow(self) -> JobDetail:
        while True:
            detail = WaitDisplay(self._session, self._client, self._job_id).for_attempt(self._attempt)
            if detail.job.attempt < self._attempt:
                return detail
            if self._output is None:
                output = Output(
                    self._client,
                    self._job_id,
                    self._attempt,
                    quiet=self._quiet,
                    interrupts=self._interrupts,
                )
                output.start()
                self._output = output
            self._output.write()
            detail = self._client.jobs.get(self._job_id)
            if detail.job.area == "history" and detail.job.attempt == self._attempt:
                return detail
            self._output = None
            self._attempt += 1
            self._session.tell("cli.next_attempt", job=self._job_id, attempt=self._attempt)

    def _exit_code(self, detail: JobDetail) -> int:
        job = detail.job
        if job.state == "succeeded":
            return DONE
        self._session.tell("cli.ended_badly", job=job.id, reason=detail.message)
        if job.state == "cancelled":
            return NOT_THE_JOBS
        if job.signal is not None:
            return 128 + job.signal
        return job.exit_code or NOT_THE_JOBS

    def _wants_to_go(self) -> bool:
        """After Ctrl-C: cancel it, leave it, or go on watching. A second Ctrl-C leaves it."""
        if not self._session.can_ask:
            return True
        with self._quiet:
            try:
                click.echo(err=True)
                answer = self._session.ask("cli.cancel_or_detach", job=self._job_id)
            except KeyboardInterrupt:
                return True
        if answer.startswith("c"):
            try:
                self._client.jobs.cancel(self._job_id)
            except ApiError as refusal:  # it has just ended by itself, perhaps
                report(self._session, refusal)
        return answer.startswith("d")
