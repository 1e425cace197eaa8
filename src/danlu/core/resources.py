"""What a job asks of a node, and what it was given."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Ask:
    """The resources one task wants. Equal asks have equal chances: a pass tries each only once."""

    gpus: int = 0
    gpu_ids: tuple[int, ...] = ()
    cpus: int = 0
    memory_mb: int = 0
    node: str | None = None
    share: bool = False
    no_sharing: bool = False
    gpu_memory_mb: int = 0
    """On each of its GPUs. 0: nothing was said; one that shares then counts half the card."""
    nodes: int = 1
    """On so many nodes at most, each with all of the above; on `nodes_min` at least."""
    nodes_min: int = 1
    spread: bool = False
    only_nodes: tuple[str, ...] = ()
    exclude_nodes: tuple[str, ...] = ()
    gpu_model: str = ""
    stage: bool = False
    """Its node must be able to copy data to its own disk for it."""

    @property
    def all_gpus(self) -> int:
        """On all of its nodes together, if it gets as many as it would take."""
        return self.gpus * self.nodes

    @property
    def needs_free_gpus(self) -> bool:
        """Whether it waits for GPUs that no job holds; one that shares does not."""
        return self.gpus > 0 and not self.share


@dataclass(frozen=True, slots=True)
class Allocation:
    """The part of a node that one task holds until it ends."""

    node: str
    gpu_ids: tuple[int, ...] = ()
    cpus: int = 0
    memory_mb: int = 0
    share: bool = False
    no_sharing: bool = False
    gpu_memory_mb: int = 0
    """What it asked for on each of its GPUs."""

    def promised_mb(self, card_mb: int) -> int:
        """What it was promised on one of its GPUs: what it asked for; else half the card if it shares it, and
        nothing if it has it to itself."""
        if self.gpu_memory_mb or not self.share:
            return self.gpu_memory_mb
        return -(-card_mb // 2)


def make_ask(
    gpus: int = 0,
    gpu_ids: tuple[int, ...] = (),
    cpus: int | None = None,
    memory_mb: int | None = None,
    node: str | None = None,
    *,
    share: bool = False,
    no_sharing: bool = False,
    gpu_memory_mb: int | None = None,
    nodes: int = 1,
    nodes_min: int | None = None,
    spread: bool = False,
    only_nodes: tuple[str, ...] = (),
    exclude_nodes: tuple[str, ...] = (),
    gpu_model: str | None = None,
    stage: bool = False,
) -> Ask:
    """An ask with its gaps filled: exact ids raise the number, and a CPU-only job counts one CPU.

    A GPU job that names no CPUs counts none: its GPUs are what is scarce, and a machine with few
    cores and many GPUs must not leave GPUs idle for a number its owner did not ask for.
    """
    exact = tuple(sorted(set(gpu_ids)))
    wanted = max(gpus, len(exact))
    where = Ask(
        node=node,
        nodes=nodes,
        nodes_min=nodes if nodes_min is None else min(nodes_min, nodes),
        spread=spread,
        only_nodes=tuple(sorted(set(only_nodes))),
        exclude_nodes=tuple(sorted(set(exclude_nodes))),
        memory_mb=memory_mb or 0,
        stage=stage,
    )
    if not wanted:
        # At least one, or there would be no end to how many run at a time.
        return replace(where, cpus=max(cpus or 0, 1))
    return replace(
        where,
        gpus=wanted,
        gpu_ids=exact,
        cpus=cpus or 0,
        share=share,
        no_sharing=no_sharing and not share,
        gpu_memory_mb=gpu_memory_mb or 0,
        gpu_model=gpu_model or "",
    )
