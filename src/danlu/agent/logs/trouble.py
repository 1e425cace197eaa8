"""The first words of trouble in the log of a training."""

from __future__ import annotations

import re

_NOT_IN_A_WORD = rb"(?<![a-z0-9_-])"

SIGNS: tuple[tuple[bytes, re.Pattern[bytes] | None], ...] = (
    (b"traceback (most recent call last)", None),
    # "Validation error: 0.25" is a number that people log, no trouble.
    (b"error:", re.compile(rb"error:(?!\s*[-+]?[0-9.])")),
    (b"exception:", None),
    (b"out of memory", None),
    (b"nan", re.compile(_NOT_IN_A_WORD + rb"nan(?![a-z0-9_])")),
    (b"killed", re.compile(_NOT_IN_A_WORD + rb"killed(?![a-z0-9_])")),
    (b"segmentation fault", None),
    (b"core dumped", None),
    (b"bus error", None),
    (b"fatal", re.compile(_NOT_IN_A_WORD + rb"fatal(?![a-z0-9_])")),
    (b"no space left on device", None),
    (b"no such file or directory", None),
    (b"permission denied", None),
    (b"command not found", None),
    ("错误".encode(), None),
    ("异常".encode(), None),
    ("失败".encode(), None),
    ("内存不足".encode(), None),
)
"""In lower case. The pattern, where there is one, decides whether it is that word, not a part of another."""
