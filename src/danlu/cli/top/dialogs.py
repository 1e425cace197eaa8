"""Questions that stand above everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Label

if TYPE_CHECKING:
    from danlu.cli.session import Session


class Confirm(ModalScreen[bool]):
    """Answers True only when the user really says so."""

    CSS = """
    Confirm { align: center middle; }
    Confirm > Vertical {
        width: 60; max-width: 90%; height: auto; padding: 1 2; border: round $warning; background: $surface;
    }
    Confirm Label { width: 100%; margin-bottom: 1; }
    Confirm Horizontal { height: auto; align-horizontal: center; }
    Confirm Button { margin: 0 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", show=False),
        Binding("n", "answer(False)", show=False),
        Binding("escape", "answer(False)", show=False),
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, session: Session, question: str) -> None:
        super().__init__()
        self._session = session
        self._question = question

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Label(self._question, markup=False)
            with Horizontal():
                yield Button(self._session.say("cli.top.no"), id="no", variant="primary")
                yield Button(self._session.say("cli.top.yes"), id="yes", variant="error")

    def on_mount(self) -> None:
        self.query_one("#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)
