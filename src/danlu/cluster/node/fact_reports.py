"""Tells the control side of starts and ends until it has heard of each."""

from __future__ import annotations

import asyncio

from danlu.cluster.connection import Connection, NoConnection
from danlu.cluster.messages import pack
from danlu.codec import encode
from danlu.core.task import TaskFact, TaskKey

ANSWER_S = 5.0
MOST_AT_ONCE = 500


class FactReports:
    """Of each task the latest is told: an end knows its start. What piles up goes in one message."""

    def __init__(self, connection: Connection, subject: str, session: str) -> None:
        self._connection = connection
        self._session = session
        self._subject = subject
        self._unsaid: dict[TaskKey, TaskFact] = {}
        self._news = asyncio.Event()
        self._heard = asyncio.Event()

    def take(self, fact: TaskFact) -> None:
        self._unsaid[fact.key] = fact
        self._news.set()

    def forget(self, key: TaskKey) -> None:
        self._unsaid.pop(key, None)

    def note_heard(self) -> None:
        """The control side is there, and hears."""
        self._heard.set()

    async def run(self) -> None:
        # Before it has heard of this process, it would not believe it.
        await self._heard.wait()
        while True:
            await self._news.wait()
            await self._connection.wait_up()
            facts = dict(list(self._unsaid.items())[:MOST_AT_ONCE])
            if not facts:
                self._news.clear()
                continue
            self._heard.clear()
            try:
                message = pack({"agent_session": self._session, "facts": encode(list(facts.values()))})
                await self._connection.request(self._subject, message, ANSWER_S)
            except NoConnection:
                # No server is there to hear it, until something says otherwise.
                await self._heard.wait()
                continue
            for key, fact in facts.items():
                if self._unsaid.get(key) is fact:
                    del self._unsaid[key]
