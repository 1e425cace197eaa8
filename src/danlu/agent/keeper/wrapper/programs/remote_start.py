#!/usr/bin/env python3
"""Starts something on another node of the same job, as `ssh HOST COMMAND` would, but without ssh.

    remote_start.py hold ADDRESS PORT        on a node that waits for the first rank
    remote_start.py [options] HOST COMMAND…  on the node of the first rank, called by mpirun

Both know the job's secret and prove it to each other; no other process gets anything started. The output of
what is started goes to the log of the node it runs on; it ends when the process that asked for it does.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

PATIENCE_S = 60.0
NONCE = 32
LONGEST = 1 << 20


def main() -> None:
    if sys.argv[1:2] == ["hold"]:
        hold(sys.argv[2], int(sys.argv[3]))
    sys.exit(start(sys.argv[1:]))


def hold(address: str, port: int) -> None:
    listener = socket.create_server(
        (address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET
    )
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


def serve(connection: socket.socket) -> None:
    with connection:
        try:
            connection.settimeout(PATIENCE_S)
            theirs = receive(connection, NONCE)
            ours = secrets.token_bytes(NONCE)
            connection.sendall(ours + proof(b"node", theirs, ours))
            seal = receive(connection, NONCE)
            (length,) = struct.unpack("!I", receive(connection, 4))
            command = receive(connection, min(length, LONGEST))
            if not hmac.compare_digest(seal, proof(b"start", theirs, ours, command)):
                return
            connection.settimeout(None)
            run(connection, command.decode())
        except (OSError, EOFError):
            return


def run(connection: socket.socket, command: str) -> None:
    process = subprocess.Popen(["/bin/sh", "-c", command], stdin=subprocess.DEVNULL, start_new_session=True)
    threading.Thread(target=end_with, args=(connection, process), daemon=True).start()
    status = process.wait()
    connection.sendall(struct.pack("!i", status))


def end_with(connection: socket.socket, process: subprocess.Popen[bytes]) -> None:
    """The process that asked for it is gone once the connection is closed from there."""
    with contextlib.suppress(OSError):
        connection.recv(1)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)


def start(words: list[str]) -> int:
    """The exit code of the command."""
    while words and words[0].startswith("-"):
        # `-x`, `-n`, `-q` and their like are for ssh.
        words = words[1:]
    host, *command = words
    # An account may come with it, and is ours anyway.
    address, port = place_of(host.rpartition("@")[2])
    text = " ".join(command).encode()
    with connect(address, port) as connection:
        ours = secrets.token_bytes(NONCE)
        connection.sendall(ours)
        theirs = receive(connection, NONCE)
        if not hmac.compare_digest(receive(connection, NONCE), proof(b"node", ours, theirs)):
            sys.exit(f"{host}: it does not know the secret of this job")
        connection.sendall(proof(b"start", ours, theirs, text) + struct.pack("!I", len(text)) + text)
        connection.settimeout(None)
        (status,) = struct.unpack("!i", receive(connection, 4))
    return int(status if status >= 0 else 128 - status)


def place_of(host: str) -> tuple[str, int]:
    nodes, addresses, ports = (
        os.environ[name].split(",") for name in ("DANLU_NODES", "DANLU_NODE_ADDRESSES", "DANLU_START_PORTS")
    )
    for node, address, port in zip(nodes, addresses, ports):  # noqa: B905 (the task's Python may be old)
        if host in (node, address):
            return address, int(port)
    sys.exit(f"{host}: it is no node of this job")


def connect(address: str, port: int) -> socket.socket:
    """The other node may be a moment later than we are."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return socket.create_connection((address, port), timeout=PATIENCE_S)
        except OSError as error:
            if time.monotonic() > deadline:
                sys.exit(f"{address}:{port}: {error}")
            time.sleep(0.1)


def proof(role: bytes, asked: bytes, answered: bytes, *more: bytes) -> bytes:
    with open(os.environ["DANLU_JOB_SECRET_FILE"], "rb") as file:
        key = hashlib.sha256(b"danlu remote start " + file.read()).digest()
    return hmac.new(key, role + asked + answered + b"".join(more), "sha256").digest()


def receive(connection: socket.socket, length: int) -> bytes:
    data = b""
    while len(data) < length:
        part = connection.recv(length - len(data))
        if not part:
            raise EOFError
        data += part
    return data


if __name__ == "__main__":
    main()
