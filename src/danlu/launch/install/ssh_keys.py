"""The key with which the servers of an installation are let in by ssh, and the machines they have met.

Both are kept in the database, with its other secrets, so that whichever server leads is let in where the one
before it was. What ssh itself reads are files in the data folder of each.
"""

from __future__ import annotations

import asyncio
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from danlu.codec import decode, encode
from danlu.core.errors import Unavailable
from danlu.launch.locations import write_private
from danlu.store.engine.database import Database
from danlu.store.secrets import get_secret, keep_secret, replace_secret

SECRET = "ssh"  # noqa: S105 - its name
MET = "ssh_known_hosts"
KEY = "id_ed25519"
EARLIER = "id_ed25519.earlier"
"""The own key of a server that had one before it got to know that of the installation."""
KNOWN_HOSTS = "known_hosts"


@dataclass(frozen=True, slots=True)
class KeyPair:
    private: str
    public: str


class SshKeys:
    """`folder` is where ssh finds them."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.folder = folder
        self._database = database
        self._one_at_a_time = asyncio.Lock()

    async def bring(self) -> None:
        """Have everything in the folder. Raises Unavailable where there is no ssh."""
        async with self._one_at_a_time:
            await self._bring()

    async def _bring(self) -> None:
        await asyncio.to_thread(self.folder.mkdir, mode=0o700, exist_ok=True)
        kept = await self._database.read(lambda connection: get_secret(connection, SECRET))
        if kept is None:
            made = json.dumps(encode(await self._find_or_make()))
            # Another may have been faster: all use what is kept.
            kept = await self._database.write(lambda tx: keep_secret(tx, SECRET, lambda: made))
        met = await self._database.read(lambda connection: get_secret(connection, MET))
        await asyncio.to_thread(self._lay_out, decode(KeyPair, json.loads(kept), trusted=True), met)

    async def note_met(self) -> None:
        """Remember the machines that ssh knows now: the next server shall know them too."""
        met = await asyncio.to_thread(_read, self.folder / KNOWN_HOSTS)
        if met is not None and met != await self._database.read(
            lambda connection: get_secret(connection, MET)
        ):
            await self._database.write(partial(replace_secret, name=MET, value=met))

    async def _find_or_make(self) -> KeyPair:
        key = self.folder / KEY
        if not await asyncio.to_thread(key.exists):
            await _generate(key)
        private, public = await asyncio.to_thread(lambda: (_read(key), _read(key.with_suffix(".pub"))))
        if private is None:
            raise Unavailable("install_no_ssh")
        return KeyPair(private, public or "")

    def _lay_out(self, pair: KeyPair, met: str | None) -> None:
        key = self.folder / KEY
        own = _read(key)
        if own != pair.private:
            if own is not None:
                key.replace(self.folder / EARLIER)
            write_private(key, pair.private)
        if pair.public and _read(key.with_suffix(".pub")) != pair.public:
            write_private(key.with_suffix(".pub"), pair.public)
        # A server that has met machines itself knows them best: an admin may have corrected that file.
        if met is not None and not (self.folder / KNOWN_HOSTS).exists():
            write_private(self.folder / KNOWN_HOSTS, met)


def _read(path: Path) -> str | None:
    with suppress(OSError):
        return path.read_text()
    return None


async def _generate(key: Path) -> None:
    try:
        making = await asyncio.create_subprocess_exec(
            *("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", f"danlu@{os.uname().nodename}"),
            *("-f", str(key)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise Unavailable("install_no_ssh") from None
    await making.wait()
