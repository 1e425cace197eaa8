"""Names that can be guessed, and comments and pages that name who acts."""

from __future__ import annotations

import ast
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.guides import REPOSITORY, all_pages

SOURCE = REPOSITORY / "src/danlu"
ONE_FILE_EACH = ("cli/commands", "api/routes", "store/migrations/versions")
"""Folders with a module for each command, route or migration."""
MOST_MODULES = 23
UNNAMED = re.compile(
    r"(?<!`)\b(somebody|nobody|whoever|everybody|someone|anybody|anyone|everyone)\b", re.IGNORECASE
)


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if "versions" not in path.parts)


def test_a_class_name_exists_once():
    places = defaultdict(list)
    for path in modules():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(SOURCE)))
    assert not {name: found for name, found in places.items() if len(found) > 1}


def test_no_folder_holds_too_many_modules():
    counts = {
        str(folder.relative_to(SOURCE)): len(
            [path for path in folder.glob("*.py") if path.stem != "__init__"]
        )
        for folder in {path.parent for path in modules()}
    }
    too_many = {name: count for name, count in counts.items() if count > MOST_MODULES}
    assert not {name for name in too_many if name not in ONE_FILE_EACH}, too_many


def prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """Comments and strings that stand by themselves, each with its line."""
    with tokenize.open(path) as file:
        for token in tokenize.generate_tokens(file.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            yield node.lineno, node.value.value


def test_comments_name_who_acts():
    unnamed = [
        f"{path.relative_to(REPOSITORY)}:{line}: {found.group()}"
        for path in (*modules(), *(REPOSITORY / "tests").rglob("*.py"), *(REPOSITORY / "bench").rglob("*.py"))
        for line, text in prose_of(path)
        if (found := UNNAMED.search(text))
    ]
    assert not unnamed


@pytest.mark.parametrize("page", all_pages(), ids=str)
def test_pages_name_who_acts(page):
    lines = (REPOSITORY / page).read_text("utf-8").splitlines()
    assert not [f"{page}:{number}: {line}" for number, line in enumerate(lines, 1) if UNNAMED.search(line)]
