"""The wrappers of this keeper: each carries out one task at a time, and may take another afterwards.

To fork costs more than all else that happens to a small task, so one that is done is kept for a moment.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import time
from collections import deque
from typing import Protocol

from danlu.agent.keeper.spec import End
from danlu.agent.keeper.wrapper.command import KeeperFacts
from danlu.agent.keeper.wrapper.wrapper import fork_wrapper
from danlu.agent.keeper.wrapper.wrapper_events import LONGEST_MESSAGE

_IDLE_S = 2.0
_MOST_IDLE = 32
_PARTING_S = 0.5
"""How long a keeper that leaves waits for its idle wrappers to leave first."""


class Listener(Protocol):
    """Who hears from the wrappers. Each task is heard of until it is done or lost, and then no more."""

    def hear_start(self, key: str, started_at: float) -> None: ...

    def hear_end(self, key: str, end: End) -> None: ...

    def hear_unwritten_end(self, key: str, end: End) -> None:
        """It has ended; its wrapper goes on trying to write that down."""

    def hear_loss(self, key: str) -> None:
        """Its wrapper is gone. What became of the task is on disk, if anywhere."""


class Wrapper:
    """A wrapper as its keeper sees it. `key` is the task that it carries out, if any."""

    def __init__(self, pid: int, connection: socket.socket) -> None:
        self.pid = pid
        self.connection = connection
        self.key: str | None = None
        self.idle_since = 0.0

    def ask_stop(self) -> None:
        """Stop its task."""
        # One that cannot hear it is dead; that is heard of as well.
        with contextlib.suppress(OSError):
            self.connection.send(f"stop {self.key}".encode())


class WrapperPool:
    """Hands tasks over to wrappers. `root` is where the tasks' records are."""

    def __init__(
        self, selector: selectors.BaseSelector, root: str, around: KeeperFacts, listener: Listener
    ) -> None:
        self._selector = selector
        self._root = root
        self._around = around
        self._listener = listener
        self._idle: deque[Wrapper] = deque()

    @property
    def dismiss_at(self) -> float | None:
        """When the wrapper that has been idle longest is to be sent away (monotonic)."""
        return self._idle[0].idle_since + _IDLE_S if self._idle else None

    def hand_over(self, key: str) -> Wrapper:
        """Give the task to a wrapper, to an idle one if there is one. OSError when none can be had."""
        while self._idle:
            # The one that was busy last has the warmest memory.
            wrapper = self._idle.pop()
            with contextlib.suppress(OSError):
                return self._give(wrapper, key)
        return self._give(self._hire(), key)

    def dismiss(self) -> None:
        """Send away wrappers that had no task for a while."""
        now = time.monotonic()
        while self._idle and (self._idle[0].idle_since + _IDLE_S <= now or len(self._idle) > _MOST_IDLE):
            _send_away(self._idle.popleft())

    def close(self) -> None:
        """Send all idle wrappers away and see them gone; those at work go on without a keeper."""
        for wrapper in self._idle:
            _send_away(wrapper)
        deadline = time.monotonic() + _PARTING_S
        while self._idle:
            wrapper = self._idle.popleft()
            wrapper.connection.settimeout(max(deadline - time.monotonic(), 0.001))
            with contextlib.suppress(OSError):
                if not wrapper.connection.recv(LONGEST_MESSAGE):
                    os.waitpid(wrapper.pid, 0)

    def _hire(self) -> Wrapper:
        wrapper = Wrapper(*fork_wrapper(self._root, self._around))
        wrapper.connection.setblocking(False)
        try:
            self._selector.register(wrapper.connection, selectors.EVENT_READ, lambda _: self._hear(wrapper))
        except OSError:
            wrapper.connection.close()
            os.waitpid(wrapper.pid, 0)
            raise
        return wrapper

    def _give(self, wrapper: Wrapper, key: str) -> Wrapper:
        wrapper.connection.send(f"run {key}".encode())
        wrapper.key = key
        return wrapper

    def _hear(self, wrapper: Wrapper) -> None:
        try:
            message = wrapper.connection.recv(LONGEST_MESSAGE).decode()
        except BlockingIOError:
            return
        except OSError:
            message = ""
        what, _, rest = message.partition(" ")
        if not message:
            self._lose(wrapper)
        elif what == "started":
            key, _, started_at = rest.partition(" ")
            self._listener.hear_start(key, float(started_at))
        elif what == "unwritten" and wrapper.key is not None:
            self._listener.hear_unwritten_end(wrapper.key, json.loads(rest))
        elif wrapper.key is not None:
            key, wrapper.key = wrapper.key, None
            if what == "idle":
                wrapper.idle_since = time.monotonic()
                self._idle.append(wrapper)
            self._listener.hear_end(key, json.loads(rest))

    def _lose(self, wrapper: Wrapper) -> None:
        self._selector.unregister(wrapper.connection)
        wrapper.connection.close()
        with contextlib.suppress(ValueError):
            self._idle.remove(wrapper)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(wrapper.pid, 0)
        if wrapper.key is not None:
            self._listener.hear_loss(wrapper.key)


def _send_away(wrapper: Wrapper) -> None:
    with contextlib.suppress(OSError):
        wrapper.connection.shutdown(socket.SHUT_WR)
