"""Searching a log for a client that may stop waiting."""

from __future__ import annotations

import asyncio
import codecs
from collections.abc import Coroutine
from typing import Any, TypeVar

from fastapi import Request

from danlu.core.errors import Unavailable
from danlu.core.logs.log_search import Found, LogSearched
from danlu.wire.logs import LogMatch, LogMatches

T = TypeVar("T")


async def while_awaited(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`; it is given up when the client is gone."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_until_gone(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise Unavailable("stopping")  # the client is gone
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()


async def _until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def show_matches(searched: LogSearched) -> LogMatches:
    return LogMatches(
        matches=[_show(found) for found in searched.found],
        next=searched.next,
        done=searched.next is None,
        size=searched.size,
    )


def _show(found: Found) -> LogMatch:
    return LogMatch(
        offset=found.offset, line_offset=found.line_offset, length=found.length, text=_decode(found.line)
    )


def _decode(line: bytes) -> str:
    """Text that may have been cut out of a longer line, in the middle of a character at either end."""
    start = next((n for n, byte in enumerate(line[:4]) if byte & 0xC0 != 0x80), 0)
    return codecs.getincrementaldecoder("utf-8")("replace").decode(line[start:])
