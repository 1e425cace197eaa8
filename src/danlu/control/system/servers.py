"""The servers of an installation that has standbys: who leads, who stands by, who was lost."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.control.identity.rights import check_admin
from danlu.core.errors import NotFound
from danlu.core.events import EventKind
from danlu.core.user import User
from danlu.store.engine.database import Database, Transaction
from danlu.store.leadership import forget_servers, list_servers, read_leader
from danlu.wire.server import ServerRole, ServerRow


@dataclass(frozen=True, slots=True)
class Servers:
    database: Database
    has_standbys: bool

    async def list(self, *, with_lost: bool) -> list[ServerRow]:
        """First the one that leads. With those lost: servers that went away without a goodbye in a day."""
        leader, known = await self.database.read(lambda c: (read_leader(c), list_servers(c)))
        others = [each for each in known if not (leader and leader.is_of(each.id))]
        rows = [_show(leader.url, "leader", leader.since)] if leader else []
        rows += [_show(each.url, "standby", each.since) for each in others if each.fresh]
        if with_lost:
            gone = [each for each in others if each.listed and not each.fresh]
            rows += [_show(each.url, "lost", each.seen_at) for each in gone]
        return rows

    async def forget(self, admin: User, url: str) -> None:
        """List a lost server no more. Raises NotFound."""
        check_admin(admin)
        known = await self.database.read(list_servers) if self.has_standbys else []
        gone = [each.id for each in known if each.url.partition("#")[0] == url and not each.fresh]
        if not gone:
            raise NotFound("no_such_lost_server", url=url)

        def write(tx: Transaction) -> None:
            forget_servers(tx, gone)
            tx.record(EventKind.SERVER_FORGOTTEN, actor=admin.name, server=url)

        await self.database.write(write)

    async def note_stop(self, admin: User, *, stop_jobs: bool) -> None:
        """Who stops this server, and whether its jobs with it."""
        check_admin(admin)
        await self.database.write(
            lambda tx: tx.record(EventKind.SERVER_STOPPED, actor=admin.name, stop_jobs=stop_jobs)
        )


def _show(address: str, role: ServerRole, since: float) -> ServerRow:
    url, _, fingerprint = address.partition("#")
    return ServerRow(url=url, role=role, since=since, fingerprint=fingerprint or None)
