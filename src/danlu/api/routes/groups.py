"""Groups of users and their mentors."""

from __future__ import annotations

from danlu.api.auth import TheControl, TheUser
from danlu.api.router import make_router
from danlu.control.control import Control
from danlu.control.identity.groups import SeenGroup
from danlu.wire.fields import UserName
from danlu.wire.people.groups import GroupEdit, GroupMember, GroupRow, NewGroup

router = make_router("groups", "/groups")


@router.get("")
async def list_groups(user: TheUser, control: TheControl) -> list[GroupRow]:
    """All groups for administrators; for others those that they lead or are in."""
    return [_show(each, control) for each in await control.groups.list(user)]


@router.post("", status_code=201)
async def create_group(new: NewGroup, user: TheUser, control: TheControl) -> GroupRow:
    """A group, with its mentors and members. For administrators."""
    return _show(await control.groups.create(user, new), control)


@router.patch("/{name}")
async def edit_group(name: UserName, edit: GroupEdit, user: TheUser, control: TheControl) -> GroupRow:
    """Change who leads it, who is in it, or its description. For administrators."""
    return _show(await control.groups.edit(user, name, edit), control)


@router.delete("/{name}", status_code=204)
async def remove_group(name: UserName, user: TheUser, control: TheControl) -> None:
    """Its members are in none then; nothing else of theirs changes. For administrators."""
    await control.groups.remove(user, name)


def _show(seen: SeenGroup, control: Control) -> GroupRow:
    def show_member(name: str, full_name: str, locked: bool) -> GroupMember:
        counts = control.job_counts.areas({name})
        return GroupMember(
            name=name,
            full_name=full_name,
            locked=locked,
            waiting=counts["waiting"],
            running=counts["running"],
        )

    return GroupRow(
        name=seen.group.name,
        description=seen.group.description,
        mentors=list(seen.group.mentors),
        members=[show_member(each.name, each.full_name, each.locked) for each in seen.members],
        led_by_you=seen.led,
    )
