"""Who is in which group and who leads it, kept in memory: lists of jobs ask for it and need no join."""

from __future__ import annotations

from collections.abc import Iterable

from danlu.control.event_bus import EventBus
from danlu.core.events import Event, EventKind
from danlu.core.rights import is_mentor_of, may_administer
from danlu.core.user import User
from danlu.store.engine.database import Database
from danlu.store.groups import groups_of_users, list_groups


class GroupBook:
    def __init__(self, database: Database, bus: EventBus) -> None:
        self._database = database
        self._group_of: dict[str, str] = {}
        self._mentors: dict[str, frozenset[str]] = {}
        bus.project({EventKind.USER_CHANGED, EventKind.GROUP_CHANGED}, self._note)

    async def start(self) -> None:
        """Read. Nothing may be committed meanwhile that is not noted afterwards."""
        groups, members = await self._database.read(lambda c: (list_groups(c), groups_of_users(c)))
        self._mentors = {group.name: frozenset(group.mentors) for group in groups}
        self._group_of = members

    def group_of(self, user: str) -> str | None:
        return self._group_of.get(user)

    def mentors_of(self, owner: str) -> frozenset[str]:
        """Who leads the group that a user is in."""
        return self._mentors.get(self._group_of.get(owner, ""), frozenset())

    def members(self, group: str) -> frozenset[str]:
        return frozenset(user for user, their in self._group_of.items() if their == group)

    def led_by(self, user: User) -> frozenset[str]:
        """The groups that a user leads as a mentor."""
        return frozenset(name for name, mentors in self._mentors.items() if is_mentor_of(user, mentors))

    def may_see(self, user: User, group: str) -> bool:
        """Whether a user may know who is in a group: its mentors, its members, administrators."""
        return (
            may_administer(user)
            or is_mentor_of(user, self._mentors.get(group, ()))
            or self._group_of.get(user.name) == group
        )

    def _note(self, events: Iterable[Event]) -> None:
        for event in events:
            after = event.data.get("after")
            if event.kind is EventKind.USER_CHANGED:
                self._note_user(event.data["user"], after)
            elif after is None:
                self._forget(event.data["group"])
            else:
                self._mentors[event.data["group"]] = frozenset(after["mentors"])

    def _note_user(self, user: str, after: dict[str, str | None] | None) -> None:
        if after is None:
            self._group_of.pop(user, None)
        elif "group_name" in after:
            group = after["group_name"]
            if group is None:
                self._group_of.pop(user, None)
            else:
                self._group_of[user] = group

    def _forget(self, group: str) -> None:
        self._mentors.pop(group, None)
        for user in self.members(group):
            del self._group_of[user]
