"""The kernel's watches of files: one inotify instance for everything, as a Linux user has but 128 of them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

from asyncinotify import Inotify, Mask, Watch

PAUSE_S = 0.01
"""After some events it waits so long for the next ones: a file may be written to without a pause."""
MOST_AT_ONCE = 1000

Listener = Callable[[int, Mask, str | None], None]
"""Is told the number of the watch, what happened, and to what inside it."""


class FileWatches:
    """Several listeners may watch the same file or folder; by its number each knows what it watches."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._inotify = Inotify(sync_timeout=0)
        self._watches: dict[int, tuple[Watch, set[Listener]]] = {}
        self._listeners: set[Listener] = set()
        self._pause: asyncio.TimerHandle | None = None
        self._listen()

    @staticmethod
    def join(listener: Listener) -> FileWatches:
        """Those of the running loop, until `leave`. Raises OSError where no instance is to be had."""
        loop = asyncio.get_running_loop()
        watches = _of_loops.get(loop)
        if watches is None:
            watches = _of_loops[loop] = FileWatches(loop)
        watches._listeners.add(listener)
        return watches

    def leave(self, listener: Listener) -> None:
        for number, (watch, listeners) in list(self._watches.items()):
            listeners.discard(listener)
            if not listeners:
                del self._watches[number]
                # The kernel may have removed it already, with the file.
                with contextlib.suppress(OSError):
                    self._inotify.rm_watch(watch)
        self._listeners.discard(listener)
        if not self._listeners:
            del _of_loops[self._loop]
            self._stop_listening()
            self._inotify.close()

    def add(self, path: Path, mask: Mask, listener: Listener) -> int:
        """The number of the watch. Raises OSError."""
        watch = self._inotify.add_watch(path, mask)
        _, listeners = self._watches.setdefault(watch.wd, (watch, set()))
        listeners.add(listener)
        return watch.wd

    def _hear(self) -> None:
        for _ in range(MOST_AT_ONCE):
            event = self._inotify.sync_get()
            if event is None:
                break
            if Mask.Q_OVERFLOW in event.mask:
                # Some went missing, and it is not known whose.
                for number in list(self._watches):
                    self._tell(number, event.mask, None)
            elif event.watch is not None:
                self._tell(event.watch.wd, event.mask, str(event.name) if event.name is not None else None)
                if Mask.IGNORED in event.mask:
                    self._watches.pop(event.watch.wd, None)
            if not self._listeners:
                return
        self._stop_listening()
        self._pause = self._loop.call_later(PAUSE_S, self._listen)

    def _tell(self, number: int, mask: Mask, name: str | None) -> None:
        _, listeners = self._watches.get(number, (None, ()))
        for listener in list(listeners):
            listener(number, mask, name)

    def _listen(self) -> None:
        self._pause = None
        self._loop.add_reader(self._inotify.fd, self._hear)

    def _stop_listening(self) -> None:
        self._loop.remove_reader(self._inotify.fd)
        if self._pause is not None:
            self._pause.cancel()


_of_loops: dict[asyncio.AbstractEventLoop, FileWatches] = {}
