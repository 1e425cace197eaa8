"""Sign-ins that failed are noted, but strangers cannot make the server write without end."""

from __future__ import annotations

from danlu.control.identity.failed_sign_ins import MOST, WITHIN_S, FailedSignIns
from danlu.core.events import EventKind
from danlu.store.events import latest_of_kind
from tests.control.world import World


async def test_a_flood_is_counted_instead_of_written(world: World) -> None:
    now = [1_000.0]
    failures = FailedSignIns(world.control.database, lambda: now[0])
    for _ in range(MOST + 30):
        await failures.note(None, "wrong_password")
    now[0] += WITHIN_S
    await failures.note(None, "wrong_password")
    noted = await world.control.database.read(lambda c: latest_of_kind(c, EventKind.SIGN_IN_FAILED, 1_000))
    assert len(noted) == MOST + 1
    assert noted[0].data["not_written"] == 30
