"""The tasks of a gang wait for each other once their data are there, and only then start their commands:
those have timeouts of their own, and a copy may take longer than these.

The first of them listens where its command will listen afterwards, so that no other process takes that port
meanwhile. The others say that they are ready, and are told to go.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import struct
import time
from typing import Any

from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.spec import GangSpec

_PAUSE_S = 0.2
_CONNECT_S = 5.0
_PARTING_S = 5.0
_SECOND_CHANCE_S = 120.0
"""For one that was told to go and did not hear it: its connection finds out, and it comes again."""
_LONGEST_WORD = 200
_GO = b"go\n"
_AT_ONCE = struct.pack("ii", 1, 0)


class GangMeeting:
    """Made before anything is copied. `proof` is what all of them know, and no other process."""

    def __init__(self, gang: GangSpec, rank: int, proof: str) -> None:
        self._members = gang["members"]
        self._at = gang["members"][0]["address"], gang["port"]
        self._rank = rank
        self._proof = proof
        self._listener = self._listen() if rank == 0 else None

    def wait(self) -> None:
        """Until all are ready. The control side deals with a task that never comes."""
        if self._listener is not None:
            _Gathering(self._listener, self._words()).gather()
        else:
            while not self._report():
                time.sleep(_PAUSE_S)

    def _listen(self) -> socket.socket:
        host, port = self._at
        try:
            family, address = self._resolve()[0]
            listener = socket.socket(family, socket.SOCK_STREAM)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(len(self._members) + 16)
        except (OSError, ValueError) as error:
            raise SetupProblem("launch_failed", f"{host}:{port}: {error}") from error
        return listener

    def _resolve(self) -> list[tuple[socket.AddressFamily, Any]]:
        """Raises OSError, ValueError."""
        host, port = self._at
        # As bytes: for a text Python would load a codec, which the task's account may not be able to read.
        found = socket.getaddrinfo(host.encode("ascii"), port, type=socket.SOCK_STREAM)
        return [(family, address) for family, _, _, _, address in found]

    def _words(self) -> dict[bytes, int]:
        return {self._word(rank): rank for rank in range(1, len(self._members))}

    def _word(self, rank: int) -> bytes:
        return f"{rank} {self._proof}\n".encode()

    def _report(self) -> bool:
        """Say that we are ready and wait for the answer; False when the connection breaks before that."""
        with contextlib.suppress(OSError, ValueError), self._connect() as connection:
            _keep_alive(connection)
            connection.sendall(self._word(self._rank))
            connection.settimeout(None)
            return connection.recv(len(_GO)) == _GO
        return False

    def _connect(self) -> socket.socket:
        """Raises OSError, ValueError."""
        trouble = OSError("no address")
        for family, address in self._resolve():
            connection = socket.socket(family, socket.SOCK_STREAM)
            try:
                connection.settimeout(_CONNECT_S)
                connection.connect(address)
            except OSError as error:
                connection.close()
                trouble = error
            else:
                return connection
        raise trouble


def _keep_alive(connection: socket.socket) -> None:
    """A copy may take hours: nothing in between may forget the connection, and if it does, both notice
    soon."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in ((socket.TCP_KEEPIDLE, 30), (socket.TCP_KEEPINTVL, 10), (socket.TCP_KEEPCNT, 3)):
        connection.setsockopt(socket.IPPROTO_TCP, option, value)


class _Gathering:
    """The first task, waiting for the others. `words` are what those have to say."""

    def __init__(self, listener: socket.socket, words: dict[bytes, int]) -> None:
        self._listener = listener
        self._words = words
        self._heard: dict[socket.socket, bytes] = {}
        self._ready: dict[int, socket.socket] = {}
        self._selector = selectors.DefaultSelector()

    def gather(self) -> None:
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._until_ready(set(self._words.values()), None)
        missing, end_at = self._send_off(), time.monotonic() + _SECOND_CHANCE_S
        while missing and time.monotonic() < end_at:
            self._until_ready(missing, end_at)
            back = missing & self._ready.keys()
            missing -= back - self._send_off()
        for connection in self._heard:
            connection.close()
        self._listener.close()

    def _until_ready(self, ranks: set[int], end_at: float | None) -> None:
        while not ranks <= self._ready.keys():
            left_s = None if end_at is None else end_at - time.monotonic()
            if left_s is not None and left_s <= 0:
                return
            for key, _ in self._selector.select(left_s):
                if key.fileobj is self._listener:
                    self._welcome()
                elif isinstance(key.fileobj, socket.socket):
                    self._hear(key.fileobj)

    def _welcome(self) -> None:
        with contextlib.suppress(OSError):
            connection, _ = self._listener.accept()
            _keep_alive(connection)
            connection.setblocking(False)
            self._heard[connection] = b""
            self._selector.register(connection, selectors.EVENT_READ)

    def _hear(self, connection: socket.socket) -> None:
        try:
            said = connection.recv(_LONGEST_WORD)
        except BlockingIOError:
            return
        except OSError:
            said = b""
        self._heard[connection] += said
        heard = self._heard[connection]
        rank = self._words.get(heard)
        if said and rank is not None:
            self._ready[rank] = connection
        elif not said or len(heard) >= _LONGEST_WORD or heard.endswith(b"\n"):
            with contextlib.suppress(OSError):
                # Nothing of a stranger's connection is left at the port either.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)
            self._leave(connection)

    def _leave(self, connection: socket.socket) -> None:
        """It was a stranger; or one that was ready has gone, and will come again."""
        self._selector.unregister(connection)
        del self._heard[connection]
        self._ready = {rank: each for rank, each in self._ready.items() if each is not connection}
        connection.close()

    def _send_off(self) -> set[int]:
        """Tell those who are ready; who of them may not have heard it. They hang up first, which says that
        they have: so nothing of these lines is left at the port that the command will take."""
        told, silent = dict(self._ready), set[int]()
        for connection in told.values():
            with contextlib.suppress(OSError):
                connection.settimeout(_PARTING_S)
                connection.sendall(_GO)
        for rank, connection in told.items():
            try:
                heard = connection.recv(1) == b""
            except OSError:
                heard = False
            if not heard:
                silent.add(rank)
            self._leave(connection)
        return silent
