"""`make flaky`: repeats the tests of what a change touched, to find those that are not always green.

TIMES says how often (5), BASE what the change is measured against (main). With BUSY=1 two processes beside
the tests take the processor, as on a machine that has other work.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUSY_LOOPS = 2
BUSY = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): pass"
"""It ends by itself where its parent was killed."""
NO_TESTS = 5
"""What pytest exits with where none of the files has a test of that kind."""


def find_tests(changed: Iterable[str], root: Path = ROOT) -> list[str]:
    """The test files and folders, relative to `root`, that try these files of the repository."""
    found: set[str] = set()
    for name in changed:
        found.update(_find_for(Path(name), root))
    return sorted(each for each in found if not any(str(parent) in found for parent in Path(each).parents))


def _find_for(path: Path, root: Path) -> Iterator[str]:
    match path.parts:
        case ("tests", *_) if path.name.startswith("test_"):
            if (root / path).exists():
                yield str(path)
        case ("tests", "conftest.py"):
            yield "tests"
        case ("tests", "support", _):
            yield from _importers(f"tests.support.{path.stem}", root)
        case ("tests", room, _, *_) if (root / "tests" / room).is_dir():
            yield f"tests/{room}"
        case ("src", "danlu", "static", *_):
            return
        case ("src", "danlu", room, _, *_) if (root / "tests" / room).is_dir():
            yield f"tests/{room}"
        case ("src", "danlu", _, *_) if path.suffix == ".py":
            yield from _importers(".".join(path.with_suffix("").parts[1:]), root)
        case ("web", *_):
            yield "tests/web"


def _importers(module: str, root: Path) -> Iterator[str]:
    package, _, name = module.rpartition(".")
    spellings = (f"{module} import", f"import {module}", f"from {package} import {name}")
    for file in (root / "tests").rglob("test_*.py"):
        text = file.read_text("utf-8")
        if any(spelling in text for spelling in spellings):
            yield str(file.relative_to(root))


def changed_files(base: str) -> list[str]:
    """What differs from where this branch left `base`, committed or not, new files too."""

    def git(*words: str) -> list[str]:
        done = subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True)
        return done.stdout.splitlines()

    (parted,) = git("merge-base", "HEAD", base)
    return [*git("diff", "--name-only", parted), *git("ls-files", "--others", "--exclude-standard")]


def commands(changed: list[str]) -> list[list[str]]:
    """One after the other, a whole run of what tries the change."""
    tests, pytest = find_tests(changed), [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile"]
    kinds = ("not web and not fuzz and not frameworks", "web")
    found = [[*pytest, "-m", kind, *tests] for kind in kinds if tests]
    if any(name.startswith("web/") for name in changed):
        found.append(["npm", "--prefix", "web", "--loglevel=error", "run", "test"])
    return found


@contextmanager
def busy(loops: int) -> Iterator[None]:
    running = [subprocess.Popen([sys.executable, "-c", BUSY, str(os.getpid())]) for _ in range(loops)]
    try:
        yield
    finally:
        for each in running:
            each.kill()
            each.wait()


def main() -> int:
    times, base = int(os.environ.get("TIMES", "5")), os.environ.get("BASE", "main")
    changed = changed_files(base)
    run = commands(changed)
    if not run:
        print(f"Nothing that has tests differs from {base}.")
        return 0
    # npm comes with a Python package.
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    failed = 0
    with busy(BUSY_LOOPS if os.environ.get("BUSY") == "1" else 0):
        for number in range(1, times + 1):
            print(f"Run {number} of {times}: {' '.join(find_tests(changed))}", flush=True)
            codes = [
                subprocess.run(words, cwd=ROOT, env=environment, check=False).returncode for words in run
            ]
            failed += any(code not in (0, NO_TESTS) for code in codes)
    print(f"{failed} of {times} runs failed." if failed else f"All {times} runs passed.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
