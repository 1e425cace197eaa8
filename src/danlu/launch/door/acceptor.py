"""Takes connections at the door, one seat each, before a byte of theirs is read or a key agreed on."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
import ssl
import time
from collections.abc import Callable
from functools import partial

from danlu.launch.door.connections import Connections, ConnectionSlot, group_of
from danlu.launch.door.http_protocol import PromptHttp, refusal_bytes

log = logging.getLogger(__name__)

AT_A_TIME = 100
"""So many are taken before others have their turn."""
HANDSHAKE_S = 15.0
PAUSE_S = 0.5
"""After there was no file descriptor left. Who knocks meanwhile waits in the kernel's line."""
TELL_EVERY_S = 60.0
_NONE_LEFT = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class Acceptor:
    """`trusts` says which peers are proxies of ours, who speak for many."""

    def __init__(
        self,
        listener: socket.socket,
        connections: Connections,
        make_protocol: Callable[[], PromptHttp],
        context: ssl.SSLContext | None,
        trusts: Callable[[str], bool],
    ) -> None:
        self._listener = listener
        self._connections = connections
        self._make_protocol = make_protocol
        self._context = context
        self._trusts = trusts
        self._loop = asyncio.get_running_loop()
        self._entering: set[asyncio.Task[None]] = set()
        self._pausing: asyncio.TimerHandle | None = None
        self._told: dict[str, float] = {}

    def start(self) -> None:
        self._listener.setblocking(False)
        self._loop.add_reader(self._listener.fileno(), self._accept)

    def close(self) -> None:
        if self._pausing is not None:
            self._pausing.cancel()
        self._loop.remove_reader(self._listener.fileno())
        for task in self._entering:
            task.cancel()

    def _accept(self) -> None:
        for _ in range(AT_A_TIME):
            try:
                connection, address = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as problem:
                if problem.errno in _NONE_LEFT:
                    self._connections.make_room()
                self._pause(problem)
                return
            self._take(connection, str(address[0]))

    def _take(self, connection: socket.socket, peer: str) -> None:
        seat = self._connections.admit(None if self._trusts(peer) else group_of(peer))
        if seat is None:
            self._tell("too many connections, the newest are refused")
            with contextlib.suppress(OSError):
                if self._context is None:
                    connection.setblocking(False)
                    connection.send(refusal_bytes(503, "too_many_connections"))
                    connection.shutdown(socket.SHUT_WR)
            connection.close()
            return
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        entering = self._loop.create_task(self._enter(connection, seat))
        seat.send_away = partial(_cancel, entering)
        self._entering.add(entering)
        entering.add_done_callback(self._entering.discard)

    async def _enter(self, connection: socket.socket, seat: ConnectionSlot) -> None:
        protocol = self._make_protocol()
        protocol.seat = seat
        try:
            await self._loop.connect_accepted_socket(
                lambda: protocol,
                connection,
                ssl=self._context,
                ssl_handshake_timeout=HANDSHAKE_S if self._context is not None else None,
            )
        except (OSError, asyncio.CancelledError):
            # No key was agreed on, or another took the seat meanwhile.
            seat.leave()
            connection.close()

    def _pause(self, problem: OSError) -> None:
        self._tell(f"no connection can be taken: {problem.strerror}")
        self._loop.remove_reader(self._listener.fileno())
        self._pausing = self._loop.call_later(PAUSE_S, self.start)

    def _tell(self, what: str) -> None:
        now = time.monotonic()
        if now - self._told.get(what, -TELL_EVERY_S) >= TELL_EVERY_S:
            self._told[what] = now
            log.warning("%s", what)


def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
