#!/usr/bin/env python3
"""A Ray cluster in the allocation of one job, which is gone with it.

    ray_cluster.py lead CLIENT_PORT NODES HEAD PORT ADDRESS GPUS COMMAND…
    ray_cluster.py work HEAD PORT ADDRESS GPUS

The first rank leads: it starts the head, waits for all nodes and runs the command, whose end is its own. Runs
in the task's own Python, which need not have Danlu.
"""

from __future__ import annotations

import hashlib
import os
import signal
import socket
import subprocess
import sys
import time
from importlib.util import find_spec

WAIT_S = 0.2

COUNT = """
import sys, time
import ray
ray.init(address=sys.argv[1], logging_level="ERROR", log_to_driver=False)
while sum(node["Alive"] for node in ray.nodes()) < int(sys.argv[2]):
    time.sleep(0.2)
"""


def main() -> None:
    role, *words = sys.argv[1:]
    lock()
    if role == "lead":
        sys.exit(lead(*words))
    work(*words)


def lock() -> None:
    """Any user who reaches an open Ray runs programs in it: ours takes a token, which all ranks can make."""
    path = os.environ.get("DANLU_JOB_SECRET_FILE")
    if path:
        with open(path, "rb") as file:
            token = hashlib.sha256(b"danlu ray " + file.read()).hexdigest()
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=token)


def lead(client_port: str, nodes: str, head: str, port: str, address: str, gpus: str, *command: str) -> int:
    """The exit code of the command."""
    cluster = subprocess.Popen(
        [
            *start(address, gpus),
            *("--head", f"--port={port}", "--include-dashboard=false"),
            # An installation without the server of Ray's clients does not know its port.
            *([f"--ray-client-server-port={client_port}"] if find_spec("grpc") else []),
        ],
        stdout=sys.stderr,
    )
    wait_for(head, port, cluster)
    counted = subprocess.run([sys.executable, "-c", COUNT, at(head, port), nodes], check=False)
    if counted.returncode != 0:
        return 1
    ended = subprocess.run(list(command), check=False).returncode
    cluster.terminate()
    cluster.wait()
    if ended < 0:
        # As the command has ended. (Python itself only minds SIGINT.)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), -ended)
    return ended


def work(head: str, port: str, address: str, gpus: str) -> None:
    wait_for(head, port)
    words = [*start(address, gpus), f"--address={at(head, port)}"]
    os.execvp(words[0], words)  # noqa: S606


def start(address: str, gpus: str) -> list[str]:
    return [
        *("ray", "start", "--block", "--disable-usage-stats"),
        f"--node-ip-address={address}",
        f"--num-gpus={gpus}",
        # Others may run a Ray of their own on this machine: nothing at a fixed port.
        "--min-worker-port=0",
        "--max-worker-port=0",
        "--dashboard-agent-listen-port=0",
    ]


def wait_for(head: str, port: str, cluster: subprocess.Popen[bytes] | None = None) -> None:
    while True:
        try:
            socket.create_connection((head, int(port)), timeout=5).close()
        except OSError:
            if cluster is not None and cluster.poll() is not None:
                sys.exit("ray start ended; see above")
            time.sleep(WAIT_S)
        else:
            return


def at(host: str, port: str) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


if __name__ == "__main__":
    main()
