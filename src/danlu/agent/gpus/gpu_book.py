"""Which GPUs this node has ever had, and under which number. A GPU keeps its number whatever becomes of the
others: jobs hold it under that number."""

from __future__ import annotations

import json
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from danlu.codec import decode, encode

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Card:
    """A GPU as the driver lists it. `place` is its number there, `minor` that of its device file."""

    place: int
    uuid: str
    name: str
    memory_mb: int
    minor: int | None = None


class GpuBook:
    """The cards by their numbers, kept in a file from one start of the server to the next."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.cards: dict[int, Card] = _read(path) if path is not None else {}

    def enter(self, listed: Sequence[Card], silent: Collection[int] = ()) -> None:
        """Take in what the driver lists. `silent` are the places of cards that do not say who they are."""
        cards = assign_numbers(self.cards, listed, silent)
        if cards != self.cards:
            self.cards = cards
            self._write()

    def forget(self, index: int) -> None:
        if self.cards.pop(index, None) is not None:
            self._write()

    def _write(self) -> None:
        if self._path is None:
            return
        text = json.dumps(encode(dict(sorted(self.cards.items()))), indent=1)
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh = self._path.with_suffix(".new")
            fresh.write_text(text + "\n")
            fresh.replace(self._path)
        except OSError as problem:
            # It is worth no more than a missing card that is not listed as one after the next start.
            log.warning("could not note down the GPUs in %s: %s", self._path, problem)


def assign_numbers(
    known: dict[int, Card], listed: Sequence[Card], silent: Collection[int] = ()
) -> dict[int, Card]:
    """Every card's number. One that was seen before keeps its own. A new one gets its place in the driver's
    list; it replaces a card that is gone, but never one that is there or merely silent."""
    number_of = {card.uuid: index for index, card in known.items()}
    present = {number_of[card.uuid]: card for card in listed if card.uuid in number_of}
    quiet = {index for index, card in known.items() if index not in present and card.place in silent}
    cards = known | present
    for card in listed:
        if card.uuid in number_of:
            continue
        index = card.place
        if index in present or index in quiet:
            index = next(number for number in range(len(cards) + 1) if number not in cards)
        present[index] = cards[index] = card
    return dict(sorted(cards.items()))


def _read(path: Path) -> dict[int, Card]:
    try:
        return decode(dict[int, Card], json.loads(path.read_text()), trusted=True)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as problem:
        log.warning("could not read the GPUs noted down in %s: %s", path, problem)
        return {}
