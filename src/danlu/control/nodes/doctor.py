"""Has the nodes looked over: when one joins or returns, every hour, and whenever an admin asks."""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from danlu import __version__
from danlu.agent.aside import Hangs, run_aside
from danlu.agent.doctor import judge_clock
from danlu.agent.files.plain_files import read_plain
from danlu.cluster.server.agents import Agents, NodeUnreachable
from danlu.control.event_bus import EventBus
from danlu.control.nodes.doctor_rounds import Rounds
from danlu.control.running.setup_failures import SetupFailures
from danlu.core.errors import NotFound
from danlu.core.events import Event, EventKind
from danlu.core.nodes.doctor import (
    LONGEST_PROOF,
    OTHER_SERVER,
    PROOF_FILE,
    UNPROVED,
    Check,
    Question,
    SharedFolder,
    find_unfit,
    senseless_finding,
)
from danlu.core.nodes.node import Finding, FindingLevel, Node, NodeState
from danlu.store.engine.database import Database
from danlu.store.nodes.findings import save_findings
from danlu.store.nodes.node_rows import get_node, list_nodes

log = logging.getLogger(__name__)

AT_A_TIME = 16
PATIENCE_S = 5.0
Judge = Callable[[Node], Iterable[Finding]]
NO_ANSWER = Finding("node", FindingLevel.PROBLEM, "silent")


class Doctor:
    def __init__(
        self,
        database: Database,
        agents: Agents,
        folders: Iterable[Path],
        clock: Callable[[], float],
        failures: SetupFailures,
        bus: EventBus,
    ) -> None:
        self._failures = failures
        self._database = database
        self._agents = agents
        self._folders = tuple(folders)
        self._clock = clock
        self._rounds = Rounds(_now())
        self._news = bus.listen({EventKind.NODE_UP})
        self._consulted: list[Judge] = []

    def consult(self, judge: Judge) -> None:
        """Have `judge` say what it finds at every node that is looked over."""
        self._consulted.append(judge)

    def call_for(self, nodes: set[str]) -> None:
        """Look these over soon."""
        if nodes:
            self._rounds.call_for(nodes, _now())
            self._news.nudge()

    def suspect(self, nodes: set[str]) -> None:
        """Something went wrong there that may be theirs."""
        self._rounds.suspect(nodes, _now())
        self._news.nudge()

    async def run(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, self._rounds.next_at() - _now())):
                    self._call_for_new(await self._news.next())
            try:
                if self._news.take_overrun() or self._rounds.is_time_for_all(_now()):
                    self._rounds.call_for(await self._database.read(_names_of_nodes_up), _now())
                await self._examine_all(self._rounds.take_due(_now()))
            except Exception:
                log.exception("could not look over the nodes")

    def _call_for_new(self, events: Iterable[Event]) -> None:
        """A node that has just come is looked over."""
        self._rounds.call_for({event.node for event in events if event.node}, _now())

    async def examine(self, node: str) -> list[Finding]:
        """Look a node over now. What is found stays with it until the next time. Raises NotFound."""
        known = await self._database.read(lambda connection: get_node(connection, node))
        if known is None:
            names = ", ".join(each.name for each in await self._database.read(list_nodes))
            raise NotFound("no_such_node", node=node, nodes=names)
        question = await self._make_question()
        try:
            told = await self._agents.diagnose(node, question)
            findings = [*judge_again(told, question, self._clock()), *self._consult(known)]
        except NodeUnreachable:
            findings = [NO_ANSWER]
        of_control = [*self._find_failures(node), *self._find_senseless(node)]
        if findings == [NO_ANSWER] and known.state is NodeState.LOST and not of_control:
            # That it is lost says it all, and when it returns it is looked over.
            return findings
        findings += of_control
        if of_control or NO_ANSWER in findings or find_unfit(replace(known, findings=tuple(findings))):
            # Whether it is well again is seen soon, but not looked for as often for ever.
            self._rounds.note_trouble(node, _now())
            self._news.nudge()
        else:
            self._rounds.note_well(node)
        await self._database.write(partial(save_findings, node=node, findings=findings))
        return findings

    def _consult(self, node: Node) -> Iterator[Finding]:
        for judge in self._consulted:
            yield from judge(node)

    def _find_failures(self, node: str) -> list[Finding]:
        found = self._failures.finding_of(node, self._clock())
        return [found] if found is not None else []

    def _find_senseless(self, node: str) -> list[Finding]:
        said = self._agents.senseless().get(node, {})
        return [
            OTHER_SERVER if about == OTHER_SERVER.code else senseless_finding(about, why)
            for about, why in sorted(said.items())
        ]

    async def _examine_all(self, nodes: Iterable[str]) -> None:
        turns = asyncio.Semaphore(AT_A_TIME)

        async def take_turn(node: str) -> None:
            async with turns:
                try:
                    await self.examine(node)
                except NotFound:
                    pass
                except Exception:
                    log.exception("could not look over node %s", node)

        await asyncio.gather(*(take_turn(node) for node in sorted(nodes)))

    async def _make_question(self) -> Question:
        folders = await asyncio.gather(*(_prove_aside(folder) for folder in self._folders))
        return Question(self._clock(), __version__, platform.python_version(), tuple(folders))


def judge_again(findings: Iterable[Finding], question: Question, now: float) -> list[Finding]:
    """What a node found, as it looks from here. A folder that the server cannot see itself is no fault of the
    node's; and what of its clock's advance may be the way of the question is none."""
    unproved = {folder.path for folder in question.folders if not folder.proof}
    judged: list[Finding] = []
    for finding in findings:
        seconds = finding.facts.get("seconds")
        if finding.check == Check.FOLDER and finding.facts.get("path") in unproved:
            judged.append(replace(finding, facts={**finding.facts, UNPROVED: 1}))
        elif finding.check == Check.CLOCK and finding.code == "ahead" and isinstance(seconds, int | float):
            judged.append(judge_clock(max(0.0, seconds - max(0.0, now - question.clock))))
        else:
            judged.append(finding)
    return judged


async def _prove_aside(folder: Path) -> SharedFolder:
    """A folder that hangs here holds up nothing but its own proof."""
    try:
        return await run_aside(lambda: prove(folder), str(folder), None, PATIENCE_S)
    except Hangs:
        return SharedFolder(str(folder))


def prove(folder: Path) -> SharedFolder:
    """Leave something in a folder by which any node can tell that it sees the same one."""
    file = folder / PROOF_FILE
    try:
        if not _read(file):
            _leave(file)
        return SharedFolder(str(folder), _read(file))
    except OSError:
        return SharedFolder(str(folder))


def _read(file: Path) -> str:
    """Others may write in that folder: what is there need not be ours. Raises OSError."""
    try:
        return read_plain(str(file), LONGEST_PROOF).strip()
    except FileNotFoundError:
        return ""


def _leave(file: Path) -> None:
    """Whole at once: several nodes are looked over at a time, and all of them go by the first one's."""
    own = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        fd = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC)
        with os.fdopen(fd, "w") as proof:
            proof.write(f"{secrets.token_hex(16)}\n")
            # Who may enter the folder may read it: it is no secret.
            os.fchmod(fd, 0o644)
        with suppress(FileExistsError):
            file.hardlink_to(own)
        if not _read(file):
            # What is left of one that was never finished; or there are no hard links here.
            own.replace(file)
    finally:
        own.unlink(missing_ok=True)


def _names_of_nodes_up(connection: Connection) -> list[str]:
    return [node.name for node in list_nodes(connection) if node.state is NodeState.UP]


def _now() -> float:
    return time.monotonic()
