"""Who is asking, by bearer token or session cookie."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import Depends, Request, Response
from starlette.datastructures import Headers
from starlette.requests import cookie_parser

from danlu.api.front_door import SAFE_METHODS
from danlu.api.proxy import Front
from danlu.api.sender import JobSender, note_sender
from danlu.control.control import Control
from danlu.control.identity.access import Access, Identity, OpenedSession
from danlu.control.sharing.job_secrets import SecretHolder, is_job_secret
from danlu.core.errors import Forbidden, NotSignedIn
from danlu.core.origin import Origin, acting_from
from danlu.core.user import User

SESSION_COOKIE = "danlu_session"


async def get_control(request: Request) -> Control:
    control: Control = request.app.state.control
    return control


async def get_access(request: Request) -> Access:
    access: Access = request.app.state.access
    return access


async def identify(request: Request, access: Annotated[Access, Depends(get_access)]) -> Identity:
    """The identity behind a request. A browser's session also proves that our own page made a change."""
    identity = await prove(request.headers, access)
    note_sender(request.scope, identity)
    acting_from.set(Origin(access.way_of(identity), address_of(request)))
    if identity.csrf_token is not None and request.method not in SAFE_METHODS:
        _check_csrf(request, identity)
    return identity


async def prove(headers: Headers, access: Access) -> Identity:
    """Whose token, else whose session, these headers have. Raises NotSignedIn, Forbidden."""
    if token := _token_of(headers):
        if is_job_secret(token):
            raise Forbidden("job_secret_elsewhere")
        return await access.identify_token(token)
    secret = _session_of(headers)
    if not secret:
        raise NotSignedIn("not_signed_in")
    return await access.identify_session(secret)


def secret_of(headers: Headers) -> str | None:
    """What a request would prove its sender with: a token, else a session."""
    return _token_of(headers) or _session_of(headers)


def _token_of(headers: Headers) -> str | None:
    scheme, _, credentials = headers.get("authorization", "").partition(" ")
    return credentials.strip() if scheme.lower() == "bearer" else None


def _session_of(headers: Headers) -> str | None:
    return cookie_parser(headers.get("cookie", "")).get(SESSION_COOKIE)


def _check_csrf(request: Request, identity: Identity) -> None:
    sent = request.headers.get("x-csrf-token", "").encode("utf-8", "replace")
    if not secrets.compare_digest(sent, (identity.csrf_token or "").encode()):
        raise Forbidden("csrf")


async def signed_in(identity: Annotated[Identity, Depends(identify)]) -> User:
    """The user, once they have a password of their own."""
    if identity.user.must_change_password:
        raise Forbidden("must_change_password")
    return identity.user


async def holder(
    request: Request,
    access: Annotated[Access, Depends(get_access)],
    control: Annotated[Control, Depends(get_control)],
) -> SecretHolder:
    """A user, or a job of theirs that shows its secret: for locks and the key-value store alone."""
    token = _token_of(request.headers)
    if token is not None and is_job_secret(token):
        found = await control.job_secrets.identify(token)
        note_sender(request.scope, JobSender(token, found.user.name))
        return found
    return SecretHolder(await signed_in(await identify(request, access)))


def set_session_cookie(
    request: Request, response: Response, session: OpenedSession, lifetime_s: float
) -> None:
    response.set_cookie(
        SESSION_COOKIE,
        session.secret,
        max_age=int(lifetime_s),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path=_cookie_path(request),
    )


def clear_session_cookie(request: Request, response: Response) -> None:
    response.delete_cookie(SESSION_COOKIE, path=_cookie_path(request))


def _cookie_path(request: Request) -> str:
    """Below a proxy's sub-path the cookie is for that alone: what else the proxy serves is not ours."""
    return request.scope.get("root_path") or "/"


def link_base(request: Request) -> str:
    """What a link to this server begins with, for the client that asks."""
    front: Front = request.app.state.front
    return front.link_base(str(request.base_url))


def links_elsewhere(request: Request) -> tuple[str, ...]:
    """What a link for another device may begin with, the likeliest first."""
    front: Front = request.app.state.front
    return front.links_elsewhere(str(request.base_url))


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


TheControl = Annotated[Control, Depends(get_control)]
TheAccess = Annotated[Access, Depends(get_access)]
TheIdentity = Annotated[Identity, Depends(identify)]
TheUser = Annotated[User, Depends(signed_in)]
TheHolder = Annotated[SecretHolder, Depends(holder)]
