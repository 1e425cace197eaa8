"""Settings on the wire: what administrators change while Danlu runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from danlu.wire.fields import STRICT


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsRow:
    server_log_for_members: bool
    """Whether members may read the server's own log; administrators always may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsEdit:
    """Only what is given changes."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    server_log_for_members: bool | None = None
