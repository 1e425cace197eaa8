"""One call of the API: the address, the token, the language, the tries, the errors."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

from danlu.sdk.connecting.patience import Patience, is_passing
from danlu.sdk.connecting.renewal import wait_for_another_token
from danlu.sdk.connecting.transport import Broken, Reply, ReplyStream, Request, Transport
from danlu.sdk.connecting.turns import Turns
from danlu.sdk.errors import ApiError, Distrusted, NotDanlu, Unanswered, Unreachable

if TYPE_CHECKING:
    from danlu.sdk.connecting.connection import Locate, Server

T = TypeVar("T")
PREFIX = "/api/v1"
LONG_SILENCE_S = 3600.0
SOON_S = 3.0
"""How long to wait for a connection where there are other servers to ask."""
FIRST_BYTE_S = 10.0
"""How long an answer may take to begin where the same may be asked of another: a server that hangs takes
requests in all the same. When all were in vain, each is given longer."""
LAST_BYTE_S = 30.0
"""The same where no server may be asked a second time; a standby holds requests for 20 seconds."""
NO_LEADER, CUT_OFF = "no_leader", "cut_off"
_OUT_OF_USE = ("database_moved", "database_unfinished", "database_superseded")
NOT_DONE = (NO_LEADER, CUT_OFF, "leader_unreachable", *_OUT_OF_USE)
LEADER_LOST = "leader_lost"
"""What a server says that cannot pass a request on to the leader: it was not done, or that is not known."""
_PASSING = (NO_LEADER, CUT_OFF, LEADER_LOST)
"""What is over as soon as another server leads."""
MOVING = frozenset({"stopping", "not_leading", *_PASSING})
"""What a server says that is on its way down or up."""
Query = Mapping[str, str | int | bool | None]


class Api:
    """Plumbing shared by the resources of a client.

    A server that never answered is reported at once. One that answered before and is gone now is waited
    for, up to `patience_s`, as long as trying again cannot do a thing twice. Where an installation has
    several servers, the next one is asked first. A server that was started again gets the new token that it
    made."""

    def __init__(
        self,
        locate: Locate,
        transport: Transport,
        *,
        language: str = "en",
        patience_s: float = 15.0,
        on_break: Callable[[str], None] | None = None,
    ) -> None:
        self._turns = Turns(locate)
        self._transport = transport
        self._language = language
        self._patience_s = patience_s
        self._on_break = on_break
        self._answered = False
        self._accepted = False

    def be_patient(self, patience_s: float) -> None:
        """Wait so long from now on for a server that went away."""
        self._patience_s = patience_s

    @property
    def server(self) -> Server:
        return self._turns.here

    def close(self) -> None:
        self._transport.close()

    def get(self, kind: type[T], path: str, query: Query | None = None) -> T:
        from danlu.codec import decode

        return decode(kind, self.get_json(path, query), trusted=True)

    def get_json(self, path: str, query: Query | None = None) -> Any:
        """Parsed JSON exactly as the server sent it."""
        return self._json(self.call("GET", path, query=query))

    def ask(
        self, kind: type[T], method: str, path: str, *, body: Any = None, query: Query | None = None
    ) -> T:
        """Change something, and get what became of it."""
        from danlu.codec import decode, encode_said

        return decode(
            kind, self._json(self.call(method, path, query=query, body=encode_said(body))), trusted=True
        )

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: Any = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool = False,
        held_s: float = 0.0,
    ) -> Reply:
        """The answer to a request that was not refused; the server may keep it waiting for `held_s` on
        purpose. Raises ApiError, Unreachable, NotDanlu."""
        repeatable = repeatable or method == "GET"
        patience = Patience(self._patience_s)
        while True:
            server = self._turns.here
            request = self._request(
                server,
                method,
                path,
                query=query,
                headers=headers,
                body=body,
                content=content,
                repeatable=repeatable,
            )
            try:
                reply = self._transport.send(self._hurry(request, held_s))
            except Broken as broken:
                self._answered = self._answered or broken.delivered
                if broken.delivered and not repeatable:
                    self._turns.pass_over(server, broken.reason)
                    raise Unanswered(server.url, broken.reason) from broken
                if not self._turns.pass_over(server, broken.reason):
                    self.wait(patience, broken.reason)
                continue
            except Distrusted:
                # Else it would be asked first the next time too, though the first may be back by then.
                self._turns.begin_again()
                raise
            answered_before, self._answered = self._answered, True
            if (code := self._should_ask_again(reply.status, reply.body, repeatable=repeatable)) is not None:
                if self._turns.pass_over(server, code):
                    continue
                if code in _PASSING and self._turns.are_several and patience.pause():
                    continue
            self._turns.note_answer()
            if reply.status < 400:
                self._accepted = True
                return reply
            if reply.status == 401 and self._has_another_token(server):
                continue
            refusal = self._refusal(server, reply.status, reply.body)
            if not (answered_before and repeatable and self._wait_out(refusal, patience)):
                raise refusal

    def _wait_out(self, refusal: ApiError | NotDanlu, patience: Patience) -> bool:
        """Sleep while the server is on its way down or up; False when it is not, or the time is up."""
        if not _is_moving(refusal):
            return False
        if self._on_break is not None:
            self._on_break(str(refusal))
        return patience.pause()

    def upload(self, kind: type[T], path: str, content: bytes) -> T:
        """Hand in bytes whose storing twice does no more than storing once."""
        from danlu.codec import decode

        return decode(
            kind, self._json(self.call("POST", path, content=content, repeatable=True)), trusted=True
        )

    def download(self, method: str, path: str, *, body: Any = None) -> Iterator[bytes]:
        """A large answer as it comes, perhaps after a long silence. Raises ApiError, NotDanlu, Unreachable
        (also when it breaks off)."""
        server = self._turns.here
        try:
            server, stream = self._open(method, path, body=body, silence_s=LONG_SILENCE_S)
            try:
                if stream.status >= 400:
                    raise self._refusal(server, stream.status, _read_all(stream))
                while piece := stream.read_some():
                    yield piece
            finally:
                stream.close()
        except Broken as broken:
            if broken.delivered:
                raise Unreachable(server.url, broken.reason) from broken
            raise self._turns.none_answers(broken.reason) from broken

    def json_call(self, method: str, path: str, **options: Any) -> Any:
        return self._json(self.call(method, path, **options))

    def patience(self) -> Patience:
        return Patience(self._patience_s)

    def wait(self, patience: Patience, reason: str) -> None:
        """Sleep before trying a stream again. Raises Unreachable when the time is up, or when the server
        never answered at all."""
        if not self._answered:
            raise self._turns.none_answers(reason)
        if self._on_break is not None:
            self._on_break(reason)
        if not patience.pause():
            raise self._turns.none_answers(reason)

    @contextmanager
    def open(
        self, path: str, query: Query | None = None, headers: Mapping[str, str] | None = None
    ) -> Iterator[ReplyStream]:
        """A stream of events. Raises Broken, ApiError, NotDanlu."""
        accepting = {**(headers or {}), "Accept": "text/event-stream"}
        server, stream = self._open("GET", path, query=query, headers=accepting)
        try:
            self._answered = True
            if stream.status >= 400:
                raise self._refusal(server, stream.status, _read_all(stream))
            self._accepted = True
            yield stream
        except Broken as broken:
            if broken.silent:
                self._turns.pass_over(server, broken.reason)
            raise
        finally:
            stream.close()

    def _open(
        self, method: str, path: str, *, silence_s: float | None = None, **said: Any
    ) -> tuple[Server, ReplyStream]:
        """A stream of the first server that is there. Raises Broken when none is, ApiError, NotDanlu."""
        while True:
            server = self._turns.here
            request = self._request(server, method, path, **{"query": None, "headers": None, **said})
            hurried = self._hurry(replace(request, repeatable=method == "GET"))
            try:
                stream = self._transport.open(
                    hurried if silence_s is None else replace(request, answer_timeout_s=silence_s)
                )
            except Broken as broken:
                if (broken.delivered and method != "GET") or not self._turns.pass_over(server, broken.reason):
                    raise
                continue
            except Distrusted:
                self._turns.begin_again()
                raise
            if stream.status not in (401, 503):
                self._turns.note_answer()
                return server, stream
            try:
                body = _read_all(stream)
            finally:
                stream.close()
            code = self._should_ask_again(stream.status, body, repeatable=method == "GET")
            if code is not None and self._turns.pass_over(server, code):
                continue
            self._answered = True
            if stream.status != 401 or not self._has_another_token(server):
                raise self._refusal(server, stream.status, body)

    def _has_another_token(self, refused: Server) -> bool:
        return wait_for_another_token(refused, lambda: self._turns.here, known=self._accepted)

    def _should_ask_again(self, status: int, body: bytes, *, repeatable: bool) -> str | None:
        """The code of a refusal after which another one may be asked: this one finds no leader, or lost sight
        of it in the middle."""
        if status != 503 or not self._turns.are_several:
            return None
        try:
            code = str(json.loads(body)["code"])
        except (ValueError, TypeError, KeyError):
            return None
        return code if code in NOT_DONE or (code == LEADER_LOST and repeatable) else None

    def _hurry(self, request: Request, held_s: float = 0.0) -> Request:
        """Where there are others to ask, one that hangs is not waited for as long as one that is alone."""
        if not self._turns.are_several or not self._turns.is_first_round:
            return request
        within_s = FIRST_BYTE_S if request.repeatable else LAST_BYTE_S
        return replace(request, answer_timeout_s=within_s + held_s)

    def _request(
        self,
        server: Server,
        method: str,
        path: str,
        *,
        query: Query | None,
        headers: Mapping[str, str] | None,
        body: Any = None,
        content: bytes | None = None,
        repeatable: bool = False,
    ) -> Request:
        said = {"Accept": "application/json", "Accept-Language": self._language, **(headers or {})}
        if server.token:
            said["Authorization"] = f"Bearer {server.token}"
        if content is not None:
            said["Content-Type"] = "application/octet-stream"
        elif body is not None:
            said["Content-Type"] = "application/json"
            content = json.dumps(body, allow_nan=False).encode()
        url = server.url + PREFIX + path
        if pairs := _pairs(query):
            url += "?" + urlencode(pairs)
        soon = SOON_S if self._turns.are_several else None
        return Request(method, url, said, content, repeatable, server.fingerprint, connect_timeout_s=soon)

    def _json(self, reply: Reply) -> Any:
        try:
            return json.loads(reply.body)
        except ValueError as fault:
            raise NotDanlu(self._turns.here.url, reply.status) from fault

    def _refusal(self, server: Server, status: int, body: bytes) -> ApiError | NotDanlu:
        from danlu.codec import decode
        from danlu.wire.server import Problem

        try:
            return ApiError(decode(Problem, json.loads(body), trusted=True), status)
        except (ValueError, TypeError):
            return NotDanlu(server.url, status)


def _is_moving(refusal: ApiError | NotDanlu) -> bool:
    """The server is on its way down or up; if there is one, for a proxy may say so too."""
    return is_passing(refusal) and (isinstance(refusal, NotDanlu) or refusal.problem.code in MOVING)


def _pairs(query: Query | None) -> list[tuple[str, str]]:
    said = ((name, value) for name, value in (query or {}).items() if value is not None)
    return [(name, str(value).lower() if isinstance(value, bool) else str(value)) for name, value in said]


def _read_all(stream: ReplyStream) -> bytes:
    pieces = []
    while piece := stream.read_some():
        pieces.append(piece)
    return b"".join(pieces)
