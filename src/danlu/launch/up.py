"""`danlu up`: start an installation on this machine and say where it is."""

from __future__ import annotations

import asyncio
import getpass
import logging
import os
import socket
import sys
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path

from danlu.launch.installation import CannotStart, Installation, open_installation
from danlu.launch.locations import AlreadyRunning, announce, lock_data, prepare_folders, withdraw
from danlu.launch.status_line import StatusLine
from danlu.settings import Settings
from danlu.wording.catalogue import Language, say

USUAL_PORT = 8642
LARGEST_SIMULATION = 10_000


@dataclass(frozen=True, slots=True)
class UpOptions:
    data: Path
    host: str
    port: int | None
    simulate: str | None
    policy: str | None
    keep_leftovers: bool
    cgroups: str
    language: Language
    log_level: str


class BadOption(Exception):
    """An option that cannot be used; its text is meant for the user."""


def run_up(options: UpOptions) -> int:
    """Start Danlu and stay until it is stopped; the exit code."""
    # Whatever is written here is its owner's alone, unless a mode is set on purpose.
    os.umask(0o077)
    try:
        settings = _make_settings(options)
        prepare_folders(settings)
        lock = lock_data(settings.data)
        withdraw(settings)
    except BadOption as problem:
        return _fail(str(problem), 2)
    except AlreadyRunning:
        return _fail(say(options.language, "launch.already_running", data=options.data), 1)
    except OSError as problem:
        return _fail(say(options.language, "launch.no_folder", data=options.data, reason=problem), 1)
    try:
        listener = _listen(settings.host, options.port)
    except OSError as problem:
        text = say(options.language, "launch.no_port", host=settings.host, port=options.port, reason=problem)
        return _fail(text, 1)
    _log_to_file(settings.data, options.log_level)
    try:
        _run(_serve(settings, options, listener))
    except CannotStart as problem:
        text = say(options.language, "launch.cannot_start", reason=problem, log=settings.data / "server.log")
        return _fail(text, 1)
    finally:
        withdraw(settings)
        os.close(lock)
    return 0


def _run(serving: object) -> None:
    import uvloop

    uvloop.run(serving)  # type: ignore[arg-type]


async def _serve(settings: Settings, options: UpOptions, listener: socket.socket) -> None:
    from danlu.launch.server import Server

    async with open_installation(settings) as installation:
        if options.policy is not None:
            await _set_policy(installation, options.policy)
        server = Server(installation, listener)
        url = _url(settings.host, listener.getsockname()[1])
        line = StatusLine(installation.control, options.language, sys.stdout)
        watching: asyncio.Task[None] | None = None

        async def when_ready() -> None:
            nonlocal watching
            code, _ = await installation.access.make_link(installation.starter)
            line.greet(settings, url, f"{url}/#login={code}")
            # Last: whoever finds the server through its data folder finds it complete.
            announce(settings, url, installation.access.make_local_secret())
            watching = asyncio.create_task(line.run())

        await server.run(when_ready)
        if watching is not None:
            watching.cancel()
        line.say_goodbye(await installation.control.count_active())


async def _set_policy(installation: Installation, policy: str) -> None:
    from danlu.store.settings import change_scheduling

    control, actor = installation.control, installation.starter.name
    await control.database.write(lambda tx: change_scheduling(tx, actor, policy=policy))


def _make_settings(options: UpOptions) -> Settings:
    return Settings(
        data=options.data.expanduser().absolute(),
        starter=_starter_name(),
        host=options.host,
        simulate=parse_simulation(options.simulate, options.language),
        kill_leftovers=not options.keep_leftovers,
        cgroups=options.cgroups,
    )


def _starter_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return f"uid{os.getuid()}"


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


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket on the port asked for; else on the usual one, else on any free one."""
    wanted = [port] if port is not None else [USUAL_PORT, 0]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in wanted:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen(1024)
        except OSError:
            listener.close()
            if number == wanted[-1]:
                raise
        else:
            return listener
    raise OSError


def _url(host: str, port: int) -> str:
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{shown}:{port}"


def _log_to_file(data: Path, level: str) -> None:
    """The server's own log, bounded in size, beside the data."""
    handler = RotatingFileHandler(data / "server.log", maxBytes=10_000_000, backupCount=3)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


def _fail(text: str, code: int) -> int:
    sys.stderr.write(text + "\n")
    return code
