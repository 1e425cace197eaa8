"""The users of a server, for administrators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from danlu.wire.accounts import NewUser, UserEdit, UserRow

if TYPE_CHECKING:
    from danlu.sdk.api import Api


class Users:
    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self) -> list[UserRow]:
        return self._api.get(list[UserRow], "/users")

    def add(self, name: str, password: str, **fields: Any) -> UserRow:
        """A new user, who must change the password before anything else works. `fields`: those of `NewUser`
        (`role`, `group`, `full_name`, `student_id`, `email`, `language`, `unix_account`)."""
        body = NewUser(name=name, password=password, **fields)
        return self._api.ask(UserRow, "POST", "/users", body=body)

    def set(self, name: str, **fields: Any) -> UserRow:
        """Only what is given changes: the fields of `UserEdit`; `clear` names what shall be unset."""
        return self._api.ask(UserRow, "PATCH", user_path(name), body=UserEdit(**fields))

    def lock(self, name: str) -> UserRow:
        """Ends sessions and tokens, and holds what waits. What runs goes on."""
        return self.set(name, locked=True)

    def unlock(self, name: str) -> UserRow:
        return self.set(name, locked=False)


def user_path(name: str) -> str:
    return f"/users/{quote(name, safe='')}"
