"""What the routes of all rooms have in common."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from danlu.api.deferred import defer_schemas

PREFIX = "/api/v1"

_PROBLEM = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
ERRORS: dict[int | str, dict[str, Any]] = {
    # By name: given the class, FastAPI makes a serializer for each status of each route, which is never used.
    status: {"content": _PROBLEM}
    for status in (401, 403, 404, 409, 413, 422, 429, 503)
}

defer_schemas()


def make_router(tag: str, prefix: str = "") -> APIRouter:
    """For the routes of one room, complete as they are: FastAPI builds all routes a second time where an app
    adds to them."""
    return APIRouter(prefix=PREFIX + prefix, tags=[tag], responses=ERRORS)
