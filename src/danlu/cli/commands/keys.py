"""`danlu kv`: keys and values that your jobs share."""

from __future__ import annotations

import sys

import click

from danlu.cli import values
from danlu.cli.layout import clean, moment, table
from danlu.cli.refusals import Refused
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, WordedGroup, argument, json_option, option

LARGEST_VALUE = 65_536
_revision = option("--if-revision", metavar="N", type=values.COUNT)


@click.group("kv", cls=WordedGroup)
def kv() -> None:
    pass


@kv.command("get", cls=WordedCommand)
@argument("key", metavar="KEY")
@json_option()
@pass_session
def get_value(session: Session, key: str, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json("/kv/value", {"key": key}))
        return
    found = client.kv.get(key)
    if found is None:
        raise Refused("cli.no_such_key", exit_code=1, name=key)
    click.echo(found.value if not sys.stdout.isatty() else clean(found.value))


@kv.command("put", cls=WordedCommand)
@argument("key", metavar="KEY")
@argument("value", metavar="VALUE|-")
@_revision
@pass_session
def put_value(session: Session, key: str, value: str, if_revision: int | None) -> None:
    if value == "-":
        # One byte more than is taken: the server then says so.
        value = sys.stdin.read(LARGEST_VALUE + 1)
    entry = session.connect().kv.put(key, value, if_revision=if_revision)
    session.print("cli.key_put", name=key, revision=entry.revision)


@kv.command("delete", cls=WordedCommand)
@argument("key", metavar="KEY")
@_revision
@pass_session
def delete_value(session: Session, key: str, if_revision: int | None) -> None:
    if not session.connect().kv.delete(key, if_revision=if_revision):
        raise Refused("cli.no_such_key", exit_code=1, name=key)
    session.print("cli.key_deleted", name=key)


@kv.command("list", cls=WordedCommand)
@argument("prefix", required=False, default="", metavar="[PREFIX]")
@json_option()
@pass_session
def list_keys(session: Session, prefix: str, as_json: bool) -> None:
    client = session.connect(translated=not as_json)
    if as_json:
        session.print_json(client.get_json("/kv", {"prefix": prefix or None}))
        return
    rows = client.kv.list(prefix)
    if not rows:
        session.tell("cli.kv.empty")
        return
    headings = [session.say(f"cli.column.{name}") for name in ("revision", "bytes", "changed", "key")]
    lines = [[str(row.revision), str(row.size), moment(row.changed_at), clean(row.key)] for row in rows]
    click.echo(table(headings, lines))
