"""A backup holds what was there, and is believed only when every byte of it is."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from danlu.core.events import EventKind
from danlu.core.job import Job, StopIntent
from danlu.core.nodes.member import Member
from danlu.core.states import JobState
from danlu.core.user import Role
from danlu.store.archive.backup import (
    DATABASE,
    MANIFEST,
    LeftOut,
    Manifest,
    Packer,
    copy_database,
    describe_copy,
    pack,
)
from danlu.store.archive.restoring import NUMBERS_APART, BadArchive, Settled, settle, unpack
from danlu.store.engine import schema
from danlu.store.engine.database import Database
from danlu.store.engine.engines import Location
from danlu.store.nodes.members import put_member
from danlu.store.users import add_link, add_session, add_user
from tests.store.builders import HandClock, Shop
from tests.store.test_store_copying import live_a_little
from tests.store.test_store_database import opened

ROOTS = frozenset({"node-name", "logs"})


def pieces_of(folder: Path, copy: Path, names: list[str], manifest: Manifest) -> Iterator[bytes]:
    packer = Packer(manifest)
    with copy.open("rb") as file:
        yield from pack(packer, file, folder, names, "forge")
    yield packer.finish()


def make_archive(folder: Path, copy: Path, names: list[str]) -> Path:
    archive = folder / "backup.tar.gz"
    manifest = describe_copy(copy, "1.0", 5_000.0)
    archive.write_bytes(b"".join(pieces_of(folder, copy, names, manifest)))
    return archive


@pytest.fixture
def archive(path: Path, tmp_path: Path) -> Path:
    (tmp_path / "node-name").write_text("forge\n")
    log = tmp_path / "logs" / "12" / "1.log"
    log.parent.mkdir(parents=True)
    log.write_bytes(bytes(range(256)) * 3000)
    return make_archive(tmp_path, path, ["node-name", "logs/12/1.log", "logs/12/gone.log"])


def goal_of(tmp_path: Path) -> Path:
    folder = tmp_path / "goal"
    folder.mkdir()
    return folder


def test_what_was_packed_is_unpacked(archive: Path, path: Path, tmp_path: Path) -> None:
    goal = goal_of(tmp_path)
    manifest = unpack(archive, goal, ROOTS)
    assert (manifest.version, manifest.created_at, manifest.rows["jobs"]) == ("1.0", 5_000.0, 0)
    assert set(manifest.members) == {DATABASE, "node-name", "logs/12/1.log"}
    for name, source in (("logs/12/1.log", tmp_path), ("node-name", tmp_path)):
        assert (goal / name).read_bytes() == (source / name).read_bytes()
    assert (goal / DATABASE).read_bytes() == path.read_bytes()
    assert (goal / DATABASE).stat().st_mode & 0o777 == 0o600


def test_anybodys_tar_can_read_it(archive: Path) -> None:
    with tarfile.open(archive) as tar:
        assert tar.getnames() == [DATABASE, "node-name", "logs/12/1.log", MANIFEST]


def test_a_log_that_grows_or_shrinks_meanwhile_is_as_long_as_it_was(path: Path, tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for name in ("grows", "shrinks"):
        (logs / name).write_bytes(b"x" * 1_000_000)
    manifest = describe_copy(path, "1.0", 0.0)
    pieces = []
    for piece in pieces_of(tmp_path, path, ["logs/grows", "logs/shrinks"], manifest):
        pieces.append(piece)
        with (logs / "grows").open("ab") as more:
            more.write(b"y" * 1000)
        (logs / "shrinks").write_bytes(b"z")
    (tmp_path / "a.tar.gz").write_bytes(b"".join(pieces))
    found = unpack(tmp_path / "a.tar.gz", goal_of(tmp_path), ROOTS)
    assert found.members["logs/grows"].size in range(1_000_000, 1_000_000 + 2_000_000)


def test_of_a_log_only_what_is_written_is_kept_however_large_it_says_it_is(
    path: Path, tmp_path: Path
) -> None:
    """`truncate -s 8T` on one's own log must not make a backup endless."""
    log = tmp_path / "logs" / "1.log"
    log.parent.mkdir()
    log.write_bytes(b"x" * 4096)
    os.truncate(log, 8 << 40)
    with log.open("ab") as file:
        file.write(b"behind it\n")
    archive, goal = make_archive(tmp_path, path, ["logs/1.log"]), goal_of(tmp_path)
    manifest = unpack(archive, goal, ROOTS)
    assert (goal / "logs/1.log").read_bytes() == b"x" * 4096 + b"behind it\n"
    assert manifest.left_out == []


def test_what_is_nothing_but_a_hole_is_left_out_by_name(path: Path, tmp_path: Path) -> None:
    """Of a result every byte counts, so it cannot be kept without its zeros, and these are terabytes."""
    result = tmp_path / "results" / "7" / "1"
    result.parent.mkdir(parents=True)
    result.write_bytes(b"x")
    os.truncate(result, 8 << 40)
    (tmp_path / "results" / "8").write_bytes(b"\0" * 10_000)
    archive = make_archive(tmp_path, path, ["results/7/1", "results/8"])
    manifest = unpack(archive, goal_of(tmp_path), ROOTS | {"results"})
    assert manifest.left_out == [LeftOut("results/7/1", "forge", "hole")]
    assert manifest.members["results/8"].size == 10_000


def test_every_cut_is_noticed(archive: Path, tmp_path: Path) -> None:
    whole = archive.read_bytes()
    for number, part in enumerate((0.0, 0.01, 0.3, 0.7, 0.95)):
        cut = tmp_path / "cut.tar.gz"
        cut.write_bytes(whole[: int(len(whole) * part)])
        goal = tmp_path / f"goal{number}"
        goal.mkdir()
        with pytest.raises(BadArchive):
            unpack(cut, goal, ROOTS)


def repack(archive: Path, change: Callable[[list[tuple[tarfile.TarInfo, bytes]]], None]) -> Path:
    """The archive as an attacker would hand it in."""
    with tarfile.open(archive) as tar:
        members = [(entry, tar.extractfile(entry).read()) for entry in tar]  # type: ignore[union-attr]
    change(members)
    with tarfile.open(archive, "w:gz") as tar:
        for entry, content in members:
            entry.size = len(content) if entry.isreg() else 0
            tar.addfile(entry, io.BytesIO(content))
    return archive


def entry_of(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = kind, link
    return entry


def sneak_in(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> Callable[[list], None]:
    """A member that the manifest knows of, so that only its name or kind is wrong."""

    def change(members: list) -> None:
        members.insert(0, (entry_of(name, kind, link), b"evil"))
        last, text = members[-1]
        manifest = json.loads(text)
        manifest["members"][name] = {"size": 4, "sha256": hashlib.sha256(b"evil").hexdigest()}
        members[-1] = (last, json.dumps(manifest).encode())

    return change


def alter_log(members: list) -> None:
    entry, content = members[2]
    members[2] = (entry, b"other" + content[5:])


def drop_log(members: list) -> None:
    del members[2]


def drop_manifest(members: list) -> None:
    del members[-1]


def come_behind(members: list) -> None:
    members.append((entry_of("logs/late"), b"late"))


def come_twice(members: list) -> None:
    members.insert(1, members[0])


def from_the_future(members: list) -> None:
    entry, text = members[-1]
    members[-1] = (entry, json.dumps({**json.loads(text), "revision": "9999"}).encode())


def no_manifest_at_all(members: list) -> None:
    members[-1] = (members[-1][0], b'["not", "a", "manifest"]')


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (sneak_in("../outside"), "strange_member"),
        (sneak_in("/tmp/outside"), "strange_member"),
        (sneak_in("logs/../../outside"), "strange_member"),
        (sneak_in("logs//double"), "strange_member"),
        (sneak_in("logs/.hidden"), "strange_member"),
        (sneak_in("local-token"), "strange_member"),
        (sneak_in("database-url"), "strange_member"),
        (sneak_in("logs/link", tarfile.SYMTYPE, "/etc/passwd"), "strange_member"),
        (sneak_in("logs/link", tarfile.LNKTYPE, DATABASE), "strange_member"),
        (sneak_in("logs/pipe", tarfile.FIFOTYPE), "strange_member"),
        (sneak_in("logs/folder", tarfile.DIRTYPE), "strange_member"),
        (come_twice, "strange_member"),
        (alter_log, "differs"),
        (drop_log, "differs"),
        (drop_manifest, "not_whole"),
        (come_behind, "behind_manifest"),
        (from_the_future, "newer"),
        (no_manifest_at_all, "unreadable"),
    ],
)
def test_what_is_not_as_it_should_be_is_refused(
    archive: Path, tmp_path: Path, change: Callable[[list], None], code: str
) -> None:
    repack(archive, change)
    with pytest.raises(BadArchive) as refused:
        unpack(archive, goal_of(tmp_path), ROOTS)
    assert refused.value.code == code
    assert not (tmp_path / "outside").exists()


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"hello", gzip.compress(b"hello"), gzip.compress(b"")):
        (tmp_path / "x").write_bytes(content)
        with pytest.raises(BadArchive):
            unpack(tmp_path / "x", tmp_path, ROOTS)


async def test_a_copy_is_of_one_moment_and_of_any_kind_of_database(
    location: Location, tmp_path: Path, clock: HandClock
) -> None:
    await live_a_little(location, clock)
    async with opened(Database(location, clock)) as database:
        shop = Shop(database, clock)
        before = await shop.events()
        copy = tmp_path / "copy.db"
        copy_database(location, copy)
        await shop.submit()
    async with opened(Database(copy, clock)) as database:
        assert await Shop(database, clock).events() == before
        assert (await Shop(database, clock).submit()).id == 5


async def test_what_was_under_way_is_held_and_holds_nothing(shop: Shop, clock: HandClock) -> None:
    await shop.write(lambda tx: add_user(tx, "li", Role.MEMBER, password_hash="hash"))
    await shop.write(lambda tx: add_session(tx, "li", "s" * 64, "csrf", 9e9))
    await shop.write(lambda tx: add_link(tx, "li", "l" * 64, 9e9))
    starting = await shop.begin(await shop.submit(), 0)
    running = await _run(shop, 1)
    requeued, cancelled = await _run(shop, 2), await _run(shop, 3)
    await shop.stop(requeued, StopIntent.REQUEUE)
    await shop.stop(cancelled, StopIntent.CANCEL)
    waiting, ended = await shop.submit(), await shop.run_to_end(await shop.submit())
    assert starting is not None
    assert len(await shop.held()) == 4

    clock.advance(60)
    assert await shop.write(settle) == Settled(held=3, cancelled=1, members=0)
    assert (await shop.submit()).id == NUMBERS_APART + 1, "what came after the backup is known on the nodes"

    for job in (starting, running, requeued):
        after = await shop.job(job.id)
        assert (after.state, after.attempt, after.stop_intent) == (JobState.HELD, 1, None)
        assert (await shop.steps(job.id))[-1] == ("waiting", "held")
        last = (await shop.events(job.id, EventKind.STATE))[-1]
        assert last.data["restored"] is True
    assert (await shop.job(cancelled.id)).state is JobState.CANCELLED
    assert await shop.held() == {}
    assert (await shop.job(waiting.id)).state is JobState.WAITING
    assert await shop.job(ended.id) == ended
    for table in (schema.sessions, schema.login_links):
        assert await shop.read(lambda c, table=table: c.execute(table.select()).all()) == []
    # Nothing is left to settle a second time; the machines of a cluster are counted as often as one asks.
    await shop.write(lambda tx: put_member(tx, Member("m1", "one", "key"), "li"))
    assert await shop.write(settle) == Settled(held=0, cancelled=0, members=1)


async def _run(shop: Shop, gpu: int) -> Job:
    begun = await shop.begin(await shop.submit(), gpu)
    assert begun is not None
    running = await shop.started(begun)
    assert running is not None
    return running
