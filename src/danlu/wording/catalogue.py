"""Every sentence a person reads, in English and Chinese side by side, so that neither can be forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Literal

Language = Literal["en", "zh"]
Messages = dict[str, tuple[str, str]]

_ROOMS = ("errors", "reasons", "cli", "launch", "forms", "doctor", "settings")


@cache
def messages(room: str) -> Messages:
    """The sentences of one room, as key -> (English, Chinese). Loaded only when one of them is needed."""
    found: Messages = import_module(f"danlu.wording.{room}").MESSAGES
    return found


def rooms() -> tuple[str, ...]:
    return _ROOMS


def say(language: Language, key: str, **facts: Any) -> str:
    """The sentence `ROOM.name` in a language, with its facts filled in. An unknown key raises KeyError."""
    english, chinese = messages(key.partition(".")[0])[key]
    return (chinese if language == "zh" else english).format(**facts)


def knows(key: str) -> bool:
    return key in messages(key.partition(".")[0])


def language_of_header(accept_language: str | None) -> Language:
    """What a browser or client asks for: the first language it names that we speak."""
    for part in (accept_language or "").split(","):
        tag = part.partition(";")[0].strip().lower()
        if tag.startswith("zh"):
            return "zh"
        if tag.startswith("en"):
            return "en"
    return "en"


def language_of_locale(environment: Mapping[str, str]) -> Language:
    """What a terminal's locale asks for."""
    for name in ("DANLU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"
