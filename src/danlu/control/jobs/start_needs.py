"""What of a job has to be there when it begins. Pure."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from danlu.agent.keeper.wrapper.script import LONGEST_LINE
from danlu.agent.keeper.wrapper.shell_free import SHELL_WORDS, matters_to_the_shell
from danlu.core.job import JobSpec

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_@%+:,./-]*", re.ASCII)
_SEPARATORS = "|&;()"
_BOTH = ("true", "false")
"""Programs that a shell needs none for."""


@dataclass(frozen=True, slots=True)
class StartNeeds:
    """`program` is None where only a shell could tell; `path` is the PATH that the job sets itself."""

    directory: str
    environment: str | None
    program: str | None
    path: str | None = None


def start_of(
    directory: str,
    environment: str | None,
    command: str,
    arguments: Sequence[str],
    variables: Mapping[str, str],
) -> StartNeeds:
    heeded = any(matters_to_the_shell(name) for name in variables)
    program = None if heeded else program_of(command, arguments)
    return StartNeeds(directory, environment, program, variables.get("PATH"))


def start_of_spec(spec: JobSpec) -> StartNeeds:
    return start_of(spec.directory, spec.environment, spec.command, spec.arguments, spec.variables)


def program_of(command: str, arguments: Sequence[str] = ()) -> str | None:
    """The first word of a command that is one program with its words. None: it is a script, or several
    commands, of which one may stand in for another, or something that a shell does itself."""
    line = command.strip()
    # To begin with, what is quick to see: a script is much longer than a line.
    if "\n" in line or line.startswith("#!") or len(line) > LONGEST_LINE:
        return None
    line = f"{line} {shlex.join(arguments)}".strip()
    try:
        words = list(shlex.shlex(line, posix=True, punctuation_chars=_SEPARATORS))
    except ValueError:
        return None
    name = line.split(None, 1)[0] if line else ""
    if any(set(word) <= set(_SEPARATORS) for word in words) or not _PLAIN_NAME.fullmatch(name):
        return None
    return None if name in SHELL_WORDS or name in _BOTH else name
