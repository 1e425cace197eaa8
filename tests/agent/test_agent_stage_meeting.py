"""The tasks of a gang wait for each other's data, and all of them start or none."""

from __future__ import annotations

import socket
import threading
from typing import Any, cast

import pytest

from danlu.agent.keeper.spec import GangSpec
from danlu.agent.keeper.staging import meeting
from danlu.agent.keeper.staging.meeting import GangMeeting
from tests.support.installation import wait_until
from tests.support.ports import free_port

PROOF = "proof"


def a_gang(size: int) -> GangSpec:
    members = [{"address": "127.0.0.1"} for _ in range(size)]
    return cast(GangSpec, {"members": members, "port": free_port()})


def waiting(meeting: GangMeeting) -> threading.Thread:
    thread = threading.Thread(target=meeting.wait, daemon=True)
    thread.start()
    return thread


def all_go(threads: list[threading.Thread]) -> bool:
    return not any(thread.is_alive() for thread in threads)


def say(gang: Any, word: str) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", gang["port"]), 5)
    line.sendall(word.encode())
    return line


def test_all_go_when_the_last_is_ready_and_the_port_is_free_then() -> None:
    gang = a_gang(3)
    first = GangMeeting(gang, 0, PROOF)
    with pytest.raises(OSError, match="in use"), socket.socket() as another:
        another.bind(("127.0.0.1", gang["port"]))
    ready = [waiting(first), waiting(GangMeeting(gang, 2, PROOF))]
    say(gang, "1 wrong\n").close()
    assert not all_go(ready)
    ready.append(waiting(GangMeeting(gang, 1, PROOF)))
    wait_until(lambda: all_go(ready), 20, "their start")
    with socket.socket() as command:
        command.bind(("127.0.0.1", gang["port"]))


def test_who_did_not_hear_that_it_may_go_is_told_when_it_comes_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meeting, "_PARTING_S", 0.2)
    gang = a_gang(3)
    ready = [waiting(GangMeeting(gang, 0, PROOF)), waiting(GangMeeting(gang, 2, PROOF))]
    # Its line was forgotten by something in between: it hears nothing, and says nothing.
    deaf = say(gang, f"1 {PROOF}\n")
    wait_until(lambda: not ready[1].is_alive(), 20, "the start of rank 2")
    assert ready[0].is_alive(), "rank 0 keeps the port for the one that is missing"
    deaf.close()
    ready.append(waiting(GangMeeting(gang, 1, PROOF)))
    wait_until(lambda: all_go(ready), 20, "their start")


def test_nobody_waits_for_ever_for_one_that_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meeting, "_PARTING_S", 0.1)
    monkeypatch.setattr(meeting, "_SECOND_CHANCE_S", 0.3)
    gang = a_gang(2)
    first = waiting(GangMeeting(gang, 0, PROOF))
    with say(gang, f"1 {PROOF}\n"):
        wait_until(lambda: not first.is_alive(), 20, "its start")
