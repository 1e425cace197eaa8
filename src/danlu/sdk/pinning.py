"""Fingerprints of TLS keys: how a server with a certificate of its own making is known again.

A fingerprint is `SHA256:` and the base64 of the SHA-256 of the public key (its SubjectPublicKeyInfo), so it
outlives a renewed certificate. The few bytes of DER are read here: the command line shall not load a library
for it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

PREFIX = "SHA256:"
_SEQUENCE = 0x30
_VERSION = 0xA0
_FIELDS_BEFORE_KEY = 5
"""Serial number, signature algorithm, issuer, validity, subject."""


class NoFingerprint(ValueError):
    """The text is no fingerprint, or the bytes are no certificate."""


def fingerprint_of(certificate: bytes) -> str:
    """The fingerprint of the key of a DER certificate. Raises NoFingerprint."""
    digest = hashlib.sha256(public_key_of(certificate)).digest()
    return PREFIX + base64.b64encode(digest).decode().rstrip("=")


def parse_fingerprint(text: str) -> str:
    """The usual spelling of a fingerprint: base64 as we print it, or hexadecimal with or without colons.
    Raises NoFingerprint."""
    text = text.strip()
    said = text[len(PREFIX) :] if text.upper().startswith(PREFIX) else text
    digits = said.replace(":", "")
    try:
        digest = (
            bytes.fromhex(digits)
            if len(digits) == 64
            else base64.b64decode(said.rstrip("=") + "=", validate=True)
        )
    except (ValueError, binascii.Error):
        digest = b""
    if len(digest) != hashlib.sha256().digest_size:
        raise NoFingerprint(text)
    return PREFIX + base64.b64encode(digest).decode().rstrip("=")


def same_fingerprint(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())


def public_key_of(certificate: bytes) -> bytes:
    """The SubjectPublicKeyInfo of a DER certificate, as it stands in it. Raises NoFingerprint."""
    try:
        start, _ = _enter(certificate, 0)
        position, end = _enter(certificate, start)
        if certificate[position] == _VERSION:
            position = _skip(certificate, position)
        for _ in range(_FIELDS_BEFORE_KEY):
            position = _skip(certificate, position)
        behind = _skip(certificate, position)
    except IndexError as fault:
        raise NoFingerprint("no certificate") from fault
    if certificate[position] != _SEQUENCE or behind > end:
        raise NoFingerprint("no certificate")
    return certificate[position:behind]


def _enter(der: bytes, position: int) -> tuple[int, int]:
    """Where the content of the sequence at a position begins and ends."""
    if der[position] != _SEQUENCE:
        raise NoFingerprint("no certificate")
    return _content(der, position)


def _skip(der: bytes, position: int) -> int:
    return _content(der, position)[1]


def _content(der: bytes, position: int) -> tuple[int, int]:
    length = der[position + 1]
    start = position + 2
    if length & 0x80:
        count = length & 0x7F
        length = int.from_bytes(der[start : start + count], "big")
        start += count
    if start + length > len(der):
        raise NoFingerprint("no certificate")
    return start, start + length
