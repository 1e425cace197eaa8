"""Every sentence a person reads, in English and Chinese side by side, so that neither can be forgotten.

A sentence names a field of a job as `{option:directory}`, and the reader finds it under the name it has where
they read: `--dir` on the command line, "Folder" in the form, `directory` in a program. Where the page has a
way of its own, a second sentence `KEY.page` takes the place of the one that names a command.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Literal, get_args

from danlu.wire.options import find_field, option_of

Language = Literal["en", "zh", "en-x-page", "zh-x-page", "en-x-cli", "zh-x-cli"]
"""A language, and behind it where it is read, as a private subtag of BCP 47; without one, by a program."""
Messages = dict[str, tuple[str, str]]

_ROOMS = ("errors", "reasons", "cli", "launch", "forms", "doctor", "settings", "notifications", "audit")
_LANGUAGES: dict[str, Language] = {language: language for language in get_args(Language)}
_OPTION = re.compile(r"\{option:(\w+)\}")
_SPACED_OPTION = re.compile(r" ?\{option:(\w+)\} ?")


@cache
def messages(room: str) -> Messages:
    """The sentences of one room, as key -> (English, Chinese). Loaded only when one of them is needed."""
    found: Messages = import_module(f"danlu.wording.{room}").MESSAGES
    return found


def rooms() -> tuple[str, ...]:
    return _ROOMS


def say(language: Language, key: str, **facts: Any) -> str:
    """The sentence `ROOM.name` in a language, with its facts filled in. An unknown key raises KeyError."""
    if is_on_page(language) and knows(f"{key}.page"):
        key = f"{key}.page"
    english, chinese = messages(key.partition(".")[0])[key]
    text = chinese if is_chinese(language) else english
    return _name_options(language, text).format(**facts)


def knows(key: str) -> bool:
    return key in messages(key.partition(".")[0])


def name_field(language: Language, field: str) -> str:
    """What the reader knows a field of a request as (`memory_mb`, `set.gpu_ids.0`)."""
    known = find_field(field)
    return _name_option(language, known) if known and is_on_page(language) else field


def _name_options(language: Language, text: str) -> str:
    # Chinese has no spaces around quotation marks, and a label stands in them.
    spaced = is_chinese(language) and is_on_page(language)
    pattern = _SPACED_OPTION if spaced else _OPTION
    return pattern.sub(lambda found: _name_option(language, found[1]), text)


def _name_option(language: Language, field: str) -> str:
    if is_on_page(language):
        own = f"forms.label.{field}"
        label = say(language, own if knows(own) else f"cli.label.{field}")
        return f"“{label}”" if is_chinese(language) else f'"{label}"'
    return option_of(field) if language.endswith("-x-cli") else field


def is_chinese(language: Language) -> bool:
    return language.startswith("zh")


def is_on_page(language: Language) -> bool:
    return language.endswith("-x-page")


def language_of_header(accept_language: str | None) -> Language:
    """What a browser or client asks for: the first language it names that we speak."""
    for part in (accept_language or "").split(","):
        tag = part.partition(";")[0].strip().lower()
        if tag.startswith(("zh", "en")):
            where = tag.rpartition("-x-")[2]
            return _LANGUAGES.get(f"{tag[:2]}-x-{where}", _LANGUAGES[tag[:2]])
    return "en"


def language_of_locale(environment: Mapping[str, str]) -> Language:
    """What a terminal's locale asks for."""
    for name in ("DANLU_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            return "zh-x-cli" if value.lower().startswith("zh") else "en-x-cli"
    return "en-x-cli"
