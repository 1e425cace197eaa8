"""Nodes and GPUs as the wire shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from danlu.api.views.findings import show_findings
from danlu.core.holding import Holding
from danlu.core.job_id import job_of
from danlu.core.nodes.doctor import find_unfit
from danlu.core.nodes.node import Gpu, GpuProcess, GpuReading, Node, NodeState, is_foreign_busy
from danlu.core.nodes.readings import MachineReading
from danlu.wire.nodes.node import (
    DiskUsage,
    GpuProcessRow,
    GpuReadingRow,
    GpuRow,
    GpuState,
    NodeReadingRow,
    NodeRow,
    NodeUsage,
)
from danlu.wording.catalogue import Language, say
from danlu.wording.sentences import (
    describe_unfit,
)


def show_node(
    language: Language,
    node: Node,
    holdings: Sequence[Holding],
    readings: Mapping[int, GpuReading],
    machine: MachineReading | None,
) -> NodeRow:
    here = [holding for holding in holdings if holding.allocation.node == node.name]
    gpus = [
        _show_gpu(
            node,
            gpu,
            [holding for holding in here if gpu.index in holding.allocation.gpu_ids],
            readings.get(gpu.index),
        )
        for gpu in node.facts.gpus
    ]
    return NodeRow(
        name=node.name,
        state=node.state,
        since=node.since,
        drained=node.drained,
        simulated=node.facts.simulated,
        runs_as_root=node.facts.runs_as_root,
        cpus=node.facts.cpus,
        cpus_used=sum(holding.allocation.cpus for holding in here),
        memory_mb=node.facts.memory_mb,
        memory_used_mb=sum(holding.allocation.memory_mb for holding in here),
        gpus=gpus,
        jobs=sorted({job_of(holding.job_id) for holding in here}),
        device_guard=node.facts.device_guard,
        cpu_guard=node.facts.cpu_guard,
        memory_guard=node.facts.memory_guard,
        usage=_show_usage(node, machine),
        role=node.role,
        version=node.facts.version,
        address=node.facts.address,
        quarantine=_show_quarantine(language, node),
        out_of_service=_show_out_of_service(language, node),
        findings=show_findings(node.findings, language),
    )


def _show_quarantine(language: Language, node: Node) -> str:
    if not node.quarantine:
        return ""
    return say(language, "reasons.quarantine", node=node.name, times=len(node.quarantine.split(",")))


def _show_out_of_service(language: Language, node: Node) -> str:
    unfit = find_unfit(node)
    if not unfit:
        return ""
    why = describe_unfit(language, (finding.check for finding in unfit))
    return say(language, "reasons.out_of_service", why=why)


def show_readings(
    node: Node,
    holdings: Sequence[Holding],
    readings: Mapping[int, GpuReading],
    machine: MachineReading | None,
) -> NodeReadingRow:
    """That part of a node which changes all the time."""
    held = {index for holding in holdings for index in holding.allocation.gpu_ids}
    return NodeReadingRow(
        name=node.name,
        usage=_show_usage(node, machine),
        gpus=[
            _show_reading(node, gpu, gpu.index in held, readings.get(gpu.index)) for gpu in node.facts.gpus
        ],
    )


def _show_reading(node: Node, gpu: Gpu, held: bool, reading: GpuReading | None) -> GpuReadingRow:
    tells = reading is not None and not reading.fault
    return GpuReadingRow(
        index=gpu.index,
        state=_state_of_gpu(node, gpu, held, reading),
        load=reading.load if reading else None,
        used_mb=reading.used_mb if reading and tells else None,
        temperature_c=reading.temperature_c if reading else None,
        power_w=reading.power_w if reading else None,
        processes=[_show_process(process) for process in reading.processes] if reading else [],
    )


def _show_usage(node: Node, machine: MachineReading | None) -> NodeUsage | None:
    if machine is None or node.state is NodeState.LOST:
        return None
    return NodeUsage(
        cpu_percent=round(machine.cpu_percent, 1),
        load_1m=machine.load_1m,
        memory_used_mb=machine.memory_used_mb,
        memory_total_mb=machine.memory_total_mb,
        network_in_bytes_s=round(machine.network_in_bytes_s, 1),
        network_out_bytes_s=round(machine.network_out_bytes_s, 1),
        disks=[
            DiskUsage(path=disk.path, used_bytes=disk.used_bytes, total_bytes=disk.total_bytes)
            for disk in machine.disks
        ],
    )


def _show_gpu(node: Node, gpu: Gpu, holders: Sequence[Holding], reading: GpuReading | None) -> GpuRow:
    tells = reading is not None and not reading.fault
    return GpuRow(
        node=node.name,
        index=gpu.index,
        uuid=gpu.uuid,
        name=gpu.name,
        memory_mb=gpu.memory_mb,
        drained=gpu.drained,
        job=job_of(holders[0].job_id) if holders else None,
        user=holders[0].owner if holders else None,
        state=_state_of_gpu(node, gpu, bool(holders), reading),
        jobs=[job_of(holding.job_id) for holding in holders],
        slots=gpu.slots,
        managed=gpu.managed,
        fault=gpu.fault,
        used_mb=reading.used_mb if reading and tells else None,
        load=reading.load if reading else None,
        temperature_c=reading.temperature_c if reading else None,
        power_w=reading.power_w if reading else None,
        power_limit_w=reading.power_limit_w if reading else None,
        processes=[_show_process(process) for process in reading.processes] if reading else [],
    )


def _state_of_gpu(node: Node, gpu: Gpu, held: bool, reading: GpuReading | None) -> GpuState:
    """The one thing about it that a person wants to know first."""
    if node.state is NodeState.LOST:
        return "lost"
    if gpu.fault:
        return "faulty"
    if held:
        return "used"
    if not gpu.managed:
        return "unmanaged"
    if node.drained or node.quarantine or gpu.drained or find_unfit(node):
        return "drained"
    return "foreign" if reading is not None and is_foreign_busy(reading) else "free"


def _show_process(process: GpuProcess) -> GpuProcessRow:
    return GpuProcessRow(
        pid=process.pid,
        user=process.user,
        command=process.command,
        memory_mb=process.memory_mb,
        job=job_of(process.job_id) if process.job_id is not None else None,
        graphics=process.graphics,
    )
