"""The environments a job can name: what is offered is what the node then finds."""

from __future__ import annotations

from pathlib import Path

import pytest

from danlu.agent.files.folder_probe import list_environments
from danlu.agent.keeper.wrapper.environments import find_environment


def a_venv(prefix: Path, version: str | None = "3.11.2", key: str = "version") -> Path:
    prefix.mkdir(parents=True)
    (prefix / "pyvenv.cfg").write_text("home = /usr/bin\n" + (f"{key} = {version}\n" if version else ""))
    return prefix


def a_conda(prefix: Path, version: str | None = "3.10.4") -> Path:
    (prefix / "conda-meta").mkdir(parents=True)
    (prefix / "conda-meta" / "python-dateutil-2.9.0-pyhd8ed1ab_0.json").touch()
    if version:
        (prefix / "conda-meta" / f"python-{version}-h12debd9_0.json").touch()
    return prefix


PLACES = ["envs", ".virtualenvs", ".venvs", "miniconda3/envs", "anaconda3/envs", ".conda/envs"]


@pytest.mark.parametrize("place", PLACES)
def test_they_are_found_one_level_below_the_usual_places(tmp_path: Path, place: str) -> None:
    a_venv(tmp_path / place / "one")
    a_conda(tmp_path / place / "two")
    a_venv(tmp_path / place / "deep" / "er")
    (tmp_path / place / "no-env").mkdir()
    found = list_environments(str(tmp_path), [])
    assert [(each["name"], each["kind"], each["python"]) for each in found] == [
        ("one", "venv", "3.11.2"),
        ("two", "conda", "3.10.4"),
    ]
    assert {each["place"] for each in found} == {f"{tmp_path}/{place}"}


@pytest.mark.parametrize(
    ("line", "key", "version"),
    [
        ("3.12.1", "version", "3.12.1"),
        ("3.11.4.final.0", "version_info", "3.11.4"),
        ("3.9", "version", "3.9"),
        ("nonsense", "version", None),
        (None, "version", None),
    ],
)
def test_the_version_is_read_and_nothing_is_run(tmp_path: Path, line: str, key: str, version: str) -> None:
    prefix = a_venv(tmp_path / "envs" / "x", line, key)
    (prefix / "bin").mkdir()
    (prefix / "bin" / "python").write_text("#!/bin/sh\ntouch $0.ran\n")
    (prefix / "bin" / "python").chmod(0o755)
    (found,) = list_environments(str(tmp_path), [])
    assert found["python"] == version
    assert not (prefix / "bin" / "python.ran").exists()


def test_every_name_that_is_offered_means_that_environment(tmp_path: Path) -> None:
    """The same name in several places: the node takes the first, so the others go by their paths."""
    home, shared = tmp_path / "home", tmp_path / "shared"
    for parent in (shared, *(home / place for place in PLACES)):
        a_venv(parent / "torch")
        a_conda(parent / f"of-{parent.parent.name}-{parent.name}".replace(".", ""), None)
    a_conda(home / "miniconda3")
    a_conda(home / "anaconda3")
    elsewhere = a_conda(tmp_path / "lab" / "special")
    (home / ".conda" / "environments.txt").write_text(f"{elsewhere}\n{home}/gone\nrelative\n")
    found = list_environments(str(home), [str(shared)])
    assert {each["path"] for each in found} >= {str(elsewhere), f"{home}/miniconda3", f"{home}/anaconda3"}
    assert len({each["path"] for each in found}) == len(found) == 2 * (len(PLACES) + 1) + 3
    for each in found:
        assert find_environment(each["name"], str(home), [str(shared)]).prefix == each["path"]
    assert sum(each["name"] == "torch" for each in found) == 1
    assert sum(each["name"] == "base" for each in found) == 1


def test_without_a_home_only_what_is_shared_is_offered(tmp_path: Path) -> None:
    a_venv(tmp_path / "shared" / "torch")
    assert [each["name"] for each in list_environments(None, [f"{tmp_path}/shared"])] == ["torch"]
