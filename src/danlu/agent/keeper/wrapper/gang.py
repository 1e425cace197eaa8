"""What the tasks of a gang are told of each other, in the words of each framework. Pure."""

from __future__ import annotations

import json

from danlu.agent.keeper.spec import GangSpec
from danlu.agent.keeper.task_paths import hosts_path, machines_path, program_path

_ONE_PROCESS_PER_GPU = ("torchrun", "mpi")


def gang_variables(
    gang: GangSpec, rank: int, script_path: str, *, has_secret: bool = False
) -> dict[str, str]:
    """What all of them get, and what this launcher wants; its owner may say otherwise."""
    variables = {
        "NODE_RANK": str(rank),
        "NNODES": str(len(gang["members"])),
        "WORLD_SIZE": str(sum(processes_on(gang, each) for each in range(len(gang["members"])))),
        "MASTER_ADDR": gang["members"][0]["address"],
        "MASTER_PORT": str(gang["port"]),
    }
    match gang["launcher"]:
        case "plain":
            # One process on each node: what torch.distributed and others ask for.
            return variables | {"RANK": str(rank), "LOCAL_RANK": "0"}
        case "torchrun":
            return variables | _for_torchrun(gang, rank)
        case "tensorflow":
            return variables | {"TF_CONFIG": _tf_config(gang, rank)}
        case "jax":
            return variables | _for_jax(gang, rank)
        case "mpi":
            return variables | _for_mpi(script_path, has_secret=has_secret)
        case "ray":
            return variables | {"RAY_ADDRESS": master(gang)}
    return variables


def processes_on(gang: GangSpec, rank: int) -> int:
    """How many processes its launcher starts on the node of this rank."""
    return max(gang["members"][rank]["gpus"], 1) if gang["launcher"] in _ONE_PROCESS_PER_GPU else 1


def master(gang: GangSpec) -> str:
    return at(gang["members"][0]["address"], gang["port"])


def at(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def port_of(gang: GangSpec, rank: int, first: int) -> int:
    """Where a rank listens when all of them do. Nodes that share an address (simulated ones) cannot share a
    port as well: they take the next ones."""
    members = gang["members"]
    return first + sum(1 for other in members[:rank] if other["address"] == members[rank]["address"])


def host_file(gang: GangSpec) -> str:
    """For Open MPI: one process for each GPU, or one."""
    return "".join(f"{member['address']} slots={max(member['gpus'], 1)}\n" for member in gang["members"])


def machine_file(gang: GangSpec) -> str:
    """For MPICH."""
    return "".join(f"{member['address']}:{max(member['gpus'], 1)}\n" for member in gang["members"])


def _for_torchrun(gang: GangSpec, rank: int) -> dict[str, str]:
    """`torchrun` takes from these whatever its command line does not say, so that a command which calls it
    itself needs no words for it."""
    return {
        "PET_NNODES": str(len(gang["members"])),
        "PET_NPROC_PER_NODE": str(processes_on(gang, rank)),
        "PET_NODE_RANK": str(rank),
        "PET_MASTER_ADDR": gang["members"][0]["address"],
        "PET_MASTER_PORT": str(gang["port"]),
        "PET_LOCAL_ADDR": gang["members"][rank]["address"],
        # With a store that launcher and workers share, a restart in place hangs every other time.
        "TORCH_DISABLE_SHARE_RDZV_TCP_STORE": "1",
    }


def _tf_config(gang: GangSpec, rank: int) -> str:
    workers = [
        at(member["address"], port_of(gang, each, gang["port"]))
        for each, member in enumerate(gang["members"])
    ]
    return json.dumps({"cluster": {"worker": workers}, "task": {"type": "worker", "index": rank}})


def _for_jax(gang: GangSpec, rank: int) -> dict[str, str]:
    """`jax.distributed.initialize()` takes the address from its own variable, but the numbers only from a
    cluster that it knows: those of Open MPI are all that it looks for there."""
    gpus = gang["members"][rank]["gpus"]
    return {
        "JAX_COORDINATOR_ADDRESS": master(gang),
        "JAX_NUM_PROCESSES": str(len(gang["members"])),
        "JAX_PROCESS_ID": str(rank),
        # Otherwise it would take one GPU, as the one process of several on this node.
        "JAX_LOCAL_DEVICE_IDS": ",".join(str(index) for index in range(max(gpus, 1))),
        "OMPI_MCA_orte_hnp_uri": f"0.0;tcp://{gang['members'][0]['address']}:{gang['port']}",
        "OMPI_COMM_WORLD_SIZE": str(len(gang["members"])),
        "OMPI_COMM_WORLD_RANK": str(rank),
        "OMPI_COMM_WORLD_LOCAL_RANK": "0",
    }


def _for_mpi(script_path: str, *, has_secret: bool) -> dict[str, str]:
    """So that `mpirun` finds the nodes by itself, and starts there what it needs without ssh."""
    hosts = hosts_path(script_path)
    variables = {
        "OMPI_MCA_orte_default_hostfile": hosts,
        "PRTE_MCA_prte_default_hostfile": hosts,
        "HYDRA_HOST_FILE": machines_path(script_path),
    }
    if has_secret:
        starter = program_path(script_path)
        variables |= {
            "OMPI_MCA_plm_rsh_agent": f"python3 {starter}",
            "PRTE_MCA_plm_ssh_agent": f"python3 {starter}",
            "HYDRA_LAUNCHER": "rsh",
            "HYDRA_LAUNCHER_EXEC": "python3",
            "HYDRA_LAUNCHER_EXTRA_ARGS": starter,
            # Each node has variables of its own: its GPUs, above all.
            "HYDRA_ENV": "none",
        }
    return variables
