"""The keeper's loop: answers its clients, hears of starts and ends, and ends when it is not needed."""

from __future__ import annotations

import json
import os
import selectors
import socket
import time
from collections.abc import Callable
from typing import Any

from danlu.agent.keeper.complaint import complain
from danlu.agent.keeper.spec import LONGEST_REQUEST, Fact
from danlu.agent.keeper.task_book import TaskBook

_FIRST_LINGER_S = 10.0
_LINGER_S = 2.0
"""How long the keeper stays without tasks and clients: before its first client, and afterwards."""

_LONGEST_OUTBOX = 256 << 20


class KeeperClient:
    """One connected agent: requests in, answers and facts out, one JSON object per line."""

    def __init__(
        self, connection: socket.socket, selector: selectors.BaseSelector, server: KeeperServer
    ) -> None:
        connection.setblocking(False)
        self._connection = connection
        self._selector = selector
        self._server = server
        self._inbox = b""
        self._outbox = bytearray()
        selector.register(connection, selectors.EVENT_READ, self._on_event)

    def send(self, message: dict[str, Any]) -> None:
        """Sent at the end of this round of the loop, together with all else that comes up in it."""
        self._outbox += json.dumps(message).encode() + b"\n"
        if len(self._outbox) > _LONGEST_OUTBOX:
            # It does not read. Once it connects again it asks for the list anyway.
            self._close()
        else:
            self._server.waiting.add(self)

    def _on_event(self, events: int) -> None:
        if events & selectors.EVENT_WRITE:
            self.flush()
        if events & selectors.EVENT_READ:
            self._receive()

    def _receive(self) -> None:
        try:
            data = self._connection.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        *lines, self._inbox = (self._inbox + data).split(b"\n")
        if not data or len(self._inbox) > LONGEST_REQUEST:
            self._close()
            return
        for line in lines:
            self.send(self._server.answer(line))

    def flush(self) -> None:
        self._server.waiting.discard(self)
        try:
            sent = self._connection.send(self._outbox) if self._outbox else 0
        except BlockingIOError:
            sent = 0
        except OSError:
            self._close()
            return
        del self._outbox[:sent]
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._outbox else 0)
        if self._connection.fileno() >= 0 and self._selector.get_key(self._connection).events != wanted:
            self._selector.modify(self._connection, wanted, self._on_event)

    def _close(self) -> None:
        if self._connection.fileno() >= 0:
            self._selector.unregister(self._connection)
            self._connection.close()
            self._server.clients.discard(self)
            self._server.waiting.discard(self)


class KeeperServer:
    """`run` until no task and no client needs the keeper, or a client asks it to retire."""

    def __init__(
        self,
        listener: socket.socket,
        notes: int,
        selector: selectors.BaseSelector,
        open_book: Callable[[Callable[[Fact], None]], TaskBook],
    ) -> None:
        self.clients: set[KeeperClient] = set()
        self.waiting: set[KeeperClient] = set()
        """Those for whom something is to be sent."""
        self._listener = listener
        self._notes = notes
        self._unfinished_note = b""
        self._selector = selector
        self._retired = False
        self._linger_s = _FIRST_LINGER_S
        self._needless_since: float | None = None
        listener.setblocking(False)
        selector.register(listener, selectors.EVENT_READ, self._accept)
        selector.register(notes, selectors.EVENT_READ, self._read_notes)
        self.book = open_book(self._tell)

    def run(self) -> None:
        while not self._retired and not self._is_needless():
            for key, events in self._selector.select(self._timeout_s()):
                # A client that was dropped while others were served is no longer registered.
                if key.fd in self._selector.get_map():
                    _attempt(key.data, events)
            if self.book.clean_at is not None and time.monotonic() >= self.book.clean_at:
                _attempt(self.book.clean)
            self.book.crew.dismiss()
            _attempt(self.book.log_limits.look)
            _attempt(self.book.log_times.look)
            for client in list(self.waiting):
                client.flush()

    def answer(self, line: bytes) -> dict[str, Any]:
        """Carry out one request. Whatever is wrong with it is the answer, never the end of the keeper."""
        number = None
        try:
            request = json.loads(line)
            number = request["id"]
            return {"id": number, "result": self._carry_out(request)}
        except Exception as error:
            complain()
            return {"id": number, "error": f"{type(error).__name__}: {error}"}

    def _carry_out(self, request: dict[str, Any]) -> Any:
        match request["op"]:
            case "launch":
                return self.book.launch(request["order"])
            case "stop":
                return self.book.stop(request["key"], request["node"], request["grace_s"])
            case "list":
                return self.book.facts()
            case "about":
                return self.book.about()
            case "forget":
                return self.book.forget(request["keys"])
            case "retire":
                self._retired = True
                return None
            case unknown:
                raise ValueError(f"unknown operation {unknown!r}")

    def _tell(self, fact: Fact) -> None:
        for client in list(self.clients):
            client.send({"fact": fact})

    def _accept(self, _events: int) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        self.clients.add(KeeperClient(connection, self._selector, self))
        self._linger_s = _LINGER_S

    def _read_notes(self, _events: int) -> None:
        *notes, self._unfinished_note = (self._unfinished_note + os.read(self._notes, 1 << 16)).split(b"\n")
        for note in notes:
            key, started_at = note.decode().split()
            self.book.hear_start(key, float(started_at))

    def _is_needless(self) -> bool:
        if self.clients or not self.book.is_idle:
            self._needless_since = None
            return False
        if self._needless_since is None:
            self._needless_since = time.monotonic()
        return time.monotonic() - self._needless_since >= self._linger_s

    def _timeout_s(self) -> float | None:
        book = self.book
        due = (book.clean_at, book.crew.dismiss_at, book.log_limits.look_at, book.log_times.look_at)
        deadlines = [at for at in due if at is not None]
        if self._needless_since is not None:
            deadlines.append(self._needless_since + self._linger_s)
        return max(min(deadlines) - time.monotonic(), 0) if deadlines else None


def _attempt(step: Callable[..., None], *arguments: object) -> None:
    """Whatever goes wrong in one step, the keeper lives on: all other tasks depend on it."""
    try:
        step(*arguments)
    except Exception:
        complain()
