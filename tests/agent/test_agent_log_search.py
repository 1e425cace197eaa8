"""Searching logs: the same as looking at every byte, in any direction, at any size, and never for long."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from danlu.agent.logs import log_search
from danlu.agent.logs.log_files import LogRefused
from danlu.agent.logs.log_search import Budget, search_log, search_log_aside
from danlu.agent.logs.trouble import SIGNS
from danlu.core.logs.log_search import Found, LogSearch, LogSearched
from tests.support.unix_accounts import OTHER_ACCOUNT


def search(path: Path, text: str | None, *, budget: Budget | None = None, **more: object) -> LogSearched:
    return search_log(str(path), None, LogSearch(text, **more), budget or Budget())  # type: ignore[arg-type]


def everything(path: Path, text: str | None, *, budget: Budget | None = None, **more: object) -> list[Found]:
    """All that is found, going on where each call stopped."""
    found: list[Found] = []
    offset = None
    while True:
        part = search(path, text, budget=budget, offset=offset, **more)
        found += part.found
        if part.next is None:
            return found
        assert offset is None or (part.next < offset if more.get("backward") else part.next > offset)
        offset = part.next


def offsets(found: list[Found]) -> list[int]:
    return [each.offset for each in found]


LETTERS = st.text("abAB\n错误é ", max_size=60)


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    database=None,
)
@given(
    content=st.lists(LETTERS, max_size=8).map("".join),
    text=st.text("abAB错é", min_size=1, max_size=4),
    limit=st.integers(1, 5),
    ignore_case=st.booleans(),
)
def test_a_search_finds_what_looking_at_every_byte_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, text: str, limit: int, ignore_case: bool
) -> None:
    monkeypatch.setattr(log_search, "BLOCK", 7)
    path = tmp_path / "log"
    data = content.encode()
    path.write_bytes(data)
    pattern = re.compile(re.escape(text.encode()), re.IGNORECASE if ignore_case else 0)
    true = [(match.start(), match.end() - match.start()) for match in pattern.finditer(data)]
    how = {"limit": limit, "ignore_case": ignore_case}
    found = everything(path, text, **how)
    assert [(each.offset, each.length) for each in found] == true
    for each in found:
        begin = data.rfind(b"\n", 0, each.offset) + 1
        end = data.find(b"\n", each.offset)
        assert each.line_offset == begin
        assert each.line == data[begin : end if end >= 0 else None]
    # From the end the same, unless matches overlap: then other ones of them.
    back = everything(path, text, backward=True, **how)
    assert offsets(back) == sorted(offsets(back), reverse=True)
    overlapping = any(
        pattern.match(data, at) for begin, size in true for at in range(begin + 1, begin + size)
    )
    if not overlapping:
        assert offsets(back) == [begin for begin, _ in reversed(true)]


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    lines=st.lists(
        st.sampled_from(
            ["fine", "banana nanometre", "Traceback (most recent call last):", "ValueError: no", "loss: nan",
             "validation error: 0.25", "Killed", "skilled worker", "出现错误", "x" * 70]
        ),
        max_size=12,
    )
)  # fmt: skip
def test_trouble_is_found_once_a_line_from_either_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[str]
) -> None:
    monkeypatch.setattr(log_search, "BLOCK", 64)
    path = tmp_path / "log"
    path.write_text("".join(f"{line}\n" for line in lines))
    bad = [line for line in lines if line[0] in "TVlK出"]
    found = everything(path, None, limit=2)
    assert [each.line.decode() for each in found] == bad
    assert everything(path, None, limit=2, backward=True) == found[::-1]


@pytest.mark.parametrize(
    "line",
    [
        "Traceback (most recent call last):",
        "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
        "torch.cuda.OutOfMemoryError: CUDA out of memory.",
        "bash: line 1:  4242 Killed                  python train.py",
        "Segmentation fault (core dumped)",
        "epoch 3 loss=nan",
        "loss: NaN",
        "OSError: [Errno 28] No space left on device",
        "python: can't open file 'x.py': [Errno 2] No such file or directory",
        "错误：找不到文件",
        "训练失败",
        "error: unrecognized arguments: --foo",
        "FATAL: kernel too old",
    ],
)
def test_first_words_of_trouble(tmp_path: Path, line: str) -> None:
    path = tmp_path / "log"
    path.write_text(f"epoch 1 loss 0.5\n{line}\nbye\n")
    (found,) = search(path, None).found
    assert found.line.decode() == line


@pytest.mark.parametrize(
    "line",
    ["validation error: 0.231", "Error: 3", "finance banana", "highly skilled", "nan_to_num(x)", "non-fatal"],
)
def test_what_only_looks_like_trouble(tmp_path: Path, line: str) -> None:
    path = tmp_path / "log"
    path.write_text(f"{line}\n")
    assert search(path, None).found == ()


def test_every_sign_is_as_the_search_compares_it() -> None:
    assert all(sign == sign.lower() and sign for sign, _ in SIGNS)


@pytest.fixture(scope="module")
def huge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """50 MB with something to find at both ends and in the middle."""
    path = tmp_path_factory.mktemp("huge") / "huge.log"
    with path.open("wb") as file:
        file.write(b"needle at the beginning\n")
        file.write(bytes(25 << 20))
        file.write(b"\nError: needle in the middle\n")
        file.write(bytes(25 << 20))
        file.write(b"\nthe last NEEDLE\n")
    return path


@pytest.mark.parametrize("backward", [False, True])
def test_50_megabytes_are_searched_in_bounded_calls(huge: Path, backward: bool) -> None:
    found = everything(huge, "needle", backward=backward)
    lines = [each.line for each in found]
    assert (lines[::-1] if backward else lines)[0] == b"needle at the beginning"
    assert len(found) == 3
    first = search(huge, "not there at all", backward=backward, budget=Budget(bytes=16 << 20))
    assert first.next is not None, "fifty megabytes are more than this call may search"
    searched = first.size - first.next if backward else first.next
    assert searched <= 18 << 20


@pytest.mark.parametrize("backward", [False, True])
def test_a_hole_of_terabytes_is_passed_over(tmp_path: Path, backward: bool) -> None:
    path = tmp_path / "hole.log"
    with path.open("wb") as file:
        file.write(b"a needle before it\n")
        file.truncate(4 << 40)
        file.seek(8 << 40)
        file.write(b"\na needle in the middle\n")
        file.truncate(12 << 40)
        file.seek(0, os.SEEK_END)
        file.write(b"\na needle behind it\n")
        file.truncate(15 << 40)
    searched = search(path, "needle", backward=backward)
    lines = [each.line for each in searched.found]
    assert (lines[::-1] if backward else lines) == [
        b"a needle before it",
        b"a needle in the middle",
        b"a needle behind it",
    ]
    assert searched.next is None, "one call is enough: there is hardly anything to read"


def test_a_call_has_its_limits_of_bytes_and_of_time_and_ends_when_nobody_waits(huge: Path) -> None:
    one_block = search(huge, "nothing", budget=Budget(bytes=1))
    assert one_block.next == log_search.BLOCK
    assert search(huge, "nothing", budget=Budget(seconds=-1.0)).next == log_search.BLOCK
    assert search(huge, "nothing", budget=Budget(is_over=lambda: True)).next == log_search.BLOCK


async def test_a_search_that_nobody_waits_for_any_more_stops(
    huge: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen from inside: the budget of the search is over once its caller has been cancelled."""
    budgets: list[Budget] = []
    begun = asyncio.Event()
    loop = asyncio.get_running_loop()

    def endless(_path: str, _uid: int | None, _search: LogSearch, budget: Budget) -> LogSearched:
        budgets.append(budget)
        loop.call_soon_threadsafe(begun.set)
        while not budget.is_over():
            pass
        return LogSearched((), None, 0)

    monkeypatch.setattr(log_search, "search_log", endless)
    searching = asyncio.create_task(search_log_aside(str(huge), None, LogSearch("x")))
    await begun.wait()
    assert not budgets[0].is_over()
    searching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await searching
    assert budgets[0].is_over()


def test_a_growing_log_is_searched_on(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one needle\n")
    first = search(path, "needle")
    assert (len(first.found), first.next, first.size) == (1, None, 11)
    with path.open("ab") as file:
        file.write(b"another needle\n")
    later = search(path, "needle", offset=first.size)
    assert [each.line for each in later.found] == [b"another needle"]


def test_offsets_beyond_the_ends_and_from_the_end(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"aa bb aa")
    assert offsets(list(search(path, "aa", offset=-3).found)) == [6]
    assert search(path, "aa", offset=10**15).found == ()
    assert offsets(list(search(path, "aa", offset=10**15, backward=True).found)) == [6, 0]
    assert search(path, "aa", offset=0, backward=True).found == ()


def test_a_long_line_is_shown_around_the_match(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"\n" + b"<" * 5_000 + b"needle" + b">" * 5_000 + b"\nnext")
    (found,) = search(path, "needle").found
    assert found.line_offset == 1
    assert b"needle" in found.line
    assert len(found.line) == log_search.LONGEST_SHOWN
    path.write_bytes(b"<" * 200_000 + b"needle")
    (found,) = search(path, "needle").found
    assert found.line == b"<" * log_search.LEAD + b"needle"
    assert found.line_offset == 200_000 - log_search.LEAD


def test_only_a_plain_file_of_the_owner_is_searched(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"secret")
    link = tmp_path / "link"
    link.symlink_to(path)
    with pytest.raises(LogRefused):
        search(link, "secret")
    with pytest.raises(LogRefused):
        search_log(str(path), OTHER_ACCOUNT, LogSearch("secret"), Budget())
    assert search(tmp_path / "none", "secret") == LogSearched((), None, 0)
