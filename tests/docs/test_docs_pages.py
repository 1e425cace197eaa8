"""The pages hold together: generated parts are fresh, links lead somewhere, both languages say the same."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.docs.guides import REPOSITORY, all_pages, anchors_of, blocks_of, headings_of, links_of

TRANSLATED = ["README", "docs/user-guide", "docs/admin-guide", "docs/sdk", "docs/web"]


def test_what_is_generated_is_fresh():
    done = subprocess.run(
        [sys.executable, "docs/generate.py", "--check"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("page", all_pages(), ids=str)
def test_links_lead_somewhere(page):
    for link in links_of(page):
        target, _, anchor = link.partition("#")
        path = (REPOSITORY / page).parent / target if target else REPOSITORY / page
        assert path.exists(), f"{page}: {link}"
        if anchor and path.suffix == ".md":
            found = anchors_of(path.resolve().relative_to(REPOSITORY))
            assert anchor in found, f"{page}: {link}"


@pytest.mark.parametrize("name", TRANSLATED)
def test_both_languages_have_the_same_shape(name):
    english, chinese = (REPOSITORY / f"{name}{suffix}" for suffix in (".md", ".zh.md"))
    assert [level for level, _ in headings_of(english)] == [level for level, _ in headings_of(chinese)]


@pytest.mark.parametrize("name", TRANSLATED)
def test_both_languages_show_the_same_examples(name):
    english, chinese = (blocks_of(REPOSITORY / f"{name}{suffix}") for suffix in (".md", ".zh.md"))
    assert [block.language for block in english] == [block.language for block in chinese]
    for ours, theirs in zip(english, chinese, strict=True):
        assert _commands(ours.lines) == _commands(theirs.lines)


def test_the_modules_that_the_architecture_names_are_there():
    text = (REPOSITORY / "docs/architecture.md").read_text("utf-8")
    rooms = sorted(path.name for path in (REPOSITORY / "src/danlu").iterdir() if path.is_dir())
    named = set(re.findall(rf"`((?:{'|'.join(rooms)})/[\w/]+\.py)", text))
    assert len(named) > 40
    assert not {name for name in named if not (REPOSITORY / "src/danlu" / name).exists()}
    sources = _source_paths()
    bare = set(re.findall(r"`([\w/]+\.(?:py|tsx?))`", text)) - named
    assert not {name for name in bare if not any(f"/{path}".endswith(f"/{name}") for path in sources)}
    folders = set(re.findall(rf"`((?:{'|'.join(rooms)})(?:/\w+)+)`", text))
    assert not {name for name in folders if not (REPOSITORY / "src/danlu" / name).is_dir()}


def _source_paths() -> list[str]:
    roots = (REPOSITORY / "src/danlu", REPOSITORY / "web/src", REPOSITORY / "tests", REPOSITORY / "docs")
    found = [path for root in roots for path in root.rglob("*") if path.suffix in {".py", ".ts", ".tsx"}]
    return [str(path.relative_to(REPOSITORY)) for path in [*found, *REPOSITORY.glob("*.py")]]


def _commands(lines: list[str]) -> list[str]:
    """The typed part of a block: comments may be translated, and so is what is answered."""
    return [line.partition("   # ")[0] for line in lines if line.startswith(("$ ", "> "))]
