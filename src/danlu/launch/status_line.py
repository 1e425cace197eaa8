"""What `danlu up` shows in its terminal: where it is, and one live line of what it is doing."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TextIO

from danlu.control.control import Control
from danlu.control.system.status import ClusterStatus, read_status
from danlu.core.errors import Unavailable
from danlu.launch.door.certificate import WARN_S, Certificate, show_date
from danlu.launch.door.reachability import Reachability
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

    def greet(self, settings: Settings, reach: Reachability, code: str) -> None:
        link = f"{reach.shared_url}/#login={code}"
        self._say("launch.greeting", url=reach.shared_url, link=link, data=settings.data)
        if settings.simulate is not None:
            nodes, gpus = settings.simulate
            self._say("launch.simulated", nodes=nodes, gpus=gpus)
        if reach.encryption is not None:
            self._introduce(reach.shared_url, reach.encryption.certificate)
        if reach.exposed:
            self._say("launch.exposed", host=settings.host)

    def _introduce(self, url: str, certificate: Certificate) -> None:
        """How people know the server, and until when."""
        key = "launch.self_signed" if certificate.self_signed else "launch.vouched"
        self._say(key, url=url, fingerprint=certificate.fingerprint, sha256=certificate.sha256)
        if certificate.expires_at - time.time() < WARN_S:
            self._say("launch.certificate_ends", date=show_date(certificate.expires_at))

    async def run(self) -> None:
        """Redraw whenever something happens."""
        if not self._live:
            return
        with self._control.bus.subscribe() as news:
            while not news.closed:
                with suppress(Unavailable):
                    control = self._control
                    full = control.database.is_disk_full
                    status = await read_status(control.board, control.job_counts.areas(), disk_full=full)
                    self._write(CLEAR_LINE + self._describe(status))
                await news.next()

    def say_goodbye(self, active: int) -> None:
        if self._live:
            self._write(CLEAR_LINE)
        key = "launch.stopped_with_jobs" if active else "launch.stopped"
        self._write(say(self._language, key, jobs=active) + "\n")

    def _describe(self, status: ClusterStatus) -> str:
        key = "launch.status_paused" if status.paused else "launch.status"
        key = "launch.status_disk_full" if status.disk_full else key
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

    def _say(self, key: str, **facts: object) -> None:
        self._write(say(self._language, key, **facts) + "\n")

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
