"""What an installation is told at its start. Built once in `launch`, then passed down."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """How other machines reach this one: at `advertise` (None: at its usual address) and the port."""

    messages_port: int = 7323
    advertise: str | None = None
    lease_s: float = 15.0
    """How long a node may go on by itself with what could be run elsewhere."""
    is_node: bool = True
    """Whether jobs run on the server's own machine too."""
    node_file: str | None = None
    """A list of machines that are nodes, or shall be; None: the one in the data folder, if there is one."""


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
    """What every user who may submit jobs can look around in, beside their own home, with their own
    rights."""
    cluster: ClusterSettings | None = None
    """None: this machine is all there is."""
    checks_paths: bool = False
    """Whether a job's folder, environment and program are looked for when it is submitted: on this machine if
    it is all there is, else in `folders`, which every node has."""
    address_for_jobs: str | None = None
    """Where jobs find this server, with the fingerprint of its key behind `#` where it has one. None: they
    are not told."""
    kill_leftovers: bool = True
    cgroups: str = "auto"
    resync_s: float = 30.0
    resize_pause_s: float = 60.0
    """How long a job that takes what nodes there are runs before it gets more, or fewer: what it does in
    between must be worth the beginning."""
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
    def has_standbys(self) -> bool:
        """Whether other servers may take over from this one: they share a database that is elsewhere."""
        return self.cluster is not None and self.database_url is not None

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
    def task_logs(self) -> Path:
        """Where the node of a task has its log: on a cluster below the node's own data folder."""
        return Path("logs") if self.cluster is not None else self.logs

    @property
    def task_calls(self) -> Path:
        return Path("calls") if self.cluster is not None else self.calls

    @property
    def task_results(self) -> Path:
        return Path("results") if self.cluster is not None else self.results

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
