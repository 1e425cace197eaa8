"""Password hashes, a few at a time: each takes 64 MB and half a core, and any client may ask for one."""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from danlu.core.errors import TooMany

AT_A_TIME = 2
MOST_WAITING = 300
MOST_WAITING_PER_ADDRESS = 40
WAIT_S = 2


class Hashing:
    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._checking = asyncio.Semaphore(AT_A_TIME)
        # Those who are signed in do not wait behind a crowd that guesses.
        self._making = asyncio.Semaphore(1)
        self._waiting: Counter[str] = Counter()
        self._decoy = decoy_hash(self._hasher)

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """The turn of one try from this address. Raises TooMany where too many wait."""
        full = self._waiting.total() >= MOST_WAITING
        if full or self._waiting[address] >= MOST_WAITING_PER_ADDRESS:
            raise TooMany("too_many_logins", wait_s=WAIT_S)
        self._waiting[address] += 1
        try:
            async with self._checking:
                yield
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]

    async def verify(self, password_hash: str | None, password: str) -> bool:
        """Whether it is the password's. None, of an unknown user, takes as long: names cannot be probed."""
        try:
            right = await asyncio.to_thread(self._hasher.verify, password_hash or self._decoy, password)
        except (VerificationError, InvalidHashError):
            return False
        return right and password_hash is not None

    async def make(self, password: str) -> str:
        async with self._making:
            return await asyncio.to_thread(self._hasher.hash, password)


def decoy_hash(hasher: PasswordHasher) -> str:
    """As long to compare with as a user's, and no password's. Put together, as to hash one takes long."""
    salt, digest = (
        base64.b64encode(secrets.token_bytes(length)).decode().rstrip("=")
        for length in (hasher.salt_len, hasher.hash_len)
    )
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v={ARGON2_VERSION}${costs}${salt}${digest}"
