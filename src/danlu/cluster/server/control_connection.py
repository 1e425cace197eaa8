"""The control side's end of the connection: whatever it says is signed with who says it, and numbered."""

from __future__ import annotations

import contextlib
import itertools
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from nats.aio.msg import Msg

from danlu.cluster.connection import Connection, NoConnection
from danlu.cluster.fence_proof import FenceProofs
from danlu.cluster.messages import pack, unpack


class ControlConnection:
    """`may_act` is asked before anything is answered or ordered: a server that may have been succeeded does
    neither. `previous` is the last fence of this database before ours: what a node has followed beyond it,
    and is not us, was led from another copy of the database."""

    def __init__(
        self,
        connection: Connection,
        fence: int,
        may_act: Callable[[], bool],
        previous: int,
        proofs: FenceProofs,
    ) -> None:
        self.connection = connection
        self.fence = fence
        self.previous = previous
        self._proofs = proofs
        self.session = secrets.token_hex(8)
        self.proof = proofs.prove(fence, self.session)
        self.may_act = may_act
        self._numbers = itertools.count(1)

    def sign(self, call: Mapping[str, Any]) -> dict[str, Any]:
        return {"fence": self.fence, "session": self.session, "number": next(self._numbers), **call}

    async def say(self, member_id: str, op: str, **more: Any) -> None:
        """To every process of a member that hears it. Raises NoConnection."""
        await self.connection.publish(f"node.{member_id}.call", pack(self.sign({"op": op, **more})))

    def follows_another(self, said: Mapping[str, Any]) -> bool:
        """Whether a node proves to have followed a server of another copy of our database."""
        followed = self._proofs.read(said)
        # Two copies that begin in the same second may have the same fence, but not the same session.
        return followed is not None and followed[0] > self.previous and followed != (self.fence, self.session)

    async def ask(
        self, member_id: str, session: str, call: Mapping[str, Any], timeout_s: float
    ) -> tuple[dict[str, Any], bytes]:
        """Ask one process of a member (see `claims`). Raises NoConnection, MessageTooLong, ValueError."""
        message, subject = pack(self.sign(call)), f"node.{member_id}.{session}.call"
        return unpack(await self.connection.request(subject, message, timeout_s, asked=member_id))

    async def answer(self, message: Msg, answer: Mapping[str, Any], data: bytes = b"") -> None:
        """Only where the asking member itself may hear it: we may speak anywhere, and who asks says where."""
        if message.reply.startswith(f"_INBOX.{sender_of(message)}."):
            # Who asked on a connection that broke has stopped waiting.
            with contextlib.suppress(NoConnection):
                await self.connection.publish(message.reply, pack(answer, data))


def sender_of(message: Msg) -> str:
    """The id of the member who said it. The subject tells: no member can write on another's."""
    return message.subject.split(".")[1]
