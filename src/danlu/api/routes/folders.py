"""Folders and environments to choose from, seen with the rights that the user's jobs have."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request

from danlu.api.auth import TheControl, TheUser
from danlu.api.errors import language_of
from danlu.api.router import make_router
from danlu.api.views.form_views import show_folder
from danlu.wire.fields import PathText
from danlu.wire.forms import EnvironmentRow, FolderPage

router = make_router("forms")


@router.get("/folders")
async def list_folder(
    request: Request,
    user: TheUser,
    control: TheControl,
    path: Annotated[PathText | None, Query()] = None,
) -> FolderPage:
    """What lies in a folder; without a path, the folders where one may begin."""
    return show_folder(language_of(request), await control.folders.look(user, path))


@router.get("/environments")
async def list_environments(user: TheUser, control: TheControl) -> list[EnvironmentRow]:
    """The Python environments that the user's jobs can run in."""
    return await control.folders.environments(user)
