"""`danlu ps`"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from danlu.cli import values
from danlu.cli.job_wording import gpus_of, place_of, remark_on, state_of
from danlu.cli.layout import ago, clean, elapsed, shorten, table
from danlu.cli.meant_jobs import filter_options
from danlu.cli.notices import tell_notices
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, json_option, option

if TYPE_CHECKING:
    from danlu.sdk.client import Client
    from danlu.wire.jobs import JobRow

PAGE = 200
NAME_COLUMNS = 32
SORTS = ("newest", "oldest", "longest", "name", "owner")


@click.command("ps", cls=WordedCommand)
@option("-a", "--all", "everything", is_flag=True, words="all")
@filter_options
@option("--sort", metavar="ORDER", type=values.Word(lambda: SORTS))
@option("--limit", metavar="N", type=values.COUNT, default=100)
@json_option()
@pass_session
def ps(
    session: Session,
    everything: bool,
    mine: bool,
    user: str | None,
    state: str | None,
    name: str | None,
    search: str | None,
    tag: str | None,
    group: str | None,
    sort: str | None,
    limit: int,
    as_json: bool,
) -> None:
    filters = {
        **{"owner": user, "state": state, "name": name, "search": search},
        **{"tag": tag, "group": group, "mine": mine or None},
    }
    areas: Sequence[str | None] = (None,) if everything or state else ("running", "waiting")
    with session.connect(translated=not as_json) as client:
        listing, cut = collect(client, {**filters, "sort": sort}, areas, limit)
        if as_json:
            session.print_json(listing)
            return
        if listing["jobs"]:
            table_of_jobs(session, listing["jobs"])
            if cut:
                session.tell("cli.ps.more", shown=len(listing["jobs"]))
        else:
            session.tell("cli.ps.nothing_found" if any(filters.values()) else "cli.ps.empty")
        tell_notices(session, client)


def collect(
    client: Client, filters: dict[str, Any], areas: Sequence[str | None], limit: int
) -> tuple[dict[str, Any], bool]:
    """Up to `limit` jobs (0: all) of the areas, in the API's own shape, and whether there are more."""
    listing: dict[str, Any] = {"jobs": [], "next": None, "counts": {}}
    for area in areas:
        cursor = None
        while True:
            room = limit - len(listing["jobs"]) if limit else PAGE
            if room <= 0:
                return listing, listing["next"] is not None or bool(listing["counts"].get(area))
            query = {**filters, "area": area, "limit": min(room, PAGE), "cursor": cursor}
            page = client.get_json("/jobs", query)
            # An array may be in two areas: some of its elements run, the others wait.
            seen = {row["ref"] for row in listing["jobs"]}
            fresh = [row for row in page["jobs"] if row["ref"] not in seen]
            listing = {**page, "jobs": listing["jobs"] + fresh}
            cursor = page["next"]
            if cursor is None:
                break
    return listing, False


def table_of_jobs(session: Session, rows: list[Any]) -> None:
    from danlu.codec import decode
    from danlu.wire.jobs import JobRow

    headings = [session.say(f"cli.column.{name}") for name in _COLUMNS]
    click.echo(table(headings, [_row(session, decode(JobRow, row, trusted=True)) for row in rows]))


_COLUMNS = ("job", "name", "owner", "state", "gpus", "where", "time", "remark")


def _row(session: Session, job: JobRow) -> list[str]:
    since = job.submitted_at if job.area == "waiting" else job.started_at
    mark = "!" if job.urgent and job.area == "waiting" else ""
    return [
        job.ref,
        shorten(clean(job.name), NAME_COLUMNS),
        clean(job.owner),
        state_of(session, job.state) + mark,
        gpus_of(job),
        place_of(job),
        ago(session, job.ended_at) if job.area == "history" else elapsed(since),
        clean(remark_on(session, job)),
    ]
