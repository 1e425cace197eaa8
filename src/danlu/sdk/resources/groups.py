"""Groups of users and their mentors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import quote

from danlu.wire.people.groups import GroupEdit, GroupRow, NewGroup

if TYPE_CHECKING:
    from danlu.sdk.api import Api


class Groups:
    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self) -> list[GroupRow]:
        """All of them for administrators; for others those that they lead or are in."""
        return self._api.get(list[GroupRow], "/groups")

    def add(
        self,
        name: str,
        *,
        description: str = "",
        mentors: Iterable[str] = (),
        members: Iterable[str] = (),
    ) -> GroupRow:
        """For administrators."""
        body = NewGroup(name=name, description=description, mentors=[*mentors], members=[*members])
        return self._api.ask(GroupRow, "POST", "/groups", body=body)

    def set(
        self,
        name: str,
        *,
        description: str | None = None,
        mentors: Iterable[str] | None = None,
        add_members: Iterable[str] = (),
        remove_members: Iterable[str] = (),
    ) -> GroupRow:
        """Only what is given changes; `mentors` are then those named and no others. For administrators."""
        body = GroupEdit(
            description=description,
            mentors=None if mentors is None else [*mentors],
            add_members=[*add_members],
            remove_members=[*remove_members],
        )
        return self._api.ask(GroupRow, "PATCH", f"/groups/{quote(name, safe='')}", body=body)

    def remove(self, name: str) -> None:
        """Its members are in none then. For administrators."""
        self._api.call("DELETE", f"/groups/{quote(name, safe='')}")
