"""The bytes of a log as lines of text, as they come."""

from __future__ import annotations

import codecs
import re

from danlu.cli.layout import clean

_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)")
LONGEST_LINE = 4000


class LogText:
    """Feed it bytes, get whole lines; `rest` is the line that is not whole yet. A progress bar writes the
    same line again and again behind a carriage return: only its last state counts."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    @property
    def rest(self) -> str:
        return _plain(self._rest)

    def feed(self, data: bytes) -> list[str]:
        *whole, rest = (self._rest + self._decoder.decode(data)).split("\n")
        # What was overwritten already need not be kept; neither what will not be shown.
        kept = _last_state(rest)[: 4 * LONGEST_LINE]
        self._rest = f"{kept}\r" if rest.endswith("\r") else kept
        return [_plain(line) for line in whole]


def _last_state(line: str) -> str:
    return next((state for state in reversed(line.split("\r")) if state), "")


def _plain(line: str) -> str:
    """What a terminal would show in the end, without colours and tricks."""
    return clean(_ESCAPES.sub("", _last_state(line)))[:LONGEST_LINE]
