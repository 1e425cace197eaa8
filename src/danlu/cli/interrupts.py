"""Ctrl-C that does not fall into the middle of a thing that must be done whole."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Interrupts:
    """While entered, Ctrl-C inside `whole` waits until it is over. A second one does not wait: what must be
    whole may itself be stuck."""

    def __init__(self) -> None:
        self._busy = False
        self._pending = False
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        self._before = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def whole(self) -> Iterator[None]:
        self._busy = True
        try:
            yield
        finally:
            self._busy = False
            pending, self._pending = self._pending, False
        if pending:
            raise KeyboardInterrupt

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        if self._busy and not self._pending:
            self._pending = True
        else:
            raise KeyboardInterrupt
