"""A list of lines that are drawn only while they are seen; one of them may be chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Click
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

Draw = Callable[[int], Text]


@dataclass(frozen=True, slots=True)
class Line:
    """`draw` makes the text for so many columns. A line with a `key` can be chosen."""

    draw: Draw
    key: str | None = None


class Lines(ScrollView, can_focus=True):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "move_page(-1)", show=False),
        Binding("pagedown", "move_page(1)", show=False),
        Binding("home", "move(-1000000)", show=False),
        Binding("end", "move(1000000)", show=False),
    ]

    class Chosen(Message):
        """Another line is chosen, or another text stands there."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._lines: Sequence[Line] = ()
        self._cursor: int | None = None

    @property
    def chosen(self) -> str | None:
        """The key of the line that is chosen."""
        return None if self._cursor is None else self._lines[self._cursor].key

    def show(self, lines: Sequence[Line]) -> None:
        """Other lines. What was chosen stays chosen; if it is gone, what came to its place is."""
        before, place = self.chosen, self._cursor or 0
        self._lines = lines
        keys = [line.key for line in lines]
        self._cursor = keys.index(before) if before in keys and before is not None else self._nearest(place)
        self.virtual_size = Size(self.scrollable_content_region.width, len(lines))
        self.refresh()
        self.post_message(self.Chosen())

    def action_move(self, steps: int) -> None:
        places = [place for place, line in enumerate(self._lines) if line.key is not None]
        if not places:
            self.scroll_relative(y=steps, animate=False)
            return
        now = places.index(self._cursor) if self._cursor in places else 0
        self._choose(places[min(max(now + steps, 0), len(places) - 1)])

    def action_move_page(self, pages: int) -> None:
        self.action_move(pages * max(1, self.size.height - 1))

    def on_click(self, event: Click) -> None:
        place = int(self.scroll_offset.y) + event.y
        if 0 <= place < len(self._lines) and self._lines[place].key is not None:
            self._choose(place)

    def render_line(self, y: int) -> Strip:
        place, columns = int(self.scroll_offset.y) + y, self.size.width
        base = self.rich_style
        if place >= len(self._lines):
            return Strip.blank(columns, base)
        drawn = self._lines[place].draw(columns)
        if place == self._cursor:
            style = base + Style(reverse=self.has_focus, bold=True)
            return Strip([Segment(drawn.plain, style)]).adjust_cell_length(columns, style)
        return Strip(drawn.render(self.app.console)).adjust_cell_length(columns).apply_style(base)

    def _choose(self, place: int) -> None:
        self._cursor = place
        # The headings above the first line come back into sight with it.
        top = 0 if place <= 2 else place
        offset = int(self.scroll_offset.y)
        if top < offset:
            self.scroll_to(y=top, animate=False)
        elif place >= offset + self.size.height:
            self.scroll_to(y=place - self.size.height + 1, animate=False)
        self.refresh()
        self.post_message(self.Chosen())

    def _nearest(self, place: int) -> int | None:
        places = [number for number, line in enumerate(self._lines) if line.key is not None]
        return min(places, key=lambda number: abs(number - place)) if places else None
