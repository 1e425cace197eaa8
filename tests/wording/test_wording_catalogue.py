"""Every sentence exists in both languages and says the same facts."""

from __future__ import annotations

import ast
import re
from collections import Counter
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest

from danlu.wire.job_fields import FIELDS, OPTIONS
from danlu.wording.catalogue import (
    Language,
    knows,
    language_of_header,
    language_of_locale,
    messages,
    name_field,
    rooms,
    say,
)

OPTION = re.compile(r"\{option:(\w+)\}")


def placeholders(text: str) -> set[str]:
    """The facts of a sentence; the options it names are no facts."""
    parts = Formatter().parse(OPTION.sub("", text))
    return {name for _, name, _, _ in parts if name is not None}


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


def test_an_element_of_an_array_and_a_task_of_a_node_have_a_word_each() -> None:
    for english, chinese in [
        *(both for room in rooms() for both in messages(room).values()),
        *(field.help for field in FIELDS.values() if field.help),
    ]:
        assert "子任务" not in chinese or "element" in english.lower(), chinese
        assert "节点任务" not in chinese.replace("多节点任务", "") or "task" in english.lower(), chinese


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
    """A sentence that was never translated reads the same twice; examples of commands may."""
    same = [
        key
        for key, (english, chinese) in messages(room).items()
        if english == chinese and english.endswith(".") and ".examples." not in key
    ]
    assert same == []


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Set directory to a folder."),
        ("en-x-cli", "Set --dir to a folder."),
        ("en-x-page", 'Set "Folder" to a folder.'),
        ("zh", "请将 directory 设为文件夹。"),
        ("zh-x-cli", "请将 --dir 设为文件夹。"),
        ("zh-x-page", "请将“目录”设为文件夹。"),
    ],
)
def test_a_field_has_the_name_that_its_reader_knows(language: Language, said: str) -> None:
    assert say(language, "errors.not_a_directory.hint") == said


def test_the_form_has_names_of_its_own_for_what_it_shows_otherwise() -> None:
    assert say("en-x-page", "errors.share_or_not.hint") == 'Use either "Share a GPU" or "Exclusive GPU".'
    assert say("zh-x-page", "errors.after_ok_service.hint") == "请从“前驱任务”中去掉它。"


def test_where_the_page_has_a_way_of_its_own_it_is_named() -> None:
    assert say("en", "reasons.held", id="7") == "It is on hold until a user releases it (danlu release 7)."
    assert say("en-x-page", "reasons.held", id="7") == "It is on hold until a user releases it."
    assert name_field("en-x-page", "set.memory_mb") == '"Memory"'
    assert name_field("en-x-cli", "set.memory_mb") == "set.memory_mb"


def test_every_option_that_a_sentence_names_is_one() -> None:
    pairs = [both for room in rooms() for both in messages(room).values()]
    named = {field for both in pairs for field in OPTION.findall("".join(both))}
    assert named
    assert named <= set(OPTIONS)


@pytest.mark.parametrize("room", ["errors", "reasons", "forms", "doctor", "settings"])
@pytest.mark.parametrize("language", ["en-x-page", "zh-x-page"])
def test_the_page_names_no_option_of_the_command_line(room: str, language: Language) -> None:
    """But for those of a whole command, which only the command line has."""
    alone = {}
    for key, (english, _) in messages(room).items():
        said = say(language, key, **{name: f"<{name}>" for name in placeholders(english)})
        for sentence in re.split(r"[.。] ?", said):
            before, dashes, _ = sentence.partition(" --")
            if (dashes or sentence.startswith("--")) and "danlu " not in before:
                alone[key] = said
    assert alone == {}


@pytest.mark.parametrize("room", rooms())
def test_what_the_page_says_instead_takes_the_place_of_something(room: str) -> None:
    own = [key.removesuffix(".page") for key in messages(room) if key.endswith(".page")]
    assert [key for key in own if not knows(key)] == []
    for key in own:
        (english, _), (page, _) = messages(room)[key], messages(room)[f"{key}.page"]
        assert placeholders(page) <= placeholders(english), key


def test_every_refusal_has_a_remedy() -> None:
    refusals = [
        key
        for key in messages("errors")
        if not key.endswith((".hint", ".page")) and not key.startswith("errors.kind.")
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
        ("zh-x-page", "zh-x-page"),
        ("EN-X-CLI", "en-x-cli"),
        ("en-x-nothing-we-know", "en"),
    ],
)
def test_the_language_a_browser_asks_for(header: str | None, language: str) -> None:
    assert language_of_header(header) == language


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en-x-cli"),
        ({"LANG": "zh_CN.UTF-8"}, "zh-x-cli"),
        ({"LANG": "C.UTF-8"}, "en-x-cli"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW"}, "zh-x-cli"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en-x-cli"),
        ({"LC_ALL": "", "LANG": "zh_CN"}, "zh-x-cli"),
        ({"DANLU_LANG": "zh", "LC_ALL": "en_US"}, "zh-x-cli"),
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
