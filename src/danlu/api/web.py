"""Serves the web app out of the package: one page for every address, and its parts by name."""

from __future__ import annotations

import html
import secrets
from functools import cache
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import FileResponse, HTMLResponse
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from danlu.core.errors import NotFound, Unavailable

STATIC = Path(__file__).parent.parent / "static"

FOR_PROGRAMS = frozenset(
    (
        *("api", "health", "healthz", "live", "livez", "metrics", "ping", "ready", "readyz", "status"),
        *(".well-known", "favicon.ico", "openapi.json", "robots.txt"),
    )
)

FOREVER = "public, max-age=31536000, immutable"
"""For parts whose name changes with their content."""
AN_HOUR = "max-age=3600"
WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
"""What a script may do that a page runs as a worker: it has the policy of its own file, not the page's."""
TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


def serve_web(app: FastAPI) -> None:
    """Have every address that no route answers, and no program asks for, answered by the web app."""
    nothing = app.router.not_found

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        if scope["type"] != "http" or not is_place(path):
            await nothing(scope, receive, send)
            return
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        await _find(Request(scope), path)(scope, receive, send)

    app.router.default = answer


def is_place(path: str) -> bool:
    """Whether the web app may know an address, as it does not those that programs ask for: who looks for
    numbers, or for a file, must not be told that a page is that."""
    return path.removeprefix("/").partition("/")[0] not in FOR_PROGRAMS


def content_policy(nonce: str) -> str:
    """Scripts are files of ours; style sheets too, or made by the app itself and marked with this number."""
    return (
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; "
        f"style-src-elem 'self' 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; "
        "frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
    )


def _find(request: Request, path: str) -> Response:
    if path.startswith("/assets/"):
        return _file(request, path[1:], FOREVER)
    if path.startswith("/danlu") and path.endswith(".svg"):
        return _file(request, path[1:], AN_HOUR)
    return _page(request.scope.get("root_path", ""))


def _page(root_path: str) -> Response:
    """The app, whatever its address: it finds its way itself."""
    nonce = secrets.token_urlsafe(16)
    base = html.escape(root_path + "/", quote=True)
    text = (
        _page_text(STATIC)
        .replace('<base href="/"', f'<base href="{base}"')
        .replace('name="style-nonce" content=""', f'name="style-nonce" content="{nonce}"')
    )
    headers = {"Content-Security-Policy": content_policy(nonce), "Cache-Control": "no-cache"}
    return HTMLResponse(text, headers=headers)


def _file(request: Request, name: str, keep: str) -> Response:
    if name not in _parts(STATIC):
        raise NotFound("no_such_page", path=f"/{name}")
    options: dict[str, Any] = {
        "media_type": TYPES.get(Path(name).suffix, "application/octet-stream"),
        "headers": {"Cache-Control": keep, "Vary": "Accept-Encoding"},
    }
    if name.endswith(".js"):
        options["headers"]["Content-Security-Policy"] = WORKER_POLICY
    if _parts(STATIC)[name] and _takes_gzip(request.headers.get("accept-encoding", "")):
        options["headers"]["Content-Encoding"] = "gzip"
        return FileResponse(STATIC / f"{name}.gz", **options)
    return FileResponse(STATIC / name, **options)


def _takes_gzip(accepted: str) -> bool:
    for each in accepted.lower().split(","):
        coding, _, weight = each.partition(";")
        if coding.strip() in ("gzip", "x-gzip"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


@cache
def _page_text(folder: Path) -> str:
    try:
        return (folder / "index.html").read_text("utf-8")
    except FileNotFoundError:
        raise Unavailable("no_web_app") from None


@cache
def _parts(folder: Path) -> dict[str, bool]:
    """The names that may be asked for (no other leads anywhere), and whether each is there compressed too."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return {name: f"{name}.gz" in found for name in found if not name.endswith(".gz")}
