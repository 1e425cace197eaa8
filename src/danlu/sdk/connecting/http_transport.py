"""Requests over HTTP/1.1, plain or in TLS, with nothing but the standard library."""

from __future__ import annotations

import http.client
from urllib.parse import urlsplit

from danlu.sdk.connecting.dialing import FAULTS, Connection, dial, origin_of, reason_of
from danlu.sdk.connecting.transport import Broken, Reply, ReplyStream, Request

CONNECT_TIMEOUT_S = 10.0
ANSWER_TIMEOUT_S = 60.0
STREAM_SILENCE_S = 40.0
"""The longest silence of a stream that has begun: the server sends a heartbeat every 15 seconds."""
PIECE = 1 << 16

_Place = tuple[str, str | None]
"""An origin, and the fingerprint of the server that shall be there."""


class HttpTransport:
    """Keeps one connection for the next request. Streams, and requests that may not be sent twice, get a
    connection of their own: an idle one may have died unnoticed, and then it is not known what arrived."""

    def __init__(
        self, *, connect_timeout_s: float = CONNECT_TIMEOUT_S, answer_timeout_s: float = ANSWER_TIMEOUT_S
    ) -> None:
        self._connect_timeout_s = connect_timeout_s
        self._answer_timeout_s = answer_timeout_s
        self._idle: list[tuple[_Place, Connection]] = []

    def send(self, request: Request) -> Reply:
        idle = self._take_idle(request) if request.repeatable else None
        if idle is not None:
            try:
                return self._exchange(idle, request)
            except Broken as broken:
                if broken.silent:
                    raise
        return self._exchange(self._connect(request), request)

    def open(self, request: Request) -> ReplyStream:
        connection = self._connect(request)
        response = _ask(connection, request, self._answer_within(request))
        connection.sock.settimeout(max(request.answer_timeout_s or 0.0, STREAM_SILENCE_S))
        return _HttpStream(connection, response)

    def close(self) -> None:
        while self._idle:
            self._idle.pop()[1].close()

    def _take_idle(self, request: Request) -> Connection | None:
        try:
            place, connection = self._idle.pop()
        except IndexError:
            return None
        if place == _place(request):
            return connection
        connection.close()
        return None

    def _connect(self, request: Request) -> Connection:
        patience_s = request.connect_timeout_s or self._connect_timeout_s
        return dial(request.url, request.fingerprint, patience_s)

    def _answer_within(self, request: Request) -> float:
        return request.answer_timeout_s or self._answer_timeout_s

    def _exchange(self, connection: Connection, request: Request) -> Reply:
        response = _ask(connection, request, self._answer_within(request))
        try:
            body = response.read()
        except FAULTS as fault:
            connection.close()
            raise _broken(fault) from fault
        if response.will_close:
            connection.close()
        else:
            self._idle.append((_place(request), connection))
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, headers, body)


class _HttpStream:
    def __init__(self, connection: Connection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._response = response
        self.status: int = response.status

    def read_some(self) -> bytes:
        try:
            return self._response.read1(PIECE)
        except (*FAULTS, ValueError) as fault:
            raise _broken(fault) from fault

    def close(self) -> None:
        self._response.close()
        self._connection.close()


def _ask(connection: Connection, request: Request, within_s: float) -> http.client.HTTPResponse:
    """`within_s` is the longest silence, of us or of the server."""
    parts = urlsplit(request.url)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    try:
        connection.sock.settimeout(within_s)
        connection.request(request.method, target, request.body, dict(request.headers))
        return connection.getresponse()
    except FAULTS as fault:
        connection.close()
        raise _broken(fault) from fault


def _broken(fault: Exception) -> Broken:
    return Broken(reason_of(fault), delivered=True, silent=isinstance(fault, TimeoutError))


def _place(request: Request) -> _Place:
    return origin_of(request.url), request.fingerprint
