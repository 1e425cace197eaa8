"""The audit log in both databases: written with the act, never changed, removed only for its age."""

from __future__ import annotations

from functools import partial

import pytest
from sqlalchemy import delete, text, update
from sqlalchemy.exc import DBAPIError

from danlu.core.audit import AuditEntry
from danlu.core.errors import Unavailable
from danlu.core.events import EventKind
from danlu.core.origin import Origin, Via, acting_from
from danlu.core.user import Role
from danlu.store import users
from danlu.store.audit import AuditFilter, list_actions, list_entries, prune_audit
from danlu.store.engine import schema
from danlu.store.engine.database import Transaction
from tests.store.builders import Shop

HERE = Origin(Via.SESSION, "10.0.0.7")


async def entries(shop: Shop, limit: int = 100, before_id: int | None = None, **wanted: object):
    read = partial(list_entries, wanted=AuditFilter(**wanted), limit=limit, before_id=before_id)
    return await shop.read(read)


async def act(shop: Shop, node: str, actor: str = "ann") -> None:
    await shop.write(lambda tx: tx.record(EventKind.NODE_DRAINED, node=node, actor=actor))


async def test_an_act_is_written_with_where_it_comes_from(shop: Shop) -> None:
    came = acting_from.set(HERE)
    await shop.write(lambda tx: users.add_user(tx, "bo", Role.MEMBER, password_hash="$argon2$", actor="ann"))
    acting_from.reset(came)
    await shop.write(lambda tx: users.change_user(tx, "bo", "ann", role="mentor", password_hash="$argon2$2"))
    changed, added = await entries(shop)
    assert (added.actor, added.via, added.address, added.action) == (
        "ann",
        "session",
        "10.0.0.7",
        "user.changed",
    )
    assert (added.target_kind, added.target, added.after["role"]) == ("user", "bo", "member")
    assert (changed.via, changed.before, changed.after) == ("server", {"role": "member"}, {"role": "mentor"})
    assert "argon2" not in str([added, changed])


async def test_an_act_that_failed_leaves_no_entry(shop: Shop) -> None:
    def fail(tx: Transaction) -> None:
        tx.record(EventKind.NODE_DRAINED, node="forge", actor="ann")
        raise LookupError

    with pytest.raises(LookupError):
        await shop.write(fail)
    assert await entries(shop) == []


async def test_an_entry_is_neither_changed_nor_removed(shop: Shop) -> None:
    await act(shop, "forge")
    written = await entries(shop)
    tampering = [update(schema.audit).values(actor="bo"), delete(schema.audit)]
    if shop.database.location and str(shop.database.location).startswith("postgresql"):
        tampering.append(text("TRUNCATE audit"))
    for statement in tampering:
        with pytest.raises((DBAPIError, Unavailable)):
            await shop.write(lambda tx, statement=statement: tx.connection.execute(statement))
        assert await entries(shop) == written


async def test_what_is_old_goes_and_leaves_an_entry(shop: Shop) -> None:
    await act(shop, "old")
    shop.clock.advance(100)
    await act(shop, "new")
    await shop.write(partial(prune_audit, before=shop.clock() - 50))
    pruned, kept = await entries(shop)
    assert kept.target == "new"
    assert (pruned.action, pruned.actor, pruned.details["entries"]) == ("audit.pruned", None, 1)
    # Nothing is old: nothing is told.
    await shop.write(partial(prune_audit, before=shop.clock() - 50))
    assert len(await entries(shop)) == 2
    with pytest.raises((DBAPIError, Unavailable)):
        await shop.write(lambda tx: tx.connection.execute(delete(schema.audit)))


async def test_the_log_is_looked_through(shop: Shop) -> None:
    for number in range(5):
        await act(shop, f"n{number}", actor="ann" if number % 2 else "bo")
        shop.clock.advance(10)
    await shop.write(lambda tx: tx.record(EventKind.SIGN_IN_FAILED, user=None, reason="wrong_password"))

    def targets(found: list[AuditEntry]) -> list[str]:
        return [entry.target for entry in found]

    assert targets(await entries(shop, action="node")) == ["n4", "n3", "n2", "n1", "n0"]
    assert targets(await entries(shop, actor="ann")) == ["n3", "n1"]
    assert targets(await entries(shop, target="n2")) == ["n2"]
    assert len(await entries(shop, target="node", action="node.drained")) == 5
    assert targets(await entries(shop, since=1_010, until=1_030)) == ["n2", "n1"]
    first = await entries(shop, limit=2)
    assert targets(await entries(shop, limit=2, before_id=first[-1].id)) == ["n3", "n2"]
    assert list(await shop.read(list_actions)) == ["node.drained", "user.sign_in_failed"]
