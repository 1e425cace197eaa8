"""The agent of this machine as a process of its own: what `danlu join` stays as, and what `danlu up` keeps
running beside the server of a cluster. Jobs outlive it: they are the keeper's."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path

from danlu import __version__
from danlu.agent.open_files import as_before
from danlu.cluster.node.node_identity import NodeIdentity
from danlu.codec import decode, encode
from danlu.launch.detached import (
    AGENT_LOCK,
    LockTaken,
    find_holder,
    fit_to_inherit,
    is_signed,
    sign_lock,
    start_detached,
    stop_holder,
    take_lock,
    wait_for_end,
)
from danlu.launch.install.upgrade import follow_upgrade, prefer_newer
from danlu.launch.interpreter import danlu_argv
from danlu.launch.locations import prepare_folders, write_private
from danlu.settings import Settings

log = logging.getLogger(__name__)

LOG_FILE = "agent.log"
OUTPUT_FILE = "agent.out"
OPTIONS_FILE = "agent.json"
TWIN_FILE = "twin"
"""Is there while another machine is this same member: this one or the other is a copy."""
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
PAUSE_S = 1.0
START_S = 20.0


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """What an agent is told once and keeps: `simulate` so many GPUs, `address` where other nodes reach it."""

    simulate: int | None = None
    address: str | None = None
    cgroups: str = "auto"

    @classmethod
    def load(cls, data: Path) -> AgentOptions:
        with suppress(FileNotFoundError):
            return decode(cls, json.loads((data / OPTIONS_FILE).read_text()), trusted=True)
        return cls()

    def save(self, data: Path) -> None:
        write_private(data / OPTIONS_FILE, json.dumps(encode(self)) + "\n")


class AgentRunning(Exception):
    """This data folder has an agent already."""


def run_agent(
    data: Path, on_ready: Callable[[NodeIdentity], None], on_refused: Callable[[str], None]
) -> bool:
    """Be the agent until told to stop: False; or until this machine is a member no more: True.

    `on_refused` is told why the cluster wants nothing to do with it for now. Raises AgentRunning, OSError,
    ValueError for a damaged file."""
    os.umask(0o077)
    identity = NodeIdentity.load(data)
    prefer_newer(data)
    options = AgentOptions.load(data)
    settings = Settings(data=data, starter="", cgroups=options.cgroups)
    prepare_folders(settings)
    try:
        lock = take_lock(data / AGENT_LOCK)
    except LockTaken:
        raise AgentRunning(str(data)) from None
    sign_lock(lock, os.getpid(), stamp_of(identity, options))
    handler = RotatingFileHandler(data / LOG_FILE, maxBytes=10_000_000, backupCount=3)
    handler.setFormatter(logging.Formatter(FORMAT))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    try:
        import uvloop

        is_removed: bool = uvloop.run(
            _serve(settings, identity, options, on_ready, _note_refused(data, on_refused))
        )
    finally:
        os.close(lock)
    if not is_removed:
        follow_upgrade(data)
    return is_removed


def _note_refused(data: Path, say: Callable[[str], None]) -> Callable[[str | None], None]:
    from danlu.cluster.refusal_codes import TWIN

    def note(code: str | None) -> None:
        if code is None:
            log.info("the cluster takes this machine")
        else:
            log.error("the cluster refuses this machine for now: %s", code)
            say(code)
        if code == TWIN:
            write_private(data / TWIN_FILE, "")
        else:
            (data / TWIN_FILE).unlink(missing_ok=True)

    return note


async def _serve(
    settings: Settings,
    identity: NodeIdentity,
    options: AgentOptions,
    on_ready: Callable[[NodeIdentity], None],
    on_refused: Callable[[str | None], None],
) -> bool:
    from danlu.launch.cluster.node import serve_node

    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    serving = asyncio.create_task(serve_node(settings, identity, options, __version__, on_refused))
    stopping = asyncio.create_task(stop.wait())
    on_ready(identity)
    await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    if not serving.done():
        serving.cancel()
        await asyncio.wait([serving])
        return False
    return serving.result()


def stamp_of(identity: NodeIdentity, options: AgentOptions) -> str:
    """What an agent cannot change without starting anew."""
    facts = json.dumps([identity.id, identity.node, encode(options)])
    return f"{__version__} {hashlib.sha256(facts.encode()).hexdigest()[:16]}"


def start_agent(data: Path) -> subprocess.Popen[bytes]:
    """Start the agent of a machine that is a member, detached."""
    argv = danlu_argv("join", "--data", str(data))
    return start_detached(as_before(argv), data / OUTPUT_FILE, fit_to_inherit(os.environ))


def stop_agent(data: Path) -> bool:
    """Stop the agent of this data folder and wait; False when there was none. Blocks. Jobs run on."""
    return stop_holder(data / AGENT_LOCK)


class AgentBeside:
    """The agent that a server keeps running on its own machine."""

    def __init__(self, data: Path, identity: NodeIdentity, options: AgentOptions) -> None:
        self._data = data
        self._lock = data / AGENT_LOCK
        self._stamp = stamp_of(identity, options)
        self._children: list[subprocess.Popen[bytes]] = []

    async def start(self) -> None:
        """See to it that one runs, of this version and with these options."""
        holder = find_holder(self._lock)
        if holder is not None and holder.stamp != self._stamp:
            log.info("the agent of this machine was started differently, and is started anew")
            await asyncio.to_thread(stop_agent, self._data)
            holder = None
        if holder is None:
            await self._start()

    async def watch(self) -> None:
        """Start it again whenever it ends."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            holder = find_holder(self._lock)
            if holder is not None:
                await wait_for_end(holder, self._lock)
            self._children = [child for child in self._children if child.poll() is None]
            log.warning("the agent of this machine has ended; it is started again")
            if loop.time() - began < PAUSE_S:
                await asyncio.sleep(PAUSE_S)
            await self._start()

    async def _start(self) -> None:
        child = start_agent(self._data)
        self._children.append(child)
        loop = asyncio.get_running_loop()
        deadline = loop.time() + START_S
        # Only once it holds its lock can it be told whether it lives.
        while not is_signed(find_holder(self._lock)):
            if child.poll() is not None or loop.time() > deadline:
                log.error("the agent of this machine does not start; see %s", self._data / OUTPUT_FILE)
                return
            await asyncio.sleep(0.05)
