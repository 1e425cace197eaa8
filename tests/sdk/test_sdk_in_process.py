"""Requests into an application without a socket, also into one that misbehaves."""

from __future__ import annotations

import asyncio
import contextlib
import threading

import pytest

from danlu.sdk.client import Client
from danlu.sdk.connecting.transport import Broken, Request
from danlu.sdk.errors import Unreachable
from danlu.sdk.in_process import InProcess

GET = Request("GET", "http://in-process/some%20where?a=1", {"X-Word": "hello"})


def opened(app):
    """A transport into an application that needs no opening."""

    @contextlib.asynccontextmanager
    async def open_app():
        yield app

    return InProcess(open_app)


async def echo(scope, receive, send):
    message = await receive()
    text = f"{scope['method']} {scope['path']} {scope['query_string'].decode()} "
    text += dict(scope["headers"]).get(b"x-word", b"").decode()
    await send({"type": "http.response.start", "status": 201, "headers": [(b"X-Size", b"7")]})
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
    await send({"type": "http.response.body", "body": message["body"]})


async def counting(scope, receive, send):
    """Sends numbers until the client wants no more."""
    await receive()
    gone = asyncio.create_task(receive())
    await send({"type": "http.response.start", "status": 200, "headers": []})
    number = 0
    try:
        while not gone.done():
            number += 1
            await send({"type": "http.response.body", "body": b"%d," % number, "more_body": True})
    finally:
        scope["state"].append(number)


async def crashing(scope, receive, send):
    raise RuntimeError("no answer")


def test_a_request_and_its_answer_arrive_whole():
    transport = opened(echo)
    reply = transport.send(GET)
    assert (reply.status, reply.headers, reply.body) == (201, {"x-size": "7"}, b"GET /some where a=1 hello")
    large = Request("POST", "http://in-process/", {}, b"x" * 1_000_000)
    assert transport.send(large).body == b"POST /  " + b"x" * 1_000_000
    transport.close()


def test_a_stream_waits_for_its_reader_and_ends_when_that_goes():
    sent = []

    async def app(scope, receive, send):
        await counting({**scope, "state": sent}, receive, send)

    transport = opened(app)
    stream = transport.open(GET)
    assert [stream.read_some() for _ in range(3)] == [b"1,", b"2,", b"3,"]
    stream.close()
    assert len(sent) == 1
    assert sent[0] < 100, "it did not run ahead"
    transport.close()


def test_an_application_that_gives_no_answer_is_a_broken_connection():
    transport = opened(crashing)
    with pytest.raises(Broken) as broken:
        transport.send(GET)
    assert broken.value.delivered
    with pytest.raises(Unreachable):
        Client("http://in-process", transport=transport, patience_s=0).jobs.list()
    transport.close()


def test_closing_ends_streams_that_somebody_reads():
    reading = threading.Event()

    async def silent(scope, receive, send):
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"one", "more_body": True})
        await receive()

    transport = opened(silent)
    stream = transport.open(GET)
    pieces = []

    def read():
        while piece := stream.read_some():
            pieces.append(piece)
            reading.set()

    reader = threading.Thread(target=read)
    reader.start()
    assert reading.wait(30)
    transport.close()
    reader.join(30)
    assert not reader.is_alive()
    assert pieces == [b"one"]
    with pytest.raises(Broken) as broken:
        transport.send(GET)
    assert not broken.value.delivered
    transport.close()


def test_an_application_that_cannot_be_opened_says_why():
    @contextlib.asynccontextmanager
    async def open_app():
        raise OSError("no disk")
        yield

    with pytest.raises(OSError, match="no disk"):
        InProcess(open_app)
    assert "danlu in process" not in [thread.name for thread in threading.enumerate()]
