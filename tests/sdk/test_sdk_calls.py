"""A function on its way to a node and its result on the way back: bytes, and the runner that reads them."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
import venv
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.sdk import runner
from danlu.sdk.calls import Result, command_of, import_path, pack_call, parse_result
from danlu.sdk.errors import CallTooLarge, RemoteError, RemoteTraceback

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
ARGUMENTS = st.tuples(st.lists(VALUES, max_size=3).map(tuple), st.dictionaries(st.text(), VALUES, max_size=3))


class Odd(Exception):
    """Can be pickled, but not made again from its arguments."""

    def __init__(self, first, second):
        super().__init__(f"{first}-{second}")


def run(
    call: bytes, folder: Path, *, python: str = sys.executable, result: str | None = None, **variables: str
) -> tuple[subprocess.CompletedProcess[str], Result | None]:
    """What a task does with a call: its files inherited, its command in a shell."""
    (folder / "call").write_bytes(call)
    path = Path(result or folder / "result")
    with (folder / "call").open("rb") as source, path.open("wb") as target:
        environment = {
            "PATH": os.environ["PATH"],
            "DANLU_CALL_FD": str(source.fileno()),
            "DANLU_RESULT_FD": str(target.fileno()),
            **variables,
        }
        done = subprocess.run(
            ["/bin/sh", "-c", command_of(python)],
            env=environment,
            cwd=folder,
            pass_fds=(source.fileno(), target.fileno()),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    return done, None if result else parse_result(path.read_bytes())


def a_call(function, *args, **kwargs) -> bytes:
    return pack_call(function, [(args, kwargs)], directory=None)


def with_header(call: bytes, **changes) -> bytes:
    line, _, rest = call.partition(b"\n")
    return json.dumps({**json.loads(line), **changes}).encode() + b"\n" + rest


@given(st.lists(ARGUMENTS, min_size=1, max_size=5))
def test_every_task_finds_its_own_arguments(calls):
    file = BytesIO(pack_call(print, calls, directory="/somewhere"))
    header = json.loads(file.readline())
    start = file.tell()
    assert header["calls"] == len(calls)
    assert pickle.loads(runner._part(file, header, start, 1)) is print
    for number, call in enumerate(calls):
        assert pickle.loads(runner._part(file, header, start, number + 2)) == call


@given(VALUES, st.data())
def test_a_result_that_is_not_whole_is_none(value, data):
    body = pickle.dumps(value)
    whole = json.dumps({"status": "ok", "size": len(body)}).encode() + b"\n" + body
    found = parse_result(whole)
    assert found is not None
    assert found.get() == value
    cut = data.draw(st.integers(0, len(whole) - 1))
    assert parse_result(whole[:cut]) is None


@given(st.binary(max_size=200))
def test_no_bytes_at_all_break_the_reader_of_results(data):
    assert parse_result(data) is None


def test_a_function_runs_and_its_value_comes_back(tmp_path):
    done, result = run(a_call(lambda a, *, b: {"sum": a + b}, 1, b=2), tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert result is not None
    assert result.get() == {"sum": 3}


def test_a_task_of_an_array_calls_with_its_own_arguments(tmp_path):
    call = pack_call(pow, [((2, n), {}) for n in range(5)], directory=None)
    _, result = run(call, tmp_path, DANLU_ARRAY_INDEX="3")
    assert result is not None
    assert result.get() == 8
    done, result = run(call, tmp_path, DANLU_ARRAY_INDEX="5")
    assert (done.returncode, result and result.status) == (1, "refused")


def test_an_exception_comes_back_with_the_traceback_of_where_it_was_raised(tmp_path):
    def divide(a, b):
        return a / b

    done, result = run(a_call(divide, 1, 0), tmp_path)
    assert done.returncode == 1
    assert "in divide" in done.stderr
    assert "danlu" not in done.stderr.lower().replace(str(Path(__file__)).lower(), "")
    assert result is not None
    with pytest.raises(ZeroDivisionError) as raised:
        result.get()
    assert isinstance(raised.value.__cause__, RemoteTraceback)
    assert "return a / b" in str(raised.value.__cause__)


def test_an_exception_that_cannot_be_pickled_comes_back_as_what_it_said(tmp_path):
    def lock_up():
        error = RuntimeError("stuck")
        error.lock = __import__("threading").Lock()
        raise error

    done, result = run(a_call(lock_up), tmp_path)
    assert (done.returncode, "RuntimeError: stuck" in done.stderr) == (1, True)
    assert result is not None
    with pytest.raises(RemoteError, match="RuntimeError: stuck") as raised:
        result.get()
    assert raised.value.type == "builtins.RuntimeError"
    assert "in lock_up" in str(raised.value.__cause__)


def test_an_exception_that_cannot_be_made_again_comes_back_as_what_it_said(tmp_path):
    def odd():
        raise Odd("a", "b")

    _, result = run(a_call(odd), tmp_path)
    assert result is not None
    with pytest.raises(RemoteError, match="Odd: a-b"):
        result.get()


def test_an_interrupt_of_the_job_does_not_interrupt_whoever_waits(tmp_path):
    def interrupt():
        raise KeyboardInterrupt

    done, result = run(a_call(interrupt), tmp_path)
    assert done.returncode == 1
    assert result is not None
    with pytest.raises(RemoteError, match="KeyboardInterrupt"):
        result.get()


def test_a_value_that_cannot_be_made_again_here_says_that_it_was_not_the_functions_fault():
    body = b"cmissing_module\nThing\n."
    result = parse_result(json.dumps({"status": "ok", "size": len(body)}).encode() + b"\n" + body)
    assert result is not None
    with pytest.raises(ModuleNotFoundError) as raised:
        result.get()
    assert "The function succeeded" in raised.value.__notes__[0]


def test_a_value_that_cannot_be_pickled_is_an_error_of_the_function(tmp_path):
    done, result = run(a_call(lambda: (n for n in range(3))), tmp_path)
    assert done.returncode == 1
    assert result is not None
    with pytest.raises(TypeError, match="generator"):
        result.get()


def test_a_class_made_here_is_the_same_class_when_it_comes_back(tmp_path):
    class Point:
        def __init__(self, x):
            self.x = x

    _, result = run(a_call(lambda x: (Point(x), 0)[0], 3), tmp_path)
    assert result is not None
    point = result.get()
    assert type(point) is Point
    assert point.x == 3


def test_leaving_python_is_not_a_result(tmp_path):
    done, result = run(a_call(lambda: sys.exit(7)), tmp_path)
    assert (done.returncode, result and result.status) == (7, "refused")
    assert result is not None
    assert "sys.exit(7)" in result.message
    done, result = run(a_call(lambda: os._exit(0)), tmp_path)
    assert (done.returncode, result) == (0, None)


def test_another_python_says_which_two_do_not_match(tmp_path):
    done, result = run(with_header(a_call(abs, -1), python="3.5"), tmp_path)
    assert (done.returncode, result and result.status) == (1, "refused")
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert f"submitted from Python 3.5, but the job runs Python {here} ({sys.executable})" in done.stderr


def test_a_python_without_cloudpickle_will_do(tmp_path):
    venv.create(tmp_path / "bare", with_pip=False)
    python = str(tmp_path / "bare/bin/python")
    missing = subprocess.run([python, "-c", "import cloudpickle"], stderr=subprocess.DEVNULL, check=False)
    assert missing.returncode == 1
    done, result = run(a_call(lambda x: x + 1, 41), tmp_path, python=python)
    assert (done.returncode, done.stderr) == (0, "")
    assert result is not None
    assert result.get() == 42


def test_the_environment_wins_over_the_callers_python_and_the_nodes_is_the_last_resort(tmp_path):
    for place in ("ours", "path"):
        (tmp_path / place).mkdir()
    for path in ("ours/python", "path/python", "path/python3"):
        (tmp_path / path).write_text(f"#!/bin/sh\necho {path}\n")
        (tmp_path / path).chmod(0o755)
    variables = {"PATH": f"{tmp_path}/path:{os.environ['PATH']}"}
    ours = str(tmp_path / "ours/python")

    def chosen(python, **more):
        return run(b"", tmp_path, python=python, **variables, **more)[0].stdout.strip()

    assert chosen(ours) == "ours/python"
    assert chosen(ours, VIRTUAL_ENV="/env") == "path/python"
    assert chosen(ours, CONDA_PREFIX="/env") == "path/python"
    assert chosen("/nowhere/it's here/python") == "path/python3"


def test_what_the_function_starts_has_neither_the_files_nor_their_numbers(tmp_path):
    def look():
        listing = __import__("subprocess").run(
            ["ls", "/proc/self/fd"], capture_output=True, text=True, check=True, close_fds=False
        )
        return listing.stdout.split(), [name for name in os.environ if name.startswith("DANLU_")]

    _, result = run(a_call(look), tmp_path)
    assert result is not None
    assert result.get() == (["0", "1", "2", "3"], [])


def test_a_process_that_the_function_forked_does_not_answer_for_it(tmp_path):
    def fork():
        child = os.fork()
        if child == 0:
            return "the child"
        os.waitpid(child, 0)
        return "the parent"

    _, result = run(a_call(fork), tmp_path)
    assert result is not None
    assert result.get() == "the parent"


def test_a_full_disk_is_said_and_is_a_failure(tmp_path):
    done, _ = run(a_call(bytes, 100), tmp_path, result="/dev/full")
    assert done.returncode == 1
    assert re.search(r"the result \(\d+ bytes\) could not be written: No space left", done.stderr)


def test_a_result_that_is_too_large_says_what_to_do(tmp_path):
    done, result = run(with_header(a_call(bytes, 2000), largest_result=1000), tmp_path)
    assert (done.returncode, result and result.status) == (1, "refused")
    assert "Write it to a file" in done.stderr


def test_a_damaged_call_is_refused(tmp_path):
    call = a_call(bytes, b"x" * 1000)
    done, result = run(call[:-500], tmp_path)
    assert (done.returncode, result and result.status) == (1, "refused")
    assert "damaged" in done.stderr


def test_it_runs_where_it_was_submitted_and_imports_what_was_importable_there(tmp_path, monkeypatch):
    project = tmp_path / "project"
    project.mkdir()
    (project / "my_model.py").write_text("def train():\n    return 'trained'\n")
    monkeypatch.chdir(project)
    monkeypatch.syspath_prepend(str(project))
    import my_model

    call = pack_call(lambda: (str(Path.cwd()), my_model.train()), [((), {})], directory=str(project))
    _, result = run(call, tmp_path)
    assert result is not None
    assert result.get() == (str(project), "trained")
    (project / "my_model.py").rename(project / "elsewhere.py")
    (project / "__pycache__").rename(project / "cache")
    done, result = run(call, tmp_path)
    assert done.returncode == 1
    assert "No module named 'my_model'" in done.stderr
    assert "must be importable there" in done.stderr


def test_the_import_path_is_what_is_not_installed():
    library = str(Path(os.__file__).parent)
    path = ["/home/li/project", "", f"{library[:-4]}.zip", library, f"{library}/lib-dynload"]
    path += [f"{library}/site-packages", "/usr/lib/python3/dist-packages", "/home/li/editable/src"]
    assert import_path(path) == (["/home/li/project", str(Path.cwd())], ["/home/li/editable/src"])


def test_a_call_that_is_too_large_is_refused_before_it_is_sent():
    with pytest.raises(CallTooLarge, match="put large data into files"):
        pack_call(len, [((b"x" * 1000,), {})] * 1000, directory=None, largest=100_000)


def test_the_runner_would_run_on_python_3_8():
    source = Path(runner.__file__).read_text()
    compile(source, "runner.py", "exec", dont_inherit=True)
    import ast

    ast.parse(source, feature_version=(3, 8))
    assert not re.search(r"^(from|import) danlu", source, re.MULTILINE)
