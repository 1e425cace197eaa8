"""What makes a machine a member: kept in its data folder, for the agent's own account alone."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from danlu.codec import BadValue, decode, encode

MEMBER_FILE = "member.json"


@dataclass(frozen=True, slots=True)
class NodeIdentity:
    """`certificate` (PEM) is the only one that the machine believes; `servers` is where it is served."""

    id: str
    node: str
    servers: tuple[str, ...]
    certificate: str
    seed: str = field(repr=False)

    @classmethod
    def load(cls, folder: Path) -> NodeIdentity:
        """Raises FileNotFoundError where the machine is no member, ValueError where its file is damaged."""
        kept = json.loads((folder / MEMBER_FILE).read_text("utf-8"))
        try:
            return decode(cls, kept, trusted=True)
        except BadValue as problem:
            raise ValueError(f"{folder / MEMBER_FILE} is damaged: {problem}") from problem

    def save(self, folder: Path) -> None:
        """Whole or not at all, and never readable by another account, not even for a moment."""
        draft = folder / f".{MEMBER_FILE}.{os.getpid()}"
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(encode(self), file, indent=1)
            file.flush()
            os.fsync(descriptor)
        draft.replace(folder / MEMBER_FILE)

    def moved_to(self, servers: Sequence[str]) -> NodeIdentity:
        return replace(self, servers=tuple(servers))


def forget_identity(folder: Path) -> None:
    (folder / MEMBER_FILE).unlink(missing_ok=True)
