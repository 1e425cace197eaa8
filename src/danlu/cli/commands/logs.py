"""`danlu logs`"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from danlu.cli import values
from danlu.cli.following import WaitDisplay, write_bytes
from danlu.cli.layout import clean
from danlu.cli.log_link import LogLink
from danlu.cli.log_pieces import pieces_from
from danlu.cli.refusals import Refused
from danlu.cli.session import FOLLOWING_PATIENCE_S, Session, pass_session
from danlu.cli.stamped_lines import StampedLines
from danlu.cli.worded import WordedCommand, argument, json_option, option
from danlu.codec import encode

if TYPE_CHECKING:
    from danlu.sdk.client import Client
    from danlu.sdk.resources.job_logs import LogPiece
    from danlu.wire.logs import LogMatch, LogStream

from danlu.sdk.resources.job_logs import path_of


@click.command("logs", cls=WordedCommand)
@argument("job_or_link", type=values.JOB_OR_LINK, metavar="JOB")
@option("-f", "--follow", is_flag=True)
@option("--attempt", metavar="N", type=values.POSITION)
@option("--rank", metavar="N", type=values.COUNT, words="logs_rank")
@option("--stderr", "errors", is_flag=True, words="logs_stderr")
@option("-n", "--tail", metavar="LINES", type=values.COUNT)
@option("--offset", metavar="BYTES", type=values.number(-(2**53)))
@option("-s", "--search", metavar="TEXT", words="logs_search")
@option("--trouble", is_flag=True)
@option("-t", "--timestamps", is_flag=True, words="logs_timestamps")
@json_option()
@pass_session
def logs(
    session: Session,
    job_or_link: int | str | LogLink,
    follow: bool,
    attempt: int | None,
    rank: int | None,
    errors: bool,
    tail: int | None,
    offset: int | None,
    search: str | None,
    trouble: bool,
    timestamps: bool,
    as_json: bool,
) -> None:
    if tail is not None and offset is not None:
        raise Refused("cli.tail_or_offset")
    link = job_or_link if isinstance(job_or_link, LogLink) else LogLink(job_or_link)
    job_id, attempt, rank = link.job, attempt or link.attempt, link.rank if rank is None else rank
    stream: LogStream = "stderr" if errors else link.stream
    if search is not None or trouble:
        client = session.connect(translated=not as_json)
        found = client.jobs.search_log(
            job_id,
            None if trouble else search,
            attempt=attempt,
            stream=stream,
            rank=rank or 0,
            offset=offset,
        )
        _print_matches(session, found, as_json)
        return
    if as_json:
        query = {"attempt": attempt, "rank": rank, "stream": stream}
        session.print_json(session.connect(translated=False).get_json(f"{path_of(job_id)}/log/info", query))
        return
    client = session.connect(patience_s=FOLLOWING_PATIENCE_S if follow else 15.0)
    if link.at is not None and tail is None and offset is None and not follow:
        _tell_host(session, client, link)
        _print_linked(session, client, job_id, attempt, stream, rank or 0, link.at, link.to, timestamps)
        return
    if follow and attempt is None:
        attempt = WaitDisplay(session, client, job_id).for_attempt(1).job.attempt or None
    first = _read(client, job_id, attempt, stream, rank or 0, tail=tail, offset=offset)
    _tell_host(session, client, link)
    _tell_damage(session, first)
    if rank is None and first.ranks > 1:
        from danlu.cli.merged_logs import MergedLogs

        merged = MergedLogs(client, job_id, attempt, stream, first.ranks, timestamps)
        merged.follow() if follow else merged.print(tail)
        return
    lines = (
        _stamping(session, client, job_id, attempt, stream, rank or 0, first.offset) if timestamps else None
    )
    end = first.next
    for piece in pieces_from(client, job_id, attempt, stream, rank or 0, first):
        write_bytes(sys.stdout, lines.push(piece.offset, piece.data) if lines else piece.data)
        end = piece.next
    if follow:
        following = client.jobs.follow(job_id, attempt=attempt, stream=stream, rank=rank or 0, offset=end)
        if lines:
            lines.live = True
        for data in following:
            write_bytes(sys.stdout, lines.push(following.offset - len(data), data) if lines else data)
    if lines:
        write_bytes(sys.stdout, lines.finish())


def _tell_host(session: Session, client: Client, link: LogLink) -> None:
    """A server has many names, so another one is no error; but the same number may be another job there."""
    url = client.server.url
    if link.host is not None and link.host != urlsplit(url).hostname:
        session.tell("cli.logs.other_host", url=url, host=link.host)


def _tell_damage(session: Session, piece: LogPiece) -> None:
    if piece.replaced:
        session.tell("cli.logs.replaced")
    if piece.cut is not None:
        session.tell("cli.logs.cut", begin=piece.cut[0], end=piece.cut[1])


def _stamping(
    session: Session,
    client: Client,
    job_id: int | str,
    attempt: int | None,
    stream: LogStream,
    rank: int,
    begin: int,
) -> StampedLines:
    told = client.jobs.log_times(job_id, attempt=attempt, stream=stream, rank=rank, begin=begin)
    if not told.known:
        session.tell("cli.logs.no_times")
    return StampedLines(told)


def _print_linked(
    session: Session,
    client: Client,
    job_id: int | str,
    attempt: int | None,
    stream: LogStream,
    rank: int,
    at: int,
    to: int | None,
    timestamps: bool,
) -> None:
    """The lines that a link points to, and no more."""
    lines = _stamping(session, client, job_id, attempt, stream, rank, at) if timestamps else None
    any_found = False
    for piece in client.jobs.log_lines(job_id, at, to, attempt=attempt, stream=stream, rank=rank):
        any_found = True
        write_bytes(sys.stdout, lines.push(piece.offset, piece.data) if lines else piece.data)
    if not any_found:
        session.tell("cli.logs.gone")
    if lines:
        write_bytes(sys.stdout, lines.finish())


def _print_matches(session: Session, found: Iterator[LogMatch], as_json: bool) -> None:
    """A line for each: where it begins, and what it is."""
    any_found = False
    for match in found:
        any_found = True
        if as_json:
            click.echo(json.dumps(encode(match), ensure_ascii=False))
        else:
            click.echo(f"{match.line_offset}: {clean(match.text)}")
    if not any_found:
        session.tell("cli.logs.nothing_found")


def _read(
    client: Client,
    job_id: int | str,
    attempt: int | None,
    stream: LogStream,
    rank: int,
    *,
    tail: int | None,
    offset: int | None,
) -> LogPiece:
    if tail is not None:
        return client.jobs.log_tail(job_id, tail, attempt=attempt, stream=stream, rank=rank)
    return client.jobs.log(job_id, attempt=attempt, stream=stream, rank=rank, offset=offset or 0)
