"""`danlu top`: nodes, GPUs and the queue, live."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from danlu.cli.layout import clean, shorten
from danlu.cli.top.detail import JobScreen
from danlu.cli.top.dialogs import Confirm
from danlu.cli.top.drawing import FAINT, draw_gpu, draw_job, draw_node, job_headings
from danlu.cli.top.feed import RECENT, Feed
from danlu.cli.top.lines import Line, Lines
from danlu.cli.top.picture import Picture, choose
from danlu.cli.top.surroundings import Surroundings
from danlu.sdk.connecting.transport import Broken
from danlu.sdk.errors import ClientError

if TYPE_CHECKING:
    from danlu.cli.session import Session
    from danlu.wire.jobs import JobRow

W = TypeVar("W", bound=Widget)
AREAS = ("running", "waiting", "history")
FEWEST_CUT = RECENT
"""A list with fewer rows than this is whole: an array that counts in two areas stands in one of them."""


class Dashboard(App[None]):
    """Shows what `Feed` brings. Whatever goes wrong on the way is shown too, and never ends it."""

    TITLE = "danlu top"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #head { height: 1; padding: 0 1; background: $primary; color: $text; text-style: bold; }
    #trouble { height: auto; max-height: 3; padding: 0 1; background: $error; color: $text; display: none; }
    #nodes { height: auto; max-height: 45%; padding: 0 1; scrollbar-size: 1 1; }
    #jobs { height: 1fr; padding: 0 1; scrollbar-size: 1 1; border-top: solid $primary; }
    #why { height: auto; max-height: 3; padding: 0 1; color: $text-muted; }
    #filter { display: none; height: 1; border: none; padding: 0 1; }
    #keys { height: 1; padding: 0 1; background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "quit", show=False),
        Binding("enter", "open_job(False)", show=False),
        Binding("l", "open_job(True)", show=False),
        Binding("c", "cancel_job", show=False),
        Binding("m", "toggle_mine", show=False),
        Binding("slash", "ask_filter", show=False),
        Binding("escape", "drop_filter", show=False),
    ]

    class Seen(Message):
        def __init__(self, picture: Picture) -> None:
            super().__init__()
            self.picture = picture

    class Trouble(Message):
        """What is wrong with the connection; None when nothing is any more."""

        def __init__(self, fault: Exception | None) -> None:
            super().__init__()
            self.fault = fault

    class Answered(Message):
        """What became of something that was asked of the server."""

        def __init__(self, text: str, *, refused: bool) -> None:
            super().__init__()
            self.text = text
            self.refused = refused

    def __init__(self, session: Session, name: str, url: str) -> None:
        super().__init__()
        self._around = Surroundings(session)
        self._who = f"{name} · {url}"
        self._picture: Picture | None = None
        self._rows: dict[str, JobRow] = {}
        self._filter = ""
        self._mine = False
        self._feed = Feed(
            self._around.connect,
            lambda picture: self._post(self.Seen(picture)),
            lambda fault: self._post(self.Trouble(fault)),
        )

    def compose(self) -> ComposeResult:
        yield Static(f"丹炉 Danlu   {self._who}", id="head", markup=False)
        yield Static(id="trouble", markup=False)
        yield Lines(id="nodes")
        yield Lines(id="jobs")
        yield Input(id="filter", placeholder=self._around.say("cli.top.filter"), compact=True)
        yield Static(id="why", markup=False)
        yield Static(self._around.say("cli.top.keys"), id="keys", markup=False)

    def on_mount(self) -> None:
        self.query_one("#jobs").focus()
        self._feed.start()

    def on_unmount(self) -> None:
        self._feed.close()

    def on_dashboard_seen(self, message: Seen) -> None:
        self._picture = message.picture
        self._draw()
        for screen in self.screen_stack:
            if isinstance(screen, JobScreen):
                screen.notice(self._rows.get(screen.ref))

    def on_dashboard_trouble(self, message: Trouble) -> None:
        for banner in self._home("#trouble", Static):
            banner.display = message.fault is not None
            if message.fault is not None:
                reason = self._around.describe(message.fault)
                banner.update(self._around.say("cli.top.trouble", reason=reason))

    def on_dashboard_answered(self, message: Answered) -> None:
        self.notify(message.text, severity="error" if message.refused else "information", markup=False)
        self._feed.look_again()

    def on_lines_chosen(self) -> None:
        row = self._chosen()
        sentence = row.why[0].message if row is not None and row.why else ""
        for line in self._home("#why", Static):
            line.update(clean(sentence))

    def on_input_changed(self, event: Input.Changed) -> None:
        self._filter = event.value
        self._draw()

    def on_input_submitted(self) -> None:
        self.query_one("#jobs").focus()

    def action_ask_filter(self) -> None:
        asking = self.query_one("#filter", Input)
        asking.display = True
        asking.focus()

    def action_drop_filter(self) -> None:
        asking = self.query_one("#filter", Input)
        asking.value = ""
        asking.display = False
        self.query_one("#jobs").focus()

    def action_toggle_mine(self) -> None:
        self._mine = not self._mine
        self._feed.look_again(mine=self._mine)

    def action_open_job(self, log_alone: bool) -> None:
        row = self._chosen()
        if row is not None and len(self.screen_stack) == 1:
            self.push_screen(JobScreen(self._around, row.ref, log_alone=log_alone))

    def action_cancel_job(self) -> None:
        ref = self.screen.ref if isinstance(self.screen, JobScreen) else None
        row = self._rows.get(ref) if ref is not None else self._chosen()
        if row is None or row.area == "history":
            return
        # One that is being stopped already can only be ended sooner.
        now = row.state == "stopping"
        key = "cli.top.confirm_now" if now else "cli.top.confirm"
        question = self._around.say(key, job=row.ref, name=clean(row.name), owner=clean(row.owner))
        self.push_screen(Confirm(self._around.session, question), partial(self._cancel, row.ref, now))

    def _cancel(self, ref: str, now: bool, yes: bool | None) -> None:
        if yes:
            threading.Thread(target=self._ask_to_cancel, args=(ref, now), daemon=True).start()

    def _ask_to_cancel(self, ref: str, now: bool) -> None:
        try:
            with self._around.connect() as client:
                client.jobs.cancel(ref, now=now)
        except (ClientError, Broken, OSError) as fault:
            self._post(self.Answered(self._around.describe(fault), refused=True))
        else:
            self._post(self.Answered(self._around.say("cli.top.cancelling", job=ref), refused=False))

    def _post(self, message: Message) -> None:
        """From a thread that may outlive us."""
        with suppress(RuntimeError):
            if self.is_running:
                self.post_message(message)

    def _chosen(self) -> JobRow | None:
        keys = [jobs.chosen for jobs in self._home("#jobs", Lines)]
        return self._rows.get(keys[0] or "") if keys else None

    def _home(self, name: str, kind: type[W]) -> Iterable[W]:
        """A part of the first screen, whatever stands above it; nothing while we are leaving."""
        return self.screen_stack[0].query(name).results(kind) if self.screen_stack else ()

    def _draw(self) -> None:
        picture, session = self._picture, self._around.session
        if picture is None:
            return
        status = picture.status
        usual = "launch.status_paused" if status.paused else "launch.status"
        numbers = session.say(
            "launch.status_disk_full" if status.disk_full else usual,
            running=status.running,
            waiting=status.waiting,
            used=status.gpus_used,
            gpus=status.gpus,
            up=status.nodes_up,
            nodes=status.nodes,
        )
        for head in self._home("#head", Static):
            head.update(f"丹炉 {numbers}   {self._who}")
        for nodes in self._home("#nodes", Lines):
            nodes.show(self._node_lines(picture))
        for jobs in self._home("#jobs", Lines):
            jobs.show(self._job_lines(picture))

    def _node_lines(self, picture: Picture) -> list[Line]:
        session = self._around.session
        lines: list[Line] = []
        for node in picture.nodes:
            lines.append(Line(partial(draw_node, session, node)))
            lines += [Line(partial(draw_gpu, session, gpu)) for gpu in node.gpus]
        return lines

    def _job_lines(self, picture: Picture) -> list[Line]:
        session, self._rows = self._around.session, {}
        lines = [Line(partial(job_headings, session))]
        for area in AREAS:
            rows = choose(getattr(picture.jobs, area), self._filter)
            self._rows |= {row.ref: row for row in rows}
            lines.append(Line(partial(self._heading, area, picture.jobs.counts.get(area, 0), len(rows))))
            lines += [Line(partial(draw_job, session, row), row.ref) for row in rows]
        return lines

    def _heading(self, area: str, count: int, shown: int, columns: int) -> Text:
        said = self._around.say(f"cli.top.{area}", count=count)
        if shown < count and (self._filter or shown >= FEWEST_CUT):
            said += self._around.say("cli.top.shown", shown=shown)
        if self._mine:
            said += self._around.say("cli.top.mine")
        return Text.assemble((shorten(said, columns), "bold underline" if shown else FAINT))
