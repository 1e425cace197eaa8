"""What a server runs for its cluster beside itself, as the control side sees it."""

from __future__ import annotations

from typing import Protocol

from danlu.control.nodes.installations import Installer
from danlu.control.nodes.membership import MeetingPoint, Membership


class ClusterHost(Protocol):
    @property
    def meeting(self) -> MeetingPoint:
        """Where machines find this cluster."""

    async def reachable(self) -> set[str]:
        """The nodes that answer now."""

    async def members_changed(self) -> None:
        """Machines were let in, or are members no more."""

    def make_installer(self, membership: Membership) -> Installer:
        """What makes machines nodes of it."""
