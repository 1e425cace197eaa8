"""Whose orders an agent takes: those of the server that acts now, and none that were overtaken."""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from pathlib import Path

FENCE_FILE = "fence"


class Overtaken(Exception):
    """An order came when it may no longer be meant."""


def check_age(heard_at: float, lease_s: float, now: float) -> None:
    """`heard_at` is when, by this node's clock, the last beat was sent that the order's sender had heard.
    Once the lease of that beat is over, what was ordered may be under way elsewhere. Raises Overtaken."""
    if not heard_at <= now <= heard_at + lease_s:
        raise Overtaken("it was sent too long ago, or before the machine was started")


@dataclass(frozen=True, slots=True)
class Sender:
    """A server: `fence` grows whenever another takes over, `session` is another after every start of it."""

    fence: int
    session: str


@dataclass
class OrderFence:
    """Pure. `highest` is the highest fence that was ever seen here.

    A launch that was sent before a task was forgotten, and comes after that, would run the task again: calls
    are numbered, and such a launch is refused.
    """

    highest: int = 0
    session: str = ""
    _earlier: set[str] = field(default_factory=set)
    _forgotten_at: int = 0

    def admit(self, sender: Sender) -> bool:
        """Whether this server may act. Once another has been heard, an earlier one never may again."""
        if sender.fence < self.highest or (sender.fence == self.highest and sender.session in self._earlier):
            return False
        if sender.fence > self.highest:
            self._earlier.clear()
            self.highest = sender.fence
        elif self.session and sender.session != self.session:
            self._earlier.add(self.session)
        if sender.session != self.session:
            self.session = sender.session
            self._forgotten_at = 0
        return True

    def note_forget(self, number: int) -> None:
        self._forgotten_at = max(self._forgotten_at, number)

    def is_overtaken(self, number: int) -> bool:
        """Whether a launch with this number was sent before something was forgotten."""
        return number < self._forgotten_at


def read_fence(folder: Path) -> int:
    try:
        return int((folder / FENCE_FILE).read_text())
    except (FileNotFoundError, ValueError):
        return 0


_one_at_a_time = threading.Lock()
"""An order and a beat may bring the same news, and an older one must not be written over a newer."""


def write_fence(folder: Path, fence: int) -> None:
    """On disk before anything is done for its server: an older one must not get a word in after a restart."""
    with _one_at_a_time:
        if fence <= read_fence(folder):
            return
        draft = folder / f".{FENCE_FILE}.{os.getpid()}"
        with draft.open("w") as file:
            file.write(f"{fence}\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(folder / FENCE_FILE)
