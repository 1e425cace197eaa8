"""Requests over HTTP/1.1 with nothing but the standard library."""

from __future__ import annotations

import http.client
from urllib.parse import urlsplit

from danlu.sdk.transport import Broken, Reply, ReplyStream, Request

CONNECT_TIMEOUT_S = 10.0
ANSWER_TIMEOUT_S = 60.0
"""Also the longest silence of a stream: the server sends a heartbeat well before."""
PIECE = 1 << 16

_Connection = http.client.HTTPConnection
_FAULTS = (OSError, http.client.HTTPException)


class HttpTransport:
    """Keeps one connection for the next request. Streams, and requests that may not be sent twice, get a
    connection of their own: an idle one may have died unnoticed, and then nobody knows what arrived."""

    def __init__(
        self, *, connect_timeout_s: float = CONNECT_TIMEOUT_S, answer_timeout_s: float = ANSWER_TIMEOUT_S
    ) -> None:
        self._connect_timeout_s = connect_timeout_s
        self._answer_timeout_s = answer_timeout_s
        self._idle: list[tuple[str, _Connection]] = []

    def send(self, request: Request) -> Reply:
        idle = self._take_idle(request.url) if request.repeatable else None
        if idle is not None:
            try:
                return self._exchange(idle, request)
            except Broken:
                pass
        return self._exchange(self._connect(request.url), request)

    def open(self, request: Request) -> ReplyStream:
        connection = self._connect(request.url)
        return _HttpStream(connection, _ask(connection, request))

    def close(self) -> None:
        while self._idle:
            self._idle.pop()[1].close()

    def _take_idle(self, url: str) -> _Connection | None:
        try:
            origin, connection = self._idle.pop()
        except IndexError:
            return None
        if origin == _origin(url):
            return connection
        connection.close()
        return None

    def _connect(self, url: str) -> _Connection:
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else _Connection
        try:
            connection = kind(parts.hostname or "", parts.port, timeout=self._connect_timeout_s)
            connection.connect()
        except (*_FAULTS, ValueError) as fault:
            raise Broken(_reason(fault), delivered=False) from fault
        connection.sock.settimeout(self._answer_timeout_s)
        return connection

    def _exchange(self, connection: _Connection, request: Request) -> Reply:
        response = _ask(connection, request)
        try:
            body = response.read()
        except _FAULTS as fault:
            connection.close()
            raise Broken(_reason(fault), delivered=True) from fault
        if response.will_close:
            connection.close()
        else:
            self._idle.append((_origin(request.url), connection))
        headers = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, headers, body)


class _HttpStream:
    def __init__(self, connection: _Connection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._response = response
        self.status: int = response.status

    def read_some(self) -> bytes:
        try:
            return self._response.read1(PIECE)
        except (*_FAULTS, ValueError) as fault:
            raise Broken(_reason(fault), delivered=True) from fault

    def close(self) -> None:
        self._response.close()
        self._connection.close()


def _ask(connection: _Connection, request: Request) -> http.client.HTTPResponse:
    parts = urlsplit(request.url)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    try:
        connection.request(request.method, target, request.body, dict(request.headers))
        return connection.getresponse()
    except _FAULTS as fault:
        connection.close()
        raise Broken(_reason(fault), delivered=True) from fault


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _reason(fault: Exception) -> str:
    if isinstance(fault, http.client.IncompleteRead | http.client.BadStatusLine):
        return "connection closed"
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault) or type(fault).__name__
