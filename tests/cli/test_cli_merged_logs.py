"""The logs of a job over several nodes: all ranks in one, or one of them."""

from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from danlu.cli.merged_logs import whole_lines
from danlu.cli.stamped_lines import UNKNOWN, StampedLines
from danlu.wire.logs import LogTime, LogTimes


@given(st.lists(st.binary(max_size=30)))
def test_lines_are_whole_and_none_is_lost(pieces: list[bytes]):
    text = b"".join(pieces)
    lines = [line for group in whole_lines(pieces) for line in group]
    assert all(line.endswith(b"\n") and b"\n" not in line[:-1] for line in lines)
    assert b"".join(lines) == text + (b"" if not text or text.endswith(b"\n") else b"\n")


@given(st.lists(st.binary(max_size=30)))
def test_stamps_stand_before_whole_lines_and_change_none(pieces: list[bytes]):
    lines = StampedLines(LogTimes(known=True, times=[LogTime(offset=0, at=0.0), LogTime(offset=20, at=60.0)]))
    at, shown = 0, b""
    for piece in pieces:
        shown += lines.push(at, piece)
        at += len(piece)
    shown += lines.finish()
    plain = b"".join(line[len(UNKNOWN) + 2 :] + b"\n" for line in shown.split(b"\n")[:-1])
    text = b"".join(pieces)
    assert plain == text + (b"" if not text or text.endswith(b"\n") else b"\n")


def test_a_line_that_nobody_has_seen_yet_is_of_now_while_it_is_followed():
    lines = StampedLines(LogTimes(known=True, times=[LogTime(offset=4, at=60.0)]))
    assert lines.push(0, b"one\ntwo\n").splitlines()[1] == UNKNOWN + b"  two"
    lines.live = True
    assert lines.push(8, b"three\n").startswith(time.strftime("%Y").encode())
