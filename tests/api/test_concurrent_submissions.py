"""Two hundred clients submit at once, each several times with the same key: no duplicates, no loss."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from tests.support.installation import LiveServer
from tests.support.people import make_member

pytestmark = pytest.mark.e2e

CLIENTS = 200
REPEATS = 3


async def submit(client: httpx.AsyncClient, number: int, start: asyncio.Event) -> list[int]:
    await start.wait()
    fields = {"command": "true", "directory": "/tmp", "name": f"client {number}"}
    key = {"Idempotency-Key": f"key-{number}"}
    replies = await asyncio.gather(*(client.post("/jobs", json=fields, headers=key) for _ in range(REPEATS)))
    assert [reply.status_code for reply in replies] == [201] * REPEATS, [reply.text for reply in replies]
    return [reply.json()["id"] for reply in replies]


async def submit_all(server: LiveServer) -> list[list[int]]:
    limits = httpx.Limits(max_connections=CLIENTS, max_keepalive_connections=CLIENTS)
    headers = {"Authorization": f"Bearer {server.token}"}
    async with httpx.AsyncClient(
        base_url=f"{server.url}/api/v1", headers=headers, limits=limits, timeout=httpx.Timeout(60, pool=None)
    ) as client:
        start = asyncio.Event()
        submitting = [asyncio.create_task(submit(client, number, start)) for number in range(CLIENTS)]
        start.set()
        return await asyncio.gather(*submitting)


def test_two_hundred_clients_at_once(server):
    ids = asyncio.run(submit_all(server))
    assert all(len(set(same)) == 1 for same in ids), "one key made two jobs"
    assert len({same[0] for same in ids}) == CLIENTS, "two keys made one job"
    for same in ids:
        assert server.wait_ended(same[0], 120)["job"]["state"] == "succeeded"
    counts = server.http.get("/jobs", params={"limit": 1}).json()["counts"]
    assert counts == {"waiting": 0, "running": 0, "history": CLIENTS}
    assert "locked" not in server.log()
    assert "ERROR" not in server.log()


def test_a_key_with_other_fields_is_refused_and_names_the_job(server):
    key = {"Idempotency-Key": "mine"}
    first = server.http.post("/jobs", json={"command": "true"}, headers=key).json()["id"]
    refused = server.http.post("/jobs", json={"command": "false"}, headers=key)
    assert (refused.status_code, refused.json()["code"]) == (409, "key_reused")
    assert str(first) in refused.json()["message"]


def test_two_people_may_use_the_same_key(server):
    key = {"Idempotency-Key": "1"}
    ada = make_member(server, "ada")
    mine = server.http.post("/jobs", json={"command": "true"}, headers=key).json()["id"]
    theirs = ada.post("/jobs", json={"command": "false", "directory": "/tmp"}, headers=key)
    assert theirs.status_code == 201, theirs.text
    assert theirs.json()["id"] != mine
