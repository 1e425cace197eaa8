"""The command of a task as its launcher starts it."""

from __future__ import annotations

import os
import re
import shlex

from danlu.agent.keeper.spec import GangSpec
from danlu.agent.keeper.task_paths import program_path
from danlu.agent.keeper.wrapper.gang import port_of, processes_on


def _read_program(name: str) -> str:
    """At once: the package may be replaced while the keeper runs."""
    with open(f"{os.path.dirname(os.path.abspath(__file__))}/programs/{name}.py") as file:
        return file.read()


_PROGRAMS = {"mpi": _read_program("remote_start"), "ray": _read_program("ray_cluster")}

_ASSIGNMENTS = r"((?:[A-Za-z_]\w*=[^\s'\"\\$`]*\s+)*)"
_PYTHON_LINE = re.compile(
    _ASSIGNMENTS + r"([\w@%+:,./~-]*\bpython[\d.]*)\s+(?:-u\s+)?((?:-m\s+)?[^\s-].*)", re.ASCII
)
_SCRIPT_LINE = re.compile(_ASSIGNMENTS + r"([^\s=]+\.py(?:\s.*)?)", re.ASCII)
_TORCHRUN_LINE = re.compile(
    _ASSIGNMENTS + r"(?:\S*\btorchrun|\S*\bpython[\d.]*\s+-m\s+torch\.distributed\.(?:run|launch))(?:\s.*)?"
)
_OF_THE_SHELL = re.compile(r"[;&|<>()`#]")
"""What makes a line more than one command."""


def under_launcher(
    argv: list[str], gang: GangSpec, rank: int, shell: str, python: str, script_path: str
) -> list[str]:
    """What to execute on the node of this rank instead of the command itself (`argv`)."""
    program = [python, program_path(script_path)]
    members = gang["members"]
    match gang["launcher"]:
        case "torchrun":
            return _under_torchrun(argv, gang, rank, shell, python)
        case "mpi" if rank > 0:
            hold_at = port_of(gang, rank, gang["second_port"])
            return [shell, "-c", 'exec "$@"', shell, *program, "hold", members[rank]["address"], str(hold_at)]
        case "ray":
            head = members[0]["address"]
            common = [head, str(gang["port"]), members[rank]["address"], str(members[rank]["gpus"])]
            work = ["work"] if rank else ["lead", str(gang["second_port"]), str(len(members))]
            # Through a shell, which finds the program as it would find the command.
            return [shell, "-c", 'exec "$@"', shell, *program, *work, *common, *([] if rank else argv)]
    return argv


def program_of(gang: GangSpec) -> str | None:
    return _PROGRAMS.get(gang["launcher"])


def _under_torchrun(argv: list[str], gang: GangSpec, rank: int, shell: str, python: str) -> list[str]:
    """What came over the network is a word of its own for the shell, or quoted within its owner's line."""
    members = gang["members"]
    words = [
        *("-m", "torch.distributed.run", "--nnodes", str(len(members))),
        *("--nproc-per-node", str(processes_on(gang, rank)), "--node-rank", str(rank)),
        *("--master-addr", members[0]["address"], "--master-port", str(gang["port"])),
        *("--local-addr", members[rank]["address"]),
    ]
    whole = [shell, "-c", 'exec "$@"', shell, python, *words, "--no-python", *argv]
    if argv[:2] != [shell, "-c"]:
        return whole
    line, run = argv[2], shlex.join(words)
    if not _OF_THE_SHELL.search(line):
        if _TORCHRUN_LINE.fullmatch(line):
            # It finds all it needs in the variables.
            return argv
        if found := _PYTHON_LINE.fullmatch(line):
            assignments, own_python, rest = found.groups()
            return [shell, "-c", f"{assignments}{own_python} {run} {rest}"]
        if found := _SCRIPT_LINE.fullmatch(line):
            assignments, rest = found.groups()
            return [shell, "-c", f"{assignments}{python} {run} {rest}"]
    return whole
