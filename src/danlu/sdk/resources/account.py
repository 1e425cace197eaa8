"""One's own account on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from danlu.wire.accounts import (
    LoginLink,
    LoginRequest,
    LoginToken,
    Me,
    NewToken,
    PasswordChange,
    TokenRequest,
    TokenRow,
)

if TYPE_CHECKING:
    from danlu.sdk.api import Api
    from danlu.wire.jobs import JobEdit, JobFields


class Account:
    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self) -> Me:
        return self._api.get(Me, "/me")

    def login(self, name: str, password: str) -> LoginToken:
        """A token for a password; needs no token."""
        body = LoginRequest(name=name, password=password)
        return self._api.ask(LoginToken, "POST", "/auth/token", body=body)

    def logout(self) -> None:
        """The token of this client is good no longer."""
        self._api.call("POST", "/auth/logout")

    def change_password(self, new: str, old: str | None = None) -> None:
        from danlu.codec import encode_said

        self._api.call("POST", "/me/password", body=encode_said(PasswordChange(new=new, old=old)))

    def link(self) -> LoginLink:
        """A link that logs one in once, for a browser."""
        return self._api.ask(LoginLink, "POST", "/me/link")

    def tokens(self) -> list[TokenRow]:
        return self._api.get(list[TokenRow], "/me/tokens")

    def new_token(self, name: str, lifetime_s: float | None = None) -> NewToken:
        body = TokenRequest(name=name, lifetime_s=lifetime_s)
        return self._api.ask(NewToken, "POST", "/me/tokens", body=body)

    def revoke_token(self, token_id: int) -> None:
        self._api.call("DELETE", f"/me/tokens/{token_id}")

    def defaults(self) -> JobFields:
        """What a submission that leaves a field out takes for it."""
        from danlu.wire.jobs import JobFields

        return self._api.get(JobFields, "/me/defaults")

    def new_job(self) -> JobFields:
        """What a new job begins with: one's defaults, and where they say nothing of GPUs as many as the lab's
        setting says."""
        from danlu.wire.jobs import JobFields

        return self._api.get(JobFields, "/me/new-job")

    def edit_defaults(self, edit: JobEdit) -> JobFields:
        from danlu.wire.jobs import JobFields

        return self._api.ask(JobFields, "PATCH", "/me/defaults", body=edit)
