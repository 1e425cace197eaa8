"""Tasks whose data are copied to the node's own disk before they start."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from danlu.agent.keeper.staging.place import find_place, make_folder
from danlu.agent.task_json import _digest
from danlu.core.task import Staging, TaskEnding, UnixAccount
from tests.agent.gangs import GangStory
from tests.agent.story import Node, eventually
from tests.support.unix_accounts import two_accounts

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run tasks as another account")


@pytest.fixture
def disk(folder: Path) -> Path:
    """The disk that copies go to."""
    (folder / "disk").mkdir(mode=0o755)
    return folder / "disk"


@pytest.fixture
def data(folder: Path) -> Path:
    data = folder / "data"
    data.mkdir()
    (data / "a.txt").write_text("alpha")
    return data


def staging(disk: Path, *paths: Path) -> Staging:
    return Staging(tuple(str(path) for path in paths), str(disk), 100)


def home_on(disk: Path, uid: int | None = None) -> Path:
    [root] = disk.iterdir()
    return root / str(os.geteuid() if uid is None else uid)


@contextmanager
def another_task_copies(disk: Path, node: Node, path: Path) -> Iterator[None]:
    """As if another job were about to stage the same, all the time."""
    folder = disk / f"danlu-{node.link.label}" / str(os.geteuid()) / _digest(str(path))
    folder.mkdir(parents=True, exist_ok=True)
    for parent in (folder.parent.parent, folder.parent, folder):
        parent.chmod(0o711 if parent.name.startswith("danlu-") else 0o700)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


async def test_a_task_finds_its_data_on_the_nodes_disk(node: Node, disk: Path, data: Path) -> None:
    more = data.parent / "list.txt"
    more.write_text("beta")
    show = "cat $DANLU_STAGED/data/a.txt $DANLU_STAGED/list.txt; echo; readlink -f $DANLU_STAGED/data"
    said = (await node.output_of(show, staging=staging(disk, data, more))).splitlines()
    assert said[0].startswith(f"danlu: staging {data}: 5 bytes to copy")
    assert said[1].startswith(f"danlu: staged {data}: 5 bytes, 5 bytes copied, ")
    assert said[-2] == "alphabeta"
    assert Path(said[-1]).is_relative_to(home_on(disk))
    again = await node.output_of(show, staging=staging(disk, data, more))
    assert f"staged {data}: 5 bytes, nothing had changed" in again
    assert "to copy" not in again
    assert list((node.keeper_folder / "scripts").glob("*.staged")) == []


async def test_copies_are_held_while_the_task_runs(node: Node, disk: Path, data: Path) -> None:
    order = await node.started("sleep 60", staging=staging(disk, data))
    copy = next(home_on(disk).glob("*/1"))
    with (copy / "lock").open() as lock:
        with pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        await node.agent.stop(order.key, grace_s=0)
        await node.end_of(order.key)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


@pytest.mark.parametrize(
    ("what", "problem"),
    [("missing", "stage_missing"), ("a.txt/inside", "stage_missing"), ("fifo", "stage_failed")],
)
async def test_what_cannot_be_staged_ends_the_attempt(
    node: Node, disk: Path, data: Path, what: str, problem: str
) -> None:
    os.mkfifo(data / "fifo")
    end = await node.run("touch never", staging=staging(disk, data / what))
    assert (end.ending, end.problem) == (TaskEnding.SETUP_FAILED, problem)
    assert str(data / what) in end.detail
    assert not (node.folder / "never").exists()


async def test_a_disk_that_is_not_there_is_not_made_up(node: Node, disk: Path, data: Path) -> None:
    end = await node.run("true", staging=staging(disk / "unmounted", data))
    assert (end.problem, "unmounted" in end.detail) == ("stage_failed", True)


async def test_what_has_no_room_says_so_and_leaves_nothing(node: Node, disk: Path, data: Path) -> None:
    with (data / "huge").open("wb") as file:
        file.truncate(1 << 42)
    end = await node.run("true", staging=staging(disk, data))
    assert (end.ending, end.problem) == (TaskEnding.SETUP_FAILED, "stage_full")
    assert "4096 GB more" in end.detail
    [entry] = home_on(disk).iterdir()
    assert os.listdir(entry) == ["lock"]


async def test_a_stop_while_data_are_copied_ends_it_at_once(node: Node, disk: Path, data: Path) -> None:
    with another_task_copies(disk, node, data):
        order = node.a_task("touch never", staging=staging(disk, data), grace_s=30.0)
        await node.agent.launch(order)
        await eventually(lambda: Path(order.log_path).exists() and "waits for another job" in node.log(order))
        await node.agent.stop(order.key, grace_s=30.0)
        end = await node.end_of(order.key, within_s=10)
    assert end.ending is TaskEnding.STOPPED
    assert node.known[order.key].started_at is None
    assert not (node.folder / "never").exists()


async def test_a_time_limit_counts_the_copying(node: Node, disk: Path, data: Path) -> None:
    with another_task_copies(disk, node, data):
        end = await node.run("true", staging=staging(disk, data), time_limit_s=0.3)
    assert end.ending is TaskEnding.TIME_LIMIT


async def test_several_tasks_at_once_make_one_copy(node: Node, disk: Path, data: Path) -> None:
    orders = [node.a_task("cat $DANLU_STAGED/data/a.txt", staging=staging(disk, data)) for _ in range(4)]
    for order in orders:
        await node.agent.launch(order)
    for order in orders:
        assert (await node.end_of(order.key)).wait_status == 0
    logs = [node.log(order) for order in orders]
    assert sum("5 bytes copied" in log for log in logs) == 1
    assert all(log.endswith("alpha") for log in logs)


async def test_the_tasks_of_a_gang_wait_for_each_others_data(folder: Path, disk: Path, data: Path) -> None:
    async with GangStory(folder) as gang:
        first, second = gang.nodes
        command = (
            "echo $DANLU_RANK >> order; cat $DANLU_STAGED/data/a.txt; python3 -c 'import socket, os; "
            + ('s = socket.create_server((os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])))\'')
        )
        orders = gang.orders(f"test $DANLU_RANK = 1 || {{ {command}; }}", staging=staging(disk, data))
        with another_task_copies(disk, second, data):
            await first.agent.launch(orders[0])
            await second.agent.launch(orders[1])
            await eventually(lambda: "waits until" in _log_of(first, orders[0]))
            await eventually(lambda: "waits for another" in _log_of(second, orders[1]))
            assert first.known.get(orders[0].key) is None or first.known[orders[0].key].started_at is None
        for node, order in zip(gang.nodes, orders, strict=True):
            end = await node.end_of(order.key)
            assert end.wait_status == 0, (end, node.log(order))


def _log_of(node: Node, order) -> str:
    return node.log(order) if Path(order.log_path).exists() else ""


@needs_root
class TestTwoAccounts:
    @pytest.fixture
    def people(self, folder: Path) -> tuple[UnixAccount, UnixAccount]:
        return two_accounts(folder)

    async def test_each_has_copies_of_his_own_that_nobody_else_reads(
        self, node: Node, disk: Path, folder: Path, people: tuple[UnixAccount, UnixAccount]
    ) -> None:
        wang, zhao = people
        private = Path(wang.home) / "set"
        private.mkdir()
        (private / "x").write_text("wang's")
        for path in (private, private / "x"):
            os.chown(path, wang.uid, wang.gid)
        wanted = staging(disk, private)
        said = await node.output_of(
            "id -u; cat $DANLU_STAGED/set/x; ls -ld $DANLU_STAGED/ | cut -c1-10",
            account=wang,
            directory=wang.home,
            staging=wanted,
        )
        assert said.splitlines()[-2:] == [str(wang.uid), "wang'sdr-xr-x---"]
        copies = home_on(disk, wang.uid)
        found = [copies, *copies.rglob("*")]
        assert {path.lstat().st_uid for path in found} == {wang.uid}
        assert stat.S_IMODE(copies.stat().st_mode) == 0o700
        assert (copies.parent.stat().st_uid, stat.S_IMODE(copies.parent.stat().st_mode)) == (0, 0o711)
        end = await node.run("true", account=zhao, directory=zhao.home, staging=wanted)
        assert (end.ending, end.problem) == (TaskEnding.SETUP_FAILED, "stage_forbidden")
        peek = f"cat {next(copies.rglob('x'))} && echo read || echo no"
        assert "read" not in await node.output_of(peek, account=zhao, directory=zhao.home)

    async def test_over_two_nodes_it_needs_nothing_of_the_servers_python(
        self, folder: Path, disk: Path, data: Path, people: tuple[UnixAccount, UnixAccount]
    ) -> None:
        """Which may lie where the account cannot read it: root's home, say."""
        wang, _ = people
        disk.chmod(0o1777)
        async with GangStory(folder) as gang:
            gang.directory.chmod(0o777)
            outputs = await gang.outputs_of(
                "cat $DANLU_STAGED/data/a.txt", account=wang, staging=staging(disk, data)
            )
        assert [output.splitlines()[-1] for output in outputs] == ["alpha", "alpha"]

    async def test_who_takes_the_place_first_prevents_nothing(
        self, node: Node, disk: Path, data: Path, people: tuple[UnixAccount, UnixAccount]
    ) -> None:
        wang, zhao = people
        disk.chmod(0o1777)
        taken = disk / f"danlu-{node.link.label}"
        taken.mkdir()
        os.chown(taken, zhao.uid, zhao.gid)
        read = "cat $DANLU_STAGED/data/a.txt"
        fields = {"account": wang, "directory": wang.home, "staging": staging(disk, data)}
        assert (await node.output_of(read, **fields)).endswith("alpha")
        [ours] = [path for path in disk.iterdir() if path != taken]
        assert (ours.stat().st_uid, stat.S_IMODE(ours.stat().st_mode)) == (0, 0o711)
        # The next one finds it again, and the copy in it.
        assert "nothing had changed" in await node.output_of(read, **fields)
        assert set(disk.iterdir()) == {taken, ours}
        assert not list(taken.iterdir())


class TestThePlaceOfCopies:
    @pytest.fixture
    def names(self, folder: Path) -> str:
        return str(folder / "stage-places")

    def test_it_is_called_as_ever_where_nobody_minds(self, disk: Path, names: str) -> None:
        assert find_place(str(disk), "abc", names) == f"{disk}/danlu-abc"
        assert find_place(str(disk), "abc", None) == f"{disk}/danlu-abc"
        assert not Path(names).exists()

    def test_whatever_else_is_there_is_passed_over(self, disk: Path, folder: Path, names: str) -> None:
        usual = disk / "danlu-abc"
        (folder / "elsewhere").mkdir()
        for put in (usual.touch, lambda: usual.symlink_to(folder / "elsewhere")):
            usual.unlink(missing_ok=True)
            put()
            found = find_place(str(disk), "abc", names)
            assert (found != str(usual), found.startswith(str(usual))) == (True, True)
            assert find_place(str(disk), "abc", names) == found
        assert len(list(disk.iterdir())) == 2

    def test_each_disk_has_a_name_of_its_own(self, disk: Path, folder: Path, names: str) -> None:
        second = folder / "second"
        second.mkdir()
        for each in (disk, second):
            (each / "danlu-abc").touch()
        places = [find_place(str(each), "abc", names) for each in (disk, second)]
        assert [find_place(str(each), "abc", names) for each in (disk, second)] == places

    def test_a_taken_one_is_replaced_too(self, disk: Path, names: str) -> None:
        (disk / "danlu-abc").touch()
        first = Path(find_place(str(disk), "abc", names))
        first.rmdir()
        first.touch()
        second = find_place(str(disk), "abc", names)
        assert second not in (str(first), f"{disk}/danlu-abc")


@pytest.mark.skipif(os.geteuid() != 0, reason="gives folders away")
def test_a_folder_that_was_made_and_not_yet_given_away_is(tmp_path: Path) -> None:
    """Another task is just making it, or was killed on the way."""
    home = tmp_path / "1001"
    home.mkdir(0o755)
    make_folder(str(home), 0o700, 1001, 1001)
    assert (home.stat().st_uid, stat.S_IMODE(home.stat().st_mode)) == (1001, 0o700)
    with pytest.raises(OSError, match="another account's"):
        make_folder(str(home), 0o700, 1002, 1002)
    (tmp_path / "1003").symlink_to(home)
    with pytest.raises(OSError, match=r"[Nn]ot a directory|symbolic"):
        make_folder(str(tmp_path / "1003"), 0o700, 1003, 1003)
