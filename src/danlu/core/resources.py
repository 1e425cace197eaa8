"""What a job asks of a node, what it was given, and what it used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace


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


@dataclass(frozen=True, slots=True)
class Used:
    """None: it was not counted. Of several tasks, attempts or elements: CPU and GPU time of all together, the
    greatest peak of one task, and means in proportion to the GPU time."""

    cpu_s: float | None = None
    peak_memory_mb: int | None = None
    gpu_s: float | None = None
    """The time that it held GPUs, times their number."""
    gpu_load: float | None = None
    """In percent: the mean of its GPUs, and the most of one."""
    gpu_load_peak: int | None = None
    gpu_memory_mb: int | None = None
    """On each GPU: the mean, and the most on one."""
    gpu_memory_peak_mb: int | None = None

    @property
    def is_known(self) -> bool:
        return any(getattr(self, each.name) is not None for each in fields(self))


NOTHING = Used()


def add_up(parts: Iterable[Used]) -> Used:
    known = list(parts)
    memory_mb = _mean([(part.gpu_memory_mb, part.gpu_s) for part in known])
    return Used(
        _sum(part.cpu_s for part in known),
        _most(part.peak_memory_mb for part in known),
        _sum(part.gpu_s for part in known),
        _mean([(part.gpu_load, part.gpu_s) for part in known]),
        _most(part.gpu_load_peak for part in known),
        None if memory_mb is None else round(memory_mb),
        _most(part.gpu_memory_peak_mb for part in known),
    )


def _sum(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _most(values: Iterable[int | None]) -> int | None:
    return max((value for value in values if value is not None), default=None)


def _mean(weighed: list[tuple[float | None, float | None]]) -> float | None:
    known = [(value, weight) for value, weight in weighed if value is not None and weight]
    whole = sum(weight for _, weight in known)
    return sum(value * weight for value, weight in known) / whole if whole else None
