"""What `danlu up` shows in its terminal: where it is, and one live line of what it is doing."""

from __future__ import annotations

import ipaddress
from typing import TextIO

from danlu.control.control import Control
from danlu.control.status import Status, read_status
from danlu.settings import Settings
from danlu.wording.catalogue import Language, say

CLEAR_LINE = "\r\x1b[2K"


class StatusLine:
    """On a terminal one line that is redrawn; elsewhere a line per change would only fill a log."""

    def __init__(self, control: Control, language: Language, out: TextIO) -> None:
        self._control = control
        self._language = language
        self._out = out
        self._live = out.isatty()

    def greet(self, settings: Settings, url: str, link: str) -> None:
        self._write(say(self._language, "launch.greeting", url=url, link=link, data=settings.data) + "\n")
        if settings.simulate is not None:
            nodes, gpus = settings.simulate
            self._write(say(self._language, "launch.simulated", nodes=nodes, gpus=gpus) + "\n")

        if not is_loopback(settings.host):
            self._write(say(self._language, "launch.exposed", host=settings.host) + "\n")

    async def run(self) -> None:
        """Redraw whenever something happens."""
        if not self._live:
            return
        with self._control.hub.subscribe() as news:
            while not news.closed:
                status = await self._control.database.read(read_status)
                self._write(CLEAR_LINE + self._describe(status))
                await news.next()

    def say_goodbye(self, active: int) -> None:
        if self._live:
            self._write(CLEAR_LINE)
        key = "launch.stopped_with_jobs" if active else "launch.stopped"
        self._write(say(self._language, key, jobs=active) + "\n")

    def _describe(self, status: Status) -> str:
        key = "launch.status_paused" if status.paused else "launch.status"
        return say(
            self._language,
            key,
            running=status.running,
            waiting=status.waiting,
            used=status.gpus_used,
            gpus=status.gpus,
            up=status.nodes_up,
            nodes=status.nodes,
        )

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach that address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
