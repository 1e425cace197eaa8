"""The one swap point: how a request gets to a server and its answer back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Request:
    """`repeatable`: sending it twice does no more than sending it once. `fingerprint`: the key that the
    server must prove to have before anything is sent. `answer_timeout_s`: how long the next bytes may take,
    where the usual is not right; `connect_timeout_s`: how long to wait for a connection, where the usual is
    too long."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None
    repeatable: bool = False
    fingerprint: str | None = None
    answer_timeout_s: float | None = None
    connect_timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer. The names of the headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class ReplyStream(Protocol):
    """An answer that is read as it comes."""

    @property
    def status(self) -> int: ...

    def read_some(self) -> bytes:
        """The next bytes, at least one; empty at the end. Raises Broken."""

    def close(self) -> None: ...


class Transport(Protocol):
    def send(self, request: Request) -> Reply:
        """The whole answer. Raises Broken, Distrusted."""

    def open(self, request: Request) -> ReplyStream:
        """The answer as a stream. Raises Broken, Distrusted."""

    def close(self) -> None: ...


class Broken(Exception):
    """No answer, or only a part of one. `delivered`: the server may have seen the request. `silent`: it is
    there, and says nothing."""

    def __init__(self, reason: str, *, delivered: bool, silent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.delivered = delivered
        self.silent = silent
