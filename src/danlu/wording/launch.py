"""What `danlu up` and `danlu down` say."""

from __future__ import annotations

MESSAGES: dict[str, tuple[str, str]] = {}
