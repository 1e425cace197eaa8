"""Key pairs (NKeys): the messages' server knows a machine by its public key, and never sees the seed."""

from __future__ import annotations

import base64
import binascii
import hashlib
import os

import nkeys

_RAW_LENGTH = 35
"""One byte that says what it is for, 32 of the key, two that are its checksum."""


def make_seed() -> str:
    """The secret half of a new key pair; the other half follows from it."""
    return bytes(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)).decode()


def watch_seed_of(seed: str) -> str:
    """Of the servers' second key pair: the one account of a key has no rights in another."""
    raw = hashlib.sha256(b"danlu watch " + seed.encode()).digest()
    return bytes(nkeys.encode_seed(raw, nkeys.PREFIX_BYTE_USER)).decode()


def public_key_of(seed: str) -> str:
    return bytes(nkeys.from_seed(bytearray(seed.encode())).public_key).decode()


def is_public_key(text: str) -> bool:
    """Whether this is the public key of a user. What is none must never come into the messages' server's
    settings: it would refuse all of them."""
    try:
        raw = base64.b32decode(text.encode("ascii"))
    except (ValueError, binascii.Error):
        return False
    body, checksum = raw[:-2], raw[-2:]
    is_user = len(raw) == _RAW_LENGTH and raw[0] == nkeys.PREFIX_BYTE_USER
    return is_user and binascii.crc_hqx(body, 0).to_bytes(2, "little") == checksum
