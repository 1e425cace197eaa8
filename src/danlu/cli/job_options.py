"""The options that describe a job, and the fields they fill: one table for every command that takes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from danlu.cli import values
from danlu.cli.refusals import Refused
from danlu.cli.worded import F, WordedCommand, argument, option

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


def _switch(name: str) -> tuple[tuple[str, ...], dict[str, Any]]:
    return (f"--{name}/--no-{name}",), {"default": None}


OPTIONS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "gpus": (("-g", "--gpus"), {"metavar": "N|auto", "type": values.COUNT_OR_AUTO}),
    "name": (("-n", "--name"), {"metavar": "NAME"}),
    "environment": (("-e", "--env"), {"metavar": "NAME"}),
    "directory": (("-d", "--dir"), {"metavar": "FOLDER"}),
    "time_limit_s": (("-t", "--time"), {"metavar": "TIME", "type": values.DURATION}),
    "grace_s": (("--grace",), {"metavar": "TIME", "type": values.DURATION}),
    "after": (("--after",), {"metavar": "JOBS", "type": values.JOB_IDS, "multiple": True}),
    "after_ok": (("--after-ok",), {"metavar": "JOBS", "type": values.JOB_IDS, "multiple": True}),
    "node": (("--node",), {"metavar": "NODE"}),
    "nodes": (("-N", "--nodes"), {"metavar": "N|MIN:MAX|auto"}),
    "launcher": (("--launcher",), {"metavar": "NAME", "type": values.Word(launchers)}),
    "spread": _switch("spread"),
    "only_nodes": (("--only-nodes",), {"metavar": "NODES", "type": values.LIST, "multiple": True}),
    "exclude_nodes": (("--exclude",), {"metavar": "NODES", "type": values.LIST, "multiple": True}),
    "gpu_model": (("--gpu-model",), {"metavar": "MODEL"}),
    "restartable": _switch("restartable"),
    "service": _switch("service"),
    "gpu_ids": (("--gpu-ids",), {"metavar": "IDS", "type": values.GPU_IDS, "multiple": True}),
    "gpu_arg": (("--gpu-arg",), {"metavar": "PREFIX", "dashes": True}),
    "cpus": (("-c", "--cpus"), {"metavar": "N", "type": values.COUNT}),
    "memory_mb": (("-m", "--mem"), {"metavar": "SIZE", "type": values.MEMORY_MB}),
    "share": _switch("share"),
    "no_sharing": (("--no-sharing/--sharing",), {"default": None}),
    "gpu_memory_mb": (("--gpu-mem",), {"metavar": "SIZE", "type": values.MEMORY_MB}),
    "stage": (("--stage",), {"metavar": "PATH", "multiple": True}),
    "array": (("--array",), {"metavar": "INDICES"}),
    "urgent": _switch("urgent"),
    "hold": _switch("hold"),
    "retries": (("--retries",), {"metavar": "N", "type": values.COUNT}),
    "retry_backoff_s": (("--retry-backoff",), {"metavar": "TIME", "type": values.DURATION}),
    "retry_on": (
        ("--retry-on",),
        {"metavar": "REASONS", "type": values.Value("list", _reasons), "multiple": True},
    ),
    "stdout": (("-o", "--stdout"), {"metavar": "FILE"}),
    "stderr": (("--stderr",), {"metavar": "FILE"}),
    "variables": (("--var",), {"metavar": "K=V", "type": values.VARIABLE, "multiple": True}),
    "description": (("--desc",), {"metavar": "TEXT"}),
    "wait_for_hardware": _switch("wait-for-hardware"),
}
"""Field of a job -> the names of its option, and how click shall read it."""


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
    for field, (names, attributes) in reversed(OPTIONS.items()):
        function = option(*names, field, **attributes)(function)
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


def option_of_field(field: str) -> str:
    """How a field that the server names (`memory_mb`, `set.gpu_ids.0`) is called on the command line."""
    known = next((part for part in field.split(".") if part in OPTIONS), None)
    return max(_names(known), key=len) if known else field


def field_named(text: str) -> str:
    """The field that `mem`, `--mem` or `memory_mb` means. Raises BadValue."""
    plain = text.lstrip("-")
    by_name = {
        name.lstrip("-"): field for field in OPTIONS for name in _names(field) if name.startswith("--")
    }
    fields = {
        **by_name,
        **{field: field for field in OPTIONS},
        "command": "command",
        "arguments": "arguments",
    }
    return fields[values.one_of(plain, list(fields))]


def _names(field: str) -> list[str]:
    return [part for name in OPTIONS[field][0] for part in name.split("/")[:1]]


FIELD = values.Value("list", field_named)
