"""The nodes that an admin wrote into a file, and what follows from a change of it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from danlu.core.nodes.node import Finding, FindingLevel, Node, NodeFacts

RETRY_S = 600.0
"""After a failure, while the file stays as it is."""
CHECK = "node_file"


@dataclass(frozen=True, slots=True)
class Listed:
    """One node of the file. What is said of its GPUs is only compared with what is there."""

    name: str
    host: str
    user: str
    gpu_count: int | None = None
    gpu_models: tuple[str, ...] = ()
    port: int | None = None
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """What earlier looks at the file led to: the names that stood in it, and those that were drained because
    they no longer did."""

    listed: frozenset[str] = frozenset()
    drained: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Consequences:
    install: tuple[Listed, ...] = ()
    drain: tuple[str, ...] = ()
    undrain: tuple[str, ...] = ()
    remember: Remembered = field(default_factory=Remembered)


def consequences(
    listed: Sequence[Listed],
    names: Collection[str],
    remembered: Remembered,
    nodes: Mapping[str, Node],
    members: Collection[str],
    tried: Mapping[Listed, float],
    now: float,
) -> Consequences:
    """What the file asks for now. `names` are all that stand in it, also those that cannot be used as they
    are; `tried` when each was last tried to be installed. Nothing ever ends a job."""
    install = tuple(
        each for each in listed if each.name not in members and now - tried.get(each, -RETRY_S) >= RETRY_S
    )
    gone = remembered.listed - set(names)
    drain = tuple(sorted(name for name in gone if name in nodes and not nodes[name].drained))
    back = remembered.drained & set(names)
    undrain = tuple(sorted(name for name in back if name in nodes and nodes[name].drained))
    drained = (remembered.drained | set(drain)) - back
    return Consequences(install, drain, undrain, Remembered(frozenset(names), drained))


def compare_gpus(said: Listed, facts: NodeFacts) -> list[Finding]:
    """Where what the file says of a node's GPUs is not what the node has."""
    if said.gpu_count is not None and said.gpu_count != len(facts.gpus):
        told: dict[str, str | int | float] = {"said": said.gpu_count, "found": len(facts.gpus)}
        return [Finding(CHECK, FindingLevel.WARNING, "gpu_count", told)]
    found = [_plain(gpu.name) for gpu in facts.gpus]
    for model in said.gpu_models:
        match = next((name for name in found if _plain(model) in name), None)
        if match is None:
            there = ", ".join(gpu.name for gpu in facts.gpus) or "-"
            told = {"said": ", ".join(said.gpu_models), "found": there}
            return [Finding(CHECK, FindingLevel.WARNING, "gpu_info", told)]
        found.remove(match)
    return []


def _plain(name: str) -> str:
    """`RTX3090` and `NVIDIA GeForce RTX 3090` mean the same card."""
    return "".join(character for character in name.lower() if character.isalnum())
