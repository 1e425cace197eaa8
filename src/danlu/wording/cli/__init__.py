"""What the command line says.

`cli.help.NAME` is a command's one line, `cli.about.NAME` what else is worth knowing, `cli.examples.NAME`
how it is used; `KEY.hint` is the remedy for what `KEY` refuses. What is said of the fields of a job comes
from their table.
"""

from __future__ import annotations

from danlu.wire.job_fields import FIELDS, OPTIONS
from danlu.wording.cli import (
    answers,
    audit,
    headings,
    job_commands,
    node_commands,
    notices,
    options,
    people,
    refusals,
    server_commands,
    states,
    tables,
)

MESSAGES: dict[str, tuple[str, str]] = {
    **headings.MESSAGES,
    **job_commands.MESSAGES,
    **node_commands.MESSAGES,
    **server_commands.MESSAGES,
    **{f"cli.option.{name}": field.help for name, field in OPTIONS.items()},
    **{f"cli.label.{name}": field.label for name, field in FIELDS.items()},
    **options.MESSAGES,
    **refusals.MESSAGES,
    **states.MESSAGES,
    **tables.MESSAGES,
    **answers.MESSAGES,
    **audit.MESSAGES,
    **people.MESSAGES,
    **notices.MESSAGES,
}
