"""The kinds of values requests are made of: what they take and what they refuse."""

from __future__ import annotations

import pytest

from danlu.wire.fields import (
    is_user_name,
    is_variable_name,
    no_control_characters,
    no_nul,
)


@pytest.mark.parametrize("text", ["", "train", "训练 no. 3", "naïve", "a b"])
def test_a_line_is_anything_that_prints(text: str) -> None:
    assert no_control_characters(text)


@pytest.mark.parametrize("text", ["a\nb", "a\rb", "\x1b[31m", "a\0b", "\u202e", "a\u2028b", "\ud800"])
def test_but_nothing_that_could_forge_a_line_or_a_terminals_state(text: str) -> None:
    assert not no_control_characters(text)


def test_a_script_may_have_lines_but_no_nul() -> None:
    assert no_nul("a\n\tb\r\n")
    assert not no_nul("a\0b")


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("PATH", True),
        ("_x1", True),
        ("1x", False),
        ("a-b", False),
        ("变", False),
        ("", False),
        ("A=B", False),
    ],
)
def test_names_of_variables(name: str, good: bool) -> None:
    assert is_variable_name(name) == good


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("ann", True),
        ("王芳", True),
        ("a.b-c_9", True),
        (".ssh", False),
        ("-rf", False),
        ("a b", False),
        ("a/b", False),
        ("a\nb", False),
    ],
)
def test_names_of_users(name: str, good: bool) -> None:
    assert is_user_name(name) == good
