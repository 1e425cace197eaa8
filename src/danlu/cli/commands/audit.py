"""`danlu audit`"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from danlu.cli import values
from danlu.cli.layout import clean, moment, table
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, json_option, option

if TYPE_CHECKING:
    from danlu.wire.audit import AuditRow

COLUMNS = ("when", "by", "from", "action", "object", "change")


@click.command("audit", cls=WordedCommand)
@option("--user", "actor", metavar="USER", words="audit_user")
@option("--action", metavar="ACTION", words="audit_action")
@option("--object", "target", metavar="NAME", words="audit_object")
@option("--since", metavar="TIME", type=values.PAST, words="since")
@option("--until", metavar="TIME", type=values.PAST, words="until")
@option("-n", "--limit", metavar="ENTRIES", type=values.number(1, 500), default=50, words="audit_limit")
@option("--csv", "as_csv", is_flag=True, words="audit_csv")
@json_option()
@pass_session
def audit(session: Session, /, limit: int, as_csv: bool, as_json: bool, **wanted: Any) -> None:
    client = session.connect(translated=not as_json)
    if as_csv:
        for piece in client.audit.export("csv", **wanted):
            sys.stdout.buffer.write(piece)
        return
    if as_json:
        session.print_json(client.get_json("/audit", {**wanted, "limit": limit}))
        return
    entries = client.audit.list(**wanted, limit=limit).entries
    if not entries:
        session.tell("cli.audit_empty")
        return
    headings = [session.say(f"cli.column.{name}") for name in COLUMNS]
    click.echo(table(headings, [_row(session, entry) for entry in reversed(entries)]))


def _row(session: Session, entry: AuditRow) -> list[str]:
    place = " ".join(each for each in (entry.address, entry.via) if each)
    target = " ".join(each for each in (entry.target_kind, clean(entry.target)) if each)
    return [
        moment(entry.at),
        clean(entry.actor or session.say("cli.audit_no_user")),
        place,
        entry.title,
        target,
        describe_change(entry.before, entry.after, entry.details),
    ]


def describe_change(before: Any, after: Any, details: dict[str, Any]) -> str:
    """`auto_gpus: 8 → 4`, with what else there is to say behind it."""
    if isinstance(before, dict) or isinstance(after, dict):
        was, now = before or {}, after or {}
        said = [f"{name}: {_show(was.get(name))} → {_show(now.get(name))}" for name in {**was, **now}]
    elif before is not None or after is not None:
        said = [f"{_show(before)} → {_show(after)}"]
    else:
        said = []
    said += [f"{name}={_show(value)}" for name, value in details.items() if value not in (None, 0, [], "")]
    return clean(", ".join(said))


def _show(value: Any) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
