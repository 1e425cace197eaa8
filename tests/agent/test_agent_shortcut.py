"""A command that is started without a shell does what it would have done with one."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.agent.keeper.wrapper.shell_free import as_bash_would, without_shell

BASH = "/bin/bash"
PATH = "/usr/local/bin:/usr/bin:/bin"

pytestmark = pytest.mark.skipif(not os.access(BASH, os.X_OK), reason="there is no bash here")


def words_of(line: str, shell: str = BASH, **variables: str) -> list[str] | None:
    return without_shell([shell, "-c", line], {"PATH": PATH} | variables)


def by_bash(line: str, variables: dict[str, str], directory: Path) -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [BASH, "-c", line],
        env=variables,
        cwd=directory,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def directly(words: list[str], variables: dict[str, str], directory: Path) -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        words[1:],
        executable=words[0],
        env=as_bash_would(variables, words[0], str(directory)),
        cwd=directory,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def tools(tmp_path_factory) -> Path:
    """A folder of programs that tell all that they were given, by names that look harmless."""
    folder = tmp_path_factory.mktemp("tools").resolve()
    tell = '#!/bin/sh\nfor w in "$0" "$@"; do printf "<%s>" "$w"; done; echo; /usr/bin/env -u OLDPWD | sort\n'
    for name in ("tell", "a-b_c.d", "7z", "x@y", "under_score", "a,b", "a+b", "a%b", "a:b"):
        (folder / name).write_text(tell)
        (folder / name).chmod(0o755)
    (folder / "no-rights").write_text(tell)
    (folder / "sub").mkdir()
    (folder / "sub" / "tell").write_text(tell)
    (folder / "sub" / "tell").chmod(0o755)
    return folder


NAMES = (
    "tell",
    "a-b_c.d",
    "7z",
    "x@y",
    "a,b",
    "a+b",
    "a%b",
    "a:b",
    "./tell",
    "sub/tell",
    "no-rights",
    "none",
)
LETTERS = st.text(st.sampled_from("abz09_@%+:,./=-~{}[]*?!#$&;|<>()'\"\\ ^"), max_size=12)
TAME = st.text(st.sampled_from("abz09_@%+:,./=-"), min_size=1, max_size=8)


@given(
    name=st.sampled_from(NAMES),
    words=st.lists(st.one_of(TAME, TAME, TAME, LETTERS), max_size=4),
    gap=st.sampled_from([" ", "  ", "   "]),
)
def test_it_never_differs_from_bash(tools: Path, name: str, words: list[str], gap: str) -> None:
    """Program, words, variables, output and exit code are the same, whatever the line."""
    line = gap.join([name, *words])
    variables = {"PATH": f"{tools}:{PATH}", "LANG": "C.UTF-8", "X": "1"}
    found = without_shell([BASH, "-c", line], variables)
    if found is None or not os.access(tools / found[0], os.X_OK):
        return
    assert directly(found, variables, tools) == by_bash(line, variables, tools)


@pytest.mark.parametrize(
    "line", ["true", "false", "ls -la --color=never /usr/share", "env", " uname  -s ", "expr 1 + 1"]
)
def test_everyday_commands_are_the_same_and_need_no_shell(tmp_path: Path, line: str) -> None:
    variables = {"PATH": PATH}
    found = words_of(line)
    assert found is not None
    ours, theirs = directly(found, variables, tmp_path), by_bash(line, variables, tmp_path)
    assert ours[:1] + ours[2:] == theirs[:1] + theirs[2:]
    assert sorted(ours[1].splitlines()) == sorted(theirs[1].splitlines())


def test_whatever_bash_does_itself_is_left_to_it() -> None:
    said = subprocess.run([BASH, "-c", "compgen -bk"], capture_output=True, text=True, check=True).stdout
    known = set(said.split()) - {"true", "false"}
    assert {"cd", "time", "if", "echo"} <= known
    assert [word for word in known if words_of(word) is not None] == []
    assert [word for word in known if words_of(f"{word} x") is not None] == []


@pytest.mark.parametrize(
    "line",
    [
        *(
            "a=1",
            "a=1 ls",
            "ls | wc",
            "ls > x",
            "ls; ls",
            "ls &",
            "ls *",
            "ls ~",
            "ls $HOME",
            "ls 'a'",
            "ls a\\b",
        ),
        *("-x", "+x", "%1", "ls {a,b}", "ls\nls", "ls #x", "!ls", "(ls)", "ls `ls`", "", "ls\tx", "ls 炉"),
        *("true --help", "false --version", "no-such-program", "/bin/sh -c 'exit 3'"),
    ],
)
def test_what_takes_a_shell(line: str) -> None:
    assert words_of(line) is None


@pytest.mark.parametrize(
    "name", ["BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "BASH_FUNC_ls%%", "PWD", "OLDPWD", "SHLVL", "_"]
)
def test_variables_that_bash_heeds_take_a_shell(name: str) -> None:
    assert words_of("ls") == ["/usr/bin/ls", "ls"]
    assert words_of("ls", **{name: "x"}) is None


def test_another_shell_has_its_own_mind() -> None:
    assert words_of("ls", shell="/bin/sh") is None


@pytest.mark.parametrize("path", ["", ":/usr/bin", ".:/usr/bin", "~/bin:/usr/bin", "bin:/usr/bin"])
def test_a_path_that_depends_on_where_one_is_takes_a_shell(path: str) -> None:
    assert words_of("ls", PATH=path) is None


def test_somebodys_own_true_is_not_what_bash_would_run(tmp_path: Path) -> None:
    (tmp_path / "true").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "true").chmod(0o755)
    assert words_of("true", PATH=f"{tmp_path}:{PATH}") is None


def test_the_first_that_can_be_run_is_taken(tmp_path: Path) -> None:
    (tmp_path / "folder" / "ls").mkdir(parents=True)
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "ls").write_text("no program")
    assert words_of("ls", PATH=f"{tmp_path}/folder:{tmp_path}/text:{PATH}") == ["/usr/bin/ls", "ls"]
