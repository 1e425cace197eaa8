"""`danlu up`: start an installation on this machine and say where it is."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING

from danlu.agent.open_files import raise_open_files
from danlu.control.system.server_log import FORMAT, ScrubbedFormatter, ServerLog
from danlu.core.bounds import is_host
from danlu.core.errors import Unavailable
from danlu.core.nodes.node import NodeRole
from danlu.launch.cluster.nats_process import OtherCluster
from danlu.launch.database.choice import FILE, DatabaseMismatch, choose_location
from danlu.launch.database.fault import FAULTS, DatabaseFault
from danlu.launch.door.certificate import BadCertificate, Certificate
from danlu.launch.door.listening import listen
from danlu.launch.door.reachability import BadAddress, Reachability, ReachOptions, check, prepare_reach
from danlu.launch.locations import (
    AlreadyRunning,
    announce,
    lock_data,
    prepare_folders,
    withdraw,
    write_private,
)
from danlu.launch.serve.disk_room import NoRoom, make_room
from danlu.launch.serve.installation import CannotStart, Installation, open_installation
from danlu.launch.starter import starter_name
from danlu.launch.status_line import StatusLine
from danlu.settings import ClusterSettings, Settings
from danlu.store.engine.engines import BadLocation, has_password, is_postgresql
from danlu.wording.catalogue import Language, say

if TYPE_CHECKING:
    from danlu.launch.serve.server import ApiServer

LARGEST_SIMULATION = 10_000
LOG_FILE = "server.log"
INVITATION_S = 86_400.0


@dataclass(frozen=True, slots=True)
class UpOptions:
    data: Path
    reach: ReachOptions
    port: int | None
    simulate: str | None
    policy: str | None
    keep_leftovers: bool
    cgroups: str
    language: Language
    log_level: str
    database: str | None = None
    folders: tuple[Path, ...] = ()
    database_typed: bool = False
    """On the command line, where every user of the machine can read it."""
    standby: bool = False
    cluster: bool = False
    messages_port: int | None = None
    advertise: str | None = None
    node_file: Path | None = None


class BadOption(Exception):
    """An option that cannot be used; its text is meant for the user."""


def run_up(options: UpOptions) -> int:
    """Start Danlu and stay until it is stopped; the exit code."""
    # Whatever is written here is its owner's alone, unless a mode is set on purpose.
    os.umask(0o077)
    try:
        settings = _make_settings(options)
        checked = check(options.reach)
        prepare_folders(settings)
        if trouble := make_room(settings.data, options.language):
            sys.stderr.write(trouble + "\n")
        lock = lock_data(settings.data)
        settings = _choose_database(_choose_cluster(settings, options), options)
        withdraw(settings)
    except BadOption as problem:
        return _fail(str(problem), 2)
    except BadAddress as problem:
        return _fail(say(options.language, f"launch.bad.{problem.reason}", text=problem.text), 2)
    except (AlreadyRunning, NoRoom) as problem:
        running = say(options.language, "launch.already_running", data=options.data)
        return _fail(str(problem) if isinstance(problem, NoRoom) else running, 1)
    except OSError as problem:
        return _fail(say(options.language, "launch.no_folder", data=options.data, reason=problem), 1)
    try:
        listener = listen(settings.host, options.port)
    except OSError as problem:
        text = say(options.language, "launch.no_port", host=settings.host, port=options.port, reason=problem)
        return _fail(text, 1)
    _log_to_file(settings.data, options.log_level)
    raise_open_files()
    try:
        reach = prepare_reach(options.reach, checked, listener, settings.data / "tls", time.time())
    except BadCertificate as problem:
        return _fail(say(options.language, f"launch.tls.{problem.kind}", **problem.facts), 1)
    except OSError as problem:
        return _fail(say(options.language, "launch.no_folder", data=options.data, reason=problem), 1)
    address = reach.address_for_jobs(elsewhere=settings.cluster is not None)
    settings = replace(settings, address_for_jobs=address)
    try:
        _run(_serve(settings, options, listener, reach))
    except DatabaseFault as problem:
        return _fail(problem.describe(options.language), 1)
    except OtherCluster as problem:
        return _fail(say(options.language, "launch.cluster.other", servers=problem), 1)
    except CannotStart as problem:
        text = say(options.language, "launch.cannot_start", reason=problem, log=settings.data / LOG_FILE)
        return _fail(text, 1)
    finally:
        withdraw(settings)
        os.close(lock)
    return 0


def _run(serving: object) -> None:
    import uvloop

    uvloop.run(serving)  # type: ignore[arg-type]


async def _serve(
    settings: Settings, options: UpOptions, listener: socket.socket, reach: Reachability
) -> None:
    from danlu.launch.serve.server import ApiServer

    # All is loaded, and stays; what is made from here on may become garbage.
    gc.freeze()
    gc.enable()
    if settings.has_standbys:
        await _serve_standing(settings, options, listener, reach)
        return
    async with open_installation(settings) as installation, _heard(installation, settings):
        if options.policy is not None:
            await _set_policy(installation, options.policy)

        def announce_with(certificate: Certificate | None) -> None:
            announce(settings, reach.local_url, certificate.fingerprint if certificate else None)

        server = ApiServer(installation, listener, reach, announce_with)
        line = StatusLine(installation.control, options.language, sys.stdout)
        beside = [asyncio.create_task(_step_back(installation, server, settings, options.language))]

        async def when_ready() -> None:
            code, _ = await installation.access.make_link(installation.starter)
            line.greet(settings, reach, code)
            await _invite(installation, options)
            write_private(settings.token_file, installation.access.make_local_secret() + "\n")
            # Last: a client that finds the server through its data folder finds it complete.
            announce_with(reach.encryption.certificate if reach.encryption else None)
            beside.append(asyncio.create_task(line.run()))

        await server.run(when_ready)
        for task in beside:
            task.cancel()
        line.say_goodbye(await _count_active(installation))


async def _serve_standing(
    settings: Settings, options: UpOptions, listener: socket.socket, reach: Reachability
) -> None:
    """One server of several."""
    from danlu.launch.standby.candidate import serve_standing

    @asynccontextmanager
    async def lead(local_secret: str, installation: Installation, fence: int) -> AsyncIterator[None]:
        async with _heard(installation, settings):
            if options.policy is not None:
                await _set_policy(installation, options.policy)
            installation.access.take_local_secret(local_secret, settings.starter)
            code, _ = await installation.access.make_link(installation.starter)
            line = StatusLine(installation.control, options.language, sys.stdout)
            line.greet(settings, reach, code)
            await _invite(installation, options)
            _tell(say(options.language, "launch.leads", fence=fence))
            watching = asyncio.create_task(line.run())
            try:
                yield
            finally:
                watching.cancel()

    def greet() -> None:
        _tell(say(options.language, "launch.standing_by", url=reach.shared_url, data=settings.data))
        warn_if_alone(reach, options.language)

    await serve_standing(settings, listener, reach, lead, greet)
    _tell(say(options.language, "launch.stopped"))


async def _step_back(
    installation: Installation, server: ApiServer, settings: Settings, language: Language
) -> None:
    """Refuse everything once the nodes are found to follow another copy of the database."""
    refusal = await installation.stepping_back.wait()
    sys.stderr.write(DatabaseFault(settings.database, refusal).describe(language) + "\n")
    server.refuse(refusal)


def warn_if_alone(reach: Reachability, language: Language) -> None:
    """One of several servers that no other can reach leaves all clients outside as soon as it leads."""
    if reach.front.shared_url is None:
        logging.getLogger(__name__).error("other servers cannot reach this one, at %s", reach.local_url)
        sys.stderr.write(say(language, "launch.standby_alone", url=reach.local_url) + "\n")
        sys.stderr.flush()


def _tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


async def _count_active(installation: Installation) -> int:
    try:
        return await installation.control.count_active()
    except Unavailable:
        return 0


async def _set_policy(installation: Installation, policy: str) -> None:
    from danlu.store.settings import change_scheduling

    control, actor = installation.control, installation.starter.name
    await control.database.write(lambda tx: change_scheduling(tx, actor, policy=policy))


def _choose_database(settings: Settings, options: UpOptions) -> Settings:
    """Raises BadOption, OSError."""
    try:
        location = choose_location(settings.data, options.database)
    except BadLocation:
        raise BadOption(say(options.language, "launch.database.bad_url")) from None
    except DatabaseMismatch as problem:
        facts = {"kept": problem.kept, "wanted": problem.wanted, "file": settings.data / FILE}
        raise BadOption(say(options.language, "launch.database.mismatch", **facts)) from None
    except FAULTS as problem:
        fault = DatabaseFault(settings.data / "danlu.db", problem)
        raise BadOption(fault.describe(options.language)) from problem
    if options.standby and not is_postgresql(location):
        raise BadOption(say(options.language, "launch.standby_needs_postgresql"))
    if options.database_typed and has_password(location):
        sys.stderr.write(say(options.language, "launch.database.password_typed") + "\n")
    return replace(settings, database_url=location if isinstance(location, str) else None)


def _choose_cluster(settings: Settings, options: UpOptions) -> Settings:
    """What was said about a cluster now, else at an earlier start. Raises BadOption, OSError."""
    from danlu.launch.cluster.remembered_options import remember_cluster, remembered_cluster

    known = remembered_cluster(settings.data)
    if not (options.cluster or options.standby or known):
        if any(said is not None for said in (options.messages_port, options.advertise, options.node_file)):
            raise BadOption(say(options.language, "launch.cluster.only_with"))
        return settings
    if options.advertise is not None and not is_host(options.advertise.strip("[]")):
        facts = {"option": "--advertise", "address": options.advertise}
        raise BadOption(say(options.language, "launch.bad_address", **facts))
    known = known or ClusterSettings(is_node=options.cluster)
    chosen = ClusterSettings(
        messages_port=options.messages_port or known.messages_port,
        advertise=options.advertise or known.advertise,
        lease_s=_seconds("DANLU_LEASE_S", ClusterSettings().lease_s),
        is_node=known.is_node or options.cluster,
        node_file=str(options.node_file.expanduser().absolute()) if options.node_file else known.node_file,
    )
    _check_cluster(settings, options.language)
    remember_cluster(settings.data, chosen)
    return replace(settings, cluster=chosen)


def _check_cluster(settings: Settings, language: Language) -> None:
    """Raises BadOption."""
    from danlu.launch.cluster.nats_process import find_binary

    try:
        import nats  # noqa: F401
        import nkeys  # noqa: F401
    except ImportError:
        raise BadOption(say(language, "launch.cluster.no_packages")) from None
    if find_binary() is None:
        raise BadOption(say(language, "launch.cluster.no_packages"))
    if settings.simulate is not None and settings.simulate[0] > 1:
        raise BadOption(say(language, "launch.cluster.simulation"))


async def _invite(installation: Installation, options: UpOptions) -> None:
    """What to type on the next machine; said when the admin asked for a cluster just now."""
    if options.cluster:
        membership, actor = installation.control.membership, installation.starter.name
        _, token = await membership.make_token(actor, INVITATION_S, NodeRole.COMPUTE)
        _tell(say(options.language, "launch.cluster.invitation", command=membership.join_command(token)))


def _make_settings(options: UpOptions) -> Settings:
    return Settings(
        data=options.data.expanduser().absolute(),
        starter=starter_name(),
        host=options.reach.host,
        simulate=parse_simulation(options.simulate, options.language),
        folders=tuple(folder.expanduser().absolute() for folder in options.folders),
        checks_paths=True,
        kill_leftovers=not options.keep_leftovers,
        resize_pause_s=_seconds("DANLU_RESIZE_PAUSE_S", 60.0),
        cgroups=options.cgroups,
    )


def _seconds(variable: str, usual_s: float) -> float:
    """How long something takes; an admin who tries Danlu out may set it shorter."""
    return float(os.environ.get(variable) or usual_s)


def parse_simulation(text: str | None, language: Language) -> tuple[int, int] | None:
    """(nodes, GPUs each) of `4` or `3x8`. Raises BadOption."""
    if text is None:
        return None
    nodes, _, gpus = text.lower().rpartition("x")
    try:
        shape = (int(nodes or "1"), int(gpus))
    except ValueError:
        shape = (0, 0)
    if shape[0] < 1 or shape[1] < 0 or shape[0] * max(shape[1], 1) > LARGEST_SIMULATION:
        raise BadOption(say(language, "launch.bad_simulation", text=text))
    return shape


def _log_to_file(data: Path, level: str) -> None:
    """The server's own log, bounded in size, beside the data."""
    handler = RotatingFileHandler(data / LOG_FILE, maxBytes=10_000_000, backupCount=3)
    handler.setFormatter(ScrubbedFormatter(FORMAT))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


@asynccontextmanager
async def _heard(installation: Installation, settings: Settings) -> AsyncIterator[None]:
    """Let the log that people read hear what is logged, and what the file has of the time before."""
    heard: ServerLog = installation.control.server_log
    logging.getLogger().addHandler(heard)
    try:
        await asyncio.to_thread(heard.recall, settings.data / LOG_FILE)
        yield
    finally:
        logging.getLogger().removeHandler(heard)


def _fail(text: str, code: int) -> int:
    sys.stderr.write(text + "\n")
    return code
