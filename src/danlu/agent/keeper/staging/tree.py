"""Copies of files and folders on this machine's own disk: what differs from the original, and making them.

It runs with the rights of the account that wants the copy. Links are never followed: one that stays inside is
a link in the copy too, one that leads out leads to where the original does. What is neither file, folder nor
link is left out. Files are the same if size, time of change and the right to execute are.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from typing import NamedTuple

from danlu.agent.keeper.problem import SetupProblem

MOST_ENTRIES = 5_000_000
_TRIES = 3
"""For a file that changes while it is copied."""
_PIECE = 8 << 20
_SAFE = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NOCTTY | os.O_NONBLOCK
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_CANNOT = (errno.EXDEV, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EPERM)
"""How a file system says that it does not copy by itself."""


Wrote = Callable[[int], None]


class Survey(NamedTuple):
    """How a copy differs from its original."""

    is_same: bool
    whole_bytes: int
    new_bytes: int
    """What would have to be copied of that."""
    entries: int
    left_out: int


class _Entry(NamedTuple):
    """Something in a tree: where (relative to its top; empty: the top itself), and what `lstat` says."""

    at: str
    facts: os.stat_result


def survey(original: str, copy: str | None) -> Survey:
    """Look at both. Raises OSError, SetupProblem."""
    is_same, whole_bytes, new_bytes, entries, left_out = copy is not None, 0, 0, 0, 0
    for entry, _names in _walk(original):
        entries += 1
        if entries > MOST_ENTRIES:
            raise SetupProblem(
                "stage_failed", f"{original}: more than {MOST_ENTRIES} files; pack them into one"
            )
        if not _is_copied(entry.facts.st_mode):
            left_out += 1
            continue
        is_file = stat.S_ISREG(entry.facts.st_mode)
        whole_bytes += entry.facts.st_size if is_file else 0
        if copy is None or not _is_like(original, copy, entry):
            is_same = False
            new_bytes += entry.facts.st_size if is_file else 0
        elif stat.S_ISDIR(entry.facts.st_mode) and not _names_in(_join(copy, entry.at)) <= set(_names):
            is_same = False
    return Survey(is_same, whole_bytes, new_bytes, entries, left_out)


def _names_in(folder: str) -> set[str]:
    try:
        return set(os.listdir(folder))
    except OSError:
        # Whatever its owner did to the copy, the next one is whole again.
        return {""}


def make_copy(original: str, copy: str, earlier: str | None, wrote: Wrote = lambda _: None) -> None:
    """Make a copy where there is none; what an earlier one has already is shared with it. `wrote` is told of
    every piece. Raises OSError, SetupProblem, and what `wrote` raises."""
    for entry, _names in _walk(original):
        made, mode = _join(copy, entry.at), entry.facts.st_mode
        if stat.S_ISDIR(mode):
            os.mkdir(made, 0o700)
        elif stat.S_ISLNK(mode):
            # What goes away, or becomes another thing, while we look is not copied.
            with contextlib.suppress(FileNotFoundError):
                os.symlink(_target(original, entry.at), made)
        elif stat.S_ISREG(mode) and not _share(original, made, earlier, entry):
            _copy_file(_join(original, entry.at), made, wrote)


def remove_tree(path: str) -> None:
    """Remove it and all below, as far as that can be done. No link is ever followed: each folder is opened as
    one, inside the one above, and only what is in an open folder is removed."""
    parent, name = os.path.split(path)
    try:
        above = os.open(parent or ".", _FOLDER)
    except OSError:
        return
    try:
        _remove_in(above, name)
    finally:
        os.close(above)


def _remove_in(above: int, name: str) -> None:
    """Without recursion; the folders on the way down are open, so there is an end to how deep it may be, and
    what lies deeper stays."""
    try:
        os.unlink(name, dir_fd=above)
    except (IsADirectoryError, PermissionError):
        pass
    except OSError:
        return
    else:
        return
    # The way down: the folders that are open, each with its name in the one before, and what is left in it.
    way: list[tuple[int, str, list[str]]] = []
    try:
        _descend(way, above, name)
        while way:
            folder, own_name, inside = way[-1]
            if inside:
                inner = inside.pop()
                if not _unlink_in(folder, inner):
                    _descend(way, folder, inner)
                continue
            way.pop()
            os.close(folder)
            with contextlib.suppress(OSError):
                os.rmdir(own_name, dir_fd=way[-1][0] if way else above)
    finally:
        for folder, _, _ in way:
            os.close(folder)


def _descend(way: list[tuple[int, str, list[str]]], above: int, name: str) -> None:
    with contextlib.suppress(OSError):
        folder = _open_folder(above, name)
        try:
            # Who made it read-only can have it removed all the same.
            with contextlib.suppress(OSError):
                os.fchmod(folder, 0o700)
            way.append((folder, name, os.listdir(folder)))
        except OSError:
            os.close(folder)


def _open_folder(above: int, name: str) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=above)
    except PermissionError:
        # It may not be read. Changed through a handle that needs no right to, so that no link is followed.
        handle = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above)
        try:
            os.chmod(f"/proc/self/fd/{handle}", 0o700)
        finally:
            os.close(handle)
        return os.open(name, _FOLDER, dir_fd=above)


def _unlink_in(folder: int, name: str) -> bool:
    """False when it is a folder."""
    try:
        os.unlink(name, dir_fd=folder)
    except IsADirectoryError:
        return False
    except OSError:
        return True
    return True


def _walk(top: str) -> Iterator[tuple[_Entry, list[str]]]:
    """Everything in a tree, each folder before what is in it, and with the names there. What goes away
    meanwhile is not in it."""
    waiting = [_Entry("", os.lstat(top))]
    while waiting:
        entry = waiting.pop()
        if not stat.S_ISDIR(entry.facts.st_mode):
            yield entry, []
            continue
        inside = _look_into(top, entry.at)
        yield entry, [os.path.basename(each.at) for each in inside]
        waiting += inside


def _look_into(top: str, at: str) -> list[_Entry]:
    inside: list[_Entry] = []
    try:
        with os.scandir(_join(top, at)) as found:
            for each in found:
                try:
                    inside.append(_Entry(f"{at}/{each.name}" if at else each.name, _facts_of(each)))
                except FileNotFoundError:
                    continue
    except (FileNotFoundError, NotADirectoryError):
        if not at:
            raise
    return inside


def _facts_of(entry: os.DirEntry[str]) -> os.stat_result:
    return entry.stat(follow_symlinks=False)


def _is_copied(mode: int) -> bool:
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)


def _is_like(original: str, copy: str, entry: _Entry) -> bool:
    path = _join(copy, entry.at)
    try:
        there = os.lstat(path)
        if stat.S_ISLNK(entry.facts.st_mode):
            return stat.S_ISLNK(there.st_mode) and os.readlink(path) == _target(original, entry.at)
    except OSError:
        return False
    if stat.S_ISDIR(entry.facts.st_mode):
        return stat.S_ISDIR(there.st_mode)
    return stat.S_ISREG(there.st_mode) and _marks(there) == _marks(entry.facts)


def _marks(facts: os.stat_result) -> tuple[int, int, bool]:
    return facts.st_size, facts.st_mtime_ns, bool(facts.st_mode & stat.S_IXUSR)


def _target(top: str, at: str) -> str:
    """Where a link of the copy leads."""
    path = _join(top, at)
    target = os.readlink(path)
    if os.path.isabs(target):
        return target
    folder = os.path.dirname(at)
    inside = at and not f"{os.path.normpath(os.path.join(folder, target))}/".startswith("../")
    return target if inside else os.path.join(os.path.dirname(path), target)


def _share(original: str, made: str, earlier: str | None, entry: _Entry) -> bool:
    if earlier is None or not _is_like(original, earlier, entry):
        return False
    try:
        os.link(_join(earlier, entry.at), made, follow_symlinks=False)
    except OSError:
        # It has as many names as it may have, or the file system knows no such thing.
        return False
    return True


def _copy_file(original: str, made: str, wrote: Wrote) -> None:
    for _ in range(_TRIES):
        try:
            source = os.open(original, os.O_RDONLY | _SAFE)
        except FileNotFoundError:
            return
        try:
            before = os.fstat(source)
            if not stat.S_ISREG(before.st_mode):
                # It was another thing a moment ago.
                return
            if _copy_whole(source, before, made, wrote):
                return
        finally:
            os.close(source)
    raise SetupProblem("stage_failed", f"{original}: it keeps changing while it is copied")


def _copy_whole(source: int, before: os.stat_result, made: str, wrote: Wrote) -> bool:
    """False, and nothing is left, when it has changed meanwhile."""
    target = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE, 0o600)
    try:
        copied = _pour(source, target, wrote)
        if copied == before.st_size and _marks(os.fstat(source)) == _marks(before):
            # For reading: it belongs to all jobs of this account on this machine.
            os.fchmod(target, 0o500 if before.st_mode & stat.S_IXUSR else 0o400)
            os.utime(target, ns=(before.st_mtime_ns, before.st_mtime_ns))
            return True
    finally:
        os.close(target)
    os.unlink(made)
    return False


def _pour(source: int, target: int, wrote: Wrote) -> int:
    """How many bytes there were."""
    copied = 0
    try:
        while moved := os.copy_file_range(source, target, _PIECE):
            copied += moved
            wrote(moved)
        # Some file systems (/proc, some FUSE) say that there is nothing where there is something.
        return copied or _pour_by_hand(source, target, wrote)
    except OSError as error:
        if copied or error.errno not in _CANNOT:
            raise
    return _pour_by_hand(source, target, wrote)


def _pour_by_hand(source: int, target: int, wrote: Wrote) -> int:
    copied = 0
    while piece := os.read(source, _PIECE):
        copied += len(piece)
        view = memoryview(piece)
        while view:
            view = view[os.write(target, view) :]
        wrote(len(piece))
    return copied


def _join(top: str, at: str) -> str:
    return f"{top}/{at}" if at else top
