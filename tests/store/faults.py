"""Databases named by what is wrong with them."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from danlu.store.engine.database import Database, OnCommit, Transaction
from danlu.store.engine.engines import Location


class CountingDatabase(Database):
    """Nothing is wrong with it; it counts its commits."""

    def __init__(
        self, location: Location, clock: Callable[[], float], *, on_commit: OnCommit | None = None
    ) -> None:
        super().__init__(location, clock, on_commit=on_commit)
        self.commits = 0

    def _commit(self, connection: Connection) -> None:
        super()._commit(connection)
        self.commits += 1


class FullDiskDatabase(Database):
    """Its disk is full for as long as `full` says."""

    full = False

    def look_at_disk(self) -> bool:
        return self.full

    @property
    def is_disk_full(self) -> bool:
        return self.full

    def _commit(self, connection: Connection) -> None:
        if self.full:
            problem = sqlite3.OperationalError("database or disk is full")
            problem.sqlite_errorname = "SQLITE_FULL"
            raise OperationalError("COMMIT", {}, problem)
        super()._commit(connection)


class LastRoomDatabase(FullDiskDatabase):
    """Its disk is full, and it writes into its reserve."""

    def _commit(self, connection: Connection) -> None:
        Database._commit(self, connection)


class SlowDiskDatabase(Database):
    """Its commit waits until the test turns the disk on."""

    def __init__(
        self, location: Location, clock: Callable[[], float], *, on_commit: OnCommit | None = None
    ) -> None:
        super().__init__(location, clock, on_commit=on_commit)
        self.reached = threading.Event()
        self.turned_on = threading.Event()

    def _commit(self, connection: Connection) -> None:
        self.reached.set()
        self.turned_on.wait(10)
        super()._commit(connection)


class Gate:
    """A command that keeps the writer busy, so that whatever comes meanwhile shares the next commit."""

    def __init__(self) -> None:
        self.entered = threading.Event()
        self._open = threading.Event()

    def __call__(self, tx: Transaction) -> None:
        self.entered.set()
        self._open.wait(10)

    def open(self) -> None:
        self._open.set()


class LostAnswerDatabase(Database):
    """For as long as `deaf` says, its commits come through and the answers to them do not."""

    deaf = False

    def _commit(self, connection: Connection) -> None:
        super()._commit(connection)
        if self.deaf:
            raise OperationalError("COMMIT", {}, ConnectionError("connection lost"))
