"""Every error that the code can raise has its sentence, and brings the facts the sentence needs."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from string import Formatter

import pytest

import danlu
from danlu.core import errors
from danlu.wording.catalogue import knows, messages

SOURCE = Path(danlu.__file__).parent
KINDS = {kind.__name__ for kind in errors.DanluError.__subclasses__()}
FILLED_IN_LATER = {"no_such_hardware": {"best"}}
"""Facts that the API words from others: it knows the language, the code that raises does not."""


@dataclass(frozen=True)
class Raised:
    where: str
    code: str
    facts: frozenset[str]


def raised_errors() -> list[Raised]:
    """Every call of an error class, and of the API's own answer, with a code written out in the source."""
    found: list[Raised] = []
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text()
        # Most files raise none, and to walk through all of them takes seconds.
        if "danlu.core.errors" not in text and "problem_response" not in text:
            continue
        tree = ast.parse(text)
        ours = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and node.module == "danlu.core.errors"
            for alias in node.names
        } & KINDS
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                code = _code_of(node, ours)
                if code is not None:
                    named = frozenset(keyword.arg for keyword in node.keywords if keyword.arg)
                    where = f"{path.relative_to(SOURCE)}:{node.lineno}"
                    found.append(Raised(where, code, named))
    return found


def _code_of(call: ast.Call, ours: set[str]) -> str | None:
    assert isinstance(call.func, ast.Name)
    if call.func.id in ours:
        at = 0
    elif call.func.id == "problem_response":
        at = 2
    else:
        return None
    if len(call.args) <= at or not isinstance(call.args[at], ast.Constant):
        return None
    return str(call.args[at].value)


RAISED = raised_errors()


def placeholders(key: str) -> set[str]:
    """The facts of a sentence; the options it names are no facts."""
    texts = [re.sub(r"\{option:\w+\}", "", text) for text in messages("errors")[key]]
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name}


def test_the_source_was_really_read() -> None:
    codes = {each.code for each in RAISED}
    assert {"no_command", "key_reused", "storage_failed", "too_many_tries", "admin_only"} <= codes


@pytest.mark.parametrize("raised", RAISED, ids=lambda raised: f"{raised.code} {raised.where}")
def test_an_error_has_its_sentence_and_brings_its_facts(raised: Raised) -> None:
    key = f"errors.{raised.code}"
    assert knows(key)
    given = raised.facts | {"field"} | FILLED_IN_LATER.get(raised.code, set())
    assert placeholders(key) <= given
    assert placeholders(f"{key}.hint") <= given


def test_no_sentence_is_left_that_nobody_says() -> None:
    codes = {each.code for each in RAISED}
    words = "\n".join(path.read_text() for path in SOURCE.rglob("*.py") if path.parent.name != "wording")
    unsaid = [
        key
        for key in messages("errors")
        if not key.endswith((".hint", ".page"))
        and not key.startswith("errors.kind.")
        and key.removeprefix("errors.") not in codes
        and f'"{key.removeprefix("errors.")}"' not in words
    ]
    assert unsaid == []


def test_every_kind_of_error_has_a_status_of_its_own() -> None:
    statuses = [kind.status for kind in errors.DanluError.__subclasses__()]
    assert len(set(statuses)) == len(statuses)
    assert all(400 <= status < 600 for status in statuses)


def test_nobody_takes_a_fact_of_an_error_by_its_name() -> None:
    """Errors of one kind differ in their facts: one that is not there would be an answer of 500. `fact` is
    for that."""
    taken = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "facts"
    ]
    assert taken == []
