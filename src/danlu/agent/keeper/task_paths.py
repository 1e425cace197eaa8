"""The names of the files that a task may have beside its script, for its account to read."""

from __future__ import annotations


def hosts_path(script_path: str) -> str:
    """The nodes of a gang, as Open MPI reads them."""
    return f"{script_path}.hosts"


def machines_path(script_path: str) -> str:
    """The same as MPICH reads them."""
    return f"{script_path}.machines"


def program_path(script_path: str) -> str:
    """What its launcher needs beside the command."""
    return f"{script_path}.launcher"


def staged_path(script_path: str) -> str:
    """The folder in which it finds what was copied to this machine for it."""
    return f"{script_path}.staged"


def secret_path(script_path: str) -> str:
    return f"{script_path}.secret"
