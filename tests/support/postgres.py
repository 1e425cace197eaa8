"""A real PostgreSQL of the tests' own: started, stopped, killed, with as many databases as tests want."""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.installation import wait_until

PROGRAMS = Path("/usr/lib/postgresql")
UNPRIVILEGED = ("postgres", "nobody")
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "autovacuum": "off",
}


def find_programs() -> Path | None:
    """The folder with `initdb` and `postgres`, the newest there is."""
    found = sorted(PROGRAMS.glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    return found[-1].parent if found else None


def require_postgres() -> Path:
    """Skips where PostgreSQL is not installed; a build server must have it."""
    programs = find_programs()
    if programs is None:
        reason = "PostgreSQL is not installed (Debian: apt-get install postgresql)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return programs


class Postgres:
    """One server on a Unix socket, and at an address too where `listen` says so. PostgreSQL refuses to run as
    root, so root lends it another account."""

    def __init__(self, programs: Path, listen: str = "") -> None:
        self._programs = programs
        self._listen = listen
        # Not below pytest's own folder, which other accounts cannot enter.
        self.folder = Path(tempfile.mkdtemp(prefix="danlu-pg-"))
        self._account = self._choose_account()
        if self._account is not None:
            os.chown(self.folder, self._account.pw_uid, self._account.pw_gid)
        self._data = self.folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count(1)
        self._run("initdb", "--no-sync", "-U", "danlu", "-A", "trust", "-E", "UTF8", "--locale=C")
        if listen:
            with (self._data / "pg_hba.conf").open("a") as rules:
                rules.write("host all all 10.0.0.0/8 trust\n")

    def start(self) -> Postgres:
        settings = SETTINGS | {"listen_addresses": self._listen}
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, "-k", self.folder, *options],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                start_new_session=True,
                **self._as_account(),
            )
        wait_until(self.answers, 30, "PostgreSQL's start")
        return self

    def stop(self) -> None:
        """As `systemctl restart` would: clients are thrown out, everything is stored."""
        self._signal(signal.SIGINT)

    def kill(self) -> None:
        """kill -9 of all of it."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        self._signal(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def answers(self) -> bool:
        words = [str(self._programs / "pg_isready"), "-q", "-h", str(self.folder)]
        return subprocess.run(words, check=False).returncode == 0

    def sql(self, statement: str, database: str = "postgres") -> str:
        words = [
            self._programs / "psql",
            "-h",
            self.folder,
            "-U",
            "danlu",
            "-d",
            database,
            "-Atqc",
            statement,
        ]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def new_database(self, template: str = "template0") -> str:
        """The URL of a fresh database."""
        name = f"test{next(self._numbers)}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.url(name)

    def url(self, database: str) -> str:
        if self._listen:
            return f"postgresql://danlu@{self._listen}/{database}"
        return f"postgresql://danlu@/{database}?host={quote(str(self.folder), safe='')}"

    def _signal(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(30)
            self._process = None

    def _run(self, program: str, *words: str) -> None:
        argv = [str(self._programs / program), "-D", str(self._data), *words]
        subprocess.run(argv, check=True, capture_output=True, cwd=self.folder, **self._as_account())

    def _choose_account(self) -> pwd.struct_passwd | None:
        if os.geteuid() != 0:
            return None
        known = {entry.pw_name: entry for entry in pwd.getpwall()}
        return next(known[name] for name in UNPRIVILEGED if name in known)

    def _as_account(self) -> dict:
        if self._account is None:
            return {}
        return {"user": self._account.pw_uid, "group": self._account.pw_gid, "extra_groups": []}


def database_of(url: str) -> str:
    """The name of the database in one of our URLs."""
    return url.rpartition("/")[2].partition("?")[0]


@contextlib.contextmanager
def running_postgres() -> Iterator[Postgres]:
    """A server of its own, and at the end nothing left of it."""
    server = Postgres(require_postgres())
    try:
        yield server.start()
    finally:
        server.remove()
