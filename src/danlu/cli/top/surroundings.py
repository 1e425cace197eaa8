"""What the parts of the dashboard need of the command line around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from danlu.cli.refusals import sentence_of
from danlu.cli.session import FOLLOWING_PATIENCE_S

if TYPE_CHECKING:
    from danlu.cli.session import Session
    from danlu.sdk.client import Client


class Surroundings:
    """Sentences, and clients that never write to the terminal."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def say(self, key: str, **facts: Any) -> str:
        return self.session.say(key, **facts)

    def connect(self, *, patient: bool = False, on_break: Callable[[str], None] | None = None) -> Client:
        """A client that gives up at once, unless it shall be patient."""
        return self.session.connect(
            patience_s=FOLLOWING_PATIENCE_S if patient else 0.0, on_break=on_break or _keep_quiet
        )

    def describe(self, fault: Exception) -> str:
        """What went wrong, in one sentence."""
        return sentence_of(self.session, fault)


def _keep_quiet(_reason: str) -> None:
    pass
