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

from alembic.util import CommandError
from sqlalchemy.exc import SQLAlchemyError

from danlu.agent.gpus import SimulatedGpus
from danlu.agent.keeper_link import KeeperLink
from danlu.agent.keeper_process import KeeperUnavailable
from danlu.agent.node_agent import NodeAgent
from danlu.agent.nvml import NvmlGpus
from danlu.cluster.local import LocalCluster
from danlu.control.access import Access
from danlu.control.accounts import AccountBook
from danlu.control.control import Control
from danlu.core.user import Role, User
from danlu.launch.locations import write_private
from danlu.settings import Settings
from danlu.store.database import Database, Transaction
from danlu.store.migrate import migrate
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
        await asyncio.to_thread(migrate, f"sqlite:///{settings.database}")
    except (SQLAlchemyError, CommandError) as problem:
        log.exception("the database cannot be used")
        raise CannotStart(f"{settings.database}: {getattr(problem, 'orig', None) or problem}") from problem
    database = Database(settings.database, time.time)
    database.start()
    access = Access(database, settings, time.time)
    accounts = AccountBook(settings.starter, os.geteuid() == 0)
    control = Control(database, make_cluster(settings), accounts, settings, time.time)
    try:
        starter = await database.write(lambda tx: _find_or_add_starter(tx, settings.starter))
        try:
            await control.start()
        except KeeperUnavailable as problem:
            raise CannotStart(str(problem)) from problem
        yield Installation(control, access, starter)
    finally:
        await control.close()


def make_cluster(settings: Settings) -> LocalCluster:
    link = KeeperLink(
        settings.node_folder,
        cgroup_mode=settings.cgroups,
        environment_roots=(str(settings.environments),),
    )
    if settings.simulate is None:
        return LocalCluster(link, [NodeAgent(node_name(settings.node_name_file), link, NvmlGpus())])
    count, gpus = settings.simulate
    names = [f"sim{number}" for number in range(1, count + 1)]
    agents = [NodeAgent(name, link, SimulatedGpus(name, gpus), simulated=True) for name in names]
    return LocalCluster(link, agents)


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
