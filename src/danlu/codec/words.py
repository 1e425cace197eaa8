"""Words of enums, some of which only a newer version knows."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import Any, TypeVar

E = TypeVar("E", bound=Enum)
D = TypeVar("D")


@cache
def members_of(kind: type[Enum]) -> dict[Any, Any]:
    return {member.value: member for member in kind}


def known_word(kind: type[E], word: Any, otherwise: D) -> E | D:
    """The member of that value; `otherwise` for one that this version does not know."""
    member: E | D = members_of(kind).get(word, otherwise)
    return member
