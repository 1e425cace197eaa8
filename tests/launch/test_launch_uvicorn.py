"""What the door takes from uvicorn beyond its documented settings: an upgrade that lacks it is named here."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path
from typing import Any

import uvicorn

import danlu
from danlu.launch.door.connections import Connections, Limits
from danlu.launch.door.http_protocol import PromptHttp
from danlu.launch.door.http_server import HttpServer

SOURCE = Path(danlu.__file__).parent
DOOR = {"door/http_protocol.py", "door/http_server.py", "serve/server.py"}
OF_CONNECTION = ("app", "cycle", "flow", "loop", "pipeline", "scope", "timeout_keep_alive_task", "transport")
CALLED = (
    *("data_received", "pause_writing", "resume_writing", "connection_made", "connection_lost"),
    *("on_message_begin", "on_headers_complete", "on_body", "on_message_complete", "on_response_complete"),
    "send_400_response",
)
OF_FLOW = ("drain", "read_paused", "write_paused")
OF_CYCLE = (
    *("chunked_encoding", "disconnected", "flow", "more_body", "response_complete", "response_started"),
    *("scope", "transport", "waiting_for_100_continue"),
)
OF_SERVER = ("capture_signals", "config", "lifespan", "server_state", "shutdown", "should_exit", "startup")


class Wire(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return False

    def close(self) -> None:
        pass

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


async def test_uvicorn_has_what_the_door_takes_from_it():
    served = asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        served.set()

    server = HttpServer(uvicorn.Config(app, http=PromptHttp, log_config=None, lifespan="off", ws="none"))
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    assert missing(server, OF_SERVER) == []
    connection = server._make_protocol()
    seat = Connections(Limits()).admit("192.0.2.1")
    assert seat is not None
    connection.seat = seat
    assert missing(connection, CALLED) == []
    wire = Wire()
    connection.connection_made(wire)
    connection.data_received(b"GET / HTTP/1.1\r\nHost: danlu\r\n\r\n")
    assert missing(connection, OF_CONNECTION) == []
    assert missing(connection.flow, OF_FLOW) == []
    assert missing(connection.cycle, OF_CYCLE) == []
    async with asyncio.timeout(20):
        await served.wait()
    assert b"204" in b"".join(wire.written)
    connection.connection_lost(None)


def test_only_the_door_knows_uvicorn_and_none_of_its_private_names():
    for file in SOURCE.rglob("*.py"):
        tree = ast.parse(file.read_text())
        names = [
            name for node in ast.walk(tree) for name in imported(node) if name.split(".")[0] == "uvicorn"
        ]
        if names:
            assert file.relative_to(SOURCE / "launch").as_posix() in DOOR
        assert not [name for name in names if "._" in name], file
        private = {node.attr for node in ast.walk(tree) if names and is_private_of_parent(node)}
        assert not private, (file, private)


def missing(thing: object, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if not hasattr(thing, name)]


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def is_private_of_parent(node: ast.AST) -> bool:
    """`super()._name`: a method of uvicorn's that it keeps to itself."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr.startswith("_")
        and not node.attr.startswith("__")
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
        and node.value.func.id == "super"
    )
