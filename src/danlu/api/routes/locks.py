"""Named locks and a small key-value store, for jobs and for people."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request

from danlu.api.auth import TheControl, TheHolder, TheUser
from danlu.api.logs.log_search import while_awaited
from danlu.api.router import make_router
from danlu.core.job_id import label_of
from danlu.core.locks import KeyEntry, Lock
from danlu.wire.fields import UserName
from danlu.wire.locks import (
    KeyDeleted,
    KeyRow,
    KeyValue,
    LockName,
    LockRelease,
    LockReleased,
    LockRenewal,
    LockRequest,
    LockRow,
    NewValue,
    Revision,
)

router = make_router("locks")

TheKey = Annotated[LockName, Query()]


@router.post("/locks/acquire")
async def acquire_lock(request: Request, wanted: LockRequest, who: TheHolder, control: TheControl) -> LockRow:
    """Take a lock, waiting up to 30 seconds for it. A job's secret is good for this as well."""
    waiting = control.locks.acquire(
        who, wanted.name, wanted.holder, wait_s=wanted.wait_s, lifetime_s=wanted.lifetime_s
    )
    return _show(await while_awaited(request, waiting))


@router.post("/locks/renew")
async def renew_lock(wanted: LockRenewal, who: TheHolder, control: TheControl) -> LockRow:
    """Keep a lock that has a lifetime."""
    return _show(await control.locks.renew(who, wanted.name, wanted.fence, wanted.lifetime_s))


@router.post("/locks/release")
async def release_lock(wanted: LockRelease, who: TheHolder, control: TheControl) -> LockReleased:
    """Give a lock back."""
    return LockReleased(held=await control.locks.release(who, wanted.name, wanted.fence))


@router.get("/locks")
async def list_locks(
    who: TheHolder, control: TheControl, all_owners: Annotated[bool, Query()] = False
) -> list[LockRow]:
    """The locks that are held: your own, or, for administrators, those of all users."""
    return [_show(lock) for lock in await control.locks.list(who, all_owners=all_owners)]


@router.delete("/locks", status_code=204)
async def force_release(
    name: Annotated[LockName, Query()],
    user: TheUser,
    control: TheControl,
    owner: Annotated[UserName | None, Query()] = None,
) -> None:
    """Take a lock away from its holder. Others' locks only as an administrator."""
    await control.locks.force_release(user, owner or user.name, name)


@router.get("/kv")
async def list_keys(
    who: TheHolder,
    control: TheControl,
    prefix: Annotated[str, Query(max_length=200)] = "",
) -> list[KeyRow]:
    """Your keys, or those that begin with `prefix`."""
    entries = await control.key_values.list(who.user, prefix)
    return [
        KeyRow(
            key=entry.key,
            size=len(entry.value.encode()),
            revision=entry.revision,
            changed_at=entry.changed_at,
        )
        for entry in entries
    ]


@router.get("/kv/value")
async def get_value(key: TheKey, who: TheHolder, control: TheControl) -> KeyValue:
    return _show_entry(await control.key_values.get(who.user, key))


@router.put("/kv/value")
async def put_value(key: TheKey, new: NewValue, who: TheHolder, control: TheControl) -> KeyValue:
    """Set a value of up to 64 KiB; with `if_revision` only if it was not changed since."""
    return _show_entry(await control.key_values.put(who.user, key, new.value, new.if_revision))


@router.delete("/kv/value")
async def delete_value(
    key: TheKey,
    who: TheHolder,
    control: TheControl,
    if_revision: Annotated[Revision | None, Query()] = None,
) -> KeyDeleted:
    return KeyDeleted(deleted=await control.key_values.delete(who.user, key, if_revision))


def _show(lock: Lock) -> LockRow:
    return LockRow(
        owner=lock.owner,
        name=lock.name,
        fence=lock.fence,
        taken_at=lock.taken_at,
        expires_at=lock.expires_at,
        job=None if lock.job_id is None else label_of(lock.job_id),
        attempt=lock.attempt,
    )


def _show_entry(entry: KeyEntry) -> KeyValue:
    return KeyValue(key=entry.key, value=entry.value, revision=entry.revision, changed_at=entry.changed_at)
