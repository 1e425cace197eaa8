"""Takes secrets out of what is logged. A second defence only: code must not log one in the first place."""

from __future__ import annotations

import re

HIDDEN = "***"

_NAMES = r"password|passwd|passphrase|pgpassword|secret|token|csrf[_-]?token|api[_-]?key"
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.S), HIDDEN),
    # The password of a URL goes up to the last @ of the word: it may have one itself.
    (re.compile(r"(://[^\s:/?#@]*):\S+@"), rf"\1:{HIDDEN}@"),
    (re.compile(r"(\blogin=)[^\s\"'&<>]+"), rf"\1{HIDDEN}"),
    (re.compile(r"(\bdanlu_session=)[^\s;\"']+"), rf"\1{HIDDEN}"),
    (re.compile(r"((?:set-)?cookie[\"']?\s*[:=]\s*)[^\n]+", re.I), rf"\1{HIDDEN}"),
    (re.compile(r"(authorization[\"']?\s*[:=]\s*)[^\n]+", re.I), rf"\1{HIDDEN}"),
    (re.compile(r"(\b(?:bearer|x-csrf-token)\b\W{1,6})[\w.~+/=-]{8,}", re.I), rf"\1{HIDDEN}"),
    (re.compile(r"\$argon2[a-z]*\$[^\s\"']+"), HIDDEN),
    (
        re.compile(
            rf"((?:\b|_)(?:{_NAMES})[\"']?\s*[:=]\s*)(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[^\s,;&)}}\]]+)",
            re.I,
        ),
        rf"\1{HIDDEN}",
    ),
    (re.compile(r"\bdanlu_[A-Za-z0-9_-]{16,}"), f"danlu_{HIDDEN}"),
    (re.compile(r"\bjob_\d+-\d+-[0-9a-f]{16,}"), f"job_{HIDDEN}"),
    # As long as our sessions and codes, and as mixed as only chance makes them.
    (
        re.compile(
            r"(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*[0-9])"
            r"(?:[A-Za-z0-9_-]{43}|[A-Za-z0-9_-]{32})(?![\w-])"
        ),
        HIDDEN,
    ),
)


def scrub(text: str) -> str:
    """The text without what looks like a secret of ours, or like a password."""
    for pattern, replacement in _PATTERNS:
        text = pattern.sub(replacement, text)
    return text


def on_one_line(text: str) -> str:
    """A message as one line: nothing that a client sent can look like an entry of its own."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
