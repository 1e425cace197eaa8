"""What a task sees: its variables and its command line. Facts in, values out."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from danlu.agent.keeper.spec import Order, Spec, marker
from danlu.agent.keeper.task_paths import hosts_path, secret_path, staged_path
from danlu.agent.keeper.wrapper.environments import Environment
from danlu.agent.keeper.wrapper.gang import gang_variables, port_of
from danlu.agent.keeper.wrapper.script import Script, joined, line_of
from danlu.agent.keeper.wrapper.shell_free import find_program

DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
TASKS_ABOVE = 2**32
"""An element of an array has its index, counted from 1, above these bits of the id (see `core.job_id`)."""
_INHERITED = ("PATH", "LANG", "TZ")
_PROTECTED = ("CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES")


class Person(NamedTuple):
    """Whose home and name a task gets."""

    name: str
    home: str
    shell: str


def build_variables(
    spec: Spec, order: Order, person: Person, inherited: Mapping[str, str], environment: Environment | None
) -> dict[str, str]:
    """The whole environment of the user's command. Nothing of ours leaks: it starts from an allow-list.

    `inherited` is the keeper's own environment when the task runs as the keeper's user, else empty.
    """
    gpu_ids = joined(order["gpu_ids"])
    visible = ",".join(order.get("gpu_names") or ()) or gpu_ids
    variables = {"PATH": DEFAULT_PATH}
    variables |= {name: value for name, value in inherited.items() if may_inherit(name)}
    variables |= {
        "HOME": person.home,
        "USER": person.name,
        "LOGNAME": person.name,
        "SHELL": person.shell,
        "PYTHONUNBUFFERED": "1",
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
    }
    gang = order.get("gang")
    if gang is not None:
        has_secret = bool(order.get("job_secret"))
        variables |= gang_variables(gang, rank_of(order), spec["script_path"], has_secret=has_secret)
    variables |= {name: value for name, value in order["variables"].items() if not _is_protected(name)}
    if environment is not None:
        variables = activate(variables, environment)
    packed, attempt, rank = order["key"].split("-")
    index, job = divmod(int(packed), TASKS_ABOVE)
    if index:
        variables["DANLU_ARRAY_INDEX"] = str(index - 1)
    marker_name, _, marker_value = marker(spec).partition("=")
    return (
        variables
        | _own_variables(spec, order)
        | {
            "CUDA_VISIBLE_DEVICES": visible,
            "NVIDIA_VISIBLE_DEVICES": visible or "void",
            "DANLU_JOB_ID": str(job),
            "DANLU_ATTEMPT": attempt,
            "DANLU_RANK": rank,
            "DANLU_NODE": order["node"],
            "DANLU_JOB_NAME": order["job_name"],
            "DANLU_USER": order["user"],
            "DANLU_GPU_IDS": gpu_ids,
            marker_name: marker_value,
        }
    )


def _own_variables(spec: Spec, order: Order) -> dict[str, str]:
    """Those of ours that only some tasks have."""
    variables = {}
    gang = order.get("gang")
    if gang is not None:
        members = gang["members"]
        variables["DANLU_NODES"] = ",".join(member["node"] for member in members)
        variables["DANLU_NODE_ADDRESSES"] = ",".join(member["address"] for member in members)
        variables["DANLU_HOSTFILE"] = hosts_path(spec["script_path"])
        ports = [port_of(gang, rank, gang["second_port"]) for rank in range(len(members))]
        variables["DANLU_START_PORTS"] = ",".join(str(port) for port in ports)
    if order.get("staging") is not None:
        variables["DANLU_STAGED"] = staged_path(spec["script_path"])
    if checkpoint_dir := order.get("checkpoint_dir"):
        variables["DANLU_CHECKPOINT_DIR"] = checkpoint_dir
    if order.get("job_secret"):
        variables["DANLU_JOB_SECRET_FILE"] = secret_path(spec["script_path"])
    if server := order.get("server"):
        # One address: earlier versions of the SDK take all behind its `#` for the fingerprint.
        variables["DANLU_SERVER"] = server
    if servers := order.get("servers"):
        variables["DANLU_SERVERS"] = ",".join(servers)
    return variables


def rank_of(order: Order) -> int:
    return int(order["key"].rpartition("-")[2])


def find_python(variables: Mapping[str, str]) -> str:
    """What the task would call Python."""
    return next((name for name in ("python", "python3") if find_program(name, variables["PATH"])), "python3")


def activate(variables: Mapping[str, str], environment: Environment) -> dict[str, str]:
    """What `activate` would do to the variables."""
    changed = dict(variables)
    changed["PATH"] = f"{environment.prefix}/bin:{variables['PATH']}"
    if environment.kind == "venv":
        changed["VIRTUAL_ENV"] = environment.prefix
        changed.pop("PYTHONHOME", None)
    else:
        changed["CONDA_PREFIX"] = environment.prefix
        changed["CONDA_DEFAULT_ENV"] = environment.name
        changed["CONDA_SHLVL"] = "1"
    return changed


def build_argv(order: Order, shell: str, script: Script | None, script_path: str) -> list[str]:
    """What to exec. `script` (at `script_path`) stands for the command when that is one."""
    if script is None:
        return [shell, "-c", line_of(order)]
    if script.is_whole:
        return [shell, script_path]
    argv = [*_interpreter(script.text, shell), script_path, *order["arguments"]]
    if order["gpu_arg"] is not None and order["gpu_ids"]:
        argv += [*shlex.split(order["gpu_arg"]), joined(order["gpu_ids"])]
    return argv


def behind_sources(argv: list[str], shell: str, sourced: Sequence[str]) -> list[str]:
    """The same in a shell that has read these files first."""
    if not sourced:
        return argv
    sources = "".join(f". {shlex.quote(path)}\n" for path in sourced)
    return [shell, "-c", f'{sources}exec "$@"', shell, *argv]


def _interpreter(script: str, shell: str) -> list[str]:
    """What the kernel would start for this script. We start it: the script may lie on a noexec mount."""
    first, _, _ = script.partition("\n")
    if not first.startswith("#!"):
        return [shell]
    return first[2:].strip().split(None, 1) or [shell]


def may_inherit(name: str) -> bool:
    return name in _INHERITED or name.startswith("LC_")


def _is_protected(name: str) -> bool:
    return name in _PROTECTED or name.startswith("DANLU_")
