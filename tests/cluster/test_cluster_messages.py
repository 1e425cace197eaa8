"""The messages' server as `danlu up --cluster` runs it: settings that it would refuse never reach it."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from danlu.cluster.keys import make_seed, public_key_of
from danlu.cluster.nats_config import render
from danlu.core.nodes.member import Member
from danlu.launch.cluster import nats_process
from danlu.launch.cluster.nats_process import MessagesServer, NoMessages, find_binary
from danlu.launch.detached import MESSAGES_LOCK, stop_holder, take_lock
from tests.cluster.story import eventually
from tests.support.messages import certificate_and_key
from tests.support.ports import free_port


class Messages:
    def __init__(self, data: Path) -> None:
        self.members: list[Member] = []
        self.more = ""
        self.server_key = public_key_of(make_seed())
        self.watch_key = public_key_of(make_seed())
        binary = find_binary()
        assert binary is not None
        self.server = MessagesServer(data, free_port(), binary, self._render)
        self.server.prepare(*certificate_and_key())

    def _render(self) -> str:
        settings = render(
            listen=f"127.0.0.1:{self.server.port}",
            certificate_file=self.server.certificate_file,
            key_file=self.server.key_file,
            server_key=self.server_key,
            watch_key=self.watch_key,
            members=self.members,
            log_file=self.server.log_file,
        )
        return settings + self.more

    def add_member(self, key: str) -> None:
        self.members.append(Member(f"m{len(self.members)}", f"n{len(self.members)}", key))

    @property
    def config(self) -> str:
        return (self.server.folder / "nats.conf").read_text()

    @property
    def said(self) -> str:
        return self.server.log_file.read_text()

    async def reload(self) -> None:
        self.server.reload()
        assert self.server._reloading is not None
        await self.server._reloading


@pytest.fixture
async def messages(tmp_path: Path) -> AsyncIterator[Messages]:
    made = Messages(tmp_path)
    try:
        yield made
    finally:
        await asyncio.to_thread(stop_holder, tmp_path / MESSAGES_LOCK)
        for child in made.server._children:
            child.wait()


async def test_what_it_would_not_take_never_replaces_what_it_has(
    messages: Messages, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await messages.server.start()
    good = messages.config
    messages.add_member("U" + "A" * 55)
    await messages.reload()
    assert messages.config == good
    assert "goes on with its old settings" in caplog.text
    # Also after it ended: the nodes of before are served.
    await asyncio.to_thread(stop_holder, messages.server._lock)
    await messages.server.start()
    with socket.create_connection(("127.0.0.1", messages.server.port), 5):
        pass
    messages.members.clear()
    messages.add_member(key := public_key_of(make_seed()))
    await messages.reload()
    assert key in messages.config
    await eventually(lambda: "Reloaded server configuration" in messages.said)
    # Fit to start with, and not to be taken up meanwhile.
    monkeypatch.setattr(nats_process, "RELOAD_S", 0.3)
    messages.more = 'server_name: "another"\n'
    with caplog.at_level(logging.ERROR):
        await messages.reload()
        await eventually(lambda: "did not take its settings" in caplog.text)


async def test_with_bad_settings_and_no_others_it_does_not_start(messages: Messages) -> None:
    messages.add_member("no key")
    with pytest.raises(NoMessages):
        await messages.server.start()


async def test_who_has_not_said_its_number_is_not_signalled(
    messages: Messages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Number 0 would mean the whole group of processes that the server is in."""
    signalled: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: signalled.append(pid))
    lock = take_lock(messages.server._lock)
    try:
        await messages.reload()
    finally:
        os.close(lock)
    assert signalled == []
