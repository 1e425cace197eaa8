"""A Python call as bytes, and its result out of bytes.

A call is one line of JSON, then its parts: the runner, cloudpickle (compiled), the function, and one
(args, kwargs) for each task. `ends` in the header says where each part behind the runner ends, so that a task
of an array reads its own arguments only. A result is one line of JSON and one pickle.
"""

from __future__ import annotations

import json
import marshal
import os
import pickle
import shlex
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from danlu.sdk.errors import CallTooLarge, RemoteError, RemoteTraceback
from danlu.wire.calls import LARGEST_CALL, LARGEST_RESULT

FORMAT = 1
Arguments = tuple[tuple[Any, ...], Mapping[str, Any]]

_BOOTSTRAP = (
    'import os,json,zlib;f=open(int(os.environ["DANLU_CALL_FD"]),"rb");h=json.loads(f.readline());'
    'n={"__name__":"danlu_runner"};exec(compile(zlib.decompress(f.read(h["runner"])),"<danlu>","exec"),n);'
    'n["run"](f,h)'
)


def command_of(python: str) -> str:
    """The command of a job that is a call: in the job's environment, else with our own Python where the node
    has it, else with the node's."""
    ours = shlex.quote(python)
    return (
        f'if [ -n "$VIRTUAL_ENV$CONDA_PREFIX" ]; then p=python; elif [ -x {ours} ]; then p={ours}; '
        f'else p=python3; fi; exec "$p" -c {shlex.quote(_BOOTSTRAP)}'
    )


def pack_call(
    function: Callable[..., Any],
    calls: Iterable[Arguments],
    *,
    directory: str | None,
    largest: int = LARGEST_CALL,
) -> bytes:
    """The bytes of a call. `directory` is where it shall run if that exists on the node. Raises what pickling
    raises, and CallTooLarge."""
    import cloudpickle

    parts = [_compiled_cloudpickle(), cloudpickle.dumps(function)]
    size = sum(len(part) for part in parts)
    for args, kwargs in calls:
        parts.append(cloudpickle.dumps((args, dict(kwargs))))
        size += len(parts[-1])
        if size > largest:
            raise CallTooLarge(size, largest)
    runner = _runner_source()
    before, after = import_path(sys.path)
    header = {
        "danlu": "call",
        "format": FORMAT,
        "python": python_version(),
        "cloudpickle": cloudpickle.__version__,
        "calls": len(parts) - 2,
        "runner": len(runner),
        "ends": list(accumulate((len(part) for part in parts), initial=len(runner)))[1:],
        "largest_result": LARGEST_RESULT,
        "directory": directory,
        "path_before": before,
        "path_after": after,
    }
    data = b"".join([json.dumps(header).encode(), b"\n", runner, *parts])
    if len(data) > largest:
        raise CallTooLarge(len(data), largest)
    return data


def python_version() -> str:
    """As far as it matters: pickled functions are bytecode."""
    kind = sys.implementation.name
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return version if kind == "cpython" else f"{version} ({kind})"


def import_path(path: Iterable[str]) -> tuple[list[str], list[str]]:
    """The folders one imports from beyond what is installed: those before the standard library, and those
    behind it."""
    library = Path(os.__file__).parent
    before: list[str] = []
    after: list[str] = []
    found = before
    for entry in path:
        folder = Path(entry or ".").absolute()
        if folder.is_relative_to(library) or folder.suffix == ".zip":
            found = after
        elif not {"site-packages", "dist-packages"}.intersection(folder.parts):
            found.append(str(folder))
    return before, after


@dataclass(frozen=True, slots=True)
class Result:
    """What a function came to. `status`: ok, error (it raised), or refused (it could not be carried out)."""

    status: str
    pickled: memoryview
    type: str = ""
    message: str = ""
    traceback: str = ""

    def get(self) -> Any:
        """The value; raises what the function raised, with its traceback as the cause."""
        if self.status == "ok":
            return self._load_value()
        error = self._load_error()
        error.__cause__ = RemoteTraceback(self.traceback)
        raise error

    def _load_value(self) -> Any:
        try:
            return pickle.loads(self.pickled)  # noqa: S301 - our own function's value from our own server
        except Exception as error:
            error.add_note("The function succeeded, but what it returned cannot be made again here.")
            raise

    def _load_error(self) -> Exception:
        try:
            error = pickle.loads(self.pickled)  # noqa: S301
        except Exception:
            # It could not be pickled there, or not be made again here: some exceptions cannot.
            error = None
        # A KeyboardInterrupt of the job is none of ours.
        return error if isinstance(error, Exception) else RemoteError(self.type, self.message)


def parse_result(data: bytes) -> Result | None:
    """None when it is not whole: its task was killed while it wrote."""
    line, newline, _ = data[: 1 << 24].partition(b"\n")
    if not newline:
        return None
    try:
        said = json.loads(line)
        size = int(said["size"])
    except (ValueError, KeyError, TypeError):
        return None
    body = memoryview(data)[len(line) + 1 :]
    if len(body) != size:
        return None
    return Result(
        str(said["status"]),
        body,
        type=str(said.get("type", "")),
        message=str(said.get("message", "")),
        traceback=str(said.get("traceback", "")),
    )


@cache
def _runner_source() -> bytes:
    return zlib.compress(Path(__file__).with_name("runner.py").read_bytes())


@cache
def _compiled_cloudpickle() -> bytes:
    """So that the job's Python need not have it, and has the very version that wrote the pickles. Compiled,
    because it takes each task longer to compile it than to call most functions."""
    import cloudpickle

    modules = {}
    for path in sorted(Path(cloudpickle.__file__).parent.glob("*.py")):
        name = "cloudpickle" if path.stem == "__init__" else f"cloudpickle.{path.stem}"
        modules[name] = compile(path.read_bytes(), f"<{name}>", "exec", dont_inherit=True)
    return zlib.compress(marshal.dumps(modules))
