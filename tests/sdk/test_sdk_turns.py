"""Several servers of one installation: whichever is there is asked, and nothing is done twice."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from danlu.sdk import api
from danlu.sdk.client import Client
from danlu.sdk.connecting import http_transport
from danlu.sdk.connecting.connection import locate, read_servers
from danlu.sdk.connecting.profiles import Profile, ServerPlace, profiles_path, read_profiles, write_profiles
from danlu.sdk.errors import ApiError, NoneReachable, NotEncrypted, Unanswered, Unreachable
from danlu.sdk.in_job import locate_from_job
from tests.sdk.servers import DroppingServer, HungServer, RecordingServer, event, hung_server, problem
from tests.support.ports import free_port

KEY = "SHA256:" + "A" * 43
VERSION = {"name": "danlu", "version": "1", "api": "v1"}
STANDING_BY = problem("no_leader", 503)


@pytest.fixture
def second() -> Iterator[RecordingServer]:
    rules = {
        "GET /version": VERSION,
        "POST /jobs": {"id": 7},
        "POST /jobs/7/cancel": {},
        "GET /events": [event("hello", {}), event("node.up", {"id": 3}, 3)],
    }
    with RecordingServer(rules=rules) as running:
        yield running


def a_client(*servers: RecordingServer | HungServer | str, patience_s: float = 5.0) -> Client:
    urls = [server if isinstance(server, str) else server.url for server in servers]
    return Client(",".join(urls), "t", patience_s=patience_s)


def nowhere() -> str:
    return f"http://127.0.0.1:{free_port()}"


def test_the_next_one_is_asked_when_the_first_is_not_there_and_stays_the_one(second):
    away = nowhere()
    client = a_client(away, second)
    assert client.service.version().version == "1"
    assert client.server.url == second.url
    with RecordingServer(int(away.rpartition(":")[2])) as back:
        assert client.service.version().version == "1"
        assert back.seen == []
    assert second.asked("GET /version")[0].headers["authorization"] == "Bearer t"


def test_one_that_goes_away_is_passed_over_and_asked_again_when_the_other_goes(second):
    first = RecordingServer(rules={"GET /version": {**VERSION, "version": "2"}})
    client = a_client(first, second)
    assert client.service.version().version == "2"
    port = first.port
    first.close()
    client.close()
    assert client.service.version().version == "1"
    second.close()
    client.close()
    with RecordingServer(port, rules={"GET /version": {**VERSION, "version": "2"}}):
        assert client.service.version().version == "2"


def test_a_submission_that_was_cut_short_is_repeated_elsewhere_under_the_same_key(second):
    with DroppingServer(1) as first:
        client = a_client(first, second)
        assert client.jobs.submit({"command": "true"}).id == 7
        keys = [server.asked("POST /jobs")[0].headers["idempotency-key"] for server in (first, second)]
    assert keys[0] == keys[1]


def test_what_may_have_been_done_is_not_done_elsewhere(second):
    with DroppingServer(1) as first, pytest.raises(Unreachable) as cut:
        a_client(first, second).api.call("POST", "/jobs/7/cancel")
    assert cut.value.url == first.url
    assert second.seen == []


def test_when_none_answers_each_is_named():
    urls = [nowhere(), nowhere()]
    with pytest.raises(NoneReachable) as none:
        a_client(*urls).service.version()
    assert list(none.value.tried) == urls
    assert all(url in str(none.value) for url in urls)
    with pytest.raises(NoneReachable) as none:
        list(a_client(*urls).service.events())
    assert list(none.value.tried) == urls


def test_all_that_are_gone_are_waited_for_in_turn(second):
    away = nowhere()
    client = a_client(away, second, patience_s=0.4)
    client.service.version()
    second.close()
    client.close()
    with pytest.raises(NoneReachable) as none:
        client.service.version()
    assert set(none.value.tried) == {away, second.url}


def test_a_stream_is_had_from_whoever_is_there(second):
    events = a_client(nowhere(), second).service.events
    stream = follow_first(second, events)
    assert stream == ["node.up"]


def follow_first(server: RecordingServer, events) -> list[str]:
    row = {"id": 3, "at": 0, "kind": "node.up", "job": None, "attempt": None, "node": "n", "actor": None}
    server.on("GET /events", [event("hello", {}), event("node.up", {**row, "data": {}}, 3)])
    return [next(iter(events())).kind]


def test_one_that_stands_by_and_finds_no_leader_is_passed_over(second):
    rules = dict.fromkeys(("GET /version", "POST /jobs/7/cancel", "GET /events"), STANDING_BY)
    with RecordingServer(rules=rules) as first:
        assert a_client(first, second).service.version().version == "1"
        # It says that nothing was done.
        a_client(first, second).api.call("POST", "/jobs/7/cancel")
        assert follow_first(second, a_client(first, second).service.events) == ["node.up"]
        with RecordingServer(rules=rules) as third, pytest.raises(ApiError) as refused:
            a_client(first, third, patience_s=0.2).service.version()
    assert refused.value.problem.code == "no_leader"


def test_what_a_lost_leader_may_have_done_is_repeated_only_if_that_is_harmless(second):
    lost = problem("leader_lost", 503)
    with RecordingServer(rules={"POST /jobs": lost, "POST /jobs/7/cancel": lost}) as first:
        client = a_client(first, second)
        with pytest.raises(ApiError):
            client.api.call("POST", "/jobs/7/cancel")
        assert second.seen == []
        assert client.jobs.submit({"command": "true"}).id == 7


def test_whoever_does_not_prove_its_key_is_told_nothing_and_not_passed_over(second):
    with pytest.raises(NotEncrypted):
        a_client(nowhere(), f"{second.url}#{KEY}", second).service.version()
    assert second.seen == []


def test_one_without_its_key_is_not_the_one_that_stays(second):
    away = nowhere()
    client = a_client(away, f"{second.url}#{KEY}")
    for ask in (client.service.version, lambda: list(client.service.events())):
        for _ in range(2):
            with pytest.raises(NotEncrypted):
                ask()
    with RecordingServer(int(away.rpartition(":")[2]), rules={"GET /version": VERSION}):
        assert client.service.version().version == "1"
    assert second.seen == []


def test_addresses_carry_their_fingerprints(tmp_path: Path):
    text = f" https://a:7322/#{KEY}, http://b:1 ,"
    first = read_servers(text, "t")
    assert (first.url, first.fingerprint, first.token) == ("https://a:7322", KEY, "t")
    assert [(other.url, other.fingerprint, other.token) for other in first.others] == [
        ("http://b:1", None, "t")
    ]
    (tmp_path / "secret").write_text("job_1-1-ab\n")
    place = {"DANLU_SERVER": "https://a:7322", "DANLU_JOB_SECRET_FILE": str(tmp_path / "secret")}
    # A node of the last version names all in the one variable.
    for told in ({"DANLU_SERVERS": text}, {"DANLU_SERVER": text}):
        find = locate_from_job({**place, **told})
        assert find is not None
        assert [(other.url, other.token) for other in find().others] == [("http://b:1", "job_1-1-ab")]
    for bad in ("", " , ", "https://a#nonsense"):
        with pytest.raises(ValueError, match=r".*"):
            read_servers(bad)


def test_a_login_keeps_the_others(tmp_path: Path):
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "share")}
    path = profiles_path(home)
    profile = Profile(
        "https://a:1", "li", "t", KEY, (ServerPlace("https://b:1", KEY), ServerPlace("https://c:1"))
    )
    write_profiles(path, read_profiles(path).with_profile("lab", profile))
    assert read_profiles(path).profiles["lab"] == profile
    server = locate(home)()
    found = [(each.url, each.fingerprint, each.token, each.profile) for each in (server, *server.others)]
    assert found == [
        ("https://a:1", KEY, "t", "lab"),
        ("https://b:1", KEY, "t", "lab"),
        ("https://c:1", None, "t", "lab"),
    ]


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorter than usual, so that the tests are quick."""
    monkeypatch.setattr(api, "FIRST_BYTE_S", 1.5)
    monkeypatch.setattr(api, "LAST_BYTE_S", 1.5)
    monkeypatch.setattr(http_transport, "STREAM_SILENCE_S", 1.5)


@pytest.mark.usefixtures("hurried")
def test_one_that_hangs_is_passed_over_whether_it_was_met_before_or_not(second):
    with hung_server(**{"GET /version": {**VERSION, "version": "2"}}) as first:
        known, new = a_client(first, second), a_client(first, second)
        assert known.service.version().version == "2"
        first.hang()
        # Over the connection that lies ready, and over a new one, which the kernel still takes in.
        assert known.service.version().version == "1"
        assert new.jobs.submit({"command": "true"}).id == 7
        assert known.server.url == new.server.url == second.url


@pytest.mark.usefixtures("hurried")
def test_what_one_that_hangs_may_have_done_is_said_to_be_unknown_and_the_next_is_asked_then(second):
    with hung_server() as first:
        first.hang()
        client = a_client(first, second)
        with pytest.raises(Unanswered) as unknown:
            client.api.call("POST", "/jobs/7/cancel")
        assert unknown.value.url == first.url
        assert second.seen == []
        assert client.service.version().version == "1"


@pytest.mark.usefixtures("hurried")
def test_a_stream_that_falls_silent_is_resumed_elsewhere(second):
    row = {"at": 0, "kind": "node.up", "job": None, "attempt": None, "node": "n", "actor": None, "data": {}}
    second.on("GET /events", [event("hello", {}), event("node.up", {**row, "id": 4}, 4)])

    def fall_silent(_):
        yield event("hello", {})
        yield event("node.up", {**row, "id": 3}, 3)
        silence.wait(60)

    silence = threading.Event()
    with RecordingServer(rules={"GET /events": fall_silent}) as first:
        events = iter(a_client(first, second).service.events())
        assert [next(events).id, next(events).id] == [3, 4]
        silence.set()
    assert second.asked("GET /events")[0].headers["last-event-id"] == "3"


def test_a_submission_goes_on_asking_while_nobody_leads(second):
    lost, none = problem("leader_lost", 503), problem("no_leader", 503)
    second.on("POST /jobs", none, {"id": 7})
    with RecordingServer(rules={"POST /jobs": lost}) as first:
        assert a_client(first, second).jobs.submit({"command": "true"}).id == 7
    assert len({seen.headers["idempotency-key"] for seen in second.asked("POST /jobs")}) == 1
