"""What the server serves of the web app: one page for every address, its parts, and nothing else."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import pytest

from danlu.api import web
from danlu.api.app import make_app
from danlu.api.front_door import FrontDoor
from danlu.api.proxy import Front

PAGE = '<base href="/" /><meta name="style-nonce" content="" /><script src="./assets/index-1.js"></script>'
SCRIPT = "console.log('丹炉')\n" * 100
SECRET = "what no client may read"


@pytest.fixture(autouse=True)
def static(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An app of a few files, with something beside it that is none of it."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "danlu.svg").write_text("<svg/>")
    (folder / ".made-of").write_text(SECRET)
    (tmp_path / "secret").write_text(SECRET)
    (folder / "assets" / "index-1.js").write_text(SCRIPT)
    (folder / "assets" / "index-1.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (folder / "assets" / "index-1.css").write_text("b{}")
    (folder / "assets" / "text-1.woff2").write_bytes(b"font")
    monkeypatch.setattr(web, "STATIC", folder)
    return folder


async def ask(path: str, method: str = "GET", front: Front | None = None, **headers: str) -> httpx.Response:
    """As a browser would, except that the path goes out as it is written here."""
    unused: Any = None
    front = front or Front()
    door = FrontDoor(make_app(unused, unused, lambda _stop_jobs: None, front), front)

    async def as_written(scope: Any, receive: Any, send: Any) -> None:
        await door({**scope, "path": unquote(path), "raw_path": path.encode()}, receive, send)

    transport = httpx.ASGITransport(as_written, client=("10.0.0.1", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://gpu.lab") as client:
        return await client.request(method, "/", headers={"accept-encoding": "identity", **headers})


def nonce_of(answer: httpx.Response) -> str:
    marked = re.search(r'name="style-nonce" content="([\w-]{16,})"', answer.text)
    assert marked, answer.text
    return marked.group(1)


@pytest.mark.parametrize(
    "path",
    ["/", "/jobs", "/jobs/17[3]/edit", "/nodes/n1", "/nowhere", "/apian", "/assets", "/a.b", "/%E4%B8%B9"],
)
async def test_every_address_is_the_page(path):
    answer = await ask(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert '<base href="/"' in answer.text


async def test_the_policy_lets_in_our_own_files_and_the_styles_of_this_page_alone():
    first, second = await ask("/"), await ask("/")
    assert nonce_of(first) != nonce_of(second)
    for answer in (first, second):
        policy = answer.headers["content-security-policy"]
        assert f"style-src-elem 'self' 'nonce-{nonce_of(answer)}'" in policy
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "script-src" not in policy
        assert "unsafe-eval" not in policy
        assert answer.headers.get_list("content-security-policy") == [policy]


@pytest.mark.parametrize(
    ("front", "path", "base"),
    [
        (Front(root_path="/danlu"), "/danlu/jobs/1", "/danlu/"),
        (Front(root_path="/danlu"), "/danlu/", "/danlu/"),
        (Front(root_path="/danlu"), "/jobs/1", "/"),
        (Front(root_path='/a"b'), '/a"b/', "/a&quot;b/"),
    ],
)
async def test_below_a_sub_path_the_page_knows_where_it_lies(front, path, base):
    answer = await ask(path, front=front)
    assert f'<base href="{base}"' in answer.text


async def test_parts_are_found_below_a_sub_path_too():
    answer = await ask("/danlu/assets/index-1.js", front=Front(root_path="/danlu"))
    assert answer.text == SCRIPT


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/assets/index-1.js", "text/javascript; charset=utf-8"),
        ("/assets/index-1.css", "text/css; charset=utf-8"),
        ("/assets/text-1.woff2", "font/woff2"),
    ],
)
async def test_a_part_is_what_it_says_it_is_and_is_kept_for_good(path, kind):
    answer = await ask(path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_the_icon_keeps_its_name_and_is_therefore_kept_for_a_while_only():
    answer = await ask("/danlu.svg")
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == (
        "image/svg+xml",
        "max-age=3600",
    )


@pytest.mark.parametrize(
    ("accepted", "compressed"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("deflate, gzip;q=1.0, *;q=0.5", True),
        ("identity", False),
        ("gzip;q=0", False),
        ("gzip; q=0.0", False),
        ("br", False),
        ("not-gzip", False),
    ],
)
async def test_a_part_is_sent_compressed_to_who_takes_it(accepted, compressed):
    answer = await ask("/assets/index-1.js", **{"accept-encoding": accepted})
    assert answer.text == SCRIPT
    assert answer.headers.get("content-encoding") == ("gzip" if compressed else None)
    assert (int(answer.headers["content-length"]) < len(SCRIPT.encode())) is compressed
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.headers["content-type"].startswith("text/javascript")


async def test_what_has_no_compressed_twin_is_sent_as_it_is():
    answer = await ask("/assets/index-1.css", **{"accept-encoding": "gzip"})
    assert (answer.text, answer.headers.get("content-encoding")) == ("b{}", None)


@pytest.mark.parametrize(
    "path",
    [
        "/assets/../.made-of",
        "/assets/../../secret",
        "/assets/%2e%2e/.made-of",
        "/assets/..%2f..%2fsecret",
        "/assets/..%2F.made-of",
        "/assets/%2e%2e%2f%2e%2e%2fsecret",
        "/assets/..%5c..%5csecret",
        "/assets/%252e%252e/.made-of",
        "/assets//etc/passwd",
        "/assets/%2fetc%2fpasswd",
        "/assets/index-1.js%00",
        "/assets/index-1.js/",
        "/assets/./index-1.js",
        "/assets/",
        "/assets/nothing.js",
        "/assets/index-1.js.gz",
        "/assets/index-0.js",
    ],
)
async def test_a_part_that_is_none_is_not_there(path):
    answer = await ask(path)
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_page")
    assert "immutable" not in answer.headers["cache-control"]


@pytest.mark.parametrize(
    "path", ["/../secret", "/.made-of", "/%2e%2e%2fsecret", "/index.html.gz", "//etc/passwd"]
)
async def test_no_address_leads_out_of_the_app(path):
    answer = await ask(path)
    assert SECRET not in answer.text
    assert "root:" not in answer.text
    assert '<base href="/"' in answer.text


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE"])
@pytest.mark.parametrize(
    "path",
    [
        *("/api", "/api/", "/api/v1", "/api/v1/nonsense", "/api/v2/jobs", "/metrics", "/metrics/cadvisor"),
        *("/health", "/health/db", "/ready/", "/healthz", "/.well-known/openid-configuration", "/robots.txt"),
    ],
)
async def test_a_call_that_there_is_not_is_never_the_page(path, method):
    answer = await ask(path, method)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/json"
    if method != "HEAD":
        assert answer.json()["code"] == "no_such_page"


async def test_a_call_asked_for_in_the_wrong_way_is_said_to_be_there():
    answer = await ask("/api/v1/auth/login")
    assert (answer.status_code, answer.json()["code"]) == (405, "wrong_method")


async def test_the_words_are_those_of_who_asks():
    answer = await ask("/assets/nothing.js", **{"accept-language": "zh-CN"})
    assert answer.json()["message"] == "/assets/nothing.js 不存在。"


@pytest.mark.parametrize("path", ["/", "/jobs/1", "/assets/index-1.js", "/danlu.svg"])
async def test_who_asks_for_the_head_gets_it(path):
    whole, head = await ask(path), await ask(path, "HEAD")
    assert head.status_code == 200
    for name in ("content-type", "content-length", "cache-control"):
        assert head.headers[name] == whole.headers[name]


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_the_page_is_only_looked_at(method):
    answer = await ask("/jobs/1", method)
    assert (answer.status_code, answer.json()["code"]) == (405, "wrong_method")
    assert answer.headers["allow"] == "GET, HEAD"


async def test_an_installation_without_the_app_says_so(static):
    (static / "index.html").unlink()
    answer = await ask("/")
    assert (answer.status_code, answer.json()["code"]) == (503, "no_web_app")
    assert "hatch_build" in answer.json()["hint"]
