"""Where machines ask to be let in, and say that they leave: the words on the wire around `Membership`."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Mapping
from typing import Any

from danlu.cluster.keys import is_public_key
from danlu.control.nodes.membership import JoinAsk, Membership
from danlu.core.errors import DanluError, Invalid
from danlu.core.nodes.node import NodeRole
from danlu.wording.catalogue import Language, language_of_header, say

log = logging.getLogger(__name__)


class JoinDesk:
    """Answers with what was agreed, or with a refusal in the one shape: code, message, hint."""

    def __init__(self, membership: Membership) -> None:
        self._membership = membership

    async def let_in(self, question: dict[str, Any]) -> Mapping[str, Any]:
        return await _answer(self._let_in(question), question)

    async def let_go(self, member_id: str, question: dict[str, Any]) -> Mapping[str, Any]:
        return await _answer(self._let_go(member_id, question), question)

    async def _let_in(self, question: dict[str, Any]) -> dict[str, Any]:
        joined = await self._membership.join(read_ask(question))
        return {"id": joined.id, "node": joined.node, "servers": list(joined.servers), "fence": joined.fence}

    async def _let_go(self, member_id: str, question: dict[str, Any]) -> dict[str, Any]:
        await self._membership.leave(member_id, force=question.get("force") is True)
        return {"left": True}


async def _answer(making: Awaitable[dict[str, Any]], question: dict[str, Any]) -> Mapping[str, Any]:
    language = language_of_header(str(question.get("language", "")))
    try:
        return await making
    except DanluError as problem:
        refusal = problem
    except ValueError as problem:
        refusal = Invalid("bad_request", reason=str(problem))
    except Exception:
        log.exception("could not answer a machine that asks to join or leave")
        refusal = Invalid("bad_request", reason="see the server's log")
    return {"error": word_refusal(refusal, language)}


def read_ask(question: dict[str, Any]) -> JoinAsk:
    """Raises ValueError."""
    texts = [question.get(name) for name in ("secret", "node", "public_key", "version")]
    if not all(isinstance(text, str) and len(text) <= 300 for text in texts):
        raise ValueError("it must have secret, node, public_key and version")
    secret, node, public_key, version = (str(text) for text in texts)
    if not is_public_key(public_key):
        raise ValueError("that is no public key")
    role = question.get("role")
    return JoinAsk(secret, node, public_key, version, NodeRole(role) if role else None)


def word_refusal(refusal: DanluError, language: Language) -> dict[str, str]:
    return {
        "code": refusal.code,
        "message": say(language, f"errors.{refusal.code}", **refusal.facts),
        "hint": say(language, f"errors.{refusal.code}.hint", **refusal.facts),
    }
