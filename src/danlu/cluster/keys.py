"""Key pairs (NKeys): the messages' server knows a machine by its public key, and never sees the seed."""

from __future__ import annotations

import os

import nkeys


def make_seed() -> str:
    """The secret half of a new key pair; the other half follows from it."""
    return bytes(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)).decode()


def public_key_of(seed: str) -> str:
    return bytes(nkeys.from_seed(bytearray(seed.encode())).public_key).decode()
