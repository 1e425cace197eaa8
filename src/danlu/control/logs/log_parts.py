"""A log that is a part of a file: other runs have written before it, or behind it. Its offsets count from
where it begins."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from danlu.core.logs.log_search import Found, LogSearch, LogSearched
from danlu.core.logs.output_part import OutputPart
from danlu.core.task import LogChunk

Read = Callable[[int, int], Awaitable[LogChunk]]
"""From an offset in the file, and how much at most."""


async def read_part(part: OutputPart, offset: int, limit: int, read: Read) -> LogChunk:
    """A piece of it. A file that is another by now, or was truncated, is read from its own beginning."""
    at = offset if offset < 0 else part.begin + offset
    if offset < 0 and part.end is not None:
        at = max(part.begin, part.end + offset)
    most = limit if part.end is None else max(0, min(limit, part.end - at))
    chunk = await read(at, most)
    if is_replaced(part, chunk):
        return replace(await read(offset, limit), replaced=True)
    return _clip(part, chunk)


def is_replaced(part: OutputPart, chunk: LogChunk) -> bool:
    """Whether the file is not the one, or not as long as the one, that the task began to write into."""
    return chunk.size < part.begin or chunk.inode not in (0, part.inode)


def _clip(part: OutputPart, chunk: LogChunk) -> LogChunk:
    end = chunk.size if part.end is None else min(part.end, chunk.size)
    begin = max(chunk.offset, part.begin)
    data = chunk.data[begin - chunk.offset : max(0, end - chunk.offset)]
    cut = None
    if chunk.cut is not None and chunk.cut[1] > part.begin and chunk.cut[0] < end:
        cut = max(0, chunk.cut[0] - part.begin), min(end, chunk.cut[1]) - part.begin
    return LogChunk(data, begin - part.begin, end - part.begin, chunk.inode, cut)


def into_file(part: OutputPart, search: LogSearch) -> LogSearch:
    """The search, with its offset counted in the file."""
    end = part.end
    if search.offset is None:
        offset = end if search.backward else part.begin
    elif search.offset >= 0:
        offset = part.begin + search.offset
    else:
        offset = search.offset if end is None else max(part.begin, end + search.offset)
    return replace(search, offset=offset)


def out_of_file(part: OutputPart, searched: LogSearched, backward: bool) -> LogSearched:
    """What was found of it, with offsets counted in the part."""
    end = searched.size if part.end is None else min(part.end, searched.size)
    found = tuple(_shift(part, each) for each in searched.found if part.begin <= each.offset < end)
    following = searched.next
    if following is not None and (following <= part.begin if backward else following >= end):
        following = None
    return LogSearched(found, None if following is None else following - part.begin, max(0, end - part.begin))


def _shift(part: OutputPart, found: Found) -> Found:
    before = max(0, part.begin - found.line_offset)
    return replace(
        found,
        offset=found.offset - part.begin,
        line_offset=max(0, found.line_offset - part.begin),
        line=found.line[before:],
    )
