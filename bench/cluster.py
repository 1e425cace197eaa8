"""A real cluster on this one machine: the server, the messages' server, and agents that joined, each with a
data folder of its own. It needs neither root nor namespaces."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from harness import CannotRun, temporary_folder, wait_until
from installation import Installation, end_processes, processes_of

from danlu.launch.cluster.join import TOKEN_VARIABLE
from danlu.launch.detached import AGENT_LOCK, MESSAGES_LOCK, find_holder, stop_holder
from danlu.sdk.client import Client
from danlu.sdk.errors import ApiError

START_S = 60.0


class Cluster(Installation):
    """The first machine of a cluster. Agents reach it at `messages`."""

    def __init__(self, data: Path, *options: str) -> None:
        port = free_port()
        self.messages = f"127.0.0.1:{port}"
        super().__init__(
            data, "--cluster", "--messages-port", str(port), "--advertise", "127.0.0.1", *options
        )

    def make_token(self) -> str:
        with self.client() as client:
            return str(client.api.json_call("POST", "/join-tokens", body={})["token"])

    def own_node(self, client: Client) -> str:
        """The name of the node that the server's machine is."""
        return str(client.get_json("/nodes")[0]["name"])

    def pid_of(self, lock: str) -> int:
        holder = find_holder(self.data / lock)
        if holder is None:
            raise CannotRun(f"no process holds {lock}")
        return holder.pid

    def stop(self) -> None:
        self.stop_server()
        for lock in (AGENT_LOCK, MESSAGES_LOCK):
            stop_holder(self.data / lock)
        # Nothing runs any more: what would leave by itself need not be waited for.
        end_processes(self.data, 0)


class JoinedNode:
    """`danlu join` in a process of its own."""

    def __init__(self, data: Path, name: str, cluster: Cluster, token: str, *options: str) -> None:
        self.data = data
        self.name = name
        self._said = data.parent / f"{data.name}.out"
        argv = [sys.executable, "-m", "danlu.main", "join", cluster.messages]
        with self._said.open("wb") as out:
            self.process = subprocess.Popen(
                [*argv, "--data", str(data), "--name", name, *options],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env={**os.environ, TOKEN_VARIABLE: token},
                start_new_session=True,
            )

    def wait_up(self, client: Client) -> None:
        def is_up() -> bool:
            if self.process.poll() is not None:
                raise CannotRun(f"danlu join ended with {self.process.returncode}: {self._said.read_text()}")
            try:
                return bool(client.get_json(f"/nodes/{self.name}")["state"] == "up")
            except ApiError:
                return False

        wait_until(is_up, START_S, f"the joining of {self.name}", 0.1)

    def pids(self) -> dict[str, list[int]]:
        others = [pid for pid in processes_of(self.data) if pid != self.process.pid]
        return {"agent": [self.process.pid], "keeper": others}

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(15)
        end_processes(self.data, 0)
        self.process.wait()


@contextlib.contextmanager
def cluster(*options: str) -> Iterator[Cluster]:
    """A running server of a cluster; its folder goes at the end, and what is below it with it."""
    with temporary_folder() as folder:
        running = Cluster(folder / "danlu", *options)
        try:
            running.wait_up()
            yield running
        finally:
            running.stop()


@contextlib.contextmanager
def joined(to: Cluster, count: int, *options: str) -> Iterator[list[JoinedNode]]:
    """So many nodes that have joined, and are up."""
    token = to.make_token()
    nodes: list[JoinedNode] = []
    try:
        for number in range(1, count + 1):
            name = f"joined-{number}"
            nodes.append(JoinedNode(to.data.parent / name, name, to, token, *options))
        with to.client() as client:
            for node in nodes:
                node.wait_up(client)
        yield nodes
    finally:
        # While the agents are still there: they see to the end of what runs.
        to.stop_server()
        with ThreadPoolExecutor(max(len(nodes), 1)) as pool:
            list(pool.map(JoinedNode.stop, nodes))


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
