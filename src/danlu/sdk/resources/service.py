"""The server itself: its version, its numbers, its scheduling, its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from danlu.sdk.following import follow_events
from danlu.wire.server import (
    BackupMade,
    BackupRequest,
    BackupRow,
    EventRow,
    Ordering,
    Passed,
    Scheduling,
    SchedulingEdit,
    ServerRow,
    Status,
    StopRequest,
    Version,
)
from danlu.wire.server_log import LogLevel, ServerLogEntry, ServerLogPage
from danlu.wire.settings import (
    SettingChangeRow,
    SettingRow,
    SettingsEdit,
    SettingsHistory,
    SettingsRow,
    SettingsUndo,
)

if TYPE_CHECKING:
    from danlu.sdk.api import Api


class Service:
    def __init__(self, api: Api) -> None:
        self._api = api

    def version(self) -> Version:
        return self._api.get(Version, "/version")

    def status(self) -> Status:
        return self._api.get(Status, "/status")

    def servers(self) -> list[ServerRow]:
        """The servers of this installation: first the one that leads, then those that stand by for it, then
        those that were lost within a day."""
        return self._api.get(list[ServerRow], "/servers", {"lost": True})

    def forget_server(self, url: str) -> None:
        """Show a lost server no more. For administrators."""
        self._api.call("DELETE", "/servers", query={"url": url})

    def events(
        self, after: int | None = None, *, on_reset: Callable[[], None] | None = None
    ) -> Iterator[EventRow]:
        """Everything that happens, without end; from behind the event `after` when given. `on_reset` is
        called when some of what happened since is not told any more: ask for what you need afresh."""
        from danlu.codec import BadValue, decode

        last_id = None if after is None else str(after)
        for event in follow_events(self._api, "/events", {"after": after}, last_id):
            if event.kind != "hello":
                try:
                    row = decode(EventRow, json.loads(event.data), trusted=True)
                except BadValue:
                    # Of a kind that only a newer server knows.
                    continue
                yield row
            elif on_reset is not None and json.loads(event.data).get("reset"):
                on_reset()

    def backup(self, *, with_logs: bool = False) -> Iterator[bytes]:
        """An archive of everything, piece by piece. It is whole only when the last one has come."""
        from danlu.codec import encode_said

        yield from self._api.download("POST", "/backup", body=encode_said(BackupRequest(with_logs=with_logs)))

    def last_backup(self) -> BackupRow:
        """What the last backup holds, and what is not in it. Raises ApiError where none was made yet."""
        return self._api.get(BackupRow, "/backup")

    def backups(self) -> list[BackupMade]:
        """Who took a backup when, the latest first. For administrators."""
        return self._api.get(list[BackupMade], "/backups")

    def log(
        self,
        *,
        level: LogLevel = "info",
        text: str | None = None,
        limit: int = 500,
        before: int | None = None,
    ) -> ServerLogPage:
        """The latest entries of the server's own log, the oldest first; `before` an id: older ones."""
        query = {"level": level, "text": text, "limit": limit, "before": before}
        return self._api.get(ServerLogPage, "/server/log", query)

    def follow_log(
        self, *, level: LogLevel = "info", text: str | None = None, after: int | None = None
    ) -> Iterator[ServerLogEntry]:
        """Entries as they are written, without end; from behind the entry `after` when given."""
        from danlu.codec import decode

        query = {"level": level, "text": text, "after": after}
        last_id = None if after is None else str(after)
        for event in follow_events(self._api, "/server/log/follow", query, last_id):
            if event.kind == "entry":
                yield decode(ServerLogEntry, json.loads(event.data), trusted=True)

    def stop(self, *, stop_jobs: bool = False) -> None:
        from danlu.codec import encode_said

        self._api.call("POST", "/server/stop", body=encode_said(StopRequest(stop_jobs=stop_jobs)))


class SettingsControl:
    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self) -> SettingsRow:
        return self._api.get(SettingsRow, "/settings")

    def describe(self) -> list[SettingRow]:
        """Every setting with what it means, its bounds and who changed it last. For administrators."""
        return self._api.get(list[SettingRow], "/settings/described")

    def edit(
        self,
        *,
        server_log_for_members: bool | None = None,
        default_gpus: int | None = None,
        auto_gpus: int | None = None,
        auto_nodes: int | None = None,
        stage_folder: str | None = None,
        stage_disk_percent: int | None = None,
        events_days: int | None = None,
        audit_days: int | None = None,
        job_log_limit_mb: int | None = None,
        all_logs_limit_mb: int | None = None,
        limit_cpus: bool | None = None,
        limit_memory: bool | None = None,
    ) -> SettingsRow:
        """Only what is given changes. For administrators."""
        body = SettingsEdit(
            server_log_for_members=server_log_for_members,
            default_gpus=default_gpus,
            auto_gpus=auto_gpus,
            auto_nodes=auto_nodes,
            stage_folder=stage_folder,
            stage_disk_percent=stage_disk_percent,
            events_days=events_days,
            audit_days=audit_days,
            job_log_limit_mb=job_log_limit_mb,
            all_logs_limit_mb=all_logs_limit_mb,
            limit_cpus=limit_cpus,
            limit_memory=limit_memory,
        )
        return self._api.ask(SettingsRow, "PATCH", "/settings", body=body)

    def history(self, *, limit: int = 50, cursor: str | None = None) -> SettingsHistory:
        """What was changed of all settings, the newest first. For administrators."""
        return self._api.get(SettingsHistory, "/settings/history", {"limit": limit, "cursor": cursor})

    def undo(self, change: int | None = None, *, force: bool = False) -> SettingChangeRow:
        """Take a change back, or the newest; with `force` also where a setting was changed again since."""
        body = SettingsUndo(change=change, force=force)
        return self._api.ask(SettingChangeRow, "POST", "/settings/undo", body=body)


class SchedulingControl:
    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self) -> Scheduling:
        return self._api.get(Scheduling, "/scheduling")

    def edit(self, *, policy: Ordering | None = None, paused: bool | None = None) -> Scheduling:
        body = SchedulingEdit(policy=policy, paused=paused)
        return self._api.ask(Scheduling, "PATCH", "/scheduling", body=body)

    def run_pass(self) -> Passed:
        """Run a scheduling pass now."""
        return self._api.ask(Passed, "POST", "/scheduling/pass")

    def pause(self) -> Scheduling:
        return self.edit(paused=True)

    def resume(self) -> Scheduling:
        return self.edit(paused=False)
