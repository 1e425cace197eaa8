"""What a task runs that is a Python function: reads the call, calls it, writes down what came of it.

This file travels inside every call and runs in whatever Python the job has: it knows nothing of Danlu, and
nothing needs to be installed there. It imports little, since every task waits for it. Written for Python 3.8
and newer, so that a Python of another version can still say so.
"""

from __future__ import annotations

import contextlib
import json
import marshal
import os
import pickle
import sys
import zlib
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any, BinaryIO

LONGEST_TRACEBACK = 200_000


class CallRefused(Exception):
    """The call cannot be carried out here; the text says why and what to do."""


class CarriedModules:
    """Imports of modules that came along, compiled. They win over what is installed: they wrote the call."""

    def __init__(self, modules: dict[str, CodeType]) -> None:
        self._modules = modules

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> ModuleSpec | None:
        if name not in self._modules:
            return None
        is_package = any(other.startswith(name + ".") for other in self._modules)
        return ModuleSpec(name, self, is_package=is_package)  # type: ignore[arg-type]

    def create_module(self, _spec: ModuleSpec) -> None:
        """As usual."""

    def exec_module(self, module: ModuleType) -> None:
        exec(self._modules[module.__name__], module.__dict__)  # noqa: S102


def run(file: BinaryIO, header: dict[str, Any]) -> None:
    """Carry out the call in `file`, of which the header and this runner were read already."""
    os.environ.pop("DANLU_CALL_FD", None)
    output = int(os.environ.pop("DANLU_RESULT_FD"))
    for descriptor in (file.fileno(), output):
        # Whatever the function starts has no business with these.
        os.set_inheritable(descriptor, False)
    me = os.getpid()
    try:
        _check_python(header)
        value = _call(file, header, file.tell() - header["runner"])
        if os.getpid() != me:
            # A process that the function forked came back from it: it is not the one that was asked.
            os._exit(0)
        said, body = {"status": "ok"}, _pickle(value, header["largest_result"])
    except CallRefused as refusal:
        _complain(str(refusal))
        said, body = {"status": "refused", "message": str(refusal)}, b""
    except SystemExit as leaving:
        if os.getpid() == me:
            message = f"the function ended its Python with sys.exit({leaving.code!r})"
            _write(output, {"status": "refused", "message": message}, b"")
        raise
    except BaseException as error:
        if os.getpid() != me:
            os._exit(1)
        said, body = _tell(error)
    if not _write(output, said, body) or said["status"] != "ok":
        sys.exit(1)


def _check_python(header: dict[str, Any]) -> None:
    kind = sys.implementation.name
    here = f"{sys.version_info[0]}.{sys.version_info[1]}" + ("" if kind == "cpython" else f" ({kind})")
    there = header["python"]
    if here != there:
        raise CallRefused(
            f"the function was submitted from Python {there}, but the job runs Python {here} "
            f"({sys.executable}). Submit it from Python {here}, or name an environment that has "
            f"Python {there} (environment=...)."
        )


def _call(file: BinaryIO, header: dict[str, Any], start: int) -> Any:
    index = int(os.environ.get("DANLU_ARRAY_INDEX") or 0)
    if not 0 <= index < header["calls"]:
        raise CallRefused(f"there is no call number {index}: this function has {header['calls']}")
    carried = zlib.decompress(_part(file, header, start, 0))
    sys.meta_path.insert(0, CarriedModules(marshal.loads(carried)))  # noqa: S302
    _enter(header)
    try:
        function = pickle.loads(_part(file, header, start, 1))  # noqa: S301 - its submitter wrote it
        args, kwargs = pickle.loads(_part(file, header, start, index + 2))  # noqa: S301
    except Exception as error:
        if hasattr(error, "add_note"):
            error.add_note(
                f"Danlu could not load the function in {sys.executable}: what it imports must be "
                "importable there. To send a module along, see cloudpickle.register_pickle_by_value()."
            )
        raise
    file.close()
    return function(*args, **kwargs)


def _part(file: BinaryIO, header: dict[str, Any], start: int, number: int) -> bytes:
    first = header["ends"][number - 1] if number else header["runner"]
    size = header["ends"][number] - first
    file.seek(start + first)
    data = file.read(size)
    if len(data) < size:
        raise CallRefused("the file of the call is damaged; submit the function again")
    return data


def _enter(header: dict[str, Any]) -> None:
    """The folder and the import path of the submitter, as far as they exist here."""
    if header["directory"] is not None:
        with contextlib.suppress(OSError):
            os.chdir(header["directory"])
    sys.path[:0] = [folder for folder in header["path_before"] if _is_new_folder(folder)]
    sys.path += [folder for folder in header["path_after"] if _is_new_folder(folder)]


def _is_new_folder(folder: str) -> bool:
    return folder not in sys.path and os.path.isdir(folder)  # noqa: PTH112 - pathlib takes long to import


def _pickle(value: Any, largest: int) -> bytes:
    import cloudpickle

    data: bytes = cloudpickle.dumps(value)
    if len(data) > largest:
        raise CallRefused(
            f"the function returned {len(data)} bytes, more than a result may have ({largest}). "
            "Write it to a file and return the file's name."
        )
    return data


def _tell(error: BaseException) -> tuple[dict[str, Any], bytes]:
    """An exception as something that can travel. What cannot be pickled goes as text alone."""
    import traceback

    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == run.__code__.co_filename:
        trace = trace.tb_next
    text = "".join(traceback.format_exception(type(error), error, trace))
    sys.stderr.write(text)
    said = {
        "status": "error",
        "type": f"{type(error).__module__}.{type(error).__qualname__}",
        "message": _text_of(error)[:LONGEST_TRACEBACK],
        "traceback": text[-LONGEST_TRACEBACK:],
    }
    try:
        import cloudpickle

        return said, cloudpickle.dumps(error)
    except BaseException:
        return said, b""


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return ""


def _write(output: int, said: dict[str, Any], body: bytes) -> bool:
    """Write the result, whole and on disk. False when the disk did not take it."""
    try:
        _put(output, said, body)
    except OSError as problem:
        message = f"the result ({len(body)} bytes) could not be written: {problem.strerror}"
        _complain(message)
        with contextlib.suppress(OSError):
            os.ftruncate(output, 0)
            os.lseek(output, 0, os.SEEK_SET)
            _put(output, {"status": "refused", "message": message}, b"")
        return False
    return True


def _put(output: int, said: dict[str, Any], body: bytes) -> None:
    head = json.dumps({**said, "danlu": "result", "format": 1, "size": len(body)}).encode("ascii") + b"\n"
    for data in (head, body):
        left = memoryview(data)
        while left:
            left = left[os.write(output, left) :]
    os.fsync(output)


def _complain(message: str) -> None:
    sys.stderr.write(f"danlu: {message}\n")
