"""Fills in the numbers that the owner of a job left to Danlu, from what the nodes have free now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cached_property

from sqlalchemy import Connection

from danlu.control.running.hardware import Hardware
from danlu.control.running.node_view import view_node
from danlu.core.errors import Invalid
from danlu.core.holding import Holding
from danlu.core.job import JobSpec
from danlu.core.nodes.node import GpuReading
from danlu.core.resources import Ask
from danlu.scheduling.auto import (
    AutoLimits,
    AutoWish,
    ChosenNumbers,
    MemoryTooLarge,
    choose,
    choose_for_later,
)
from danlu.scheduling.snapshot import NodeView
from danlu.store.jobs.board import read_holdings
from danlu.store.settings import read_general

Readings = Mapping[str, Mapping[int, GpuReading]]


class AutoNumbers:
    """For the jobs of one request: all of them see the same. On nodes that are `closed` nothing starts
    for the moment."""

    def __init__(
        self, connection: Connection, hardware: Hardware, readings: Readings, closed: Collection[str]
    ) -> None:
        self._connection = connection
        self._hardware = hardware
        self._readings = readings
        self._closed = closed
        self._found: dict[tuple[AutoWish, Ask, bool], ChosenNumbers | MemoryTooLarge] = {}

    def fill(self, spec: JobSpec) -> JobSpec:
        """The job with its numbers. Raises Invalid where nothing could hold what it needs, unless it waits
        for hardware that can."""
        auto = spec.auto
        if auto is None:
            return spec
        wish = AutoWish(auto.gpus, auto.nodes, auto.gpu_memory_mb or 0)
        chosen = self._find(wish, spec.ask, later=spec.wait_for_hardware)
        if isinstance(chosen, MemoryTooLarge):
            told = {"wanted_mb": auto.gpu_memory_mb, "most_mb": chosen.most_mb, "gpus": self._limits.gpus}
            code = "auto_too_large" if auto.nodes else "auto_too_large_for_node"
            raise Invalid(code, field="gpu_memory_mb", **told)
        filled = replace(spec, auto=replace(auto, reason=chosen.reason, node=chosen.node))
        if auto.gpus:
            filled = replace(filled, gpus=chosen.gpus, gpu_memory_mb=chosen.gpu_memory_mb or None)
        if auto.nodes:
            least = None if chosen.nodes_min == chosen.nodes else chosen.nodes_min
            filled = replace(filled, nodes=chosen.nodes, nodes_min=least)
        return filled

    def fill_again(self, spec: JobSpec) -> JobSpec:
        """A job that had its numbers, with new ones; with those it had where nothing could hold it now."""
        try:
            return self.fill(spec)
        except Invalid:
            return spec

    def _find(self, wish: AutoWish, ask: Ask, *, later: bool) -> ChosenNumbers | MemoryTooLarge:
        """Most jobs of a large request ask for the same."""
        asked = wish, ask, later
        if asked not in self._found:
            found = choose(wish, ask, self._views, self._limits)
            if later and isinstance(found, MemoryTooLarge):
                found = choose_for_later(wish, ask, self._views, self._limits)
            self._found[asked] = found
        return self._found[asked]

    @cached_property
    def _limits(self) -> AutoLimits:
        general = read_general(self._connection)
        return AutoLimits(general.auto_gpus, general.auto_nodes)

    @cached_property
    def _views(self) -> list[NodeView]:
        held: dict[str, list[Holding]] = defaultdict(list)
        for holding in read_holdings(self._connection):
            held[holding.allocation.node].append(holding)
        return [
            view_node(
                node,
                held.get(node.name, ()),
                self._readings.get(node.name, {}),
                closed=node.name in self._closed,
            )
            for node in self._hardware.nodes
        ]
