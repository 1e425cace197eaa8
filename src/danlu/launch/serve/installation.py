"""Puts the rooms together into one running installation on one machine."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from danlu.agent.keeper_process import KeeperUnavailable
from danlu.cluster.server.agents import Agents, NodeUnreachable
from danlu.cluster.server.local_cluster import LocalCluster
from danlu.control.control import Control
from danlu.control.event_bus import EventBus
from danlu.control.identity.access import Access
from danlu.control.identity.accounts import AccountBook
from danlu.control.system.backups import clear_drafts
from danlu.core.errors import Unavailable
from danlu.core.user import Role, User
from danlu.launch.cluster.nats_process import NoCluster, OtherCluster
from danlu.launch.cluster.node import make_link, make_node, simulate_node
from danlu.launch.database.choice import kept_location, remember_location
from danlu.launch.database.fault import FAULTS, DatabaseFault
from danlu.launch.leadership import Leading
from danlu.launch.locations import write_private
from danlu.launch.serve.disk_room import reserve_of
from danlu.launch.serve.notifications import make_channels, notifying
from danlu.launch.serve.stepping_back import SteppingBack
from danlu.settings import Settings
from danlu.store.archive.restoring import settle
from danlu.store.engine.database import Database, Transaction
from danlu.store.engine.engines import Location, is_disk_full, is_same_database
from danlu.store.engine.migrate import migrate
from danlu.store.engine.reserve import Reserve
from danlu.store.users import add_user, get_user

if TYPE_CHECKING:
    from danlu.launch.cluster.cluster_side import ClusterSide

log = logging.getLogger(__name__)


class CannotStart(Exception):
    """Why an installation cannot be started, in words for the user who tries."""


@dataclass(frozen=True, slots=True)
class Installation:
    control: Control
    access: Access
    starter: User
    stepping_back: SteppingBack


@asynccontextmanager
async def open_installation(
    settings: Settings, leading: Leading | None = None
) -> AsyncIterator[Installation]:
    """Start everything but the network; stop it at the end, leaving jobs running. A server that others stand
    by for is `leading`."""
    bus = leading.bus if leading is not None else EventBus()
    database = leading.database if leading is not None else await _open_database(settings, bus)
    clear_drafts(settings.data)
    access = Access(database, bus, settings, time.time)
    accounts = AccountBook(settings.starter, os.geteuid() == 0)
    stepping_back = SteppingBack(database)
    side = await _open_side(settings, database, leading, stepping_back)
    agents: Agents = side.agents if side is not None else make_cluster(settings)
    control = Control(
        database,
        bus,
        agents,
        accounts,
        settings,
        time.time,
        cluster=side,
        other_urls=leading.other_urls if leading is not None else tuple,
        may_schedule=lambda: not stepping_back.has_begun,
    )
    try:
        try:
            await _get_acquainted(database, settings)
            starter = await database.write(lambda tx: _find_or_add_starter(tx, settings.starter))
        except Unavailable as problem:
            raise DatabaseFault(settings.database, problem) from problem
        await _begin(control, side, stepping_back)
        if stepping_back.has_begun:
            raise DatabaseFault(settings.database, await stepping_back.wait())
        async with notifying(control, make_channels(settings)):
            yield Installation(control, access, starter, stepping_back)
    finally:
        if side is not None:
            await side.close()
        await control.close()


async def _begin(control: Control, side: ClusterSide | None, stepping_back: SteppingBack) -> None:
    """Raises CannotStart, OtherCluster."""
    try:
        if control.calls.copies is not None:
            await control.calls.copies.share()
        if side is not None:
            await side.start(control)
        await control.start()
        if side is not None:
            side.open_desk()
    except OtherCluster:
        raise
    except (KeeperUnavailable, NoCluster) as problem:
        raise CannotStart(str(problem)) from problem
    except NodeUnreachable:
        # Who steps back sends no calls any more.
        if not stepping_back.has_begun:
            raise


async def _open_side(
    settings: Settings, database: Database, leading: Leading | None, stepping_back: SteppingBack
) -> ClusterSide | None:
    """What a cluster needs beside the server; None where this machine is all there is."""
    if settings.cluster is None:
        return None
    from danlu.launch.cluster.cluster_side import ClusterSide

    try:
        node = node_name(settings.node_name_file)
        return await ClusterSide.prepare(settings, database, node, leading, stepping_back.begin)
    except BaseException as problem:
        await database.close()
        if isinstance(problem, Unavailable):
            raise DatabaseFault(settings.database, problem) from problem
        raise


async def _open_database(settings: Settings, bus: EventBus) -> Database:
    """Raises DatabaseFault."""
    reserve = reserve_of(settings.data) if settings.database_url is None else None
    try:
        await asyncio.to_thread(_migrate, settings.database, reserve)
    except FAULTS as problem:
        log.exception("the database cannot be used")
        raise DatabaseFault(settings.database, problem) from problem
    if reserve is not None:
        await asyncio.to_thread(reserve.keep)
    database = Database(settings.database, time.time, on_commit=bus.publish, reserve=reserve)
    database.start()
    return database


def _migrate(location: Location, reserve: Reserve | None) -> None:
    while True:
        try:
            return migrate(location)
        except FAULTS as problem:
            if reserve is None or not is_disk_full(problem) or not reserve.give_up(to_start=True):
                raise


async def _get_acquainted(database: Database, settings: Settings) -> None:
    """A database that this folder does not remember may have a history of its own: the folder was lost, or is
    another. What is under way there has no keeper here, and must not be started a second time. On a cluster
    the keepers are on the nodes, and this folder is one of several servers'."""
    if settings.cluster is None and not is_same_database(settings.database, kept_location(settings.data)):
        settled = await database.write(settle)
        if settled.held or settled.cancelled:
            log.warning("of the jobs under way in this database, %d are held now", settled.held)
    remember_location(settings.data, settings.database)


def make_cluster(settings: Settings) -> LocalCluster:
    link = make_link(settings)
    if settings.simulate is None:
        return LocalCluster(link, [make_node(node_name(settings.node_name_file), link, settings)])
    count, cards = settings.simulate
    names = [f"sim{number}" for number in range(1, count + 1)]
    return LocalCluster(link, [simulate_node(name, cards, link) for name in names])


def node_name(file: Path) -> str:
    """The name of this machine among the nodes: its host name when it was first asked for.

    It never follows a change of the host name: what runs here holds its GPUs under the old one.
    """
    if file.exists():
        return file.read_text().strip()
    name = socket.gethostname() or "node"
    write_private(file, name + "\n")
    return name


def _find_or_add_starter(tx: Transaction, name: str) -> User:
    """The first administrator: the user who started Danlu. The one-time link lets them in without a
    password."""
    return get_user(tx.connection, name) or add_user(tx, name, Role.ADMIN, password_hash=None)
