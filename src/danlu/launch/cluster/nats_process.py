"""The messages' server (nats-server): a detached process beside the Danlu server, found again by the next
start, reloaded when members change, started again at once when it ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from danlu.launch.detached import (
    MESSAGES_LOCK,
    LockTaken,
    find_holder,
    fit_to_inherit,
    is_signed,
    start_holding,
    stop_holder,
    take_lock,
    wait_for_end,
)
from danlu.launch.locations import write_private

log = logging.getLogger(__name__)

START_S = 20.0
CHECK_S = 30.0
RELOAD_S = 2.0
"""So long after it was told to, it has read its settings again."""
MOST_WORDS = 1 << 16
PAUSE_S = 1.0
"""Between tries while it ends at once again and again."""


class NoCluster(Exception):
    """Why this machine cannot be the server of a cluster; its text is for the admin who tries."""


class NoMessages(NoCluster):
    """The messages' server cannot be started."""


class OtherCluster(NoCluster):
    """This machine is a node of another cluster, whose servers are these."""


def find_binary() -> Path | None:
    """The nats-server beside this Python, or the site's own."""
    beside = Path(sys.executable).with_name("nats-server")
    found = str(beside) if beside.exists() else shutil.which("nats-server")
    return Path(found) if found else None


class MessagesServer:
    """`render` gives the configuration of now. It lies with certificate and key in `data/messages`."""

    def __init__(
        self,
        data: Path,
        port: int,
        binary: Path,
        render: Callable[[], str],
        routes_port: int | None = None,
    ) -> None:
        self.folder = data / "messages"
        self.port = port
        self.routes_port = routes_port
        self._lock = data / MESSAGES_LOCK
        self._binary = binary
        self._render = render
        self._config = self.folder / "nats.conf"
        self._children: list[subprocess.Popen[bytes]] = []
        self._writing = asyncio.Lock()
        self._is_outdated = False
        self._reloading: asyncio.Task[None] | None = None

    @property
    def certificate_file(self) -> Path:
        return self.folder / "certificate.pem"

    @property
    def key_file(self) -> Path:
        return self.folder / "key.pem"

    @property
    def log_file(self) -> Path:
        return self.folder / "nats.log"

    def prepare(self, certificate: str, key: str) -> None:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        self.folder.chmod(0o700)
        write_private(self.certificate_file, certificate)
        write_private(self.key_file, key)

    async def start(self) -> None:
        """See to it that it runs as it should. Raises NoMessages."""
        holder = find_holder(self._lock)
        if holder is not None and holder.stamp != self._stamp():
            log.info("the messages' server was started differently, and is started anew")
            await asyncio.to_thread(stop_holder, self._lock)
            holder = None
        if holder is None:
            await self._start()
        else:
            self.reload()

    def reload(self) -> None:
        """Have it take up the members of now. Aside: many may come at once, and all are taken up together."""
        self._is_outdated = True
        if self._reloading is None or self._reloading.done():
            self._reloading = asyncio.create_task(self._reload(), name="reload of the messages' server")

    async def _reload(self) -> None:
        while self._is_outdated:
            self._is_outdated = False
            try:
                await self._write_config()
            except NoMessages as problem:
                log.error("the messages' server goes on with its old settings: %s", problem)
            else:
                self._say_reload()

    def _say_reload(self) -> None:
        holder = find_holder(self._lock)
        # One that has not signed yet, or has just ended, reads the file when it starts.
        if holder is None or not is_signed(holder):
            return
        said = self.log_file.stat().st_size if self.log_file.exists() else 0
        with contextlib.suppress(ProcessLookupError):
            os.kill(holder.pid, signal.SIGHUP)
        asyncio.get_running_loop().call_later(RELOAD_S, self._look_for_refusal, said)

    def _look_for_refusal(self, said: int) -> None:
        """It tells only its log."""
        with contextlib.suppress(OSError), self.log_file.open("rb") as file:
            file.seek(said)
            for line in file.read(MOST_WORDS).decode(errors="replace").splitlines():
                if "[ERR]" in line and "reload" in line:
                    log.error("the messages' server did not take its settings: %s", line.strip())

    async def watch(self) -> None:
        """Start it again whenever it ends."""
        loop = asyncio.get_running_loop()
        while True:
            began = loop.time()
            holder = find_holder(self._lock)
            if holder is not None:
                await wait_for_end(holder, self._lock)
            self._reap()
            log.warning("the messages' server has ended; it is started again")
            if loop.time() - began < PAUSE_S:
                await asyncio.sleep(PAUSE_S)
            try:
                await self._start()
            except NoMessages as problem:
                log.error("the messages' server does not start: %s", problem)
                await asyncio.sleep(PAUSE_S)

    async def _start(self) -> None:
        """Raises NoMessages."""
        try:
            await self._write_config()
        except NoMessages as problem:
            if not self._config.exists():
                raise
            log.error("the messages' server starts with its old settings: %s", problem)
        for old in self.folder.glob("*.ports"):
            old.unlink(missing_ok=True)
        try:
            descriptor = take_lock(self._lock)
        except LockTaken:
            return
        try:
            child = start_holding(
                [str(self._binary), "-c", str(self._config)],
                self.folder / "nats.out",
                fit_to_inherit(os.environ),
                descriptor,
                self._stamp(),
            )
        except OSError as problem:
            raise NoMessages(f"{self._binary}: {problem}") from problem
        finally:
            # The process has a copy: the lock lasts as long as that one lives.
            os.close(descriptor)
        self._children.append(child)
        await self._wait_ready(child)

    async def _wait_ready(self, child: subprocess.Popen[bytes]) -> None:
        deadline = asyncio.get_running_loop().time() + START_S
        while not (is_signed(find_holder(self._lock)) and list(self.folder.glob("*.ports"))):
            if child.poll() is not None:
                raise NoMessages(self._last_words())
            if asyncio.get_running_loop().time() > deadline:
                raise NoMessages(f"it does not listen within {START_S:.0f} s; see {self.log_file}")
            await asyncio.sleep(0.02)

    def _last_words(self) -> str:
        """What it said before it ended."""
        for path in (self.folder / "nats.out", self.log_file):
            with contextlib.suppress(OSError):
                lines = path.read_text(errors="replace").splitlines()
                told = [line for line in lines[-20:] if "[FTL]" in line or "[ERR]" in line or ":" in line]
                if told:
                    return told[-1].strip()
        return "it ended at once"

    async def _write_config(self) -> None:
        """Raises NoMessages for settings that it would not take: it would not start with them either."""
        async with self._writing:
            draft = self._config.with_name("nats.draft")
            own = f"\nports_file_dir: {json.dumps(str(self.folder))}\n"
            write_private(draft, self._render() + own)
            await asyncio.to_thread(self._check, draft)
            draft.replace(self._config)

    def _check(self, draft: Path) -> None:
        """Blocks. Raises NoMessages."""
        argv = [str(self._binary), "-t", "-c", str(draft)]
        try:
            done = subprocess.run(
                argv,
                check=False,
                capture_output=True,
                text=True,
                env=fit_to_inherit(os.environ),
                timeout=CHECK_S,
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise NoMessages(f"{self._binary}: {problem}") from problem
        if done.returncode != 0:
            raise NoMessages(" ".join((done.stderr or done.stdout).split())[:1000])

    def _stamp(self) -> str:
        """What cannot be changed without starting it anew."""
        facts = self._binary.resolve().stat()
        return f"{self.port} {self.routes_port} {facts.st_ino} {facts.st_mtime_ns}"

    def _reap(self) -> None:
        self._children = [child for child in self._children if child.poll() is None]
