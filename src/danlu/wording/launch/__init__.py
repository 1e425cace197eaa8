"""What `danlu up`, `down`, `join`, `leave` and the commands of databases say."""

from __future__ import annotations

from danlu.wording.launch import databases, joining, serving

MESSAGES: dict[str, tuple[str, str]] = {
    **serving.MESSAGES,
    **joining.MESSAGES,
    **databases.MESSAGES,
}
