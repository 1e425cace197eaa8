"""What an installation is told at its start. Built once in `launch`, then passed down."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """`starter` is the Danlu user who started this installation and is its first administrator."""

    data: Path
    starter: str
    host: str = "127.0.0.1"
    port: int = 0
    simulate: tuple[int, int] | None = None
    """(nodes, GPUs each), or None for the real machine."""
    database_url: str | None = None
    """Where PostgreSQL is, with its password perhaps; None for SQLite in the data folder."""
    folders: tuple[Path, ...] = ()
    """What everybody who may submit jobs can look around in, beside their own home, with their own rights."""
    kill_leftovers: bool = True
    cgroups: str = "auto"
    resync_s: float = 30.0
    gpu_poll_s: float = 2.0
    """How often the nodes are asked what their GPUs are doing."""
    heartbeat_s: float = 15.0
    """How long a stream of events may be quiet before it says that it is still there."""
    session_lifetime_s: float = 7 * 86_400.0
    link_lifetime_s: float = 15 * 60.0

    @property
    def database(self) -> Path | str:
        """The file of SQLite, or the URL of PostgreSQL."""
        return self.database_url or self.data / "danlu.db"

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    @property
    def calls(self) -> Path:
        return self.data / "calls"

    @property
    def results(self) -> Path:
        return self.data / "results"

    @property
    def node_folder(self) -> Path:
        return self.data / "node"

    @property
    def node_name_file(self) -> Path:
        return self.data / "node-name"

    @property
    def environments(self) -> Path:
        return self.data / "envs"

    @property
    def server_file(self) -> Path:
        return self.data / "server.json"

    @property
    def token_file(self) -> Path:
        return self.data / "local-token"
