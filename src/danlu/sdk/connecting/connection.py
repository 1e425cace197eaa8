"""Which server is meant, and who one is there.

A named place wins over a found one, and what is said in a call wins over the environment:
`data`, `profile`, DANLU_DATA, DANLU_PROFILE, a server running in the default folder, the default profile; in
a job last of all the one that runs it, for locks and keys.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from danlu.sdk.errors import BadProfiles, NoProfile, NotRunning, NowhereToGo

if TYPE_CHECKING:
    from danlu.sdk.connecting.profiles import Profile


@dataclass(frozen=True, slots=True)
class Server:
    """An address and a token for it. `fingerprint` is of its key, where that is pinned; `profile` or `folder`
    says how it was found. `others` are servers of the same installation, to be asked when it is away."""

    url: str
    token: str | None = None
    profile: str | None = None
    folder: Path | None = None
    fingerprint: str | None = None
    others: tuple[Server, ...] = ()


Locate = Callable[[], Server]
"""Asked before every new connection: a server that was started again may have another port."""


def data_folder(environment: Mapping[str, str], data: Path | str | None = None) -> Path:
    """The folder of a local installation: as given, else DANLU_DATA, else under the XDG data home."""
    if named := data or environment.get("DANLU_DATA"):
        return Path(named).expanduser().absolute()
    base = environment.get("XDG_DATA_HOME") or Path(environment.get("HOME") or "~").expanduser() / (
        ".local/share"
    )
    return Path(base) / "danlu"


def locate(
    environment: Mapping[str, str], data: Path | str | None = None, profile: str | None = None
) -> Locate:
    """Choose the server. Raises NowhereToGo (or one below it)."""
    if data is None and profile is None:
        data = environment.get("DANLU_DATA") or None
        profile = environment.get("DANLU_PROFILE") or None
    if data is not None:
        return LocalServer(data_folder(environment, data)).find
    here = LocalServer(data_folder(environment))
    if profile is None and here.is_running():
        return here.find
    if remote := _find_profile(environment, profile):
        return remote.find
    if here.has_address():
        return here.find
    from danlu.sdk.in_job import locate_from_job

    if in_job := locate_from_job(environment):
        return in_job
    raise NowhereToGo


def at(url: str, token: str | None = None, fingerprint: str | None = None) -> Locate:
    """`url` may name several servers, as `read_servers` reads them; `fingerprint` is of the first. Raises
    ValueError for what is no fingerprint, or no address."""
    server = read_servers(url, token)
    if fingerprint is not None:
        from danlu.sdk.connecting.pinning import parse_fingerprint

        server = replace(server, fingerprint=parse_fingerprint(fingerprint))
    return lambda: server


def read_servers(text: str, token: str | None = None) -> Server:
    """The servers of `https://a:7322#SHA256:…,https://b:7322`: each with the fingerprint of its key behind
    `#`, if that is pinned. Raises ValueError."""
    from danlu.sdk.connecting.pinning import parse_fingerprint

    servers: list[Server] = []
    for word in text.split(","):
        url, _, pinned = word.strip().partition("#")
        if url:
            fingerprint = parse_fingerprint(pinned) if pinned else None
            servers.append(Server(url.rstrip("/"), token, fingerprint=fingerprint))
    if not servers:
        raise ValueError(text)
    return replace(servers[0], others=tuple(servers[1:]))


def _find_profile(environment: Mapping[str, str], name: str | None) -> ProfileServer | None:
    """The profile of that name, or the default one if there is one. Raises NoProfile, BadProfiles."""
    from danlu.sdk.connecting.profiles import profiles_path, read_profiles

    path = profiles_path(environment)
    known = read_profiles(path)
    key = name or known.default
    if key is None:
        return None
    if key not in known.profiles:
        raise NoProfile(key, sorted(known.profiles))
    return ProfileServer(path, key, known.profiles[key])


class ProfileServer:
    """The server of a profile. Its file is read each time: who logs in again is logged in everywhere."""

    def __init__(self, path: Path, key: str, profile: Profile) -> None:
        self._path = path
        self._key = key
        self._profile = profile

    def find(self) -> Server:
        from danlu.sdk.connecting.profiles import read_profiles

        with suppress(BadProfiles):
            fresh = read_profiles(self._path).profiles.get(self._key)
            # A name that was given to another server since then is not what was meant.
            if fresh is not None and fresh.url == self._profile.url:
                self._profile = fresh
        profile = self._profile
        here = Server(profile.url, profile.token, profile=self._key, fingerprint=profile.fingerprint)
        others = tuple(
            replace(here, url=other.url, fingerprint=other.fingerprint) for other in profile.others
        )
        return replace(here, others=others)


@dataclass(frozen=True, slots=True)
class _ServerFile:
    url: str
    pid: int
    fingerprint: str | None


class LocalServer:
    """The server of a data folder, through the files that it keeps there while it runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: Server | None = None

    def find(self) -> Server:
        """Where it is now; while it is being started again, where it was. Raises NotRunning."""
        file = self._read()
        if file is not None:
            self._known = Server(
                file.url.rstrip("/"), self._token(), folder=self._folder, fingerprint=file.fingerprint
            )
        if self._known is None:
            raise NotRunning(self._folder)
        return self._known

    def has_address(self) -> bool:
        return self._read() is not None

    def is_running(self) -> bool:
        """Its process is there: a file left behind by a killed server does not count."""
        file = self._read()
        if file is None:
            return False
        try:
            os.kill(file.pid, 0)
        except PermissionError:
            return True
        except (OSError, OverflowError):
            return False
        return True

    def _read(self) -> _ServerFile | None:
        try:
            data = json.loads((self._folder / "server.json").read_text("utf-8"))
            return _ServerFile(str(data["url"]), int(data["pid"]), data.get("fingerprint"))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _token(self) -> str | None:
        try:
            return (self._folder / "local-token").read_text("utf-8").strip() or None
        except (OSError, ValueError):
            return None
