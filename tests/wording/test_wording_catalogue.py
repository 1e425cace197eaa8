"""Every sentence exists in both languages and says the same facts."""

from __future__ import annotations

import ast
from collections import Counter
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest

from danlu.wording.catalogue import (
    Language,
    knows,
    language_of_header,
    language_of_locale,
    messages,
    rooms,
    say,
)


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("room", rooms())
def test_a_room_has_sentences_and_only_its_own(room: str) -> None:
    assert messages(room)
    assert all(key.startswith(f"{room}.") for key in messages(room))


@pytest.mark.parametrize("room", rooms())
def test_every_sentence_is_whole_in_both_languages(room: str) -> None:
    lacking = [key for key, both in messages(room).items() if not all(text.strip() for text in both)]
    assert lacking == []


@pytest.mark.parametrize("room", rooms())
def test_both_languages_speak_of_the_same_facts(room: str) -> None:
    differing = {
        key: placeholders(english) ^ placeholders(chinese)
        for key, (english, chinese) in messages(room).items()
        if placeholders(english) != placeholders(chinese)
    }
    assert differing == {}


@pytest.mark.parametrize("room", rooms())
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_sentence_can_be_said_with_its_facts(room: str, language: Language) -> None:
    for key, (english, _) in messages(room).items():
        facts = {name: f"<{name}>" for name in placeholders(english)}
        assert "" not in facts, f"{key} has a placeholder without a name"
        said = say(language, key, **facts)
        assert all(fact in said for fact in facts.values()), key


@pytest.mark.parametrize("room", rooms())
def test_chinese_is_chinese_where_english_is_a_sentence(room: str) -> None:
    """A sentence somebody forgot to translate reads the same twice; examples of commands may."""
    same = [
        key
        for key, (english, chinese) in messages(room).items()
        if english == chinese and english.endswith(".") and ".examples." not in key
    ]
    assert same == []


def test_every_refusal_has_a_remedy() -> None:
    refusals = [
        key for key in messages("errors") if not key.endswith(".hint") and not key.startswith("errors.kind.")
    ]
    assert [key for key in refusals if not knows(f"{key}.hint")] == []


def test_every_remedy_belongs_to_something() -> None:
    hints = [key for room in rooms() for key in messages(room) if key.endswith(".hint")]
    assert [hint for hint in hints if not knows(hint.removesuffix(".hint"))] == []


def test_an_unknown_sentence_is_a_bug() -> None:
    assert not knows("errors.no_such_sentence")
    with pytest.raises(KeyError):
        say("en", "errors.no_such_sentence")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("*", "en"),
        ("zh", "zh"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        ("ZH-Hant", "zh"),
        ("en-GB,zh;q=0.5", "en"),
        ("fr, zh;q=0.5, en;q=0.3", "zh"),
        ("de", "en"),
        (";;;,,,", "en"),
    ],
)
def test_the_language_a_browser_asks_for(header: str | None, language: str) -> None:
    assert language_of_header(header) == language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LC_ALL": "", "LANG": "zh_CN"}, "zh"),
        ({"DANLU_LANG": "zh", "LC_ALL": "en_US"}, "zh"),
    ],
)
def test_the_language_a_terminal_asks_for(environment: dict[str, str], language: str) -> None:
    assert language_of_locale(environment) == language


@pytest.mark.parametrize("room", rooms())
def test_no_key_is_there_twice(room: str):
    """The later one would silently take the place of the other."""
    source = Path(import_module(f"danlu.wording.{room}").__file__ or "").read_text()
    keys = [
        key.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant)
    ]
    assert [key for key, count in Counter(keys).items() if count > 1] == []
