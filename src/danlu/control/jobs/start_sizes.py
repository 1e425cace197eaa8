"""What no process can be started with is refused when a job is handed in. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from danlu.agent.keeper.wrapper.shell_free import SHELL_WORDS
from danlu.core.errors import Invalid
from danlu.wire.jobs import JobFields

LARGEST_START_BYTES = 1_000_000
"""Of all words and variables together. The kernel takes a quarter of the stack, usually 2 MiB, and what the
node adds has to find room as well."""
LONGEST_WORD_BYTES = (128 << 10) - 1
"""Of one of them, as the kernel has it; what a request may have of arguments and variables is less."""
_BESIDE_WORD = 9
"""Its end, and where it is."""

_QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_OF_THE_SHELL = re.compile(r"[;&|<>()`$]")
"""With these the shell may do something else with a word than start a program with it."""


def find_oversize(fields: JobFields) -> Iterator[Invalid]:
    variables = fields.variables or {}
    parts = {
        "command": [fields.command or ""],
        "arguments": fields.arguments or [],
        "variables": [f"{name}={value}" for name, value in variables.items()],
    }
    sizes = {name: sum(_size(text) + _BESIDE_WORD for text in texts) for name, texts in parts.items()}
    if sum(sizes.values()) > LARGEST_START_BYTES:
        largest = max(sizes, key=lambda name: sizes[name])
        yield Invalid("start_too_large", field=largest, limit_kb=LARGEST_START_BYTES // 1000)
    elif sizes["command"] > LONGEST_WORD_BYTES and _has_endless_word((fields.command or "").strip()):
        yield Invalid("word_too_long", field="command", limit_kb=128)


def _has_endless_word(command: str) -> bool:
    """Whether it is one line that starts a program with a word that is too long. A script is a file, and for
    whatever a shell does itself there is no limit."""
    bare = _QUOTED.sub("", command)
    if "\n" in bare or command.startswith("#!") or _OF_THE_SHELL.search(bare):
        return False
    words = bare.split()
    if words and words[0] in SHELL_WORDS:
        return False
    return any(_size(word) > LONGEST_WORD_BYTES for word in (*words, *_QUOTED.findall(command)))


def _size(text: str) -> int:
    return len(text.encode(errors="replace"))
