"""Finding a Python environment by path or name. Runs with the account's rights: these are user paths."""

from __future__ import annotations

import os
from typing import NamedTuple

from danlu.agent.keeper.problem import SetupProblem

_CONDA_ROOTS = ("miniconda3", "anaconda3", "miniforge3", "mambaforge")
LAST_PARENTS = ("/opt/conda/envs", "/opt/miniconda3/envs")
"""What the machine has for all users; a user's own goes before."""
_LONGEST_LIST = 1 << 20


class Environment(NamedTuple):
    kind: str
    """"venv" or "conda"."""
    prefix: str
    name: str
    scripts: tuple[str, ...] = ()
    """What conda packages want sourced on activation, in order."""


def find_environment(wanted: str, home: str, roots: list[str]) -> Environment:
    """The environment that `wanted` (a path when it has a slash, else a name) means, or a SetupProblem."""
    if "/" in wanted:
        path = f"{home}/{wanted[2:]}" if wanted.startswith("~/") else wanted
        places = [os.path.abspath(path)]
        name = places[0]
    else:
        places = _places(wanted, home, roots)
        name = wanted
    for place in places:
        found = inspect_prefix(place, name)
        if found is not None:
            return found
    raise SetupProblem(
        "environment_missing", f"no venv or conda environment {wanted!r} at {', '.join(places)}"
    )


def _places(name: str, home: str, roots: list[str]) -> list[str]:
    if name in (".", ".."):
        return []
    places = [f"{parent}/{name}" for parent in first_parents(home, roots)]
    if name == "base":
        places += conda_bases(home)
    places += [prefix for prefix in conda_list(home) if os.path.basename(prefix) == name]
    places += [f"{parent}/{name}" for parent in LAST_PARENTS]
    return places


def first_parents(home: str, roots: list[str]) -> list[str]:
    """The folders whose entries are environments, in the order in which a name is looked for in them."""
    return [
        *roots,
        f"{home}/envs",
        f"{home}/.virtualenvs",
        f"{home}/.venvs",
        *[f"{root}/envs" for root in conda_bases(home)],
        f"{home}/.conda/envs",
    ]


def conda_bases(home: str) -> list[str]:
    """What may be meant by the name `base`."""
    return [f"{home}/{root}" for root in _CONDA_ROOTS]


def conda_list(home: str) -> list[str]:
    """The prefixes that conda itself has noted down for this user."""
    try:
        with open(f"{home}/.conda/environments.txt", errors="replace") as file:
            return [line.strip().rstrip("/") for line in file.read(_LONGEST_LIST).splitlines()]
    except OSError:
        return []


def inspect_prefix(prefix: str, name: str) -> Environment | None:
    """The environment at a path, if there is one."""
    if os.path.isfile(f"{prefix}/pyvenv.cfg"):
        return Environment("venv", prefix, name)
    if os.path.isdir(f"{prefix}/conda-meta"):
        return Environment("conda", prefix, name, _activation_scripts(prefix))
    return None


def _activation_scripts(prefix: str) -> tuple[str, ...]:
    folder = f"{prefix}/etc/conda/activate.d"
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".sh"))
    except OSError:
        return ()
    return tuple(f"{folder}/{name}" for name in names)
