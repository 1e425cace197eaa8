"""Durations and sizes as people write them."""

from __future__ import annotations

import re
from decimal import Decimal

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_MEGABYTES = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024**2, "P": 1024**3}
_LONGEST = 40
"""No number that people write is longer, and none of this length overflows."""


def parse_duration(text: str) -> float:
    """Seconds of `90`, `2h`, `1d12h`, `1.5h`, `300:00:00`, `2-00:00:00`. Raises ValueError."""
    text = text.strip().lower()
    if len(text) > _LONGEST:
        raise ValueError(text)
    if re.fullmatch(r"\d+(\.\d+)?", text):
        return float(text)
    if clock := re.fullmatch(r"(?:(\d+)-)?(\d+):(\d{1,2})(?::(\d{1,2}))?", text):
        days, first, second, third = clock.groups()
        if third is None and days is None:
            return int(first) * 60.0 + int(second)
        hours_s = int(first) * 3600.0 + int(second) * 60.0 + int(third or 0)
        return int(days or 0) * 86_400.0 + hours_s
    parts = re.findall(r"(\d+(?:\.\d+)?)([smhdw])", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise ValueError(text)
    return sum(float(number) * _SECONDS[unit] for number, unit in parts)


def parse_memory_mb(text: str) -> int:
    """Megabytes of `500M`, `16G`, `16GB`, `16GiB`, `2048` (MB). At least 1. Raises ValueError."""
    if len(text) > _LONGEST:
        raise ValueError(text)
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGTP]?)(?:I?B)?", text.strip().upper())
    if match is None:
        raise ValueError(text)
    number, unit = match.groups()
    return max(1, round(float(number) * _MEGABYTES[unit or "M"]))


def show_duration(seconds: float) -> str:
    """Short and exact enough: `8s`, `12m`, `3h05m`, `2d4h`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m{whole % 60:02d}s" if whole < 600 else f"{whole // 60}m"
    if whole < 86_400:
        return f"{whole // 3600}h{whole % 3600 // 60:02d}m"
    return f"{whole // 86_400}d{whole % 86_400 // 3600}h"


def write_duration(seconds: float) -> str:
    """The whole of it, so that reading it back changes nothing: `10m30s`, `1d12h`, `90.5s`."""
    if seconds % 1:
        return f"{Decimal(repr(float(seconds))).normalize():f}s"
    left, said = int(seconds), ""
    for unit, length in (("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)):
        count, left = divmod(left, length)
        said += f"{count}{unit}" if count else ""
    return said or "0s"


def show_bytes(size: int) -> str:
    return f"{size / 1024:.0f} KB" if size < 1 << 20 else show_memory(size / (1 << 20))


def show_memory(megabytes: float) -> str:
    if megabytes < 1024:
        return f"{megabytes:.0f} MB"
    size, unit = (megabytes / 1024, "GB") if megabytes < 1024**2 else (megabytes / 1024**2, "TB")
    return f"{size:.0f} {unit}" if size >= 100 else f"{size:.3g} {unit}"
