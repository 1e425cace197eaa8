"""One wish for all jobs that a filter means: counted, carried out by the server, stopped, taken back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from danlu.sdk.client import Client
from tests.support.installation import LiveServer, live_server, wait_until
from tests.support.people import make_member

pytestmark = pytest.mark.e2e
JOBS = 230


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    data: Path = tmp_path_factory.mktemp("bulk") / "danlu"
    with live_server(data, "--simulate", "1x1") as running:
        running.wait_state(running.submit("sleep 1000", name="holds the GPU", gpus=1), "running")
        yield running


@pytest.fixture(scope="module")
def li(server: LiveServer) -> httpx.Client:
    return make_member(server, "li")


def submit_many(client: httpx.Client, name: str, count: int) -> list[int]:
    jobs = [{"command": "true", "directory": "/tmp", "gpus": 1, "name": f"{name}-{n}"} for n in range(count)]
    reply = client.post("/jobs/batch", json={"jobs": jobs})
    assert reply.status_code == 201, reply.text
    return list(reply.json()["ids"])


def begin(client: httpx.Client, action: str, **asked: Any) -> dict[str, Any]:
    more = {name: asked.pop(name) for name in ("up_to", "now") if name in asked}
    reply = client.post("/bulk-actions", json={"action": action, "filter": asked, **more})
    assert reply.status_code == 202, reply.text
    return dict(reply.json())


def see_through(client: httpx.Client, bulk: dict[str, Any]) -> dict[str, Any]:
    latest = bulk

    def is_over() -> bool:
        nonlocal latest
        latest = client.get(f"/bulk-actions/{bulk['id']}").json()
        return latest["state"] != "running"

    wait_until(is_over)
    return latest


def states(client: httpx.Client, search: str) -> Counter[str]:
    found = client.get("/jobs", params={"search": search, "limit": 1000}).json()["jobs"]
    return Counter(job["state"] for job in found)


def test_a_tag_is_a_filter_too(server: LiveServer, li: httpx.Client) -> None:
    tagged = [
        li.post(
            "/jobs", json={"command": "true", "directory": "/tmp", "gpus": 1, "tags": {"project": name}}
        ).json()["id"]
        for name in ("vit", "gpt")
    ]
    page = li.get("/jobs", params={"tag": "project=vit"}).json()
    assert [(job["id"], job["tags"]) for job in page["jobs"]] == [(tagged[0], {"project": "vit"})]
    assert page["counts"]["waiting"] == 1
    # Every user sees them, as they see the name; the owner's fields stay the owner's.
    others = make_member(server, "mo").get(f"/jobs/{tagged[0]}").json()
    assert (others["job"]["tags"], others["fields"]) == ({"project": "vit"}, None)
    see_through(li, begin(li, "hold", tag="project=vit"))
    assert [li.get(f"/jobs/{job}").json()["job"]["state"] for job in tagged] == ["held", "waiting"]


def test_all_that_match_and_are_theirs_are_acted_on_and_it_can_be_undone(
    server: LiveServer, li: httpx.Client
) -> None:
    ids = submit_many(li, "sweep", JOBS)
    submit_many(server.http, "sweep", 3)
    assert li.post(f"/jobs/{ids[0]}/hold").status_code == 200
    asked = {"area": "waiting", "search": "sweep"}
    matching = li.get("/bulk-actions/matching", params=asked).json()
    assert (matching["total"], matching["yours"]) == (JOBS + 3, {"waiting": JOBS - 1, "held": 1})
    late = submit_many(li, "sweep-late", 1)[0]

    first = begin(li, "hold", **asked, up_to=matching["up_to"])
    again = li.post("/bulk-actions", json={"action": "hold", "filter": asked, "up_to": matching["up_to"]})
    assert again.json()["id"] == first["id"] or first["state"] != "running"
    held = see_through(li, first)
    assert (held["state"], held["total"], held["done"], held["skipped"], held["refused"]) == (
        "done",
        JOBS - 1,
        JOBS - 1,
        1,
        0,
    )
    assert states(li, "sweep") == {"held": JOBS, "waiting": 4}
    assert li.get(f"/jobs/{late}").json()["job"]["state"] == "waiting"

    # No other member may look at it, stop it or take it back.
    for path in ("", "/stop", "/undo"):
        method = "GET" if not path else "POST"
        assert server.http.request(method, f"/bulk-actions/{first['id']}{path}").status_code == 404
    undone = see_through(li, li.post(f"/bulk-actions/{first['id']}/undo").json())
    assert (undone["action"], undone["done"], undone["undoes"]) == ("release", JOBS - 1, first["id"])
    # The one that was held before stays held.
    assert states(li, "sweep") == {"held": 1, "waiting": JOBS + 3}

    ended = see_through(li, begin(li, "cancel", search="sweep"))
    assert (ended["done"], ended["refused"], ended["undoable"]) == (JOBS + 1, 0, False)
    assert li.post(f"/bulk-actions/{ended['id']}/undo").status_code == 409
    assert li.get("/bulk-actions").json()[0]["id"] == ended["id"]


def test_refusals_are_grouped_by_their_reason(server: LiveServer, li: httpx.Client) -> None:
    first, *others = submit_many(li, "chain", 3)
    waits = {"command": "true", "directory": "/tmp", "name": "chain-after", "after": [first]}
    assert li.post("/jobs", json=waits).status_code == 201
    assert server.http.post(f"/jobs/{first}/move", json={"position": 1}).status_code == 200
    running = submit_many(server.http, "chain-root", 1)
    missing = {"command": "true", "directory": "/tmp/not-there-any-more", "name": "chain-gone", "hold": True}
    assert [li.post("/jobs", json=missing).status_code for _ in range(2)] == [201, 201]
    copied = see_through(li, begin(li, "resubmit", search="chain", state="held"))
    assert (copied["done"], copied["refused"]) == (0, 2)
    [refusal] = copied["refusals"]
    assert (refusal["count"], len(refusal["refs"])) == (2, 2)
    assert "not-there-any-more" in refusal["message"]
    for each in (*others, *running, first):
        server.http.post(f"/jobs/{each}/cancel")


def test_it_can_be_stopped_and_one_is_under_way_at_a_time(li: httpx.Client) -> None:
    submit_many(li, "halt", JOBS)
    under_way = begin(li, "hold", search="halt")
    other = li.post("/bulk-actions", json={"action": "cancel", "filter": {"search": "halt"}})
    assert other.status_code == 409, other.text
    assert li.post(f"/bulk-actions/{under_way['id']}/stop").status_code == 200
    stopped = see_through(li, under_way)
    assert stopped["state"] == "stopped"
    assert stopped["done"] < JOBS
    assert states(li, "halt")["held"] == stopped["done"]
    see_through(li, begin(li, "delete", search="halt"))
    assert states(li, "halt") == {}


def test_what_has_ended_is_not_looked_through_for_a_cancel(server: LiveServer, li: httpx.Client) -> None:
    ids = submit_many(li, "ended", 3)
    see_through(li, begin(li, "cancel", search="ended"))
    waiting = submit_many(li, "ended-not", 2)
    everything = li.get("/bulk-actions/matching", params={"search": "ended"}).json()
    assert everything["yours"] == {"cancelled": 3, "waiting": 2}
    to_cancel = li.get("/bulk-actions/matching", params={"search": "ended", "action": "cancel"}).json()
    assert (to_cancel["total"], to_cancel["yours"]) == (2, {"waiting": 2})
    done = see_through(li, begin(li, "cancel", search="ended"))
    assert (done["total"], done["done"], done["skipped"]) == (2, 2, 0)
    assert states(li, "ended") == {"cancelled": len(ids + waiting)}


def test_the_command_line_and_programs_see_it_through(server: LiveServer) -> None:
    submit_many(server.http, "sweep-of-mine", JOBS)
    with Client(data=server.data) as client:
        begun = client.bulk_actions.begin("hold", mine=True, name="sweep-of-mine")
        steps = list(client.bulk_actions.watch(begun.id))
        assert (steps[-1].state, steps[-1].done) == ("done", JOBS)
        assert [step.done for step in steps] == sorted(step.done for step in steps)
        undone = client.bulk_actions.undo(begun.id)
        *_, last = client.bulk_actions.watch(undone.id)
        assert (last.action, last.done) == ("release", JOBS)
        assert [row.id for row in client.bulk_actions.list()][:2] == [undone.id, begun.id]
    done = server.cli("cancel", "--mine", "--name", "sweep-of-mine", "--yes")
    assert (done.returncode, done.stdout) == (0, f"Cancelled: {JOBS}\n"), done.stderr
    assert states(server.http, "sweep-of-mine") == {"cancelled": JOBS}


def test_a_restart_ends_it_and_says_so(server: LiveServer, li: httpx.Client) -> None:
    submit_many(li, "restart", JOBS)
    under_way = begin(li, "hold", search="restart")
    server.stop()
    server.start()
    li = server.client(li.headers["Authorization"].removeprefix("Bearer "))
    asked = li.get(f"/bulk-actions/{under_way['id']}")
    assert asked.status_code == 404
    assert "ends a bulk action" in asked.json()["hint"]
    see_through(li, begin(li, "hold", search="restart"))
    assert states(li, "restart") == {"held": JOBS}


def test_viewers_act_on_nothing(server: LiveServer) -> None:
    viewer = make_member(server, "gast", role="viewer")
    refused = viewer.post("/bulk-actions", json={"action": "cancel", "filter": {}})
    assert refused.status_code == 403
