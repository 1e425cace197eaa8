"""Which server is meant."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from danlu.sdk.connecting.connection import data_folder, locate
from danlu.sdk.connecting.profiles import Profile, Profiles, profiles_path, read_profiles, write_profiles
from danlu.sdk.errors import BadProfiles, NoProfile, NotRunning, NowhereToGo


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "share")}


def a_server(folder: Path, port: int, pid: int | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    address = {"url": f"http://127.0.0.1:{port}", "pid": os.getpid() if pid is None else pid}
    (folder / "server.json").write_text(json.dumps(address))
    (folder / "local-token").write_text(f"token-of-{port}\n")
    return folder


def a_login(home: dict[str, str], key: str, url: str) -> None:
    path = profiles_path(home)
    write_profiles(path, read_profiles(path).with_profile(key, Profile(url, "alice", f"token-{key}")))


def a_dead_pid() -> int:
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_the_data_folder_is_the_named_one_then_the_environments_then_the_xdg_one(home, tmp_path):
    assert data_folder(home) == tmp_path / "share" / "danlu"
    assert data_folder({"HOME": "/home/a"}) == Path("/home/a/.local/share/danlu")
    assert data_folder({**home, "DANLU_DATA": "/srv/d"}) == Path("/srv/d")
    assert data_folder({**home, "DANLU_DATA": "/srv/d"}, "/srv/e") == Path("/srv/e")


def test_a_server_in_the_default_folder_needs_no_login(home, tmp_path):
    a_server(tmp_path / "share" / "danlu", 1000)
    server = locate(home)()
    assert (server.url, server.token) == ("http://127.0.0.1:1000", "token-of-1000")


def test_what_is_named_wins_over_what_is_found(home, tmp_path):
    a_server(tmp_path / "share" / "danlu", 1000)
    named = a_server(tmp_path / "named", 2000)
    by_variable = a_server(tmp_path / "variable", 3000)
    a_login(home, "lab", "http://lab:1")
    environment = {**home, "DANLU_DATA": str(by_variable)}
    assert locate(environment, data=named)().url.endswith(":2000")
    assert locate(environment)().url.endswith(":3000")
    assert locate(environment, profile="lab")().url == "http://lab:1"
    assert locate({**home, "DANLU_PROFILE": "lab"})().token == "token-lab"
    assert locate(home)().url.endswith(":1000")


def test_the_default_profile_is_used_when_nothing_runs_here(home, tmp_path):
    a_login(home, "old", "http://old:1")
    a_login(home, "new", "http://new:1")
    assert locate(home)().profile == "new"
    a_server(tmp_path / "share" / "danlu", 1000, pid=a_dead_pid())
    assert locate(home)().profile == "new"


def test_a_file_left_behind_by_a_killed_server_is_better_than_nothing(home, tmp_path):
    a_server(tmp_path / "share" / "danlu", 1000, pid=a_dead_pid())
    assert locate(home)().url.endswith(":1000")


def test_nothing_to_go_to_is_said_in_its_own_way(home, tmp_path):
    with pytest.raises(NowhereToGo):
        locate(home)
    with pytest.raises(NotRunning):
        locate(home, data=tmp_path / "empty")()
    with pytest.raises(NoProfile) as missing:
        locate(home, profile="lab")
    assert missing.value.name == "lab"


def test_a_server_started_again_on_another_port_is_found_again(home, tmp_path):
    folder = a_server(tmp_path / "d", 1000)
    find = locate(home, data=folder)
    assert find().url.endswith(":1000")
    (folder / "server.json").unlink()
    assert find().url.endswith(":1000")
    a_server(folder, 2000)
    assert find().url.endswith(":2000")


def test_profiles_are_kept_for_their_owner_only(home):
    a_login(home, "lab", "http://lab:1")
    path = profiles_path(home)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["profiles.json"]
    assert read_profiles(path) == Profiles({"lab": Profile("http://lab:1", "alice", "token-lab")}, "lab")


def test_forgetting_the_default_leaves_another_as_default():
    both = Profiles().with_profile("a", Profile("u", "n", "t")).with_profile("b", Profile("u", "n", "t"))
    assert both.default == "b"
    assert both.without("b").default == "a"
    assert both.without("b").without("a") == Profiles()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"profiles": {"a": {}}}', '{"profiles": 3}'])
def test_a_broken_file_of_profiles_is_named(home, text):
    path = profiles_path(home)
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(BadProfiles) as broken:
        locate(home)
    assert broken.value.path == path
