"""Machines that join and leave."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import Path

from danlu.api.auth import TheAccess, TheControl, TheIdentity, TheUser
from danlu.api.errors import TheLanguage
from danlu.api.router import make_router
from danlu.api.routes.nodes import NodeName, show_one_node
from danlu.control.identity.rights import check_admin
from danlu.wire.nodes.members import JoinTokenRequest, JoinTokenRow, NewJoinToken, NodeEdit
from danlu.wire.nodes.node import NodeRow

router = make_router("nodes")


@router.post("/join-tokens", status_code=201)
async def make_join_token(
    wanted: JoinTokenRequest, user: TheUser, identity: TheIdentity, control: TheControl, access: TheAccess
) -> NewJoinToken:
    """A token that lets machines into the cluster until it ends or is revoked."""
    check_admin(user)
    access.end_below(identity.ceiling, wanted.lifetime_s)
    membership = control.membership
    token, text = await membership.make_token(user.name, wanted.lifetime_s, wanted.role)
    return NewJoinToken(**asdict(token), token=text, command=membership.join_command(text))


@router.get("/join-tokens")
async def list_all_join_tokens(user: TheUser, control: TheControl) -> list[JoinTokenRow]:
    check_admin(user)
    return [JoinTokenRow(**asdict(token)) for token in await control.membership.list_tokens()]


@router.delete("/join-tokens/{token_id}", status_code=204)
async def revoke_one_join_token(
    token_id: Annotated[int, Path(ge=1, le=2**31 - 1)], user: TheUser, control: TheControl
) -> None:
    """No machine joins with it any more; those that have joined stay."""
    check_admin(user)
    await control.membership.revoke_token(token_id, user.name)


@router.patch("/nodes/{name}")
async def edit_node(
    name: NodeName, edit: NodeEdit, user: TheUser, control: TheControl, language: TheLanguage
) -> NodeRow:
    """Change what a node is there for."""
    check_admin(user)
    if edit.role is not None:
        await control.membership.set_role(name, edit.role, user.name)
    return await show_one_node(control, name, language)


@router.delete("/nodes/{name}", status_code=204)
async def remove_one_node(name: NodeName, user: TheUser, control: TheControl) -> None:
    """Take a node out of the cluster; its machine would have to join again."""
    check_admin(user)
    await control.membership.remove(name, user.name)


@router.post("/nodes/{name}/declare-dead")
async def declare_node_dead(
    name: NodeName, user: TheUser, control: TheControl, language: TheLanguage
) -> NodeRow:
    """Say that nothing runs on a lost node any more, and never will: the jobs that were there are over."""
    check_admin(user)
    await control.reconciler.declare_dead(name, user.name)
    return await show_one_node(control, name, language)
