"""Requests that are too large are refused before they are read whole; those of strangers, before they are
read at all."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from danlu.api.auth import prove, secret_of
from danlu.api.errors import problem_response
from danlu.api.sender import JobSender, note_sender
from danlu.control.control import Control
from danlu.control.identity.access import Access
from danlu.control.sharing.job_secrets import is_job_secret
from danlu.core.errors import DanluError, TooLarge
from danlu.wire.calls import LARGEST_CALL
from danlu.wording.catalogue import language_of_header

LARGEST_BODY = 4 * 1024 * 1024
LARGEST_OF_STRANGERS = 64 * 1024
"""All that may be kept in memory for a sender who is not known yet."""
LARGER_BODIES = {"/api/v1/calls": LARGEST_CALL}
"""Where more is taken, because it goes to disk as it comes."""


class BodyLimit:
    def __init__(self, app: ASGIApp, access: Access, control: Control) -> None:
        self._app = app
        self._access = access
        self._control = control

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        seen = 0
        largest = 0

        async def receive_limited() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > largest:
                raise TooLarge("too_large", limit_kb=largest // 1024)
            return message

        try:
            largest = await self._largest(scope, headers)
            await self._app(scope, receive_limited, send)
        except DanluError as refusal:
            language = language_of_header(headers.get("accept-language", ""))
            answer = problem_response(language, refusal.status, refusal.code, **refusal.facts)
            await answer(scope, receive, send)

    async def _largest(self, scope: Scope, headers: Headers) -> int:
        """How much of a body to take. Raises TooLarge, and NotSignedIn for what only members may send."""
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        largest = LARGER_BODIES.get(path, LARGEST_BODY)
        declared = headers.get("content-length", "0")
        if not declared.isdigit() or int(declared) > largest:
            raise TooLarge("too_large", limit_kb=largest // 1024)
        if int(declared) <= LARGEST_OF_STRANGERS and "transfer-encoding" not in headers:
            return LARGEST_OF_STRANGERS
        secret = secret_of(headers)
        if secret is not None and is_job_secret(secret):
            found = await self._control.job_secrets.identify(secret)
            note_sender(scope, JobSender(secret, found.user.name))
        else:
            note_sender(scope, await prove(headers, self._access))
        return largest
