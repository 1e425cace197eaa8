"""The folder of all copies on a disk. Every account may make folders there, and so could take its name first.

Then the copies lie under another name that no account can guess; a file of the keeper's says which.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import stat
from collections.abc import Iterator

_MODE = 0o711


def find_place(disk: str, label: str, names: str | None) -> str:
    """The folder on this disk that is ours, made if need be. `names` is the file with the names that were not
    the usual one (None: there is none). Raises OSError."""
    usual = f"danlu-{label}"
    found = _find(disk, usual, names)
    if found is not None:
        return found
    if names is None:
        raise FileExistsError(errno.EEXIST, "it is another account's", f"{disk}/{usual}")
    with _locked(f"{names}.lock"):
        # Another task may just have done it.
        return _find(disk, usual, names) or _make_another(disk, usual, names)


def make_folder(path: str, mode: int, uid: int, gid: int) -> None:
    """One that is ours or the account's, and that no other account put there before us. Raises OSError."""
    with contextlib.suppress(FileExistsError):
        os.mkdir(path, 0o700)
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        found = os.fstat(folder)
        if found.st_uid == os.geteuid() != uid:
            # Just made, by us or by another that was killed before it could give it away.
            os.fchown(folder, uid, gid)
        elif found.st_uid != uid:
            raise OSError(errno.EEXIST, "it is another account's", path)
        if stat.S_IMODE(found.st_mode) != mode:
            os.fchmod(folder, mode)
    finally:
        os.close(folder)


def _find(disk: str, usual: str, names: str | None) -> str | None:
    for name in (_read(names).get(disk), usual):
        if name is not None and _take(f"{disk}/{name}"):
            return f"{disk}/{name}"
    return None


def _take(path: str) -> bool:
    """False when it is another account's, or no folder."""
    try:
        make_folder(path, _MODE, os.geteuid(), os.getegid())
    except OSError as error:
        if error.errno in (errno.EEXIST, errno.ENOTDIR, errno.ELOOP, errno.EACCES) and os.path.lexists(path):
            return False
        raise
    return True


def _make_another(disk: str, usual: str, names: str) -> str:
    name = f"{usual}-{os.urandom(8).hex()}"
    make_folder(f"{disk}/{name}", _MODE, os.geteuid(), os.getegid())
    draft = f"{names}.draft"
    with open(draft, "w", opener=_open_private) as file:
        json.dump({**_read(names), disk: name}, file)
    os.rename(draft, names)
    return f"{disk}/{name}"


def _read(names: str | None) -> dict[str, str]:
    if names is None:
        return {}
    try:
        with open(names) as file:
            known: dict[str, str] = json.load(file)
    except (FileNotFoundError, ValueError):
        return {}
    return known


@contextlib.contextmanager
def _locked(path: str) -> Iterator[None]:
    lock = _open_private(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
