"""An agent that becomes another version of itself: the keeper stays, and with it the jobs.

What was sent is unpacked and tried beside the old one; then the process becomes the new one, under the same
number. A guard that runs from the old one watches it: if the new one does not get its lease, the old one is
put back.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from danlu import __version__
from danlu.launch.detached import fit_to_inherit, start_detached, stop_holder
from danlu.launch.install.runtime import (
    CURRENT,
    DESCRIPTION,
    clear_old,
    current_name,
    find_agent,
    has_runtime,
    runtime_of,
    switch,
    unpack,
)
from danlu.launch.interpreter import become_danlu, danlu_argv

log = logging.getLogger(__name__)

NEXT = "next"
LOCK = "agent.lock"
GUARD_S = 90.0
"""How long the new one may take to get its first lease."""
GONE_S = 5.0
"""So long nothing must hold the agent's lock before the new one counts as ended, and before the old one is
started by us: systemd may be about to do it."""
END_S = 10.0
LOOK_S = 0.25
ANSWER_S = 0.3
"""So long the answer to the call may need to leave this process."""


class AgentUpgrade:
    """What an agent does when the server says that it shall be replaced."""

    def __init__(self, data: Path) -> None:
        self._data = data

    async def __call__(self, name: str, bundle: Path) -> None:
        """Returns when everything is ready, shortly before this process ends. Raises CannotUnpack."""
        await asyncio.to_thread(self._unpack, name, bundle)
        log.info("this agent becomes %s", name)
        (runtime_of(self._data) / NEXT).write_text(f"{name}\n")
        asyncio.get_running_loop().call_later(ANSWER_S, os.kill, os.getpid(), signal.SIGTERM)

    def _unpack(self, name: str, bundle: Path) -> None:
        try:
            if not has_runtime(self._data, name):
                with bundle.open("rb") as file:
                    unpack(self._data, name, file)
        finally:
            # A server's own copy stays; what was fetched would not be looked at again, damaged or not.
            if bundle.is_relative_to(self._data / "fetched"):
                bundle.unlink(missing_ok=True)


def follow_upgrade(data: Path) -> None:
    """Become what this agent was told to become, if it was. Does not return then."""
    mark = runtime_of(data) / NEXT
    try:
        name = mark.read_text().strip()
    except OSError:
        return
    mark.unlink()
    before = switch(data, name)
    _start_guard(data, name, before)
    _become(data, name)


def prefer_newer(data: Path) -> None:
    """An agent that was upgraded stays so, also where its starter knows only the old one. Does not return
    where this one is the older."""
    # Of an earlier agent that died before it got there: an admin who stops this one means it.
    (runtime_of(data) / NEXT).unlink(missing_ok=True)
    name = current_name(data)
    if name is None or Path(sys.prefix) == runtime_of(data) / name:
        return
    try:
        version = str(json.loads((runtime_of(data) / name / DESCRIPTION).read_text())["version"])
    except (OSError, ValueError, KeyError):
        return
    if _numbers(version) > _numbers(__version__):
        _become(data, name)


def guard(data: Path, before: str, python: str, since_ns: int, agent: int | None = None) -> bool:
    """Wait for the new agent's first lease; put the old one back if it does not come. Blocks.

    `agent` is the process that was to become the new one, as a pidfd."""
    if _gets_lease(data, since_ns):
        return True
    log.error("the new agent did not get a lease: the old one is put back")
    if before:
        switch(data, before)
    else:
        (runtime_of(data) / CURRENT).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        stop_holder(data / LOCK)
    if agent is not None:
        # It may hang before it ever takes the lock, and would go on beside the old one.
        _end(agent)
    if not _is_held(data, GONE_S):
        argv = danlu_argv("join", "--data", str(data), python=python)
        start_detached(argv, data / "agent.out", fit_to_inherit(os.environ))
    return False


def _gets_lease(data: Path, since_ns: int) -> bool:
    deadline = time.monotonic() + GUARD_S
    held_at = time.monotonic()
    while (now := time.monotonic()) < deadline:
        with contextlib.suppress(OSError):
            if (data / "node" / "lease").stat().st_mtime_ns > since_ns:
                return True
        if find_agent(data) is not None:
            held_at = now
        elif now - held_at > GONE_S:
            return False
        time.sleep(LOOK_S)
    return False


def _end(process: int) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(process, number)
        if select.select([process], [], [], END_S)[0]:
            return


def _is_held(data: Path, patience_s: float) -> bool:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        if find_agent(data) is not None:
            return True
        time.sleep(LOOK_S)
    return False


def _start_guard(data: Path, name: str, before: str | None) -> None:
    words = [str(data), before or "", sys.executable, str(time.time_ns()), str(os.getpid())]
    argv = danlu_argv(*words, module="danlu.launch.install.upgrade")
    try:
        start_detached(argv, data / "upgrade.log", fit_to_inherit(os.environ))
    except (OSError, subprocess.SubprocessError):
        log.exception("no process watches the change to %s", name)


def _become(data: Path, name: str) -> None:
    become_danlu("join", "--data", str(data), python=runtime_of(data) / name / "bin" / "python")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def main(words: list[str]) -> int:
    """The guard, as a process of its own."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    data, before, python, since, pid = Path(words[0]), *words[1:]
    agent: int | None = None
    # It is our parent until it ends: no other process has its number.
    if os.getppid() == int(pid):
        with contextlib.suppress(OSError):
            agent = os.pidfd_open(int(pid))
    if not guard(data, before, python, int(since), agent):
        return 1
    clear_old(data, {current_name(data) or "", before})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
