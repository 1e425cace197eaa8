"""The logs of a job over several nodes: all ranks in one, or one of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from danlu.cli.merged_logs import whole_lines


@given(st.lists(st.binary(max_size=30)))
def test_lines_are_whole_and_none_is_lost(pieces: list[bytes]):
    text = b"".join(pieces)
    lines = [line for group in whole_lines(pieces) for line in group]
    assert all(line.endswith(b"\n") and b"\n" not in line[:-1] for line in lines)
    assert b"".join(lines) == text + (b"" if not text or text.endswith(b"\n") else b"\n")
