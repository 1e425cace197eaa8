"""One thread that follows what happens to jobs, for all callers in a program that wait for one."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import quote

from danlu.sdk.connecting.patience import Patience, is_passing
from danlu.sdk.connecting.sse import EventReader, ServerEvent
from danlu.sdk.connecting.transport import Broken
from danlu.sdk.errors import ApiError, Closed, NotDanlu

if TYPE_CHECKING:
    from danlu.sdk.api import Api

OVER = frozenset({"succeeded", "failed", "cancelled", "deleted"})
"""The states from which nothing more comes by itself."""

Listener = Callable[[str], None]
"""Is told the state of a job whenever that changes, in the thread that follows: it must be quick."""

NOT_FOUND = 404
_MOST_ENDS = 100_000


class Watcher:
    """Follows the server's stream of events from its first use until `close`, through restarts of the server.

    A server that stays away is waited for: jobs run on without it, and so does the waiting."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._lock = threading.Lock()
        self._listeners: dict[str, dict[Listener, None]] = {}
        self._ends: dict[str, str] = {}
        self._thread: threading.Thread | None = None
        self._live = threading.Event()
        self._closed = threading.Event()
        self._unsure = False
        """Whether something may have happened that the stream does not tell any more."""
        self._failure: Exception | None = None
        self._on_failure: dict[Callable[[Exception], None], None] = {}

    def start(self) -> None:
        """Return once every later event will be seen. Raises what keeps us from that."""
        with self._lock:
            if self._closed.is_set():
                raise Closed
            if self._thread is None or not self._thread.is_alive():
                self._live.clear()
                self._failure = None
                self._thread = threading.Thread(target=self._run, name="danlu events", daemon=True)
                self._thread.start()
        self._live.wait()
        if self._failure is not None:
            raise self._failure

    def listen(self, job_id: int | str, listener: Listener) -> None:
        """Tell `listener` of every change from now on, and at once of an end seen since `start`."""
        key = str(job_id)
        with self._lock:
            self._listeners.setdefault(key, {})[listener] = None
            ended = self._ends.get(key)
        if ended is not None:
            listener(ended)

    def forget(self, job_id: int | str, listener: Listener) -> None:
        key = str(job_id)
        with self._lock:
            left = self._listeners.get(key, {})
            left.pop(listener, None)
            if not left:
                self._listeners.pop(key, None)

    def listen_for_failure(self, tell: Callable[[Exception], None]) -> None:
        """`tell` what keeps us from ever hearing more: at once if that has happened already."""
        with self._lock:
            self._on_failure[tell] = None
            failure = self._failure
        if failure is not None:
            tell(failure)

    def forget_failure(self, tell: Callable[[Exception], None]) -> None:
        with self._lock:
            self._on_failure.pop(tell, None)

    def close(self) -> None:
        """Callers that still wait are told. The thread ends when it next hears from the server, if only its
        heartbeat."""
        self._closed.set()
        self._fail(Closed())

    def _run(self) -> None:
        try:
            self._follow()
        except Exception as failure:
            self._fail(failure)
        finally:
            self._live.set()

    def _fail(self, failure: Exception) -> None:
        with self._lock:
            self._failure = failure
            listeners = list(self._on_failure)
        for tell in listeners:
            tell(failure)

    def _follow(self) -> None:
        """Raises when the server refuses for good, or cannot be reached the first time."""
        last_id: str | None = None
        refusals = self._api.patience()
        breaks = Patience(float("inf"), sleep=self._sleep)
        while not self._closed.is_set():
            try:
                with self._api.open(
                    "/events", None, {"Last-Event-ID": last_id} if last_id else None
                ) as stream:
                    reader = EventReader()
                    while not self._closed.is_set() and (piece := stream.read_some()):
                        breaks.reset()
                        refusals.reset()
                        for event in reader.feed(piece):
                            last_id = event.id or last_id
                            self._take(event)
            except Broken as broken:
                if not self._live.is_set():
                    # Never reached: that is no break to be waited out.
                    self._api.wait(refusals, broken.reason)
            except (ApiError, NotDanlu) as refusal:
                if not is_passing(refusal) or not refusals.pause():
                    raise
            breaks.pause()

    def _sleep(self, pause_s: float) -> None:
        self._closed.wait(pause_s)

    def _take(self, event: ServerEvent) -> None:
        if event.kind == "hello":
            self._unsure = self._unsure or bool(json.loads(event.data).get("reset"))
            if self._unsure:
                self._ask_afresh()
                self._unsure = False
            self._live.set()
        if event.kind not in ("job.state", "job.submitted"):
            return
        row = json.loads(event.data)
        key = str(row["job"]) if row.get("index") is None else f"{row['job']}[{row['index']}]"
        state = row["data"].get("after") or row["data"].get("state")
        if state is None:
            return
        self._tell(key, state)

    def _ask_afresh(self) -> None:
        """How the jobs are that callers wait for."""
        with self._lock:
            self._ends.clear()
            keys = list(self._listeners)
        for key in keys:
            try:
                state = str(self._api.get_json(f"/jobs/{quote(key, safe='')}")["job"]["state"])
            except ApiError as refusal:
                if refusal.status != NOT_FOUND:
                    raise
                state = "deleted"
            self._tell(key, state)

    def _tell(self, key: str, state: str) -> None:
        with self._lock:
            if state in OVER:
                self._ends[key] = state
                if len(self._ends) > _MOST_ENDS:
                    del self._ends[next(iter(self._ends))]
            else:
                # It was edited after its end, and runs again.
                self._ends.pop(key, None)
            listeners = list(self._listeners.get(key, ()))
        for listener in listeners:
            listener(state)


class JobWait:
    """Waits for one job to be over."""

    def __init__(self, watcher: Watcher, job_id: int | str) -> None:
        self._watcher = watcher
        self._job_id = job_id
        self._over = threading.Event()
        self._failure: Exception | None = None

    def __enter__(self) -> JobWait:
        self._watcher.listen(self._job_id, self._hear)
        self._watcher.listen_for_failure(self._fail)
        return self

    def __exit__(self, *_: object) -> None:
        self._watcher.forget(self._job_id, self._hear)
        self._watcher.forget_failure(self._fail)

    def wait(self, timeout_s: float | None) -> bool:
        """False when the time is up. Raises what keeps us from ever knowing."""
        over = self._over.wait(timeout_s)
        if self._failure is not None:
            raise self._failure
        return over

    def _hear(self, state: str) -> None:
        if state in OVER:
            self._over.set()

    def _fail(self, failure: Exception) -> None:
        self._failure = failure
        self._over.set()
