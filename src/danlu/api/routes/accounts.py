"""Signing in and out, and one's own account."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import Path, Request, Response

from danlu.api.auth import (
    TheAccess,
    TheControl,
    TheIdentity,
    TheUser,
    address_of,
    clear_session_cookie,
    link_base,
    links_elsewhere,
    set_session_cookie,
)
from danlu.api.router import make_router
from danlu.control.identity.access import OpenedSession
from danlu.control.system.server_log import may_read_server_log
from danlu.core.errors import Forbidden
from danlu.core.user import User
from danlu.wire.accounts import (
    LinkLogin,
    LoginLink,
    LoginRequest,
    LoginToken,
    Me,
    NewToken,
    PasswordChange,
    TokenRequest,
    TokenRow,
)
from danlu.wire.jobs import JobEdit, JobFields

router = make_router("accounts")


@router.post("/auth/login")
async def log_in(
    request: Request, response: Response, login: LoginRequest, access: TheAccess, control: TheControl
) -> Me:
    """Open a browser session."""
    user = await access.check_password(login.name, login.password, address_of(request))
    return await _show_in(request, response, await access.open_session(user), control)


@router.post("/auth/link")
async def log_in_by_link(
    request: Request, response: Response, link: LinkLogin, access: TheAccess, control: TheControl
) -> Me:
    """Open a browser session with the code of a one-time link."""
    session = await access.use_link(link.code, address_of(request))
    return await _show_in(request, response, session, control)


async def _show_in(request: Request, response: Response, session: OpenedSession, control: TheControl) -> Me:
    set_session_cookie(request, response, session, control.settings.session_lifetime_s)
    return await _show_me(session.user, session.csrf_token, control)


@router.post("/auth/token")
async def log_in_for_token(request: Request, login: LoginRequest, access: TheAccess) -> LoginToken:
    """Exchange a password for a token: what a command line keeps instead of the password."""
    user = await access.check_password(login.name, login.password, address_of(request))
    _, secret = await access.make_token(user, "danlu login", None)
    return LoginToken(name=user.name, secret=secret, must_change_password=user.must_change_password)


@router.post("/auth/logout", status_code=204)
async def log_out(request: Request, response: Response, identity: TheIdentity, access: TheAccess) -> None:
    await access.end(identity)
    clear_session_cookie(request, response)


@router.get("/me")
async def who_am_i(identity: TheIdentity, control: TheControl) -> Me:
    return await _show_me(identity.user, identity.csrf_token, control)


@router.post("/me/password", status_code=204)
async def change_my_password(
    request: Request, change: PasswordChange, identity: TheIdentity, access: TheAccess
) -> None:
    """Every other session and token of the account ends."""
    user = identity.user
    if user.has_password:
        await access.check_password(user.name, change.old or "", address_of(request))
    elif identity.is_limited:
        raise Forbidden("password_outlives_token")
    await access.set_password(user, change.new, by=user, keep=identity.secret_hash)


@router.post("/me/link", status_code=201)
async def make_login_link(
    request: Request, user: TheUser, identity: TheIdentity, access: TheAccess
) -> LoginLink:
    """A link that logs you in once, in a browser; for no longer than the token that it is made with lasts."""
    code, expires_at = await access.make_link(user, identity.ceiling)
    elsewhere = [f"{base}/#login={code}" for base in links_elsewhere(request)]
    return LoginLink(url=f"{link_base(request)}/#login={code}", elsewhere=elsewhere, expires_at=expires_at)


@router.get("/me/tokens")
async def list_my_tokens(user: TheUser, access: TheAccess) -> list[TokenRow]:
    return [
        TokenRow(
            id=token.id,
            name=token.name,
            created_at=token.created_at,
            expires_at=token.expires_at,
            last_used_at=token.last_used_at,
        )
        for token in await access.list_tokens(user)
    ]


@router.post("/me/tokens", status_code=201)
async def make_my_token(
    wanted: TokenRequest, user: TheUser, identity: TheIdentity, access: TheAccess
) -> NewToken:
    """A new token. One that is made with a token that ends has to end before that."""
    token_id, secret = await access.make_token(user, wanted.name, wanted.lifetime_s, identity.ceiling)
    return NewToken(id=token_id, name=wanted.name, secret=secret)


@router.delete("/me/tokens/{token_id}", status_code=204)
async def end_my_token(
    token_id: Annotated[int, Path(ge=1, le=2**31 - 1)], user: TheUser, access: TheAccess
) -> None:
    await access.end_token(user, token_id)


@router.get("/me/defaults")
async def get_my_defaults(user: TheUser, control: TheControl) -> JobFields:
    """What your jobs take where you say nothing."""
    return await control.job_defaults.read(user)


@router.get("/me/new-job")
async def get_my_new_job(user: TheUser, control: TheControl) -> JobFields:
    """What a new job of yours begins with: your defaults, and where they say nothing of GPUs as many as the
    lab's setting says."""
    return await control.submissions.beginning(user)


@router.patch("/me/defaults")
async def change_my_defaults(edit: JobEdit, user: TheUser, control: TheControl) -> JobFields:
    return await control.job_defaults.edit(user, edit)


async def _show_me(user: User, csrf_token: str | None, control: TheControl) -> Me:
    # In a thread: an account may have to be looked up in a directory service.
    account = await asyncio.to_thread(control.accounts.owner_of_files, user)
    last_event, _ = await control.event_history.known()
    return Me(
        name=user.name,
        role=user.role.value,
        must_change_password=user.must_change_password,
        csrf_token=csrf_token,
        has_password=user.has_password,
        may_read_server_log=user.is_admin or may_read_server_log(await control.lab_settings.read(), user),
        runs_as=account.name if account else None,
        runs_all_as_one=not control.accounts.runs_as_root,
        leads=sorted(control.group_book.led_by(user)),
        last_event=last_event,
    )
