"""Brings into a backup what lies on the other nodes of a cluster: logs, and what functions returned."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

from danlu.cluster.server.agents import Agents, NodeUnreachable
from danlu.control.calls.call_files import result_path
from danlu.control.running.outputs import log_path
from danlu.core.task import LogChunk
from danlu.store.archive.backup import LARGEST_HOLE, LeftOut, Packer, is_log
from danlu.store.jobs.task_files import TaskFiles

log = logging.getLogger(__name__)

PIECE = 1 << 20


def names_of(task: TaskFiles) -> list[str]:
    """The files of a task, relative to the data folder of its node."""
    place = task.job_id, task.attempt, task.rank
    logs = [log_path(Path("logs"), *place)] if task.has_log else []
    return [*logs, result_path(Path("results"), *place)]


async def pack_node_files(
    packer: Packer, agents: Agents, data: Path, tasks: Iterable[TaskFiles]
) -> AsyncIterator[bytes]:
    """What is not in this server's own data folder. A node that does not answer is not asked again: what lies
    there is named in the manifest."""
    silent: set[str] = set()
    for task in tasks:
        for name in names_of(task):
            if (data / name).exists():
                continue
            if task.node in silent:
                # Whether it has one of these is not known: most tasks are no functions.
                if is_log(name):
                    packer.manifest.left_out.append(LeftOut(name, task.node, "unreachable"))
                continue
            try:
                async for piece in _pack_file(packer, agents, task.node, name):
                    yield piece
            except NodeUnreachable as problem:
                log.warning("a backup goes on without node %s: %s", task.node, problem)
                silent.add(task.node)
                packer.manifest.left_out.append(LeftOut(name, task.node, "unreachable"))
            except OSError as problem:
                log.warning("a backup goes on without %s of node %s: %s", name, task.node, problem)
                packer.manifest.left_out.append(LeftOut(name, task.node, "unreadable"))


async def _pack_file(packer: Packer, agents: Agents, node: str, name: str) -> AsyncIterator[bytes]:
    """Nothing where there is no such file. Raises NodeUnreachable and OSError before its first byte, not
    behind it: what then cannot be read is filled up, and the file named as one that is not whole."""
    first = await agents.read_log(node, name, 0, PIECE, None)
    size = first.size if first.held is None else first.held
    if not size:
        return
    if not is_log(name) and first.size - size > LARGEST_HOLE:
        packer.manifest.left_out.append(LeftOut(name, node, "hole"))
        return
    yield packer.begin(name, size if is_log(name) else first.size)
    piece, at = first, 0
    while piece.data:
        if not is_log(name):
            yield packer.add(bytes(piece.offset - at))
        yield packer.add(piece.data)
        at = piece.end
        if at >= first.size:
            break
        try:
            piece = await agents.read_log(node, name, at, min(PIECE, first.size - at), None)
        except (NodeUnreachable, OSError) as problem:
            log.warning("of %s of node %s a backup has only a part: %s", name, node, problem)
            packer.manifest.left_out.append(LeftOut(name, node, "broken_off"))
            piece = LogChunk(b"", at, first.size)
    for rest in packer.end():
        yield rest
