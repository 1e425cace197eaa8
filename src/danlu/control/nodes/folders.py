"""Folders and environments as a user may see them: each question goes to a process with the rights that the
user's jobs have."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
from collections import Counter
from dataclasses import dataclass
from typing import Any

from danlu.agent.files.folder_probe_process import looker_argv
from danlu.codec import decode, encode
from danlu.control.identity.accounts import AccountBook
from danlu.control.identity.rights import check_may_submit
from danlu.core.errors import Invalid
from danlu.core.task import UnixAccount
from danlu.core.user import User
from danlu.settings import Settings
from danlu.wire.forms import EnvironmentRow, FolderPage

log = logging.getLogger(__name__)

PATIENCE_S = 5.0
MOST_AT_A_TIME = 16
MOST_PER_USER = 4
"""Processes that look around; one that hangs counts until the kernel lets go of it."""


class ProbeSilent(Exception):
    """The process that was asked does not answer: `hangs`; or none could be asked: `busy`."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """Whose rights a user looks around with (None: the server's own), and the home that is theirs."""

    account: UnixAccount | None
    home: str | None


class Folders:
    def __init__(self, accounts: AccountBook, settings: Settings) -> None:
        self._accounts = accounts
        self._settings = settings
        self._looking: Counter[str] = Counter()
        self._leaving: set[asyncio.Task[None]] = set()

    async def look(self, user: User, path: str | None) -> FolderPage:
        """What lies in a folder; without a path, where one may begin. Its `problem` is a code."""
        check_may_submit(user)
        try:
            viewpoint = await asyncio.to_thread(self._viewpoint_of, user)
            roots = [*([viewpoint.home] if viewpoint.home else []), *map(str, self._settings.folders)]
            asked = None if path is None else _from_home(path, viewpoint.home)
            answer = await self._ask(user, viewpoint, {"about": "folder", "path": asked, "roots": roots})
        except Invalid as problem:
            return _page(path, {"problem": problem.code})
        except ProbeSilent as problem:
            return _page(path, {"problem": str(problem)})
        return _page(path, answer)

    async def environments(self, user: User) -> list[EnvironmentRow]:
        """The environments that the user's jobs can name; none where no probe could look."""
        check_may_submit(user)
        shared = [str(self._settings.environments)]
        try:
            viewpoint = await asyncio.to_thread(self._viewpoint_of, user)
            question = {"about": "environments", "home": viewpoint.home, "shared": shared}
            answer = await self._ask(user, viewpoint, question)
        except (Invalid, ProbeSilent):
            return []
        return decode(list[EnvironmentRow], answer["environments"], trusted=True)

    def _viewpoint_of(self, user: User) -> Viewpoint:
        """Raises Invalid where there is no account that the user's jobs could run as. The home of the
        server's own account is its starter's alone, although others' jobs may run there."""
        account = self._accounts.account_for(user)
        if user.name == self._accounts.starter:
            return Viewpoint(None, account.home)
        return Viewpoint(None, None) if account.is_servers_own else Viewpoint(account, account.home)

    async def _ask(self, user: User, viewpoint: Viewpoint, question: dict[str, Any]) -> dict[str, Any]:
        """Raises ProbeSilent."""
        if self._looking[user.name] >= MOST_PER_USER or self._looking.total() >= MOST_AT_A_TIME:
            raise ProbeSilent("busy")
        question = {**question, "account": encode(viewpoint.account) if viewpoint.account else None}
        self._looking[user.name] += 1
        try:
            process = await asyncio.create_subprocess_exec(
                *looker_argv(),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd="/",
                # It becomes the user's own process, whose environment they can read: nothing is in it.
                env={"LC_ALL": "C.UTF-8"},
                start_new_session=True,
            )
        except BaseException:
            self._looking[user.name] -= 1
            raise
        try:
            async with asyncio.timeout(PATIENCE_S):
                said, _ = await process.communicate(json.dumps(question).encode())
            answer: dict[str, Any] = json.loads(said)
        except TimeoutError:
            raise ProbeSilent("hangs") from None
        except ValueError:
            log.warning("looking at folders for %s ended with %s", user.name, process.returncode)
            raise ProbeSilent("hangs") from None
        else:
            return answer
        finally:
            self._see_off(process, user.name)

    def _see_off(self, process: asyncio.subprocess.Process, name: str) -> None:
        """No caller waits for a process that hangs; it counts until it is gone."""
        with contextlib.suppress(ProcessLookupError):
            process.kill()

        async def wait() -> None:
            await process.wait()
            self._looking[name] -= 1

        leaving = asyncio.create_task(wait())
        self._leaving.add(leaving)
        leaving.add_done_callback(self._leaving.discard)


def _from_home(path: str, home: str | None) -> str:
    if home is not None and (path == "~" or path.startswith("~/")):
        return os.path.join(home, path[2:])  # noqa: PTH118 - text, not a Path
    return path


def _page(path: str | None, answer: dict[str, Any]) -> FolderPage:
    empty: dict[str, Any] = {
        "path": path or "",
        "parent": None,
        "folders": [],
        "files": [],
        "truncated": False,
    }
    return decode(FolderPage, {**empty, "problem": None, **answer}, trusted=True)
