"""How a node proves which server it has followed: with what only a server of its cluster can have told it.

Each grant of a lease says the server's fence and session, and a proof of both made with the servers' key. A
node keeps the last one and shows it with its beats. So a single node can be believed that another server has
led since, and a node that was taken over cannot make one up. All copies of a database have the same key.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = "fence-proof"
_PURPOSE = b"danlu fence"


class FenceProofs:
    """`seed` is that of the servers' key."""

    def __init__(self, seed: str) -> None:
        self._key = hmac.digest(seed.encode(), _PURPOSE, hashlib.sha256)

    def prove(self, fence: int, session: str) -> str:
        return hmac.new(self._key, f"{fence} {session}".encode(), hashlib.sha256).hexdigest()

    def read(self, said: Mapping[str, Any]) -> tuple[int, str] | None:
        """The fence and session of a server of this cluster, as a node says that it has followed it; None
        where it cannot prove that."""
        fence, session, proof = said.get("fence"), said.get("fence_session"), said.get("fence_proof")
        if type(fence) is not int or not isinstance(session, str) or not isinstance(proof, str):
            return None
        is_proved = hmac.compare_digest(self.prove(fence, session).encode(), proof.encode(errors="replace"))
        return (fence, session) if is_proved else None


@dataclass
class KeptProof:
    """The last proof that a node was given, also over a restart of its agent. Its calls wait for the disk."""

    folder: Path
    fence: int = 0
    session: str = ""
    proof: str = ""

    def load(self) -> None:
        try:
            fence, session, proof = (self.folder / FILE).read_text().split()
            self.fence, self.session, self.proof = int(fence), session, proof
        except (OSError, ValueError):
            self.fence, self.session, self.proof = 0, "", ""

    def keep(self, fence: int, session: str, proof: str) -> None:
        if (fence, session, proof) == (self.fence, self.session, self.proof):
            return
        draft = self.folder / f".{FILE}.{os.getpid()}"
        draft.write_text(f"{fence} {session} {proof}\n")
        draft.replace(self.folder / FILE)
        self.fence, self.session, self.proof = fence, session, proof

    def show(self, fence: int) -> dict[str, Any]:
        """What a node says of the server that it follows."""
        known = fence == self.fence
        return {
            "fence": fence,
            "fence_session": self.session if known else "",
            "fence_proof": self.proof if known else "",
        }
