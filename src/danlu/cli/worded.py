"""Click's commands and options with help in the user's language.

Nothing is worded where it is declared: a command `NAME` has `cli.help.NAME` (one line), perhaps
`cli.about.NAME`, and `cli.examples.NAME`; an option or argument has `cli.option.NAME` or
`cli.argument.NAME`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from danlu.cli.session import Session
from danlu.wording.catalogue import knows

F = TypeVar("F", bound=Callable[..., Any])
LEFT_COLUMN = 30


def session_of(context: click.Context) -> Session:
    session: Session = context.find_root().obj
    return session


class WideFormatter(click.HelpFormatter):
    """Wraps by columns of the terminal, so that Chinese text stands straight."""

    def write_text(self, text: str) -> None:
        from danlu.cli.layout import wrap

        for paragraph in text.split("\n"):
            for line in wrap(paragraph, self.width - self.current_indent):
                self.write(f"{'':>{self.current_indent}}{line}".rstrip() + "\n")

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = LEFT_COLUMN, col_spacing: int = 2
    ) -> None:
        from danlu.cli.layout import width_of, wrap

        rows = list(rows)
        left = min(max(width_of(name) for name, _ in rows), col_max) + col_spacing
        for name, text in rows:
            lines = wrap(text, max(self.width - self.current_indent - left, 20))
            if width_of(name) > left - col_spacing:
                lines = ["", *lines]
            for number, line in enumerate(lines):
                start = name if number == 0 else ""
                self.write(f"{'':>{self.current_indent}}{start:<{left}}{line}".rstrip() + "\n")


class WordedContext(click.Context):
    formatter_class = WideFormatter


class WordedOption(click.Option):
    """`words` names another key than the option's own name; `dashes` allows a value that looks like an
    option of the command."""

    def __init__(self, *args: Any, words: str | None = None, dashes: bool = False, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self.words = words
        self._dashes = dashes

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        if self.hidden:
            return None
        return self.get_help_spec(ctx), session_of(ctx).say(f"cli.option.{self.words or self.name}")

    def consume_value(
        self, ctx: click.Context, opts: Mapping[str, click.Parameter]
    ) -> tuple[Any, ParameterSource]:
        value, source = super().consume_value(ctx, opts)
        if source is ParameterSource.COMMANDLINE and not (self.is_flag or self._dashes):
            known = {name for param in ctx.command.params for name in param.opts if name.startswith("--")}
            for said in value if isinstance(value, list | tuple) else (value,):
                if said in known:
                    raise click.BadOptionUsage(max(self.opts, key=len), "needs a value", ctx)
        return value, source


class WordedArgument(click.Argument):
    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        return self.make_metavar(ctx), session_of(ctx).say(f"cli.argument.{self.name}")


def option(*names: str, **rest: Any) -> Callable[[F], F]:
    return click.option(*names, cls=WordedOption, **rest)


def argument(name: str, **rest: Any) -> Callable[[F], F]:
    return click.argument(name, cls=WordedArgument, **rest)


def json_option() -> Callable[[F], F]:
    return option("--json", "as_json", is_flag=True, words="json")


def place_options(names: Sequence[str] = ("data", "profile")) -> list[click.Parameter]:
    """Which server is meant: good before and behind the name of a command."""
    options: dict[str, click.Parameter] = {
        "data": WordedOption(
            ["--data"],
            metavar="FOLDER",
            type=click.Path(path_type=Path),
            expose_value=False,
            callback=_set_data,
        ),
        "profile": WordedOption(["--profile"], metavar="NAME", expose_value=False, callback=_set_profile),
    }
    return [options[name] for name in names]


def _set_data(context: click.Context, _: click.Parameter, value: Path | None) -> None:
    if value is not None:
        session_of(context).data = value


def _set_profile(context: click.Context, _: click.Parameter, value: str | None) -> None:
    if value is not None:
        session_of(context).profile = value


class _Worded(click.Command):
    """What commands and groups have in common."""

    context_class = WordedContext

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as fault:
            fault.ctx = fault.ctx or ctx
            raise

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = session_of(ctx).say("cli.option.help")
        return option

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, session_of(ctx).say("cli.heading.usage") + " ")

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        session = session_of(ctx)
        for kind in ("help", "about"):
            key = f"cli.{kind}.{key_of(ctx)}"
            if kind == "help" or knows(key):
                formatter.write_paragraph()
                formatter.write_text(session.say(key))

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        found = [param for param in self.get_params(ctx) if isinstance(param, WordedArgument)]
        if found:
            with formatter.section(session_of(ctx).say("cli.heading.arguments")):
                formatter.write_dl([param.get_help_record(ctx) for param in found])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        with formatter.section(session_of(ctx).say("cli.heading.options")):
            formatter.write_dl([record for param in options if (record := param.get_help_record(ctx))])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        session = session_of(ctx)
        with formatter.section(session.say("cli.heading.examples")):
            for line in session.say(f"cli.examples.{key_of(ctx)}").split("\n"):
                formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


class WordedCommand(_Worded):
    """Takes `--data` and `--profile` beside its own options, unless `places` says otherwise."""

    def __init__(self, *args: Any, places: Sequence[str] = ("data", "profile"), **rest: Any) -> None:
        super().__init__(*args, **rest)
        self.params.extend(place_options(places))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        extra = super().parse_args(ctx, args)
        if extra and not ctx.resilient_parsing:
            raise click.UsageError(session_of(ctx).say("cli.usage.too_many", words=" ".join(extra)), ctx)
        return extra


class WordedGroup(_Worded, click.Group):
    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        _Worded.format_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        session = session_of(ctx)
        with formatter.section(session.say("cli.heading.commands")):
            names = self.list_commands(ctx)
            formatter.write_dl([(name, session.say(f"cli.help.{key_of(ctx)}.{name}")) for name in names])


def key_of(context: click.Context) -> str:
    """`danlu defaults set` is worded under `defaults.set`; `danlu` itself under `danlu`."""
    return ".".join(context.command_path.split()[1:]) or "danlu"
