"""Named locks with fencing numbers, shared by all jobs and programs of one user."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from danlu.sdk.errors import ApiError, ClientError, LockHeld, LockLost
from danlu.wire.locks import (
    LONGEST_WAIT_S,
    LockRelease,
    LockReleased,
    LockRenewal,
    LockRequest,
    LockRow,
)

if TYPE_CHECKING:
    from danlu.sdk.api import Api
    from danlu.sdk.connecting.patience import Patience

LIFETIME_S = 30.0
_HELD = ("lock_held", "lock_held_by_job")


@contextmanager
def lock(name: str, wait: float | None = None) -> Iterator[int]:
    """Hold a lock for a while; its fencing number. `wait` is how long to wait for it at most, in seconds.

    In a job, the job's own secret is used: the lock is free when it is released or when the attempt is over.
    Elsewhere it is renewed as long as this program lives.

    >>> with danlu.lock("checkpoints") as fence:
    ...     write(fence)
    """
    from danlu.sdk.client import Client

    with Client() as client, client.locks.acquire(name, wait) as held:
        yield held.fence


class HeldLock:
    """A lock that is held. As a context manager it gives itself back at the end."""

    def __init__(self, locks: Locks, row: LockRow, lifetime_s: float | None) -> None:
        self._locks = locks
        self.name = row.name
        self.fence = row.fence
        self._lost = threading.Event()
        self._done = threading.Event()
        if lifetime_s is not None:
            renewing = threading.Thread(
                target=self._renew_until_done, args=(lifetime_s,), name=f"danlu lock {row.name}", daemon=True
            )
            renewing.start()

    @property
    def lost(self) -> bool:
        """It could not be renewed in time, or an owner or admin took it away."""
        return self._lost.is_set()

    def release(self) -> bool:
        """Give it back; whether it was still held."""
        self._done.set()
        return self._locks.release(self.name, self.fence)

    def __enter__(self) -> HeldLock:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self.release()
        except ClientError:
            # What went wrong inside is what matters; and without a renewal it will be free by itself.
            if kind is None:
                raise
        if kind is None and self.lost:
            raise LockLost(self.name, self.fence)

    def _renew_until_done(self, lifetime_s: float) -> None:
        until = time.monotonic() + lifetime_s
        while not self._done.wait(lifetime_s / 3):
            asked = time.monotonic()
            try:
                self._locks.renew(self.name, self.fence, lifetime_s)
                until = asked + lifetime_s
            except ApiError as refused:
                if refused.status < 500:
                    self._lost.set()
                    return
            except ClientError:
                pass
            if time.monotonic() >= until:
                self._lost.set()
                return


class Locks:
    """Of the user whose token the client has; of a job's owner where it runs `in_job`."""

    def __init__(self, api: Api, *, in_job: bool = False) -> None:
        self._api = api
        self._in_job = in_job

    def acquire(self, name: str, wait: float | None = None, *, lifetime_s: float | None = None) -> HeldLock:
        """Take a lock, waiting for it: `wait` seconds at most, 0 not at all. Raises LockHeld.

        Outside of jobs it lasts `lifetime_s` (30 seconds unless said) and is renewed in the background.

        >>> with client.locks.acquire("checkpoints", wait=60) as held:
        ...     print(held.fence)
        7
        """
        if lifetime_s is None and not self._in_job:
            lifetime_s = LIFETIME_S
        # The same for every try: one that was granted and not heard of is found again.
        holder = secrets.token_hex(16)
        until = None if wait is None else time.monotonic() + wait
        patience = self._api.patience()
        while True:
            left_s = LONGEST_WAIT_S if until is None else max(0.0, until - time.monotonic())
            wanted = LockRequest(
                name=name, holder=holder, wait_s=min(left_s, LONGEST_WAIT_S), lifetime_s=lifetime_s
            )
            try:
                row = self._ask_for(wanted, patience)
            except ApiError as refused:
                if refused.problem.code not in _HELD:
                    raise
                if left_s > LONGEST_WAIT_S or until is None:
                    continue
                raise LockHeld(refused.problem, refused.status) from refused
            if row is not None:
                return HeldLock(self, row, lifetime_s)

    def _ask_for(self, wanted: LockRequest, patience: Patience) -> LockRow | None:
        """None when the server was just about to stop: the next one may grant it."""
        from danlu.codec import decode, encode_said

        try:
            answer = self._api.json_call(
                "POST", "/locks/acquire", body=encode_said(wanted), repeatable=True, held_s=wanted.wait_s
            )
        except ApiError as refused:
            if refused.status != 503 or not patience.pause():
                raise
            return None
        patience.reset()
        return decode(LockRow, answer, trusted=True)

    def renew(self, name: str, fence: int, lifetime_s: float = LIFETIME_S) -> LockRow:
        from danlu.codec import decode, encode_said

        body = encode_said(LockRenewal(name=name, fence=fence, lifetime_s=lifetime_s))
        return decode(
            LockRow, self._api.json_call("POST", "/locks/renew", body=body, repeatable=True), trusted=True
        )

    def release(self, name: str, fence: int) -> bool:
        """Whether it was still held."""
        from danlu.codec import decode, encode_said

        body = encode_said(LockRelease(name=name, fence=fence))
        return decode(
            LockReleased,
            self._api.json_call("POST", "/locks/release", body=body, repeatable=True),
            trusted=True,
        ).held

    def list(self, *, all_owners: bool = False) -> Sequence[LockRow]:
        """The locks that are held; those of all users for administrators."""
        return self._api.get(list[LockRow], "/locks", {"all_owners": all_owners or None})

    def take_away(self, name: str, owner: str | None = None) -> None:
        """Free a lock that any attempt or client holds. Others' locks only as an administrator."""
        self._api.call("DELETE", "/locks", query={"name": name, "owner": owner})
