"""A limit to logs: the task goes on, its log keeps its first half and its end, and says where it was cut."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import pytest

from danlu.agent.keeper import log_limit
from danlu.agent.keeper.log_limit import cut_log, held_by
from danlu.agent.logs.log_files import read_log
from tests.agent.story import Node, eventually

MB = 1 << 20
MARK = re.compile(
    rb"\n\[danlu: the log was cut here: bytes (\d+) to (\d+) are gone, by the limit of 1 MB\] *\n"
)


def lines(first: int, last: int) -> bytes:
    return b"".join(b"line %09d\n" % number for number in range(first, last))


def cut(path: Path, limit: int = MB) -> bool:
    fd = os.open(path, os.O_RDWR)
    try:
        return cut_log(fd, limit)
    finally:
        os.close(fd)


def whole(path: Path) -> bytes:
    """What a user sees who reads it from its beginning to its end."""
    seen, at = b"", 0
    while (piece := read_log(str(path), at, MB, None)).data:
        seen += piece.data
        at = piece.end
    return seen


def test_the_beginning_and_the_end_stay_where_they_are(tmp_path: Path) -> None:
    log = tmp_path / "1.log"
    log.write_bytes(lines(0, 100_000))
    assert not cut(log, 2 * MB), "it is within that limit"
    assert cut(log)
    assert log.stat().st_size == 1_500_000
    assert held_by(log.stat()) < MB
    seen = whole(log)
    assert seen.startswith(lines(0, 30_000))
    assert seen.endswith(lines(90_000, 100_000))
    assert b"\0" not in seen
    found = MARK.search(seen)
    assert found is not None
    assert read_log(str(log), 0, 1, None).cut == (int(found[1]), int(found[2]))


def test_a_log_that_grows_on_is_cut_again(tmp_path: Path) -> None:
    log = tmp_path / "1.log"
    with log.open("ab", buffering=0) as writer:
        for part in range(30):
            writer.write(lines(part * 20_000, part * 20_000 + 20_000))
            cut(log)
            assert held_by(log.stat()) <= MB
    seen = whole(log)
    assert seen.startswith(lines(0, 30_000))
    assert seen.endswith(lines(599_000, 600_000))
    assert len(MARK.findall(seen)) == 1


def test_where_no_holes_can_be_made_the_beginning_stays_and_the_log_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(fd: int, offset: int, length: int) -> None:
        raise OSError(errno.EOPNOTSUPP, "no holes on this file system")

    monkeypatch.setattr(log_limit, "punch_hole", cannot)
    log = tmp_path / "1.log"
    with log.open("ab", buffering=0) as writer:
        writer.write(lines(0, 100_000))
        assert cut(log)
        writer.write(b"it goes on\n")
    seen = log.read_bytes()
    assert seen.startswith(lines(0, 30_000))
    assert MARK.search(seen) is not None
    assert seen.endswith(b"\nit goes on\n")
    assert len(seen) < MB


async def test_a_task_that_writes_too_much_is_cut_and_goes_on(folder: Path) -> None:
    node = Node(folder)
    await node.link.start()
    write = "while [ ! -e enough ]; do seq -f 'line %012.0f' 1 20000; sleep 0.02; done; echo the last line"
    order = await node.started(f"{write}", log_limit=MB)
    log = Path(order.log_path)
    await eventually(lambda: log.stat().st_size > 3 * MB and held_by(log.stat()) <= MB, within_s=60)
    (folder / "enough").touch()
    end = await node.end_of(order.key)
    assert end.wait_status == 0
    seen = whole(log)
    assert seen.startswith(b"line 000000000001\n")
    assert seen.endswith(b"the last line\n")
    assert MARK.search(seen) is not None


async def test_a_file_that_the_user_named_is_left_alone(folder: Path) -> None:
    node = Node(folder)
    await node.link.start()
    order = await node.started("seq 1 400000; touch written; sleep 60", stdout="mine.txt", log_limit=MB)
    await eventually((folder / "written").exists)
    other = await node.started("seq 1 400000; sleep 60", log_limit=MB)
    # By the time that this one is cut, the keeper has looked at all that it looks at.
    await eventually(lambda: MARK.search(Path(other.log_path).read_bytes()) is not None, within_s=60)
    assert MARK.search((folder / "mine.txt").read_bytes()) is None
    for each in (order, other):
        await node.agent.stop(each.key, 0.1)
        await node.end_of(each.key)
