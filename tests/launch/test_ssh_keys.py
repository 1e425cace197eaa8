"""Whichever server leads is let in by ssh where the one before it was."""

from __future__ import annotations

import asyncio
import stat
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from danlu.control.nodes.installations import Target
from danlu.core.errors import DanluError
from danlu.launch.install.ssh import connected
from danlu.launch.install.ssh_keys import EARLIER, KEY, KNOWN_HOSTS, SshKeys
from danlu.store.engine.database import Database
from danlu.store.engine.migrate import migrate
from tests.store.builders import HandClock
from tests.support.hosts import Host, hosts
from tests.support.sshd import PORT, make_key, sshd


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    path = tmp_path / "danlu.db"
    migrate(path)
    opened = Database(path, HandClock())
    opened.start()
    yield opened
    await opened.close()


@pytest.fixture
def first(tmp_path: Path, database: Database) -> SshKeys:
    return SshKeys(tmp_path / "first", database)


@pytest.fixture
def second(tmp_path: Path, database: Database) -> SshKeys:
    return SshKeys(tmp_path / "second", database)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with hosts(1, tmp_path_factory.mktemp("machine")) as (host,):
        yield host


def contents(keys: SshKeys) -> dict[str, str]:
    return {path.name: path.read_text() for path in keys.folder.iterdir()}


async def test_all_servers_have_one_key_that_nobody_else_can_read(first: SshKeys, second: SshKeys) -> None:
    await asyncio.gather(*(keys.bring() for keys in (first, first, second, second)))
    for keys in (first, second):
        await keys.bring()
        assert stat.S_IMODE(keys.folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((keys.folder / KEY).stat().st_mode) == 0o600
    one, other = contents(first), contents(second)
    assert one[KEY] == other[KEY]
    assert one[f"{KEY}.pub"] == other[f"{KEY}.pub"]
    assert "PRIVATE KEY" in one[KEY]


async def test_a_key_that_is_there_becomes_that_of_all_and_none_is_lost(
    first: SshKeys, second: SshKeys
) -> None:
    for keys in (first, second):
        keys.folder.mkdir()
        make_key(keys.folder / KEY)
    was, other = contents(first), contents(second)
    await first.bring()
    await second.bring()
    assert contents(first) == was
    assert contents(second) == {**was, EARLIER: other[KEY]}


async def test_another_server_gets_in_and_knows_the_machine(
    first: SshKeys, second: SshKeys, machine: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    target = Target(machine.door, user="root", port=PORT)
    door = tmp_path / "door"
    with sshd(machine, door, f"ListenAddress {machine.door}:{PORT}"):
        with pytest.raises(DanluError) as refused:
            async with connected(target, first):
                pass
        assert refused.value.code == "install_key_refused"
        (door / "authorized").write_text(refused.value.facts["public_key"] + "\n")
        for keys in (first, second):
            async with connected(target, keys) as ssh:
                assert (await ssh.run("echo", "inside")).out == "inside\n"
        assert contents(first)[KNOWN_HOSTS] == contents(second)[KNOWN_HOSTS]
    third = SshKeys(tmp_path / "third", first._database)
    # It has never been there itself, and still knows that this is not the machine.
    impostor = sshd(machine, tmp_path / "impostor", f"ListenAddress {machine.door}:{PORT}")
    with impostor, pytest.raises(DanluError) as refused:
        async with connected(target, third):
            pass
    assert refused.value.code == "install_host_key_changed"
    assert refused.value.facts["file"] == str(third.folder / KNOWN_HOSTS)
