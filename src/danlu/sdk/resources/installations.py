"""Machines that are made nodes from the server, and nodes that are upgraded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from danlu.sdk.following import follow_events
from danlu.wire.nodes.installations import (
    InstallationRequest,
    InstallationRow,
    NodeFileRow,
    UpgradeRequest,
)
from danlu.wire.nodes.members import NodeRole

if TYPE_CHECKING:
    from danlu.sdk.api import Api


class Installations:
    """For administrators."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self) -> list[InstallationRow]:
        """What was begun since the server was started, the newest first."""
        return self._api.get(list[InstallationRow], "/nodes/installations")

    def get(self, installation_id: int) -> InstallationRow:
        return self._api.get(InstallationRow, f"/nodes/installations/{installation_id}")

    def node_file(self) -> NodeFileRow | None:
        """The node file as the server last read it; None where there is none."""
        from danlu.codec import decode

        read = self._api.get_json("/nodes/installations/file")
        return None if read is None else decode(NodeFileRow, read, trusted=True)

    def add(
        self,
        host: str,
        *,
        user: str | None = None,
        port: int | None = None,
        name: str | None = None,
        role: str | None = None,
        data: str | None = None,
        identity: str | None = None,
        python: str | None = None,
    ) -> InstallationRow:
        """Begin to make a machine a node, over ssh from the server."""
        request = InstallationRequest(
            host=host,
            user=user,
            port=port,
            name=name,
            role=NodeRole(role) if role is not None else None,
            data=data,
            identity=identity,
            python=python,
        )
        return self._api.ask(InstallationRow, "POST", "/nodes/installations", body=request)

    def upgrade(self, nodes: Sequence[str] = ()) -> InstallationRow:
        """Begin to bring nodes, or all of them, to the version of the server, one by one."""
        return self._api.ask(InstallationRow, "POST", "/nodes/upgrades", body=UpgradeRequest(nodes=[*nodes]))

    def follow(self, installation_id: int) -> Iterator[InstallationRow]:
        """The installation at each change, until it has ended."""
        from danlu.codec import decode

        for event in follow_events(self._api, f"/nodes/installations/{installation_id}/follow", {}):
            if event.kind == "installation":
                row = decode(InstallationRow, json.loads(event.data), trusted=True)
                yield row
                if row.ended_at is not None:
                    return
