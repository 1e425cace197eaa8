"""A Danlu with all its packages in a folder of a machine: unpacked, tried, switched to.

    DATA/runtime/VERSION-HASH/   bin/python bin/danlu lib/pythonX.Y/site-packages bundle.json
    DATA/runtime/current      -> one of them

This file travels to machines that have nothing but Python, and runs there by itself: it imports the standard
library alone. What it makes is a virtual environment, made by hand: `venv` is not everywhere.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import platform
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
from pathlib import Path, PurePosixPath
from typing import IO, Any

CURRENT = "current"
DESCRIPTION = "bundle.json"
PACKAGES = "site-packages"
REACH_S = 5.0
TRIAL_S = 60.0
TRIAL = "import asyncinotify, click, cryptography, nacl, nats, uvloop, danlu.main"
"""What has compiled parts, and what is needed first."""
LAUNCHER = """\
#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/python" -I -m danlu.main "$@"
"""


STOP_S = 20
SERVICE = "danlu-agent.service"
UNIT = f"/etc/systemd/system/{SERVICE}"
UNIT_TEXT = """\
[Unit]
Description=Danlu agent of this node
After=network-online.target remote-fs.target
Wants=network-online.target

[Service]
Type=exec
ExecStart={danlu} join --data {data}
Restart=always
RestartSec=2
RestartPreventExitStatus=3
KillMode=process
TimeoutStopSec=30
OOMPolicy=continue
OOMScoreAdjust=-500
Delegate=yes
Nice=-10
TasksMax=infinity
LimitNOFILE=1048576

[Install]
WantedBy=multi-user.target
"""


class CannotUnpack(Exception):
    """What is wrong with what was sent, or with the place it shall go to."""


def runtime_of(data: Path) -> Path:
    return data / "runtime"


def has_runtime(data: Path, name: str) -> bool:
    return (runtime_of(data) / name / DESCRIPTION).exists()


def current_name(data: Path) -> str | None:
    """The name of the one that is used from now on; None while there is none."""
    try:
        return (runtime_of(data) / CURRENT).readlink().name
    except OSError:
        return None


def unpack(data: Path, name: str, bundle: IO[bytes]) -> None:
    """Make a runtime out of a bundle, whole or not at all, and try whether it works. Raises CannotUnpack."""
    if PurePosixPath(name).name != name or name.startswith("."):
        raise CannotUnpack(f"no name: {name}")
    fresh = runtime_of(data) / f".{name}.{os.getpid()}"
    try:
        # Jobs of other accounts pass through the data folder, and may use what is in the runtime.
        data.mkdir(parents=True, exist_ok=True, mode=0o711)
        runtime_of(data).mkdir(exist_ok=True)
        runtime_of(data).chmod(0o755)
        shutil.rmtree(fresh, ignore_errors=True)
        _fill(fresh, bundle)
        _try_out(fresh)
        if not has_runtime(data, name):
            shutil.rmtree(runtime_of(data) / name, ignore_errors=True)
            fresh.rename(runtime_of(data) / name)
    except (OSError, tarfile.TarError, EOFError) as problem:
        raise CannotUnpack(str(problem)) from problem
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def switch(data: Path, name: str) -> str | None:
    """From now on this one is used. The name of the one before."""
    before = current_name(data)
    fresh = runtime_of(data) / f".{CURRENT}.{os.getpid()}"
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(name)
    fresh.replace(runtime_of(data) / CURRENT)
    return before


def clear_old(data: Path, keep: set[str]) -> None:
    """Remove what nothing uses any more. A keeper outlives many an upgrade, and runs from where it began."""
    used = _command_lines()
    for folder in runtime_of(data).iterdir():
        if folder.is_symlink() or folder.name in keep or folder.name.startswith("."):
            continue
        if not any(os.fsencode(folder) + b"/" in line for line in used):
            shutil.rmtree(folder, ignore_errors=True)


def look(data: Path, host: str, port: int, name: str) -> dict[str, Any]:
    """What must be known of a machine before anything is sent to it."""
    libc, libc_version = platform.libc_ver()
    above = data
    while not above.exists():
        above = above.parent
    return {
        "data": str(data),
        "machine": platform.machine(),
        "libc": libc,
        "libc_version": libc_version,
        "free_bytes": shutil.disk_usage(above).free,
        "folder": str(above),
        "writable": os.access(above, os.W_OK | os.X_OK),
        "reach": _try_to_reach(host, port),
        "has_runtime": has_runtime(data, name),
        "member": _member(data, "id"),
        "node": _member(data, "node"),
        "agent": find_agent(data) is not None,
        "systemd": os.geteuid() == 0 and Path("/run/systemd/system").is_dir(),
    }


def _fill(folder: Path, bundle: IO[bytes]) -> None:
    major, minor = sys.version_info[:2]
    packages = folder / "lib" / f"python{major}.{minor}" / PACKAGES
    packages.mkdir(parents=True)
    with tarfile.open(fileobj=bundle, mode="r|gz") as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            if not member.isfile() or path.is_absolute() or ".." in path.parts:
                raise CannotUnpack(f"not a plain file: {member.name}")
            source = archive.extractfile(member)
            if source is None:
                raise CannotUnpack(f"nothing in it: {member.name}")
            described = path == PurePosixPath(DESCRIPTION)
            target = folder / DESCRIPTION if described else packages / path.relative_to(PACKAGES)
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("wb") as file:
                shutil.copyfileobj(source, file)
            target.chmod(0o755 if member.mode & 0o100 else 0o644)
    _add_python(folder)
    for path_made in folder.rglob("*"):
        if path_made.is_dir() and not path_made.is_symlink():
            path_made.chmod(0o755)
    folder.chmod(0o755)


def _add_python(folder: Path) -> None:
    """What makes a folder a virtual environment: a link to Python, and where it comes from."""
    python = Path(getattr(sys, "_base_executable", None) or sys.executable)
    (folder / "bin").mkdir()
    (folder / "bin" / "python").symlink_to(python)
    (folder / "bin" / "python3").symlink_to("python")
    launcher = folder / "bin" / "danlu"
    launcher.write_text(LAUNCHER)
    launcher.chmod(0o755)
    settings = f"home = {python.parent}\ninclude-system-site-packages = false\n"
    (folder / "pyvenv.cfg").write_text(settings + f"version = {platform.python_version()}\n")
    for name in ("pyvenv.cfg", DESCRIPTION):
        (folder / name).chmod(0o644)


def _try_out(folder: Path) -> None:
    try:
        done = subprocess.run(
            [folder / "bin" / "python", "-I", "-c", TRIAL],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=TRIAL_S,
        )
    except subprocess.TimeoutExpired as problem:
        raise CannotUnpack(f"no answer within {TRIAL_S:.0f} s") from problem
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise CannotUnpack(said[-1] if said else f"exit code {done.returncode}")


def _try_to_reach(host: str, port: int) -> str:
    """Why it cannot be reached; empty when it can."""
    try:
        socket.create_connection((host, port), REACH_S).close()
    except OSError as problem:
        return str(problem) or type(problem).__name__
    return ""


def _member(data: Path, what: str) -> str | None:
    """Who this machine has joined as, if it has."""
    try:
        return str(json.loads((data / "member.json").read_text())[what])
    except (OSError, ValueError, KeyError):
        return None


def find_agent(data: Path) -> int | None:
    """The process of the agent that runs here; it holds a lock."""
    try:
        with (data / "agent.lock").open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return int(file.readline())
    except (OSError, ValueError):
        pass
    return None


def stop_agent(data: Path) -> None:
    """Wait until it is gone. Jobs go on: they are the keeper's."""
    if Path(UNIT).exists() and shutil.which("systemctl"):
        subprocess.run(["systemctl", "stop", SERVICE], check=False, stdout=subprocess.DEVNULL)
    pid = find_agent(data)
    if pid is None:
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
    with (data / "agent.lock").open("rb") as file:
        signal.alarm(STOP_S)
        fcntl.flock(file, fcntl.LOCK_SH)
        signal.alarm(0)


def make_service(data: Path) -> None:
    """Have systemd run the agent from now on, also after a restart of the machine. Raises OSError."""
    Path(UNIT).write_text(UNIT_TEXT.format(danlu=runtime_of(data) / CURRENT / "bin" / "danlu", data=data))
    stop_agent(data)
    for words in (["daemon-reload"], ["enable", "--now", SERVICE]):
        done = subprocess.run(["systemctl", *words], check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise OSError(f"systemctl {' '.join(words)}: {done.stderr.strip()}")


def _command_lines() -> list[bytes]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(path.read_bytes())
        except OSError:
            continue
    return found


def main(words: list[str]) -> int:
    """What is asked of a machine over ssh; the bundle of `unpack` is standard input."""
    verb, data, *rest = words
    folder = Path(data).expanduser().absolute()
    try:
        if verb == "look":
            host, port, name = rest
            sys.stdout.write(json.dumps(look(folder, host, int(port), name)) + "\n")
        elif verb == "unpack":
            unpack(folder, rest[0], sys.stdin.buffer)
        elif verb == "switch":
            before = switch(folder, rest[0])
            clear_old(folder, {rest[0], before or ""})
        elif verb == "stop":
            stop_agent(folder)
        elif verb == "service":
            make_service(folder)
        elif verb == "member":
            sys.stdout.write(f"{_member(folder, 'node')}\n")
        else:
            return 2
    except (CannotUnpack, OSError) as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    return 0
