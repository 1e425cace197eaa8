"""The node file: a list of machines in JSON that are nodes, or shall be. Who adds a line gets a node.

    [{"name": "n1", "ip": "192.168.1.11", "user_name": "li", "gpu_count": 1, "gpu_info": ["RTX3090"]}]

It is read when it changes, and once a minute where changes are not told (NFS).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asyncinotify import Inotify, Mask
from sqlalchemy import Connection

from danlu.control.control import Control
from danlu.control.nodes.installations import NodeFileState, Target
from danlu.core.errors import Conflict, DanluError, Invalid
from danlu.core.nodes.node import Finding, Node, NodeRole
from danlu.core.nodes.node_list import Consequences, Listed, Remembered, compare_gpus, consequences
from danlu.launch.locations import write_private
from danlu.store.engine.database import Transaction
from danlu.store.nodes.node_rows import list_nodes, set_drained
from danlu.wire.fields import is_node_name
from danlu.wire.nodes.installations import is_host, is_login

log = logging.getLogger(__name__)

USUAL = "nodes.json"
MEMORY = "node-file.json"
ACTOR = "node file"
LOOK_S = 60.0
LARGEST = 4_000_000
CHANGES = Mask.CLOSE_WRITE | Mask.MOVED_TO


@dataclass(frozen=True, slots=True)
class Writing:
    """What was written, and which writing of it this is."""

    text: str
    inode: int
    written_ns: int


@dataclass(frozen=True, slots=True)
class Read:
    """`names` are all that stand in the file, also those whose line cannot be used."""

    listed: tuple[Listed, ...]
    names: frozenset[str]
    problems: tuple[DanluError, ...]


def read_list(text: str, path: str) -> Read:
    """Raises Invalid when it is no list at all; a line that is wrong is left out and told."""
    try:
        lines = json.loads(text)
    except ValueError as problem:
        raise Invalid("node_file_bad_json", path=path, reason=str(problem)) from problem
    if not isinstance(lines, list):
        raise Invalid("node_file_bad_json", path=path, reason=repr(lines)[:100])
    listed: list[Listed] = []
    names: set[str] = set()
    problems: list[DanluError] = []
    for number, line in enumerate(lines, 1):
        name = line.get("name") if isinstance(line, dict) else None
        try:
            each = _read_line(line)
            if each.name in names:
                raise ValueError(f"name: {each.name!r} × 2")
            listed.append(each)
        except ValueError as problem:
            problems.append(Invalid("node_file_bad_entry", path=path, number=number, reason=str(problem)))
        if isinstance(name, str):
            names.add(name)
    return Read(tuple(listed), frozenset(names), tuple(problems))


def _read_line(line: Any) -> Listed:
    """Raises ValueError."""
    if not isinstance(line, dict):
        raise ValueError(repr(line)[:100])
    name, host, user = (_text(line, key) for key in ("name", "ip", "user_name"))
    for key, value, is_good in (
        ("name", name, is_node_name),
        ("ip", host, is_host),
        ("user_name", user, is_login),
    ):
        if not is_good(value) or len(value) > 200:
            raise ValueError(f"{key}: {value!r}")
    info = line.get("gpu_info") or []
    models = [info] if isinstance(info, str) else info
    if not isinstance(models, list) or not all(isinstance(model, str) for model in models):
        raise ValueError(f"gpu_info: {info!r}")
    role = line.get("role")
    if role is not None and role not in set(NodeRole):
        raise ValueError(f"role: {role!r}")
    return Listed(
        name, host, user, _number(line, "gpu_count", 1024), tuple(models), _number(line, "port", 65_535), role
    )


def _text(line: dict[str, Any], key: str) -> str:
    value = line.get(key)
    if not isinstance(value, str) or not value:
        raise ValueError(f"{key}: {value!r}")
    return value


def _number(line: dict[str, Any], key: str, largest: int) -> int | None:
    value = line.get(key)
    if value is not None and (
        isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= largest
    ):
        raise ValueError(f"{key}: {value!r}")
    return value


class NodeFile:
    """Watches the file and sees to what it asks for. One that was not `named` need not be there."""

    def __init__(self, path: Path, control: Control, own_node: str, data: Path, *, named: bool) -> None:
        self._path = path
        self._named = named
        self._control = control
        self._own_node = own_node
        self._memory = data / MEMORY
        self._seen: Writing | None = None
        self._read = Read((), frozenset(), ())
        self._tried: dict[Listed, float] = {}
        self._is_good = False

    async def run(self) -> None:
        self._control.doctor.consult(self._judge)
        with contextlib.ExitStack() as stack:
            watch = stack.enter_context(Inotify())
            with contextlib.suppress(OSError):
                watch.add_watch(self._path.parent, CHANGES)
            while True:
                try:
                    await self._look()
                except Exception:
                    log.exception("could not follow %s", self._path)
                await self._wait(watch)

    async def _wait(self, watch: Inotify) -> None:
        """Until the file has changed, or a minute has passed."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LOOK_S):
                while True:
                    event = await watch.get()
                    if event.name is not None and event.name.name == self._path.name:
                        return

    async def _look(self) -> None:
        if await self._take_in():
            await self._act()

    async def _take_in(self) -> bool:
        """Read the file; False while it cannot be gone by."""
        try:
            written = await asyncio.to_thread(_read_writing, self._path)
        except FileNotFoundError as problem:
            if not self._named and not self._recall().listed:
                self._control.installations.note_node_file(None)
                return False
            return self._complain(str(problem.strerror))
        except (OSError, ValueError) as problem:
            return self._complain(str(problem))
        if written == self._seen:
            return self._is_good
        self._seen = written
        # Who writes into it wants another try, also who writes what was there: a machine may be well again.
        self._tried.clear()
        try:
            self._read = read_list(written.text, str(self._path))
        except Invalid as problem:
            self._tell((problem,))
            self._is_good = False
            return False
        self._tell(self._read.problems)
        self._control.doctor.call_for({each.name for each in self._read.listed})
        self._is_good = True
        return True

    def _complain(self, reason: str) -> bool:
        self._seen, self._is_good = None, False
        self._tell((Invalid("node_file_unreadable", path=str(self._path), reason=reason),))
        return False

    def _tell(self, problems: tuple[DanluError, ...]) -> None:
        before = self._control.installations.node_file
        state = NodeFileState(str(self._path), len(self._read.listed), problems)
        self._control.installations.note_node_file(state)
        if before is None or [str(each) for each in before.problems] != [str(each) for each in problems]:
            for problem in problems:
                log.warning("node file: %s %s", problem.code, problem.facts)

    async def _act(self) -> None:
        nodes = await self._control.database.read(_nodes)
        members = {member.node for member in self._control.membership.members()} | {self._own_node}
        found = consequences(
            self._read.listed,
            self._read.names,
            self._recall(),
            nodes,
            members,
            self._tried,
            self._control.clock(),
        )
        for each in found.install:
            self._install(each)
        await self._drain(found)
        if found.remember != self._recall():
            self._remember(found.remember)

    def _install(self, each: Listed) -> None:
        self._tried[each] = self._control.clock()
        role = NodeRole(each.role) if each.role is not None else None
        target = Target(each.host, each.user, each.port, each.name, role)
        # One that is under way already will do.
        with contextlib.suppress(Conflict):
            self._control.installations.add(target, ACTOR, from_file=True)

    async def _drain(self, found: Consequences) -> None:
        def write(tx: Transaction) -> None:
            for names, drained in ((found.drain, True), (found.undrain, False)):
                for name in names:
                    set_drained(tx, name, drained, ACTOR)

        if found.drain or found.undrain:
            log.info("node file: drained %s, undrained %s", found.drain, found.undrain)
            await self._control.database.write(write)

    def _judge(self, node: Node) -> Iterator[Finding]:
        """What the doctor has to say about a node because of the file."""
        for each in self._read.listed:
            if each.name == node.name:
                yield from compare_gpus(each, node.facts)

    def _recall(self) -> Remembered:
        try:
            kept = json.loads(self._memory.read_text())
            return Remembered(frozenset(kept["listed"]), frozenset(kept["drained"]))
        except (OSError, ValueError, KeyError, TypeError):
            return Remembered()

    def _remember(self, what: Remembered) -> None:
        kept = {"listed": sorted(what.listed), "drained": sorted(what.drained)}
        write_private(self._memory, json.dumps(kept) + "\n")


def _read_writing(path: Path) -> Writing:
    """Raises OSError, ValueError."""
    with path.open("rb") as file:
        kept = os.fstat(file.fileno())
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError("it is too large")
    return Writing(content.decode("utf-8-sig"), kept.st_ino, kept.st_mtime_ns)


def _nodes(connection: Connection) -> dict[str, Node]:
    return {node.name: node for node in list_nodes(connection)}
