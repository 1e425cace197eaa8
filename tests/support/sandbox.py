"""Tests as root run where a mistake cannot reach the machine: every mount is read-only, but what tests need.

`enter` moves this process, and all that it starts from then on, into a mount namespace of its own. Danlu
deletes folders (staged copies, outputs, removed jobs, old backups), and as root nothing else would stop a
wrong path. What a process mounts in there is seen in there alone.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import signal
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
SYSTEM = ("/proc", "/dev/pts", "/dev/shm", "/sys/fs/cgroup")
RUN = Path("/run")
RESOLVER = Path("/etc/resolv.conf")
CACHES = (
    REPOSITORY / ".pytest_cache",
    REPOSITORY / ".hypothesis",
    Path.home() / ".cache",
    Path.home() / ".npm",
)
"""Those of pytest; and of pip and npm, which a test uses to install from a fresh clone."""

_CLONE_NEWNS = 0x00020000
_MS_RDONLY, _MS_REMOUNT, _MS_BIND, _MS_REC, _MS_PRIVATE = 1, 32, 4096, 16384, 1 << 18
_KEPT_FLAGS = os.ST_NOSUID | os.ST_NODEV | os.ST_NOEXEC | os.ST_NOATIME | os.ST_NODIRATIME
"""A remount that does not name them would drop them."""

_OCTAL = re.compile(r"\\([0-7]{3})")
_libc = ctypes.CDLL(None, use_errno=True)
_entered: list[str] = []
"""The namespaces that this process has made for itself."""


def enter(writable: Iterable[Path]) -> None:
    """Only these folders can be written to from now on, by this thread and all that it starts. Needs root;
    raises OSError where the kernel refuses, as it does in a container without that right."""
    open_paths = list({path.resolve(): None for path in writable if path.exists()})
    outside = _namespace_of("self")
    if _libc.unshare(_CLONE_NEWNS) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    assert _namespace_of("self") != outside
    _entered.append(_namespace_of("self"))
    _mount(None, Path("/"), _MS_REC | _MS_PRIVATE)
    for path in open_paths:
        if not path.is_mount():
            _mount(path, path, _MS_BIND | _MS_REC)
    _empty_run()
    for point in _mount_points():
        if not any(point == path or path in point.parents for path in (*open_paths, RUN)):
            _make_read_only(point)


def processes_inside() -> set[int]:
    """All that this process has started since it entered and that still lives, whatever its parent is now."""
    ours = _namespace_of("self")
    if ours not in _entered:
        return set()
    found = {int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()} - {os.getpid()}
    return {pid for pid in found if _namespace_of(pid) == ours}


def end_processes() -> None:
    """Kill what is left inside, and wait until it is gone."""
    while left := processes_inside():
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _namespace_of(pid: int | str) -> str:
    """Of its mounts; nothing where the process has ended."""
    try:
        return str(Path(f"/proc/{pid}/ns/mnt").readlink())
    except OSError:
        return ""


def _empty_run() -> None:
    """A /run of our own, with nothing of the machine's in it but where names are looked up. What tests leave
    there, also killed ones, ends with them: network namespaces, what the keeper hands to accounts."""
    names = RESOLVER.resolve()
    known = names.read_bytes() if RUN in names.parents and names.exists() else None
    _mount(None, RUN.resolve(), 0, "tmpfs")
    RUN.chmod(0o755)
    if known is not None:
        names.parent.mkdir(parents=True)
        names.write_bytes(known)


def for_tests() -> list[Path]:
    """What the tests of this repository write to: their own folders, and caches, made if missing."""
    for folder in CACHES:
        folder.mkdir(exist_ok=True)
    return [Path(tempfile.gettempdir()), Path("/tmp"), *map(Path, SYSTEM), *CACHES, *_bytecode_folders()]


def is_entered() -> bool:
    """Whether the machine cannot be written to from here, not even by root."""
    return bool(os.statvfs("/").f_flag & os.ST_RDONLY)


def _bytecode_folders() -> list[Path]:
    """Hundreds of keepers and servers are started: none of them shall compile what another has compiled."""
    found = []
    for top in ("src", "tests"):
        for folder in {source.parent for source in (REPOSITORY / top).rglob("*.py")}:
            (folder / "__pycache__").mkdir(exist_ok=True)
            found.append(folder / "__pycache__")
    return found


def _mount_points() -> list[Path]:
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return [Path(_OCTAL.sub(lambda found: chr(int(found[1], 8)), line.split()[4])) for line in lines]


def _make_read_only(point: Path) -> None:
    try:
        flags = os.statvfs(point).f_flag
    except OSError:
        # Hidden below another mount, or gone by now: there is no way to it.
        return
    if not flags & os.ST_RDONLY:
        _mount(None, point, _MS_REMOUNT | _MS_BIND | _MS_RDONLY | flags & _KEPT_FLAGS)


def _mount(source: Path | None, target: Path, flags: int, kind: str | None = None) -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    if _libc.mount(*words, ctypes.c_ulong(flags), None) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error), str(target))
