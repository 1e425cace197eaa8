"""Commands that need no shell: a line of plain words is started as bash would start it a little later.

Starting a shell costs more than all else that happens to a small task. Whatever might make a difference (a
word that bash knows itself, a variable that it heeds) takes a real one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

_PLAIN = re.compile(r"[A-Za-z0-9_@,./][A-Za-z0-9_@%+:,./-]*(?: +[A-Za-z0-9_@%+:,./=-]+)*", re.ASCII)
"""Words in which no shell sees more than their letters; the first is no option and no assignment."""

_WORDS = """
alias bg bind break builtin caller case cd chdir command compgen complete compopt continue coproc declare dirs
disown do done echo elif else enable esac eval exec exit export fc fg fi for function getopts hash help
history if in jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return select
set shift shopt source suspend test then time times trap type typeset ulimit umask unalias unset until
wait while .
"""
SHELL_WORDS = frozenset(_WORDS.split())
"""What a shell does itself, or otherwise than the program of that name."""

_DO_NOTHING = ("true", "false")
"""A shell does these itself as well; all alone, the system's programs are the same."""

_SYSTEM = ("/bin", "/usr/bin")
_HEEDED = frozenset({"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "BASH_COMPAT", "POSIXLY_CORRECT"})
_KEPT_UP = frozenset({"PWD", "OLDPWD", "SHLVL", "_"})
"""Variables that bash sets, depending on what they were."""

_FUNCTION = "BASH_FUNC_"


def without_shell(argv: Sequence[str], variables: Mapping[str, str]) -> list[str] | None:
    """The program, and the words to start it with, instead of a shell that would only do the same; None when
    it takes a shell."""
    if len(argv) != 3 or not argv[0].endswith("/bash") or argv[1] != "-c":
        return None
    if any(matters_to_the_shell(name) for name in variables):
        return None
    line = argv[2].strip(" ")
    if not _PLAIN.fullmatch(line):
        return None
    words = line.split()
    name = words[0]
    if name in SHELL_WORDS:
        return None
    program = name if "/" in name else find_program(name, variables.get("PATH", ""))
    if program is None or (name in _DO_NOTHING and not _is_usual(program, words)):
        return None
    return [program, *words]


def as_bash_would(variables: Mapping[str, str], program: str, directory: str) -> dict[str, str]:
    """The variables that bash would start the program with."""
    return {**variables, "PWD": directory, "SHLVL": "0", "_": program}


def matters_to_the_shell(name: str) -> bool:
    """Whether bash heeds a variable of this name, or sets it itself."""
    return name in _HEEDED or name in _KEPT_UP or name.startswith(_FUNCTION)


def _is_usual(program: str, words: Sequence[str]) -> bool:
    return len(words) == 1 and os.path.dirname(program) in _SYSTEM


def find_program(name: str, path: str) -> str | None:
    """Where a shell with this PATH finds it; None when there is none, or only the shell could tell."""
    for folder in path.split(":"):
        if not folder.startswith("/"):
            # Relative to wherever one is, or to a home: a shell knows.
            return None
        program = os.path.join(folder, name)
        if os.access(program, os.X_OK) and os.path.isfile(program):
            return program
    return None
