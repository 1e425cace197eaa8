"""What a job shall run, from the words behind the options."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from danlu.cli.refusals import Refused
from danlu.wire.default_name import default_name

LARGEST_SCRIPT = 256_000
SCRIPT_ENDINGS = (".sh", ".bash", ".zsh", ".py", ".pbs", ".slurm", ".sbatch", ".pl", ".r", ".jl")


@dataclass(frozen=True, slots=True)
class WhatToRun:
    """A command line or the text of a script (`arguments` are the script's), and a name for it."""

    command: str
    name: str
    arguments: list[str] = field(default_factory=list)


def what_to_run(words: Sequence[str], *, dashed: bool) -> WhatToRun | None:
    """None without any words. `dashed` words are a command, never a script. Raises Refused."""
    if not words:
        return None
    if not words[0]:
        raise Refused("cli.no_command")
    first, rest = words[0], list(words[1:])
    if first == "-" and not dashed:
        return WhatToRun(_text(sys.stdin.buffer.read(LARGEST_SCRIPT + 1), "-"), "stdin", rest)
    if not dashed:
        if _is_file(first):
            return _script(Path(first), rest)
        named = "/" in first or _looks_like_script(first) or first in (".", "..")
        if not _has_space(first) and named:
            raise Refused("cli.no_such_script", path=first)
    if not rest and _has_space(first):
        if not first.strip():
            raise Refused("cli.no_command")
        return WhatToRun(first, default_name(first))
    command = shlex.join(words)
    return WhatToRun(command, default_name(command))


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except OSError:
        # A whole command line is no good file name, and may be too long for one.
        return False


def _has_space(word: str) -> bool:
    return any(character.isspace() for character in word)


def _script(path: Path, arguments: list[str]) -> WhatToRun:
    with path.open("rb") as file:
        content = file.read(LARGEST_SCRIPT + 1)
    if b"\0" in content[:4096] and os.access(path, os.X_OK):
        return WhatToRun(shlex.join([str(path.absolute()), *arguments]), path.name)
    if path.suffix == ".py" and not content.startswith(b"#!"):
        return WhatToRun(shlex.join(["python", str(path.absolute()), *arguments]), path.name)
    return WhatToRun(_text(content, str(path)), path.name, arguments)


def _text(content: bytes, path: str) -> str:
    if len(content) > LARGEST_SCRIPT:
        raise Refused("cli.script_too_large", path=path, limit_kb=LARGEST_SCRIPT // 1000)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise Refused("cli.script_not_text", path=path)
    if not text.strip():
        raise Refused("cli.script_empty", path=path)
    # What ends a line is a script, also when it has but one: its arguments are $1, $2, …
    return text if text.endswith("\n") else f"{text}\n"


def _looks_like_script(word: str) -> bool:
    return word.lower().endswith(SCRIPT_ENDINGS) and not _has_space(word)
