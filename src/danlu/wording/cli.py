"""What the command line says."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {}
