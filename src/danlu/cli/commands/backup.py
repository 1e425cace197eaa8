"""`danlu backup` and `danlu restore`"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import click

from danlu.cli.exit_codes import FAILED
from danlu.cli.refusals import Refused
from danlu.cli.session import Session, pass_session
from danlu.cli.worded import WordedCommand, argument, option
from danlu.sdk.connecting.connection import data_folder


@click.command("backup", cls=WordedCommand)
@argument("archive", type=click.Path(path_type=Path), metavar="FILE")
@option("--with-logs", is_flag=True)
@option("--force", is_flag=True)
@pass_session
def backup(session: Session, archive: Path, with_logs: bool, force: bool) -> None:
    from danlu.sdk.errors import ApiError
    from danlu.wire.units import show_bytes

    if archive.is_dir():
        raise Refused("cli.backup_is_folder", path=archive)
    _check_free(archive, force)
    service = session.connect().service
    size = _write(archive, service.backup(with_logs=with_logs), force)
    session.print("cli.backup_made", path=archive, size=show_bytes(size))
    # An earlier server cannot tell; its archive is as good as it always was.
    with suppress(ApiError):
        for left in service.last_backup().left_out:
            facts = {"node": left.node, "files": left.files, "first": left.first}
            session.tell(f"cli.backup_without.{left.reason}", **facts)


@click.command("restore", cls=WordedCommand, places=("data",))
@argument("archive", type=click.Path(path_type=Path), metavar="FILE")
@option("--database", metavar="URL", words="restore_database")
@pass_session
def restore(session: Session, archive: Path, database: str | None) -> int:
    from danlu.launch.database.restore import RestoreOptions, run_restore

    return run_restore(
        RestoreOptions(
            archive=archive,
            data=data_folder(session.environment, session.data),
            database=database or session.environment.get("DANLU_DATABASE"),
            language=session.language,
        )
    )


def _write(path: Path, pieces: Iterable[bytes], force: bool) -> int:
    """Write a file that only its owner can read, whole or not at all; its size."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    size = 0
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            for piece in pieces:
                size += file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        _check_free(path, force)
        draft.replace(path)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
    return size


def _check_free(path: Path, force: bool) -> None:
    if path.exists() and not force:
        raise Refused("cli.backup_exists", exit_code=FAILED, path=path)
