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

from danlu.agent import machine
from danlu.agent.gpus import PatientProbe
from danlu.agent.keeper_link import KeeperLink
from danlu.agent.keeper_process import KeeperUnavailable
from danlu.agent.node_agent import NodeAgent
from danlu.agent.nvml import NvmlGpus
from danlu.agent.simulation import SimulatedGpus, SimulatedTasks, SimulatedUsage
from danlu.agent.usage import MachineUsage
from danlu.cluster.local import LocalCluster
from danlu.control.access import Access
from danlu.control.accounts import AccountBook
from danlu.control.backups import clear_drafts
from danlu.control.control import Control
from danlu.core.errors import Unavailable
from danlu.core.user import Role, User
from danlu.launch.database_choice import kept_location, remember_location
from danlu.launch.database_fault import FAULTS, DatabaseFault
from danlu.launch.locations import write_private
from danlu.settings import Settings
from danlu.store.database import Database, Transaction
from danlu.store.engines import is_same_database
from danlu.store.migrate import migrate
from danlu.store.restoring import settle
from danlu.store.users import add_user, get_user

log = logging.getLogger(__name__)


class CannotStart(Exception):
    """Why an installation cannot be started, in words for whoever tries."""


@dataclass(frozen=True, slots=True)
class Installation:
    control: Control
    access: Access
    starter: User


@asynccontextmanager
async def open_installation(settings: Settings) -> AsyncIterator[Installation]:
    """Start everything but the network; stop it at the end, leaving jobs running."""
    try:
        await asyncio.to_thread(migrate, settings.database)
    except FAULTS as problem:
        log.exception("the database cannot be used")
        raise DatabaseFault(settings.database, problem) from problem
    clear_drafts(settings.data)
    database = Database(settings.database, time.time)
    database.start()
    access = Access(database, settings, time.time)
    accounts = AccountBook(settings.starter, os.geteuid() == 0)
    control = Control(database, make_cluster(settings), accounts, settings, time.time)
    control.hub.tell_first(access.hear)
    try:
        try:
            await _get_acquainted(database, settings)
            starter = await database.write(lambda tx: _find_or_add_starter(tx, settings.starter))
        except Unavailable as problem:
            raise DatabaseFault(settings.database, problem) from problem
        try:
            await control.start()
        except KeeperUnavailable as problem:
            raise CannotStart(str(problem)) from problem
        yield Installation(control, access, starter)
    finally:
        await control.close()


async def _get_acquainted(database: Database, settings: Settings) -> None:
    """A database that this folder does not remember may have a history of its own: the folder was lost, or is
    another. What is under way there has no keeper here, and must not be started a second time."""
    if not is_same_database(settings.database, kept_location(settings.data)):
        settled = await database.write(settle)
        if settled.held or settled.cancelled:
            log.warning("of the jobs under way in this database, %d are held now", settled.held)
    remember_location(settings.data, settings.database)


def make_cluster(settings: Settings) -> LocalCluster:
    link = KeeperLink(
        settings.node_folder,
        cgroup_mode=settings.cgroups,
        environment_roots=(str(settings.environments),),
    )
    if settings.simulate is None:
        gpus = PatientProbe(NvmlGpus(settings.node_folder / "gpus.json"))
        usage = MachineUsage([settings.data])
        return LocalCluster(link, [NodeAgent(node_name(settings.node_name_file), link, gpus, usage=usage)])
    count, cards = settings.simulate
    names = [f"sim{number}" for number in range(1, count + 1)]
    return LocalCluster(link, [_simulate(name, cards, link) for name in names])


def _simulate(name: str, cards: int, link: KeeperLink) -> NodeAgent:
    tasks = SimulatedTasks(link.folder, name)
    link.subscribe(tasks.hear)
    usage = SimulatedUsage(name, machine.cpu_count(), machine.memory_mb(), tasks)
    return NodeAgent(name, link, SimulatedGpus(name, cards, tasks), usage=usage, simulated=True)


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
    """The first administrator: whoever started Danlu. The one-time link lets them in without a password."""
    return get_user(tx.connection, name) or add_user(tx, name, Role.ADMIN, password_hash=None)
