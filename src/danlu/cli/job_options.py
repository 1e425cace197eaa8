"""The options that describe a job, and the fields they fill, for every command that takes them: made from the
table of fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from danlu.cli import values
from danlu.cli.refusals import Refused
from danlu.cli.worded import F, WordedCommand, argument, option
from danlu.wire.field_kinds import LISTS, METAVARS, PAIRS, Kind
from danlu.wire.job_fields import OPTIONS
from danlu.wire.options import option_of

DASHED = "danlu.dashed"
"""Key in a context's `meta`: the command was written behind `--`."""


def retry_reasons() -> list[str]:
    from danlu.wire.reasons import RETRY_REASONS

    return list(RETRY_REASONS)


def launchers() -> list[str]:
    from danlu.wire.reasons import LAUNCHERS

    return list(LAUNCHERS)


def _reasons(text: str) -> list[str]:
    return [values.one_of(word, retry_reasons()) for word in text.replace(",", " ").split()]


_READ: dict[Kind, dict[str, Any]] = {
    "text": {},
    "folder": {},
    "paths": {"multiple": True},
    "switch": {"default": None},
    "count": {"type": values.COUNT},
    "count_or_auto": {"type": values.COUNT_OR_AUTO},
    "duration": {"type": values.DURATION},
    "size": {"type": values.MEMORY_MB},
    "launcher": {"type": values.Word(launchers)},
    "reasons": {"type": values.Value("list", _reasons), "multiple": True},
    "names": {"type": values.LIST, "multiple": True},
    "job_ids": {"type": values.JOB_IDS, "multiple": True},
    "gpu_ids": {"type": values.GPU_IDS, "multiple": True},
    "variables": {"type": values.VARIABLE, "multiple": True},
    "tags": {"type": values.TAG, "multiple": True},
}
"""How click reads an option of each kind."""


class JobCommand(WordedCommand):
    """Its last argument is what to run: everything from the first word that is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        given = list(args)
        rest = super().parse_args(ctx, args)
        words = ctx.params.get("words") or ()
        before = given[: len(given) - len(words)]
        ctx.meta[DASHED] = before[-1:] == ["--"] or (ctx.allow_interspersed_args and "--" in before)
        return rest


def job_options(function: F) -> F:
    for name, field in reversed(OPTIONS.items()):
        read = {**_READ[field.kind], "metavar": field.metavar or METAVARS.get(field.kind)}
        function = option(*field.option, name, dashes=field.dashes, **read)(function)
    return option("--mail", hidden=True, expose_value=False, callback=_refuse_mail)(function)


def _refuse_mail(_: click.Context, __: click.Parameter, value: str | None) -> None:
    """Scripts may still say it: they are told, not left to wait for mail that never comes."""
    if value is not None:
        raise Refused("cli.mail_not_sent")


def words_argument(metavar: str = "[--] COMMAND...") -> Callable[[F], F]:
    return argument("words", nargs=-1, type=click.UNPROCESSED, metavar=metavar)


def fields_of(params: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a job that were said on the command line."""
    said = {field: params[field] for field in OPTIONS if params.get(field) not in (None, ())}
    return {field: _value(OPTIONS[field].kind, value) for field, value in said.items()}


def _value(kind: Kind, value: Any) -> Any:
    """What travels to the server for what click has read."""
    if kind in LISTS:
        return [item for items in value for item in items]
    if kind in PAIRS:
        return dict(value)
    if kind == "folder":
        return _absolute(value)
    return [_absolute(path) for path in value] if kind == "paths" else value


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute())


def field_named(text: str) -> str:
    """The field that `mem`, `--mem` or `memory_mb` means. Raises UnreadableValue."""
    plain = text.lstrip("-")
    by_name = {option_of(field).lstrip("-"): field for field in OPTIONS}
    fields = {
        **by_name,
        **{field: field for field in OPTIONS},
        "command": "command",
        "arguments": "arguments",
    }
    return fields[values.one_of(plain, list(fields))]


FIELD = values.Value("list", field_named)
