"""The options that describe a job, and the fields they fill: one table for every command that takes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from danlu.cli import values
from danlu.cli.refusals import Refused
from danlu.cli.worded import F, WordedCommand, argument, option
from danlu.wire.options import SPELLINGS, option_of

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


_SWITCH: dict[str, Any] = {"default": None}

OPTIONS: dict[str, dict[str, Any]] = {
    "gpus": {"metavar": "N|auto", "type": values.COUNT_OR_AUTO},
    "name": {"metavar": "NAME"},
    "environment": {"metavar": "NAME"},
    "directory": {"metavar": "FOLDER"},
    "time_limit_s": {"metavar": "TIME", "type": values.DURATION},
    "grace_s": {"metavar": "TIME", "type": values.DURATION},
    "after": {"metavar": "JOBS", "type": values.JOB_IDS, "multiple": True},
    "after_ok": {"metavar": "JOBS", "type": values.JOB_IDS, "multiple": True},
    "node": {"metavar": "NODE"},
    "nodes": {"metavar": "N|MIN:MAX|auto"},
    "launcher": {"metavar": "NAME", "type": values.Word(launchers)},
    "spread": _SWITCH,
    "only_nodes": {"metavar": "NODES", "type": values.LIST, "multiple": True},
    "exclude_nodes": {"metavar": "NODES", "type": values.LIST, "multiple": True},
    "gpu_model": {"metavar": "MODEL"},
    "restartable": _SWITCH,
    "service": _SWITCH,
    "gpu_ids": {"metavar": "IDS", "type": values.GPU_IDS, "multiple": True},
    "gpu_arg": {"metavar": "PREFIX", "dashes": True},
    "cpus": {"metavar": "N", "type": values.COUNT},
    "memory_mb": {"metavar": "SIZE", "type": values.MEMORY_MB},
    "share": _SWITCH,
    "no_sharing": _SWITCH,
    "gpu_memory_mb": {"metavar": "SIZE", "type": values.MEMORY_MB},
    "stage": {"metavar": "PATH", "multiple": True},
    "array": {"metavar": "INDICES"},
    "urgent": _SWITCH,
    "hold": _SWITCH,
    "retries": {"metavar": "N", "type": values.COUNT},
    "retry_backoff_s": {"metavar": "TIME", "type": values.DURATION},
    "retry_on": {"metavar": "REASONS", "type": values.Value("list", _reasons), "multiple": True},
    "stdout": {"metavar": "FILE"},
    "stderr": {"metavar": "FILE"},
    "variables": {"metavar": "K=V", "type": values.VARIABLE, "multiple": True},
    "description": {"metavar": "TEXT"},
    "wait_for_hardware": _SWITCH,
}
"""Field of a job -> how click shall read its option, which `wire.options` spells."""


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
    for field, names in reversed(SPELLINGS.items()):
        function = option(*names, field, **OPTIONS[field])(function)
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
    for field in ("after", "after_ok", "gpu_ids", "only_nodes", "exclude_nodes", "retry_on"):
        if field in said:
            said[field] = [item for items in said[field] for item in items]
    if "variables" in said:
        said["variables"] = dict(said["variables"])
    if "directory" in said:
        said["directory"] = _absolute(said["directory"])
    if "stage" in said:
        said["stage"] = [_absolute(path) for path in said["stage"]]
    return said


def _absolute(path: str) -> str:
    return str(Path(path).expanduser().absolute())


def field_named(text: str) -> str:
    """The field that `mem`, `--mem` or `memory_mb` means. Raises BadValue."""
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
