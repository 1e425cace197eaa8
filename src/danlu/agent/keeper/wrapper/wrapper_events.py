"""All that a wrapper listens to: its keeper, signals, and the child that reports how it got on.

Between the keeper and each of its wrappers is a connection of whole messages:

    run KEY          to the wrapper, when it is idle: take this task; the record has all about it
    stop KEY         to the wrapper: stop it; the record has the grace
    started KEY AT   to the keeper
    unwritten END    to the keeper: the task has ended, but the disk is full and that is not on it yet
    idle END         to the keeper: the task has ended, that is on disk, and another one may come
    ended END        to the keeper: the same, but no other shall come

A stop names its task, so that one which crosses the end of it never hits the next. Signals are for wrappers
whose keeper is gone, and for strangers (a shutdown); they become bytes in a pipe, and one poll waits for all.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket

from danlu.agent.keeper.notes import send_note
from danlu.agent.keeper.spec import End

STOP_SIGNAL = signal.SIGTERM
"""What tells a wrapper to stop its task. A shutdown that sends it gets the same."""

LONGEST_MESSAGE = 1 << 16


class WrapperEvents:
    """`next_key` waits for a task; while that is carried out, `wait` and `take_stop`."""

    def __init__(self, connection: socket.socket, notes: str) -> None:
        self._connection = connection
        self._notes = notes
        self._key: str | None = None
        self._stop_asked = False
        self._is_last = False
        self._has_keeper = True
        self._poll = select.poll()
        self._wake = self._install_signals()
        self._poll.register(self._wake, select.POLLIN)
        self._poll.register(connection, select.POLLIN)

    def next_key(self) -> str | None:
        """The task to take. None when there will be none: the keeper is gone, or has no use for us."""
        self._key = None
        self._stop_asked = False
        while self._key is None and not self._is_last:
            self.wait(None)
        return self._key

    def wait(self, timeout_ms: float | None, report: int | None = None) -> bool:
        """Until something is heard, or the time is over. Whether `report` can be read."""
        if report is not None:
            self._poll.register(report, select.POLLIN)
        ready = [fd for fd, _ in self._poll.poll(timeout_ms)]
        if report is not None:
            self._poll.unregister(report)
        if self._wake in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake, 4096)
        if self._has_keeper and self._connection.fileno() in ready:
            self._hear_keeper()
        return report in ready

    def listen_to(self, alarm: int) -> None:
        """Wake up for this descriptor as well, until it is left."""
        self._poll.register(alarm, select.POLLIN)

    def leave(self, alarm: int) -> None:
        self._poll.unregister(alarm)

    def take_stop(self) -> bool:
        """Whether a stop was asked for since the last time."""
        asked, self._stop_asked = self._stop_asked, False
        return asked

    def tell_start(self, started_at: float) -> None:
        """To this keeper, or the next one."""
        if not self._tell(f"started {self._key} {started_at!r}") and self._key is not None:
            send_note(self._notes, self._key, started_at)

    def tell_unwritten_end(self, end: End) -> None:
        """That it has ended, though that is not on disk yet; only to this keeper."""
        self._tell(f"unwritten {json.dumps(end)}")

    def tell_idle(self, end: End) -> bool:
        """Offer to take another task; False when there is no keeper to give one."""
        return not self._is_last and self._tell(f"idle {json.dumps(end)}")

    def tell_end(self, end: End) -> None:
        """For a wrapper that takes no other task. Its own end, which tells the same, may not come soon: a
        thread of it may hang with a disk, in a way that the kernel cannot kill."""
        self._tell(f"ended {json.dumps(end)}")

    def close(self) -> None:
        """For the child: its wrapper's connection is not its own."""
        os.close(self._connection.fileno())

    def _tell(self, message: str) -> bool:
        data = message.encode()
        if not self._has_keeper or len(data) > LONGEST_MESSAGE:
            return False
        try:
            self._connection.send(data)
        except OSError:
            self._lose_keeper()
        return self._has_keeper

    def _hear_keeper(self) -> None:
        try:
            message = self._connection.recv(LONGEST_MESSAGE).decode()
        except OSError:
            message = ""
        what, _, key = message.partition(" ")
        if not message:
            self._lose_keeper()
        elif what == "run":
            self._key = key
        elif key == self._key:
            self._stop_asked = True

    def _lose_keeper(self) -> None:
        self._has_keeper = False
        self._is_last = True
        self._poll.unregister(self._connection)

    def _install_signals(self) -> int:
        """The reading end of the pipe."""
        wake, woken = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(woken, False)
        signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, _notice)
        signal.signal(STOP_SIGNAL, self._on_stop_signal)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD, STOP_SIGNAL})
        return wake

    def _on_stop_signal(self, _number: int, _frame: object) -> None:
        self._stop_asked = True
        # The sender wants this process to go: not only this task.
        self._is_last = True


def _notice(_number: int, _frame: object) -> None:
    """Only the byte in the pipe matters; but an ignored signal would not write one."""
