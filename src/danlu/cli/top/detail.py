"""One job: what there is to say about it, and its output as it comes."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import RichLog, Static

from danlu.cli.commands.show import facts_of
from danlu.cli.layout import pairs
from danlu.cli.top.log_text import LogText
from danlu.sdk.connecting.transport import Broken
from danlu.sdk.errors import ClientError

if TYPE_CHECKING:
    from collections.abc import Callable

    from danlu.cli.top.surroundings import Surroundings
    from danlu.wire.jobs import JobDetail, JobRow

FIRST_BYTES = 64 << 10
"""So much of the end of a log is shown at first."""
MOST_LINES = 5_000
LINES_AT_ONCE = 2_000


class JobScreen(Screen[None]):
    """Facts above, log below; or the log alone."""

    CSS = """
    JobScreen { layout: vertical; }
    #facts { height: auto; max-height: 45%; padding: 0 1; overflow-y: auto; border-bottom: solid $primary; }
    #log { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; background: $background; }
    #live { height: auto; max-height: 2; padding: 0 1; }
    #keys { height: 1; padding: 0 1; background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "leave", show=False),
        Binding("l", "log_alone", show=False),
        Binding("c", "app.cancel_job", show=False),
    ]

    class Facts(Message):
        def __init__(self, detail: JobDetail) -> None:
            super().__init__()
            self.detail = detail

    class Said(Message):
        """More of the log: whole lines, and the one that is not whole yet."""

        def __init__(self, lines: list[str], rest: str) -> None:
            super().__init__()
            self.lines = lines
            self.rest = rest

    class Told(Message):
        """What is wrong, or how the log ended."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, around: Surroundings, ref: str, *, log_alone: bool) -> None:
        super().__init__()
        self.ref = ref
        self._around = around
        self._log_alone = log_alone
        self._left = threading.Event()
        self._row: JobRow | None = None

    def compose(self) -> ComposeResult:
        yield Static(id="facts", markup=False)
        yield RichLog(id="log", max_lines=MOST_LINES, wrap=True)
        yield Static(id="live", markup=False)
        yield Static(self._around.say("cli.top.keys_job"), id="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one("#facts").display = not self._log_alone
        self.query_one("#log").focus()
        self._start(self._read_facts)
        self._start(self._follow)

    def on_unmount(self) -> None:
        self._left.set()

    def notice(self, row: JobRow | None) -> None:
        """The list has a new row of this job: what changed there changed here too."""
        if row is not None and row != self._row:
            self._row = row
            self._start(self._read_facts)

    def action_leave(self) -> None:
        self.dismiss(None)

    def action_log_alone(self) -> None:
        facts = self.query_one("#facts")
        facts.display = not facts.display

    def on_job_screen_facts(self, message: Facts) -> None:
        facts = pairs(facts_of(self._around.session, message.detail))
        self.query_one("#facts", Static).update(Text.from_ansi(facts))

    def on_job_screen_said(self, message: Said) -> None:
        log = self.query_one("#log", RichLog)
        for line in message.lines[-LINES_AT_ONCE:]:
            log.write(line)
        self.query_one("#live", Static).update(message.rest)

    def on_job_screen_told(self, message: Told) -> None:
        self.query_one("#live", Static).update(message.text)

    def _post(self, message: Message) -> None:
        """From a thread that may outlive us."""
        with suppress(RuntimeError):
            if not self._left.is_set():
                self.post_message(message)

    def _start(self, work: Callable[[], None]) -> None:
        threading.Thread(target=work, name=f"job {self.ref}", daemon=True).start()

    def _read_facts(self) -> None:
        try:
            with self._around.connect() as client:
                detail = client.jobs.get(self.ref)
        except (ClientError, Broken, OSError) as fault:
            self._post(self.Told(self._around.describe(fault)))
        else:
            self._post(self.Facts(detail))

    def _follow(self) -> None:
        text = LogText()
        try:
            with self._around.connect(patient=True, on_break=self._tell_broken) as client:
                following = client.jobs.follow(self.ref, offset=-FIRST_BYTES)
                for data in following:
                    if self._left.is_set():
                        return
                    self._post(self.Said(text.feed(data), text.rest))
        except (ClientError, Broken, OSError) as fault:
            self._post(self.Told(self._around.describe(fault)))
            return
        lines = text.feed(b"\n") if text.rest else []
        state = following.end.state if following.end else ""
        ended = self._around.say(
            "cli.top.log_end", state=self._around.say(f"cli.state.{state}") if state else ""
        )
        self._post(self.Said(lines, ended))

    def _tell_broken(self, reason: str) -> None:
        self._post(self.Told(self._around.say("cli.connection_lost", reason=reason)))
