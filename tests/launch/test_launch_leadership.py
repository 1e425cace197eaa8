"""Who may lead, by one's own clock, and what servers tell each other."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.core.errors import Unavailable
from danlu.launch import leadership
from danlu.launch.door.forwarded_request import SKEW_S, ForwardedRequest, seal, unseal
from danlu.launch.leadership import Address, LeaderLease, Vigil, boot_time
from danlu.store.leadership import Leader

LEADER = Leader(7, "danlu one pid 12 aaaaaaaa1234", "http://one", "one:1", 100.0, 100.0)


def test_a_leader_is_succeeded_once_it_was_silent_for_its_lease() -> None:
    vigil = Vigil("bbbbbbbb", "two", 8.0)
    assert not vigil.note(LEADER, 50.0)
    assert not vigil.note(LEADER, 58.0)
    assert not vigil.note(replace(LEADER, renewed_at=102.0), 58.1)
    assert not vigil.note(replace(LEADER, renewed_at=102.0), 66.1)
    assert vigil.note(replace(LEADER, renewed_at=102.0), 66.7)


def test_nobody_waits_for_who_is_known_to_be_gone() -> None:
    assert Vigil("bbbbbbbb", "two", 8.0).note(None, 1.0)
    assert Vigil("bbbbbbbb", "two", 8.0).note(replace(LEADER, holder=""), 1.0)
    # Of the same data folder, whose lock we have.
    assert Vigil("aaaaaaaa", "one", 8.0).note(LEADER, 1.0)
    assert not Vigil("aaaaaaaa", "a copy of one", 8.0).note(LEADER, 1.0)


@given(
    renewals=st.lists(st.floats(0.1, 6.0), max_size=12),
    looks=st.lists(st.floats(0.1, 3.0), min_size=30, max_size=60),
    delay=st.floats(0.0, 2.0),
)
def test_no_standby_begins_before_the_leader_has_ended(
    renewals: list[float], looks: list[float], delay: float
) -> None:
    """The leader counts from before it asked, the standby from after it saw, however late the answer was."""
    lease_s, now, until = 8.0, 0.0, 8.0
    written = [(0.0, 0.0)]
    for pause in renewals:
        now += pause
        if now >= until:
            break
        until = now + lease_s
        written.append((now + min(delay, until - now), now))
    vigil, at = Vigil("bbbbbbbb", "two", lease_s), 0.0
    for pause in looks:
        at += pause
        seen = max((stored for stored in written if stored[0] <= at), default=None)
        if seen is not None and vigil.note(replace(LEADER, renewed_at=seen[1]), at):
            assert at >= until
            return


class DeafDatabase:
    """Answers every renewal in the same way."""

    def __init__(self, answer: Exception | None) -> None:
        self.answer = answer
        self.asked = 0

    async def write(self, _command: object) -> None:
        self.asked += 1
        if self.answer is not None:
            raise self.answer


async def keep(lease: LeaderLease, database: DeafDatabase) -> None:
    await lease.keep(database, 7, lambda: Address("http://one"))  # type: ignore[arg-type]


@pytest.mark.parametrize("code", ["not_leading", "database_taken"])
async def test_a_lease_ends_at_once_when_another_leads(code: str) -> None:
    lease, database = LeaderLease(60.0, boot_time()), DeafDatabase(Unavailable(code))
    assert lease.holds()
    await keep(lease, database)
    assert not lease.holds()
    assert database.asked == 1


async def test_a_lease_ends_by_the_clock_when_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leadership, "RETRY_S", 0.01)
    lease, database = LeaderLease(0.2, boot_time()), DeafDatabase(Unavailable("database_unreachable"))
    await keep(lease, database)
    assert not lease.holds()
    assert database.asked > 1


def test_a_lease_that_ran_out_while_we_slept_does_not_hold() -> None:
    assert not LeaderLease(8.0, boot_time() - 8.1).holds()


PASSED = ForwardedRequest("192.0.2.7", "https", "gpu.lab", "/danlu", "li")


def test_what_a_server_says_is_believed_as_it_was_said() -> None:
    header = seal("secret", PASSED, "POST", "/api/v1/jobs?a=1", 1000.0)
    assert unseal("secret", header, "POST", "/api/v1/jobs?a=1", 1000.0 + SKEW_S) == PASSED


@pytest.mark.parametrize(
    ("secret", "method", "target", "now"),
    [
        ("other", "POST", "/a", 1000.0),
        ("secret", "DELETE", "/a", 1000.0),
        ("secret", "POST", "/b", 1000.0),
        ("secret", "POST", "/a", 1000.0 + SKEW_S + 1),
    ],
)
def test_and_for_nothing_else(secret: str, method: str, target: str, now: float) -> None:
    header = seal("secret", PASSED, "POST", "/a", 1000.0)
    assert unseal(secret, header, method, target, now) is None


@given(st.binary(max_size=80))
def test_nonsense_is_not_believed(header: bytes) -> None:
    assert unseal("secret", header, "GET", "/", 1000.0) is None
