"""Requests that are too large are refused before they are read whole."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from danlu.api.errors import problem_response
from danlu.wire.calls import LARGEST_CALL
from danlu.wording.catalogue import language_of_header

LARGEST_BODY = 4 * 1024 * 1024
LARGER_BODIES = {"/api/v1/calls": LARGEST_CALL}
"""Where more is taken, because it goes to disk as it comes."""


class BodyLimit:
    def __init__(self, app: ASGIApp, largest: int = LARGEST_BODY) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        largest = LARGER_BODIES.get(path, self._largest)
        declared = headers.get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > largest:
            await self._refuse(headers, largest, scope, receive, send)
            return
        seen = 0

        async def receive_limited() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > largest:
                raise _TooLarge
            return message

        try:
            await self._app(scope, receive_limited, send)
        except _TooLarge:
            await self._refuse(headers, largest, scope, receive, send)

    async def _refuse(
        self, headers: dict[bytes, bytes], largest: int, scope: Scope, receive: Receive, send: Send
    ) -> None:
        language = language_of_header(headers.get(b"accept-language", b"").decode("latin-1"))
        response = problem_response(language, 413, "too_large", limit_kb=largest // 1024)
        await response(scope, receive, send)


class _TooLarge(Exception):
    pass
