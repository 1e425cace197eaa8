"""The pages of documentation as data: their headings, links, fenced blocks and shell examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
FENCE = "```"


def all_pages() -> list[Path]:
    pages = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")]
    return sorted(page.relative_to(REPOSITORY) for page in pages)


@dataclass
class Block:
    """A fenced block: its language, and the heading of the second level that it stands under."""

    language: str
    section: str
    lines: list[str] = field(default_factory=list)


@dataclass
class Example:
    """A command behind `$ `, the output that the page shows, and the exit code that it admits to."""

    section: str
    command: str
    output: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        said = re.search(r"# exit code (\d+)$", self.command)
        return int(said[1]) if said else 0


def blocks_of(page: Path) -> list[Block]:
    blocks: list[Block] = []
    section, inside = "", False
    for line in _lines(page):
        if line.startswith(FENCE):
            inside = not inside
            if inside:
                blocks.append(Block(line.removeprefix(FENCE), section))
        elif inside:
            blocks[-1].lines.append(line)
        elif line.startswith("## "):
            section = line.removeprefix("## ")
    return blocks


def examples_of(page: Path) -> list[Example]:
    """The commands of all `console` blocks, in order. A line behind `> ` goes on with the command."""
    found: list[Example] = []
    for block in blocks_of(page):
        if block.language != "console":
            continue
        for line in block.lines:
            if line.startswith("$ "):
                found.append(Example(block.section, line.removeprefix("$ ")))
            elif line.startswith("> "):
                found[-1].command += "\n" + line.removeprefix("> ")
            else:
                found[-1].output.append(line)
    return found


def headings_of(page: Path) -> list[tuple[int, str]]:
    """(level, text) of every heading."""
    matches = (re.fullmatch(r"(#+) (.+)", line) for line in _prose(page))
    return [(len(match[1]), match[2]) for match in matches if match]


def anchors_of(page: Path) -> set[str]:
    """The anchors that a code host makes of the headings."""
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for _, text in headings_of(page)}


def links_of(page: Path) -> list[str]:
    """The targets of all links that stay within the repository."""
    targets = re.findall(r"\]\(([^)\s]+)\)", "\n".join(_prose(page)))
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def _lines(page: Path) -> list[str]:
    return (REPOSITORY / page).read_text("utf-8").splitlines()


def _prose(page: Path) -> Iterator[str]:
    inside = False
    for line in _lines(page):
        if line.startswith(FENCE):
            inside = not inside
        elif not inside:
            yield line
