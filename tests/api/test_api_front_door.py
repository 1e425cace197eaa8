"""What the front door lets in, and what it adds to answers."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse

from danlu.api.front_door import FrontDoor
from danlu.api.proxy import Front


async def show(scope: Any, receive: Any, send: Any) -> None:
    said = f"{scope['client'][0]} {scope['scheme']} {scope['root_path']} {scope['path']}"
    await PlainTextResponse(said, headers={"Cache-Control": "no-cache"})(scope, receive, send)


async def ask(front: Front, url: str, method: str = "GET", **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(FrontDoor(show, front), client=("127.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport) as client:
        return await client.request(method, url, headers=headers)


@pytest.mark.parametrize(
    ("strict", "scheme", "expected"),
    [(True, "https", "max-age=15552000"), (True, "http", None), (False, "https", None)],
)
async def test_browsers_are_bound_to_https_only_where_that_was_decided(strict, scheme, expected):
    answer = await ask(Front(strict_transport=strict), f"{scheme}://gpu.lab/")
    assert answer.headers.get("strict-transport-security") == expected


async def test_what_an_answer_says_itself_is_left():
    answer = await ask(Front(), "http://gpu.lab/")
    assert answer.headers.get_list("cache-control") == ["no-cache"]
    assert answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"


async def test_two_host_names_are_none():
    front = Front(names=frozenset({"gpu.lab"}))
    transport = httpx.ASGITransport(FrontDoor(show, front))
    async with httpx.AsyncClient(transport=transport) as client:
        both = [("Host", "gpu.lab"), ("Host", "gpu.lab")]
        assert (await client.get("http://gpu.lab/", headers=both)).status_code == 421
        assert (await client.get("http://gpu.lab/")).status_code == 200


@pytest.mark.parametrize(("method", "status"), [("GET", 200), ("POST", 403), ("DELETE", 403), ("PATCH", 403)])
async def test_pages_of_other_sites_may_look_but_change_nothing(method, status):
    answer = await ask(Front(), "http://gpu.lab/", method, Origin="http://evil.example")
    assert answer.status_code == status


async def test_the_bare_sub_path_leads_to_its_slash():
    answer = await ask(Front(root_path="/danlu"), "http://gpu.lab/danlu")
    assert (answer.status_code, answer.headers["location"]) == (308, "/danlu/")
