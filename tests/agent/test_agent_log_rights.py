"""Logs at paths that users have named, read by an agent that is root: with their rights, and nothing else."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from asyncinotify import Inotify, Mask

from danlu.agent.files.file_rights import acting_as
from danlu.agent.logs.log_files import LogRefused, LogWatch, read_log
from danlu.agent.logs.log_search import Budget, search_log
from danlu.agent.task_json import account_to_json
from danlu.control.identity.accounts import own_account
from danlu.core.logs.log_search import LogSearch
from danlu.core.task import UnixAccount
from tests.support.unix_accounts import two_accounts

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another account")


@pytest.fixture
def wang(folder: Path) -> UnixAccount:
    return two_accounts(folder)[0]


@pytest.fixture
def log(wang: UnixAccount) -> Path:
    """In a home that no other account can enter."""
    return written(Path(wang.home) / "out.log", wang)


def written(path: Path, owner: UnixAccount) -> Path:
    path.write_text("epoch 1\n")
    path.chmod(0o600)
    os.chown(path, owner.uid, owner.gid)
    return path


def rights_of(thread_id: int) -> tuple[str, set[int]]:
    """The uid for files and the groups, as the kernel has them."""
    lines = Path(f"/proc/self/task/{thread_id}/status").read_text().splitlines()
    status = dict(line.split(":", 1) for line in lines)
    return status["Uid"].split()[3], {int(group) for group in status["Groups"].split()}


def test_an_account_reads_its_own(log: Path, wang: UnixAccount) -> None:
    assert read_log(str(log), 0, 100, wang).data == b"epoch 1\n"
    assert len(search_log(str(log), wang, LogSearch("epoch"), Budget()).found) == 1


def test_what_the_account_cannot_reach_is_not_reached_for_it(folder: Path, wang: UnixAccount) -> None:
    """Although root could, and although the file is theirs."""
    (folder / "closed").mkdir(mode=0o700)
    log = written(folder / "closed" / "out.log", wang)
    for read in (
        lambda: read_log(str(log), 0, 100, wang),
        lambda: search_log(str(log), wang, LogSearch("epoch"), Budget()),
    ):
        with pytest.raises(LogRefused, match="denied"):
            read()


def test_the_groups_are_those_of_the_account_on_this_node(folder: Path, wang: UnixAccount) -> None:
    shared = folder / "shared"
    shared.mkdir()
    os.chown(shared, 0, wang.gid)
    shared.chmod(0o750)
    log = written(shared / "out.log", wang)
    assert read_log(str(log), 0, 100, replace(wang, gid=1, groups=())).data == b"epoch 1\n"


def test_nothing_is_opened_to_see_what_it_is(folder: Path) -> None:
    """To open a watchdog, or a tape, is to use it."""
    fifo = folder / "fifo"
    os.mkfifo(fifo)
    with Inotify(sync_timeout=0) as opened:
        opened.add_watch(fifo, Mask.OPEN)
        for account in (None, own_account()):
            with pytest.raises(LogRefused, match="not a plain file"):
                read_log(str(fifo), 0, 100, account)
        assert opened.sync_get() is None


def test_a_number_that_is_somebody_elses_here_opens_nothing(folder: Path) -> None:
    (folder / "people").mkdir()
    wang, zhao = two_accounts(folder / "people")
    log = written(Path(zhao.home) / "out.log", zhao)
    with pytest.raises(LogRefused, match=f"{wang.name} is uid {zhao.uid}"):
        read_log(str(log), 0, 100, replace(wang, uid=zhao.uid))


def test_root_only_for_the_one_who_started_a_root_server(folder: Path) -> None:
    log = written(folder / "out.log", own_account())
    assert read_log(str(log), 0, 100, own_account()).data == b"epoch 1\n"
    with pytest.raises(LogRefused, match="root"):
        read_log(str(log), 0, 100, replace(own_account(), is_servers_own=False))


def test_rights_are_of_one_thread_and_only_for_a_while(wang: UnixAccount) -> None:
    main = threading.get_native_id()
    before = rights_of(main)
    inside, leave, seen = threading.Event(), threading.Event(), []

    def act() -> None:
        with acting_as({**account_to_json(wang), "groups": [wang.gid, 54399]}):
            seen.append(rights_of(threading.get_native_id()))
            inside.set()
            leave.wait()
        seen.append(rights_of(threading.get_native_id()))

    thread = threading.Thread(target=act)
    thread.start()
    inside.wait()
    assert rights_of(main) == before
    leave.set()
    thread.join()
    assert seen == [(str(wang.uid), {wang.gid, 54399}), before]


async def test_a_watch_looks_with_the_accounts_rights(folder: Path, log: Path, wang: UnixAccount) -> None:
    async with LogWatch(str(log), wang) as watch:
        with log.open("a") as file:
            file.write("epoch 2\n")
        await watch.changed()
        assert watch._inotify is not None
    (folder / "closed").mkdir(mode=0o700)
    async with LogWatch(str(folder / "closed" / "out.log"), wang) as watch:
        assert watch._inotify is None, "root watched it"
