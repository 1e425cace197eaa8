"""What a job is called whose owner gave it no name. Every user reads it, so it is the script or the program
that runs and never anything that may be a secret: no variable, no option, no other argument. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from danlu.wire.shell_words import simple_commands

LONGEST = 60
_DEEPEST = 4
"""How many commands within commands (`sh -c`) are looked into."""
_READ = 20_000
"""How much of a script is looked at."""
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(\[[^]]*\])?\+?=")
_SCRIPT = re.compile(r"[^\s=:@]+\.(py|sh|bash|zsh|pl|r|jl|rb|js|lua|ipynb|pbs|slurm|sbatch)", re.IGNORECASE)
_MODULE = re.compile(r"[A-Za-z_][\w.]*")
_PREPARING = frozenset(
    {
        *("cd", "pushd", "popd", "export", "set", "unset", "source", ".", "ulimit", "umask", "module", "ml"),
        *("declare", "typeset", "local", "readonly", "shopt", "trap", "alias", "eval", "conda", "mamba"),
        *("micromamba", "wait", "sleep", "mkdir", "test", "[", "[[", "true", ":"),
    }
)
"""Commands that only prepare for another; where something follows, that gives the name."""
_KEYWORDS = frozenset(
    ("if", "then", "else", "elif", "while", "until", "do", "!", "{", "}", "fi", "done", "esac")
)
_HEADS = frozenset(["for", "case", "select", "function"])
"""Words behind which no command stands."""
_WRAPPERS: dict[str, tuple[str, str, int]] = {
    # Options that take a value, options that take none, and the words before the command.
    "env": ("-u --unset -C --chdir", "-i -0 - --ignore-environment", 0),
    "nice": ("-n --adjustment", "", 0),
    "ionice": ("-c -n --class --classdata", "-t", 0),
    "nohup": ("", "", 0),
    "exec": ("-a", "-c -l", 0),
    "command": ("", "-p", 0),
    "setsid": ("", "-c -f -w --fork --wait --ctty", 0),
    "stdbuf": ("-i -o -e", "", 0),
    "time": ("-f -o --format --output", "-p -v -a", 0),
    "unbuffer": ("", "-p", 0),
    "timeout": ("-s -k --signal --kill-after", "-v --foreground --preserve-status --verbose", 1),
    "taskset": ("", "-c -a --cpu-list", 1),
    "numactl": ("-N -m -C -i -p --cpunodebind --membind --physcpubind --interleave", "-l --localalloc", 0),
    "sudo": ("-u -g --user --group", "-E -n -H --preserve-env", 0),
    "mpirun": ("-n -np -N -c -x -H --host --hostfile -hostfile --map-by --bind-to", "--allow-run-as-root", 0),
    "mpiexec": ("-n -np -N -c -x -H --host --hostfile -hostfile -f", "--allow-run-as-root", 0),
    "srun": ("-n -N -c -p -J -t -w", "-l -u --exclusive", 0),
}
_SHELLS = frozenset(["sh", "bash", "dash", "zsh", "ksh", "fish"])
_INTERPRETER = re.compile(
    r"(python|pypy|ipython|julia|ruby|perl|node|lua)[\d.]*|rscript|torchrun|deepspeed|accelerate|uv|poetry|papermill",
    re.IGNORECASE,
)


def default_name(command: str) -> str:
    """A short name for a command line or for the text of a script."""
    if command.startswith("#!") and (interpreter := _foreign_interpreter(command)):
        return _shown(interpreter) or "script"
    name = next(_names(command[:_READ], _DEEPEST), None)
    return name or ("script" if "\n" in command else "job")


def _foreign_interpreter(script: str) -> str | None:
    """What a script is written for, unless that is a shell."""
    words = script[2:].split("\n", 1)[0].split()
    if words and _base(words[0]) == "env":
        words = [word for word in words[1:] if not word.startswith("-") and not _ASSIGNMENT.match(word)]
    program = _base(words[0]) if words else ""
    return program if program and program not in _SHELLS else None


def _names(command: str, depth: int) -> Iterator[str]:
    """Of its commands in their order; those that prepare for another come last."""
    preparing: str | None = None
    for words in simple_commands(command):
        program = _strip(words)
        if not program or program[0] in _HEADS:
            continue
        base = _base(program[0])
        if base in _PREPARING:
            preparing = preparing or _shown(base)
        elif name := _name_of(base, program[1:], depth):
            yield name
    if preparing:
        yield preparing


def _strip(words: Sequence[str]) -> Sequence[str]:
    """From the program on: without the variables before it and what merely starts it."""
    while words:
        base = _base(words[0])
        if _ASSIGNMENT.match(words[0]) or words[0] in _KEYWORDS:
            words = words[1:]
        elif base in _WRAPPERS:
            inner = _behind_wrapper(words[1:], *_WRAPPERS[base])
            if not inner:
                return words[:1]
            words = inner
        else:
            break
    return words


def _behind_wrapper(words: Sequence[str], valued: str, plain: str, before: int) -> Sequence[str]:
    """The command that a wrapper starts; nothing where an option of it is not known, whose value could be
    taken for the command."""
    with_value, alone = valued.split(), plain.split()
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            at += 1
            break
        if not word.startswith("-"):
            if not _ASSIGNMENT.match(word):
                break
            at += 1
        elif word in with_value:
            at += 2
        elif word in alone or (word.startswith("--") and "=" in word) or _is_glued(word, with_value):
            at += 1
        else:
            return ()
    return words[at + before :]


def _is_glued(word: str, with_value: Sequence[str]) -> bool:
    """An option and its value in one word: `-n10`, `-oL`, `-10`."""
    return word[1:].isdigit() or (word[:2] in with_value and not word.startswith("--"))


def _name_of(program: str, arguments: Sequence[str], depth: int) -> str:
    if program in _SHELLS:
        return _run_by_shell(arguments, depth) or _shown(program)
    if _INTERPRETER.fullmatch(program) or program.startswith("$"):
        return _run_by_interpreter(arguments) or _shown(program)
    return _shown(program)


def _run_by_shell(arguments: Sequence[str], depth: int) -> str | None:
    for at, word in enumerate(arguments):
        if re.fullmatch(r"-[a-z]*c[a-z]*", word):
            inner = next((each for each in arguments[at + 1 :] if not each.startswith("-")), "")
            return next(_names(inner, depth - 1), None) if depth else None
        if _SCRIPT.fullmatch(word) and not word.startswith("-"):
            return _shown(_base(word))
    return None


def _run_by_interpreter(arguments: Sequence[str]) -> str | None:
    """The first script among the words, or the module. Words of code are not looked into."""
    for at, word in enumerate(arguments):
        if word == "-m" and at + 1 < len(arguments):
            module = arguments[at + 1]
            return _shown(module) if _MODULE.fullmatch(module) else None
        if re.fullmatch(r"-[A-Za-z]*[ce]|--eval|--execute", word):
            return None
        if not word.startswith("-") and _SCRIPT.fullmatch(word):
            return _shown(_base(word))
    return None


def _base(word: str) -> str:
    return PurePosixPath(word).name


def _shown(name: str) -> str:
    return "".join(char for char in name if char.isprintable())[:LONGEST].strip()
