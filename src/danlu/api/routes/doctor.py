"""The doctor."""

from __future__ import annotations

from typing import Annotated

from annotated_types import MaxLen
from fastapi import Request

from danlu.api.auth import TheControl, TheUser
from danlu.api.errors import language_of
from danlu.api.router import make_router
from danlu.api.views.findings import show_findings
from danlu.control.identity.rights import check_admin
from danlu.wire.nodes.doctor import Examination

router = make_router("nodes", "/nodes")


@router.post("/{name}/examine")
async def examine_node(
    request: Request, name: Annotated[str, MaxLen(200)], user: TheUser, control: TheControl
) -> Examination:
    """Look a node over now: folders, clock, driver, versions, address, disk, limits, Docker, conda."""
    check_admin(user)
    findings = await control.doctor.examine(name)
    return Examination(node=name, findings=show_findings(findings, language_of(request)))
