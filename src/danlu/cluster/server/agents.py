"""How the control side reaches the agents, wherever they run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from danlu.core.logs.log_search import LogSearch, LogSearched
from danlu.core.nodes.doctor import Question
from danlu.core.nodes.node import Finding, NodeFacts, NodeState
from danlu.core.nodes.readings import NodeReading
from danlu.core.task import LaunchOrder, LogChunk, Prepared, TaskFact, TaskKey, UnixAccount

OnFact = Callable[[TaskFact], None]
OnMembership = Callable[[str, NodeState], None]
OnSenseless = Callable[[str], None]


def tell_nobody(*_: object) -> None:
    pass


class OrderRefused(Exception):
    """A node says that it will never carry out this order; sending it again changes nothing."""


class NodeUnreachable(Exception):
    """A node does not answer. What was asked of it may have been done, or may still be."""


class StaleServer(NodeUnreachable):
    """A node takes no orders from this server any more: another has taken over."""


class Watch(Protocol):
    """Tells when a file changes."""

    async def changed(self) -> None:
        """Return at the next change, or at once when there was one since the last call."""


class Agents(Protocol):
    """All agents of the cluster. Orders are idempotent; facts may come late, twice, or after a restart."""

    is_one_machine: bool
    """This machine answers for every node there ever was, also for those that are no longer reported."""

    @property
    def is_connected(self) -> bool:
        """Whether any node could be reached at all; without that, that none answers says nothing of them."""

    def senseless(self) -> Mapping[str, Mapping[str, str]]:
        """What nodes said lately that made no sense, and was not believed: by node, what it was about and
        what was wrong with it. `other_server`: it follows another server than this one."""

    async def start(
        self,
        on_fact: OnFact,
        on_membership: OnMembership = tell_nobody,
        on_senseless: OnSenseless = tell_nobody,
    ) -> None:
        """Connect. From now on every start and end of a task is told to `on_fact`; a node that is heard after
        a silence, and one that is lost, to `on_membership`; one that says what makes no sense to
        `on_senseless`."""

    async def close(self) -> None:
        """Disconnect. Tasks run on."""

    async def nodes(self) -> list[NodeFacts]:
        """The nodes that can be reached now."""

    async def readings(self) -> dict[str, NodeReading]:
        """What the nodes that can be reached are doing now."""

    async def forget_gpu(self, node: str, index: int) -> bool:
        """A GPU that is gone need not be remembered; False when it is not gone."""

    def last_grants(self) -> Mapping[str, float]:
        """When each node with a lease was last granted one, at the latest, by the monotonic clock. Nodes
        that have none are not in it."""

    async def prepare(self, node: str, key: TaskKey) -> Prepared:
        """Make sure that a node is there before a task of several is sent to it. Raises NodeUnreachable."""

    async def diagnose(self, node: str, question: Question) -> list[Finding]:
        """What a node says of itself when it is looked over. Raises NodeUnreachable."""

    async def launch(self, order: LaunchOrder) -> None:
        """Run a task, once, however often this is called with the same key. Raises OrderRefused."""

    async def stop(self, node: str, key: TaskKey, grace_s: float) -> None:
        """End a task and every process of it, or see to it that it never starts."""

    async def tasks(self) -> list[TaskFact]:
        """Everything the reachable nodes know of tasks that were not forgotten yet. A node that does not
        answer this is not among `nodes` afterwards: of what it runs nothing is known."""

    async def forget(self, node: str, keys: Iterable[TaskKey]) -> None:
        """The ends of these tasks are recorded; their node need not remember them."""

    async def remove_jobs(self, node: str, job_ids: Sequence[int]) -> list[int]:
        """Danlu's own files of these jobs (logs, results) are wanted no longer: the jobs of which the node
        has nothing any more. One of which something still runs there is left alone. Raises NodeUnreachable,
        OSError."""

    async def trim_logs(self, node: str, each: int, together: int) -> int:
        """Cut logs of Danlu's own that hold more bytes than `each`, or all of them than `together`; 0 is no
        limit. How many bytes they hold then. Raises NodeUnreachable, OSError."""

    async def read_log(
        self, node: str, path: str, offset: int, limit: int, account: UnixAccount | None
    ) -> LogChunk:
        """A piece of a file of `account`, read with its rights; None is for Danlu's own files alone. A
        negative offset counts from the end."""

    async def search_log(
        self, node: str, path: str, account: UnixAccount | None, search: LogSearch
    ) -> LogSearched:
        """Look for something in such a file. A large one takes several calls."""

    def watch_log(
        self, node: str, path: str, account: UnixAccount | None
    ) -> AbstractAsyncContextManager[Watch]:
        """Watch such a file, that may not exist yet."""
