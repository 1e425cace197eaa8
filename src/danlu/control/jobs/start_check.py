"""What a job needs to begin is looked for before it is accepted: its folder, its environment, its program.

Only what certainly is not there is refused; whatever the server cannot see as the node will is left to the
job's start. One process for each account answers, with that account's rights, and stays for a while: a new
one for each submission would take longer than all the rest of it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection

from danlu.agent.files.folder_probe_process import FolderProbeProcess
from danlu.control.identity.accounts import AccountBook
from danlu.control.jobs.drafts import read_defaults
from danlu.control.jobs.missing_paths import NOTHING, Missing
from danlu.control.jobs.specs import apply_edit, fields_of, make_spec, merge_fields
from danlu.control.jobs.start_needs import StartNeeds, start_of, start_of_spec
from danlu.core.errors import Invalid
from danlu.core.job import JobSpec
from danlu.core.task import UnixAccount
from danlu.core.user import User
from danlu.settings import Settings
from danlu.store.engine.database import Database
from danlu.store.jobs.job_rows import get_job
from danlu.store.users import get_user
from danlu.wire.jobs import JobEdit, JobFields

KNOWN_S = 10.0
MOST_KNOWN = 1_000
MOST_PROCESSES = 8
PIECE = 50
MOST_AT_ONCE = 100
"""Different starts of one request that are looked at; the rest is not checked."""

_CODES = {
    ("directory", "missing"): "no_such_directory",
    ("directory", "no_folder"): "not_a_directory",
    ("directory", "forbidden"): "directory_closed",
    ("environment", "missing"): "no_such_environment",
    ("program", "missing"): "no_such_program",
    ("program", "forbidden"): "program_not_executable",
    ("program", "not_executable"): "program_not_executable",
}


class StartCheck:
    """Asked for submissions, and for checks before one."""

    def __init__(
        self, database: Database, accounts: AccountBook, settings: Settings, clock: Callable[[], float]
    ) -> None:
        self._database = database
        self._accounts = accounts
        self._settings = settings
        self._clock = clock
        self._processes: dict[str, FolderProbeProcess] = {}
        self._known: dict[str, tuple[float, UnixAccount | None, str]] = {}

    async def look_for_new(
        self, user: User, many: Sequence[JobFields], *, with_defaults: bool
    ) -> Sequence[Missing]:
        """What new jobs need to begin and is not there."""
        nothing = [NOTHING] * len(many)
        if not self._can_look:
            return nothing
        under = JobFields()
        if with_defaults:
            under = await self._database.read(lambda connection: read_defaults(connection, user))
        try:
            _, home = await self._account_of(user)
        except Invalid:
            # That is said when it is written down.
            return nothing
        starts = list[StartNeeds]()
        for number, fields in enumerate(many, 1):
            starts.append(_start_of_fields(merge_fields(fields, under), home))
            if number % PIECE == 0:
                # No user waits for ten thousand jobs of another.
                await asyncio.sleep(0)
        return await self.look(user, starts)

    async def look_for_existing(self, job_id: int, edit: JobEdit) -> Missing:
        """What a job needs to begin and is not there, as it would be after the edit."""
        if not self._can_look:
            return NOTHING

        def read(connection: Connection) -> tuple[User, JobSpec] | None:
            job = get_job(connection, job_id)
            owner = get_user(connection, job.owner) if job else None
            if job is None or owner is None:
                return None
            try:
                return owner, make_spec(apply_edit(fields_of(job.spec), edit), job.spec.directory)
            except Invalid:
                return None

        found = await self._database.read(read)
        return NOTHING if found is None else (await self.look(found[0], [start_of_spec(found[1])]))[0]

    async def look(self, owner: User, starts: Sequence[StartNeeds]) -> Sequence[Missing]:
        """What is missing for each of these, of jobs of `owner`."""
        if not self._settings.checks_paths:
            return [NOTHING] * len(starts)
        different = list(dict.fromkeys(starts))[:MOST_AT_ONCE]
        found = await self._ask(owner, different) if self._can_look else None
        answers = dict(zip(different, found, strict=True)) if found is not None else {}
        return [_judge(start, answers.get(start, {})) for start in starts]

    async def close(self) -> None:
        await asyncio.gather(*(process.close() for process in self._processes.values()))

    @property
    def _is_alone(self) -> bool:
        """This machine is all there is: what the server sees, its node sees."""
        return self._settings.cluster is None

    @property
    def _can_look(self) -> bool:
        return self._settings.checks_paths and (self._is_alone or bool(self._settings.folders))

    async def _ask(self, owner: User, starts: Sequence[StartNeeds]) -> list[dict[str, str]] | None:
        """None: no node could look."""
        try:
            account, home = await self._account_of(owner)
        except Invalid:
            return None
        beside = {
            "home": home,
            "environments": [str(self._settings.environments)],
            "shared": None if self._is_alone else [str(folder) for folder in self._settings.folders],
        }
        # A task that runs as the keeper itself inherits the keeper's PATH.
        keeper = str(self._settings.node_folder) if account is None else None
        each = [_question(start, beside) for start in starts]
        process = self._process_of(account)
        if process is None:
            return None
        answer = await process.ask({"about": "paths", "each": each, "keeper": keeper})
        return None if answer is None else list(answer["found"])

    async def _account_of(self, owner: User) -> tuple[UnixAccount | None, str]:
        """Who would run it (None: who runs the server) and where that account is at home. Remembered for a
        moment: the accounts of a machine may be in a directory far away. Raises Invalid."""
        key, now = f"{owner.name}\0{owner.unix_account}", self._clock()
        known = self._known.get(key)
        if known is None or not 0 <= now - known[0] < KNOWN_S:

            def find() -> tuple[UnixAccount | None, str]:
                account = self._accounts.account_for(owner)
                return None if account.is_servers_own else account, account.home

            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = self._known[key] = now, *await asyncio.to_thread(find)
        return known[1], known[2]

    def _process_of(self, account: UnixAccount | None) -> FolderProbeProcess | None:
        """None: there are too many, or this account's hangs, and no other is started beside it."""
        key = json.dumps(asdict(account)) if account else ""
        self._processes = {name: each for name, each in self._processes.items() if not each.is_gone}
        if key not in self._processes and len(self._processes) < MOST_PROCESSES:
            self._processes[key] = FolderProbeProcess(account)
        process = self._processes.get(key)
        return None if process is None or process.is_over else process


def _start_of_fields(fields: JobFields, home: str) -> StartNeeds:
    directory, arguments, variables = fields.directory or home, fields.arguments or (), fields.variables or {}
    return start_of(directory, fields.environment, fields.command or "", arguments, variables)


def _question(start: StartNeeds, beside: Mapping[str, Any]) -> dict[str, Any]:
    asked = {"directory": start.directory, "environment": start.environment, "program": start.program}
    return {**asked, **beside, **({"path": start.path} if start.path is not None else {})}


def _judge(start: StartNeeds, found: Mapping[str, str]) -> Missing:
    problems, unchecked = list[Invalid](), list[str]()
    for kind in ("directory", "environment", "program"):
        wanted, state = getattr(start, kind), found.get(kind, "unknown")
        if wanted is None or state == "ok":
            continue
        if code := _CODES.get((kind, state)):
            field = "command" if kind == "program" else kind
            problems.append(Invalid(code, field=field, **{kind: wanted}))
        else:
            unchecked.append(kind)
    return Missing(tuple(problems), tuple(unchecked))
