"""One connection to a machine by the system's own ssh, used for everything that is done there.

Nothing is ever asked at a terminal. The keys are those of the account that the server runs as, and one of the
installation's own (`ssh_keys`); machines are remembered when they are first met.
"""

from __future__ import annotations

import asyncio
import contextlib
import shlex
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from danlu.control.nodes.installations import Target
from danlu.core.errors import DanluError, Unavailable
from danlu.launch.install.ssh_keys import EARLIER, KEY, KNOWN_HOSTS, SshKeys

CONNECT_S = 10
OPEN_S = 45.0
READY = "danlu-ready"
RUN_S = 120.0
SEND_S = 1800.0
PIECE = 1 << 18
SSH_FAILED = 255
USUAL_KEYS = ("id_ed25519", "id_ecdsa", "id_rsa")
LONGEST_REASON = 500


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def reason(self) -> str:
        """The last thing it said, for people."""
        said = (self.err.strip() or self.out.strip()).splitlines()
        return said[-1][:LONGEST_REASON] if said else f"exit code {self.code}"


class Ssh:
    """Commands on one machine."""

    def __init__(self, target: Target, folder: Path, socket: Path) -> None:
        self._target = target
        self._folder = folder
        self._socket = socket

    async def run(self, *words: str, text_in: str = "") -> Done:
        """Run a command there, whatever shell the account has. Raises DanluError when ssh itself fails."""
        process = await self._start(words)
        try:
            async with asyncio.timeout(RUN_S):
                out, err = await process.communicate(text_in.encode())
        except TimeoutError:
            raise Unavailable("install_unreachable", target=str(self._target), reason="no answer") from None
        finally:
            await _end(process)
        return await self._judge(process, out, err)

    async def send(self, file: BinaryIO, on_progress: Callable[[int], None], *words: str) -> Done:
        """Run a command there with a file as its input, told how many bytes have gone."""
        process = await self._start(words)
        assert process.stdin is not None  # noqa: S101 - asked for
        sent = 0
        try:
            async with asyncio.timeout(SEND_S):
                with contextlib.suppress(ConnectionError):
                    while piece := await asyncio.to_thread(file.read, PIECE):
                        process.stdin.write(piece)
                        await process.stdin.drain()
                        sent += len(piece)
                        on_progress(sent)
                process.stdin.close()
                out, err = await process.communicate()
        except TimeoutError:
            raise Unavailable("install_unreachable", target=str(self._target), reason="no answer") from None
        finally:
            await _end(process)
        return await self._judge(process, out, err)

    async def open(self) -> asyncio.subprocess.Process:
        """The connection that all commands go through: it lasts until its input ends."""
        process = await self._start(("sh", "-c", f"echo {READY}; exec cat"), master=True)
        assert process.stdout is not None  # noqa: S101 - asked for
        try:
            async with asyncio.timeout(OPEN_S):
                # What the account's own shell says at its start comes first.
                async for line in process.stdout:
                    if line.strip().decode(errors="replace") == READY:
                        return process
                out, err = await process.communicate()
        except TimeoutError:
            await _end(process)
            raise Unavailable("install_unreachable", target=str(self._target), reason="no answer") from None
        await self._judge(process, out, err)
        raise Unavailable("install_ssh_failed", target=str(self._target), reason="the shell there has ended")

    async def _start(self, words: Sequence[str], *, master: bool = False) -> asyncio.subprocess.Process:
        try:
            return await asyncio.create_subprocess_exec(
                *self._words(master=master),
                shlex.join(words),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        except FileNotFoundError:
            raise Unavailable("install_no_ssh") from None

    async def _judge(self, process: asyncio.subprocess.Process, out: bytes, err: bytes) -> Done:
        done = Done(process.returncode or 0, out.decode(errors="replace"), err.decode(errors="replace"))
        if done.code == SSH_FAILED:
            key = await asyncio.to_thread(_public_key, self._folder)
            raise explain(self._target, done.err, key, self._folder / KNOWN_HOSTS)
        return done

    def _words(self, *, master: bool) -> list[str]:
        options = {
            "BatchMode": "yes",
            "StrictHostKeyChecking": "accept-new",
            "UserKnownHostsFile": str(self._folder / KNOWN_HOSTS),
            "ConnectTimeout": str(CONNECT_S),
            "ServerAliveInterval": "10",
            "ServerAliveCountMax": "3",
            "ControlMaster": "yes" if master else "no",
            "ControlPath": str(self._socket),
            "ControlPersist": "no",
            "LogLevel": "ERROR",
        }
        words = ["ssh", "-T"]
        for name, value in options.items():
            words += ["-o", f"{name}={value}"]
        for key in self._keys():
            words += ["-i", str(key)]
        target = self._target
        if target.user is not None:
            words += ["-l", target.user]
        if target.port is not None:
            words += ["-p", str(target.port)]
        return [*words, "--", target.host]

    def _keys(self) -> list[Path]:
        if self._target.identity is not None:
            return [Path(self._target.identity)]
        usual = [Path("~/.ssh").expanduser() / name for name in USUAL_KEYS]
        own = self._folder / EARLIER
        return [self._folder / KEY, *(path for path in (own, *usual) if path.exists())]


@asynccontextmanager
async def connected(target: Target, keys: SshKeys) -> AsyncIterator[Ssh]:
    """A connection to a machine. Raises DanluError."""
    await keys.bring()
    # The data folder's own path may be longer than a socket's can be.
    place = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="danlu-"))
    ssh = Ssh(target, keys.folder, place / "s")
    try:
        line = await ssh.open()
        try:
            await keys.note_met()
            yield ssh
        finally:
            await _end(line)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def explain(target: Target, said: str, key: str, known_hosts: Path) -> DanluError:
    """What ssh says when it fails, as an error that names the remedy."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    reason = lines[-1][:LONGEST_REASON] if lines else "ssh failed"
    place, text = str(target), said.lower()
    if "host key" in text and ("changed" in text or "verification failed" in text):
        return Unavailable("install_host_key_changed", target=place, file=str(known_hosts))
    if "permission denied" in text or "too many authentication failures" in text:
        return Unavailable("install_key_refused", target=place, reason=reason, public_key=key)
    if "could not resolve" in text or "name or service not known" in text:
        return Unavailable("install_unknown_host", target=place, host=target.host)
    for sign in ("connection refused", "timed out", "no route", "unreachable", "connection closed", "reset"):
        if sign in text:
            return Unavailable("install_unreachable", target=place, reason=reason)
    return Unavailable("install_ssh_failed", target=place, reason=reason)


def _public_key(folder: Path) -> str:
    try:
        return (folder / KEY).with_suffix(".pub").read_text().strip()
    except OSError:
        return "-"


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
