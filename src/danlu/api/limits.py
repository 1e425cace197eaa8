"""Requests that are too large are refused before they are read whole."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from danlu.api.errors import problem_response
from danlu.wording.catalogue import language_of_header

LARGEST_BODY = 4 * 1024 * 1024


class BodyLimit:
    def __init__(self, app: ASGIApp, largest: int = LARGEST_BODY) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        declared = headers.get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > self._largest:
            await self._refuse(headers, scope, receive, send)
            return
        seen = 0

        async def receive_limited() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._largest:
                raise _TooLarge
            return message

        try:
            await self._app(scope, receive_limited, send)
        except _TooLarge:
            await self._refuse(headers, scope, receive, send)

    async def _refuse(self, headers: dict[bytes, bytes], scope: Scope, receive: Receive, send: Send) -> None:
        language = language_of_header(headers.get(b"accept-language", b"").decode("latin-1"))
        response = problem_response(language, 413, "too_large", limit_kb=self._largest // 1024)
        await response(scope, receive, send)


class _TooLarge(Exception):
    pass
