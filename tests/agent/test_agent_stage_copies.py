"""Copies on a node's own disk: like their originals, made of what has changed, never half."""

from __future__ import annotations

import fcntl
import inspect
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.staging import copies, room, tree
from danlu.agent.keeper.staging.copies import Speaker, Staged, remove_copy, stage_one
from danlu.agent.keeper.staging.room import Room, make_room
from danlu.agent.keeper.staging.tree import Survey, make_copy, remove_tree, survey
from tests.agent.small_disk import small_disk

SILENT = Speaker(begin=lambda _: None, wait=lambda: None, make_room=lambda _: None)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "train").mkdir(parents=True)
    (folder / "train" / "a.bin").write_bytes(b"a" * 5000)
    (folder / "train" / "b.bin").write_bytes(b"b" * 3000)
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    (folder / "first").symlink_to("train/a.bin")
    return folder


def stage(home: Path, source: Path, entry: str = "e") -> tuple[Staged, Survey]:
    return stage_one(str(home), entry, str(source), SILENT)


def picture(top: Path) -> dict[str, object]:
    """Everything in a tree, but for times and rights."""
    found: dict[str, object] = {}
    for path in sorted(top.rglob("*")):
        at = str(path.relative_to(top))
        if path.is_symlink():
            found[at] = ("link", os.readlink(path))
        else:
            found[at] = "folder" if path.is_dir() else path.read_bytes()
    return found


def test_the_second_time_nothing_is_copied(home, data):
    staged, first = stage(home, data)
    assert (first.is_same, first.new_bytes, first.whole_bytes) == (False, 8010, 8010)
    assert staged.name == "data"
    assert picture(Path(staged.path)) == picture(data)
    again, second = stage(home, data)
    assert (again.path, second.is_same, second.new_bytes) == (staged.path, True, 0)


def test_only_what_has_changed_is_copied_and_what_is_used_stays_as_it_was(home, data):
    before, _ = stage(home, data)
    (data / "train" / "b.bin").write_bytes(b"c" * 2000)
    (data / "train" / "new").write_bytes(b"n" * 10)
    (data / "run.sh").unlink()
    after, found = stage(home, data)
    assert found.new_bytes == 2010
    assert picture(Path(after.path)) == picture(data)
    assert Path(before.path, "train/b.bin").read_bytes() == b"b" * 3000
    same = Path("train/a.bin")
    assert os.path.samefile(before.path / same, after.path / same)
    os.close(before.lock)
    (data / "train" / "new").unlink()
    stage(home, data)
    assert not Path(before.path).exists(), "no task uses it any more"


def test_a_copy_is_for_reading_and_for_its_account_alone(home, data):
    staged, _ = stage(home, data)
    rights = {
        name: os.stat(f"{staged.path}/{name}").st_mode & 0o777 for name in ("train/a.bin", "run.sh", "")
    }
    assert rights == {"train/a.bin": 0o400, "run.sh": 0o500, "": 0o700}


def test_links_lead_where_they_led_and_odd_things_are_left_out(home, data):
    (data.parent / "outside").write_text("outside")
    (data / "train" / "out").symlink_to("../../outside")
    (data / "absolute").symlink_to(data.parent / "outside")
    (data / "nowhere").symlink_to("missing")
    (data / "loop").symlink_to("..")
    os.mkfifo(data / "fifo")
    staged, found = stage(home, data)
    copy = Path(staged.path)
    assert found.left_out == 1
    assert not (copy / "fifo").exists()
    assert (copy / "train" / "out").read_text() == "outside"
    assert os.readlink(copy / "absolute") == str(data.parent / "outside")
    assert os.readlink(copy / "nowhere") == "missing"
    assert os.path.samefile(copy / "loop", data.parent)
    assert stage(home, data)[1].is_same


@pytest.mark.parametrize("kind", ["fifo", "device"])
def test_only_files_and_folders_are_staged(home, tmp_path, kind):
    path = Path("/dev/null") if kind == "device" else tmp_path / "fifo"
    if kind == "fifo":
        os.mkfifo(path)
    with pytest.raises(SetupProblem, match="neither a file nor a folder"):
        stage(home, path)


def test_a_single_file_and_one_that_is_named_by_a_link(home, data):
    staged, _ = stage(home, data / "train" / "a.bin")
    assert Path(staged.path).read_bytes() == b"a" * 5000
    linked, _ = stage(home, data / "first", "f")
    assert (linked.name, Path(linked.path).read_bytes()) == ("first", b"a" * 5000)
    assert not Path(linked.path).is_symlink()


class TestFilesThatChange:
    def test_one_that_changes_once_is_copied_as_it_is_then(self, home, data, monkeypatch):
        self.change_meanwhile(monkeypatch, data / "train" / "a.bin", times=1)
        staged, _ = stage(home, data)
        assert picture(Path(staged.path)) == picture(data)

    def test_one_that_never_stands_still_is_an_end_and_leaves_nothing(self, home, data, monkeypatch):
        self.change_meanwhile(monkeypatch, data / "train" / "a.bin", times=99)
        with pytest.raises(SetupProblem, match="keeps changing"):
            stage(home, data)
        assert sorted(os.listdir(home / "e")) == ["lock"]

    def change_meanwhile(self, monkeypatch, path: Path, times: int) -> None:
        pour, changes = tree._pour, iter(range(times))

        def pour_slowly(source: int, target: int, wrote: Any) -> int:
            copied = pour(source, target, wrote)
            if os.path.samestat(os.fstat(source), path.stat()) and next(changes, None) is not None:
                with path.open("ab") as file:
                    file.write(b"+")
            return copied

        monkeypatch.setattr(tree, "_pour", pour_slowly)


def test_what_dead_jobs_left_is_swept(home, data):
    stage(home, data)
    for name in (".new", ".gone-1-2-3"):
        (home / "e" / name / "copy" / "deep").mkdir(parents=True)
    staged, found = stage(home, data)
    assert found.is_same
    assert sorted(os.listdir(home / "e")) == ["1", "lock"]
    assert Path(staged.path).parts[-3] == "1"


def test_a_tree_may_be_deeper_than_a_recursion(home, tmp_path):
    top = tmp_path / "deep"
    (top / Path(*["d"] * 150)).mkdir(parents=True)
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 100)
    try:
        staged, found = stage(home, top)
        os.close(staged.lock)
        assert remove_copy(str(home / "e"), 1)
    finally:
        sys.setrecursionlimit(usual)
    assert found.entries == 151
    assert os.listdir(home / "e") == ["lock"]


def test_those_who_come_at_the_same_time_share_one_copy(home, data):
    done: list[Survey] = []
    told: list[str] = []
    threads = [
        threading.Thread(
            target=lambda: done.append(
                stage_one(str(home), "e", str(data), SILENT._replace(wait=lambda: told.append("waits")))[1]
            )
        )
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found.is_same for found in done) == [False, *[True] * 5]


class TestRoom:
    @pytest.mark.parametrize(
        ("used", "free", "percent", "left"),
        [(50, 50, 90, 40), (95, 5, 90, 0), (0, 10, 100, 10), (0, 10, 50, 5)],
    )
    def test_a_disk_may_be_so_full(self, used, free, percent, left):
        assert Room(used, free, percent).left_bytes == left

    @pytest.fixture
    def disk(self, folder) -> Iterator[Path]:
        """One that 3 copies of 300 kB fill."""
        with small_disk(folder / "disk", "size=1100k,mode=755") as mounted:
            yield mounted

    def test_what_was_not_used_for_longest_goes_first_and_what_is_used_stays(self, disk, tmp_path):
        homes = [disk / "1001", disk / "1002"]
        for home in homes:
            home.mkdir()
            os.chown(home, int(home.name), 1)
        staged = {}
        for age, name in enumerate(("old", "used", "young")):
            source = tmp_path / name
            source.write_bytes(os.urandom(300_000))
            staged[name], _ = stage(homes[age % 2], source, name)
            os.utime(staged[name].lock, (1000 + age, 1000 + age))
        for path in (each for home in homes for each in home.rglob("*")):
            os.chown(path, int(path.relative_to(disk).parts[0]), 1)
        os.close(staged["old"].lock)
        os.close(staged["young"].lock)
        make_room(str(disk), 300_000, 100)
        assert [Path(each.path).exists() for each in staged.values()] == [False, True, True]
        make_room(str(disk), 10**9, 100)
        assert [Path(each.path).exists() for each in staged.values()] == [False, True, True], "it never fits"
        make_room(str(disk), 900_000, 100)
        assert [Path(each.path).exists() for each in staged.values()] == [False, True, False]

    def test_whatever_its_owner_did_to_a_copy_it_goes(self, disk, data):
        home = disk / "1001"
        home.mkdir()
        for entry in ("locked", "closed", "lost"):
            (data / "more" / "deep").mkdir(parents=True, exist_ok=True)
            (data / "more" / "deep" / "x").write_bytes(b"x")
            os.close(stage(home, data, entry)[0].lock)
        for path in (home, *home.rglob("*")):
            os.chown(path, 1001, 1001, follow_symlinks=False)
        (home / "locked/1/copy/data/more").chmod(0o500)
        (home / "closed/1/copy/data/more").chmod(0)
        (home / "lost/1/lock").unlink()
        make_room(str(disk), 1100 << 10, 100)
        assert [list(each.glob("[.0-9]*")) for each in sorted(home.iterdir())] == [[], [], []]

    def test_an_account_holds_up_nobody_by_stopping_what_works_for_it(self, monkeypatch):
        monkeypatch.setattr(room, "_PATIENCE_S", 0.2)
        room._as_owner(os.geteuid(), os.getegid(), lambda: os.kill(os.getpid(), signal.SIGSTOP))


def test_a_copy_that_somebody_closed_to_himself_is_made_again(home, data):
    staged, _ = stage(home, data)
    os.close(staged.lock)
    (Path(staged.path) / "train").rename(Path(staged.path) / "elsewhere")
    again, found = stage(home, data)
    assert not found.is_same
    assert picture(Path(again.path)) == picture(data)


def test_room_is_asked_for_again_while_a_copy_is_made(home, tmp_path, monkeypatch):
    monkeypatch.setattr(copies, "_STEP_BYTES", 10_000)
    data = tmp_path / "many"
    data.mkdir()
    for number in range(10):
        (data / str(number)).write_bytes(bytes(5_000))
    asked: list[int] = []

    def make_room(wanted: int) -> None:
        asked.append(wanted)
        if len(asked) == 4:
            raise SetupProblem("stage_full", "others were faster")

    with pytest.raises(SetupProblem, match="others were faster"):
        stage_one(str(home), "e", str(data), SILENT._replace(make_room=make_room))
    assert asked == [50_000, 10_000, 10_000, 10_000]
    assert sorted(os.listdir(home / "e")) == ["lock"], "nothing is left of it"


def make_tree(rng: Random, top: Path) -> None:
    top.mkdir()
    folders = [top]
    for number in range(rng.randint(0, 12)):
        path = rng.choice(folders) / rng.choice(["x", "名", "a b", f"n{number}"])
        if os.path.lexists(path):
            continue
        kind = rng.random()
        if kind < 0.3:
            path.mkdir()
            folders.append(path)
        elif kind < 0.45:
            # Nowhere outside the test's folder, should a link ever be followed.
            path.symlink_to(rng.choice(["x", "../x", "../outside", str(top.parent / "outside")]))
        else:
            path.write_bytes(rng.randbytes(rng.randint(0, 200)))


def change_tree(rng: Random, top: Path) -> None:
    """Something else at some places."""
    for path in sorted(top.rglob("*"), reverse=True):
        if rng.random() < 0.3 and os.path.lexists(path):
            remove_tree(str(path))
            if rng.random() < 0.5:
                path.write_bytes(rng.randbytes(rng.randint(0, 200)))
    if rng.random() < 0.5:
        (top / "more").write_bytes(b"more")


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.integers(0, 2**32))
def test_a_copy_is_like_its_original_whatever_that_was_before(tmp_path_factory, seed):
    rng = Random(seed)
    place = tmp_path_factory.mktemp("tree")
    top, copies = place / "top", [place / f"copy{number}" for number in range(3)]
    outside = place / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep" / "file").write_text("not ours")
    make_tree(rng, top)
    earlier = None
    for copy in copies:
        found = survey(str(top), earlier)
        make_copy(str(top), str(copy), earlier)
        assert survey(str(top), str(copy)).is_same
        assert found.new_bytes <= found.whole_bytes
        if earlier is not None and found.is_same:
            assert picture(Path(earlier)) == picture(copy)
        inside = {at: what for at, what in picture(top).items() if not isinstance(what, tuple)}
        assert {at: what for at, what in picture(copy).items() if not isinstance(what, tuple)} == inside
        earlier = str(copy)
        change_tree(rng, top)
        assert (outside / "deep" / "file").read_text() == "not ours"


def test_what_a_link_leads_to_is_not_removed_with_it(data):
    link = data.parent / "link"
    link.symlink_to(data)
    (data / "train" / "up").symlink_to(data)
    for path in (link, data / "train"):
        remove_tree(str(path))
        assert not os.path.lexists(path)
    assert (data / "run.sh").exists()


def test_a_copy_that_is_in_use_is_not_removed(home, data):
    staged, _ = stage(home, data)
    assert not remove_copy(str(home / "e"), 1)
    fcntl.flock(staged.lock, fcntl.LOCK_UN)
    assert remove_copy(str(home / "e"), 1)
