"""What an agent last saw of its own node: ready to be told at any moment, however long a look takes."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from danlu.agent.node_agent import NodeAgent
from danlu.codec import encode
from danlu.core.nodes.node import NodeFacts
from danlu.core.nodes.readings import NodeReading

_log = logging.getLogger(__name__)

FACTS_EVERY_S = 30.0


class NodeSnapshot:
    """`start` takes the first look; from then on `describe` never waits: a driver that hangs must not hold up
    the beats."""

    def __init__(self, agent: NodeAgent, version: str, address: Callable[[], str]) -> None:
        self._agent = agent
        self._version = version
        self._address = address
        self._facts: NodeFacts
        self._facts_at = 0.0
        self._digest = ""
        self._reading: NodeReading | None = None
        self._looking: asyncio.Task[None] | None = None
        self._told = ""

    async def start(self) -> None:
        await self._look_at_facts()
        self._reading = await self._agent.reading()

    def close(self) -> None:
        if self._looking is not None:
            self._looking.cancel()

    def describe(self) -> dict[str, Any]:
        """Facts only where they are news to who hears it."""
        beat: dict[str, Any] = {
            "facts_digest": self._digest,
            "clock": time.time(),
            "version": self._version,
            "reading": encode(self._reading),
        }
        if self._digest != self._told:
            beat["facts"] = encode(self._facts)
        return beat

    def note_told(self, digest: str) -> None:
        """Whose digest this is, the other side knows; with an empty one it knows nothing."""
        self._told = digest

    def look_soon(self, *, whole: bool = False) -> None:
        if whole:
            self._facts_at = 0.0
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look(), name="look at this node")

    async def _look(self) -> None:
        try:
            self._reading = await self._agent.reading()
            if time.monotonic() - self._facts_at > FACTS_EVERY_S:
                await self._look_at_facts()
        except Exception:
            _log.exception("could not look at this node")

    async def _look_at_facts(self) -> None:
        self._facts_at = time.monotonic()
        facts = await self._agent.facts()
        self._facts = replace(facts, address=self._address(), version=self._version, leased=True)
        self._digest = hashlib.sha256(json.dumps(encode(self._facts), sort_keys=True).encode()).hexdigest()
