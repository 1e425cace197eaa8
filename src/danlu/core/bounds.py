"""The kinds of values that a node's words are made of, each with its bounds.

What a node says is believed only within them (`danlu.codec` checks it as it arrives): a name that is too long
or a number that cannot be is refused, and prose, which only people read, is cut and cleaned instead.
"""

from __future__ import annotations

import ipaddress
import os
import re
from typing import Annotated

from annotated_types import Ge, Le, MaxLen, MinLen, Predicate

from danlu.codec import Cut


def is_one_line(text: str) -> bool:
    return text.isprintable()


def is_word(text: str) -> bool:
    """Letters, digits, dash and underscore: fit to be a part of a subject of messages."""
    return _WORD.fullmatch(text) is not None


def is_host(text: str) -> bool:
    """An IP address, or the name of a host: nothing that a shell or a URL would take for something else."""
    address, _, zone = text.partition("%")
    try:
        version = ipaddress.ip_address(address).version
    except ValueError:
        return len(text) <= 253 and all(
            _LABEL.fullmatch(label) for label in text.removesuffix(".").split(".")
        )
    return text == address or (version == 6 and _ZONE.fullmatch(zone) is not None)


def is_host_or_nothing(text: str) -> bool:
    return not text or is_host(text)


def is_end_status(status: int) -> bool:
    """Whether it is the wait status of a process that has ended."""
    return os.WIFEXITED(status) or os.WIFSIGNALED(status)


_WORD = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_LABEL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?", re.ASCII)
_ZONE = re.compile(r"[A-Za-z0-9._-]{1,32}", re.ASCII)

Name = Annotated[str, MaxLen(200), Predicate(is_one_line)]
Word = Annotated[str, MinLen(1), MaxLen(64), Predicate(is_word)]
Prose = Annotated[str, Cut(4000)]
Host = Annotated[str, Predicate(is_host)]
HostOrNothing = Annotated[str, Predicate(is_host_or_nothing)]

Number = Annotated[int, Ge(0), Le(2**63 - 1)]
"""Of a job, an attempt, a place in a file: whatever a database can hold."""
Whole = Annotated[int, Ge(-(2**63)), Le(2**63 - 1)]
Count = Annotated[int, Ge(0), Le(2**31 - 1)]
GpuIndex = Annotated[int, Ge(0), Le(1023)]
Port = Annotated[int, Ge(1), Le(65_535)]
Percent = Annotated[int, Ge(0), Le(1000)]
Celsius = Annotated[int, Ge(-300), Le(10_000)]
EndStatus = Annotated[int, Ge(0), Le(0xFFFF), Predicate(is_end_status)]
Rate = Annotated[float, Ge(0.0), Le(1e18)]
Moment = Annotated[float, Ge(0.0), Le(1e11)]
"""Seconds of a machine's clock."""

MOST_GPUS = 1024
MOST_PROCESSES = 4096
MOST_DISKS = 1024
MOST_FINDINGS = 200
MOST_TASKS = 100_000
