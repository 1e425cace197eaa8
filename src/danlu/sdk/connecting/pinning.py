"""Fingerprints of TLS keys: how a server with a certificate of its own making is known again.

A fingerprint is `SHA256:` and the base64 of the SHA-256 of the public key (its SubjectPublicKeyInfo), so it
outlives a renewed certificate. The few bytes of DER are read here: the command line shall not load a library
for it. They are read strictly: OpenSSL takes more than DER, and whatever it could read in another way than we
do would let a server pass off a key that it does not have.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

PREFIX = "SHA256:"
_INTEGER, _BIT_STRING, _SEQUENCE = 0x02, 0x03, 0x30
_VERSION = 0xA0
_BEFORE_KEY = (_INTEGER, _SEQUENCE, _SEQUENCE, _SEQUENCE, _SEQUENCE)
"""Serial number, signature algorithm, issuer, validity, subject."""
_BEHIND_KEY = (0x81, 0x82, 0xA3)
"""The ids of issuer and subject, the extensions: each may be missing."""
_MOST_LENGTH_BYTES = 4


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
    whole = _Der(certificate)
    parts = whole.enter(_SEQUENCE)
    whole.expect_end()
    body = parts.enter(_SEQUENCE)
    parts.skip(_SEQUENCE)
    parts.skip(_BIT_STRING)
    parts.expect_end()
    if body.tag == _VERSION:
        version = body.enter(_VERSION)
        version.skip(_INTEGER)
        version.expect_end()
    for tag in _BEFORE_KEY:
        body.skip(tag)
    key = body.skip(_SEQUENCE)
    for tag in _BEHIND_KEY:
        if body.tag == tag:
            body.skip(tag)
    body.expect_end()
    return key


class _Der:
    """Elements of DER one after the other. Nothing is taken that BER allows and DER does not."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0

    @property
    def tag(self) -> int | None:
        """Of the next element; None at the end."""
        return self._data[self._position] if self._position < len(self._data) else None

    def enter(self, tag: int) -> _Der:
        """The elements in the next one, which is passed."""
        return _Der(self._pass(tag)[1])

    def skip(self, tag: int) -> bytes:
        """The next element, whole."""
        return self._pass(tag)[0]

    def expect_end(self) -> None:
        if self._position != len(self._data):
            raise NoFingerprint("no certificate: more than there should be")

    def _pass(self, tag: int) -> tuple[bytes, bytes]:
        """The next element and its content. A tag of more than one byte is none of those asked for."""
        if self.tag != tag:
            raise NoFingerprint("no certificate: not the parts of one")
        begin = self._position
        start, length = self._read_length(begin + 1)
        end = start + length
        if end > len(self._data):
            raise NoFingerprint("no certificate: cut off")
        self._position = end
        return self._data[begin:end], self._data[start:end]

    def _read_length(self, position: int) -> tuple[int, int]:
        """Where the content begins, and how long it is."""
        first = self._data[position : position + 1]
        if not first:
            raise NoFingerprint("no certificate: cut off")
        start = position + 1
        if first[0] < 0x80:
            return start, first[0]
        count = first[0] & 0x7F
        digits = self._data[start : start + count]
        length = int.from_bytes(digits, "big")
        # No digits: the length is said to be found out from the content, which only BER allows.
        if not 1 <= count <= _MOST_LENGTH_BYTES or len(digits) < count:
            raise NoFingerprint("no certificate: no length of DER")
        if digits[0] == 0 or length < 0x80:
            raise NoFingerprint("no certificate: a length longer than it need be")
        return start + count, length
