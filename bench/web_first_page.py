"""The first page of the web app, with an empty cache: bytes over the wire, and how soon it can be used."""

from __future__ import annotations

import os
import shutil
import urllib.request
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from typing import Any

from harness import CannotRun, Options, Report, at_most, median, run, table
from installation import Installation, installation

TARGET_KB = 450.0
TARGET_S = 1.5
VISITS = 7
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

USABLE = """() => new Promise((done) => {
  const look = () => {
    const cell = document.querySelector('article li[aria-label^="GPU"], article [role="listitem"]');
    const link = document.querySelector('nav a[href$="/jobs/new"]');
    if (cell && link) requestIdleCallback(() => done(performance.now()));
    else requestAnimationFrame(look);
  };
  look();
})"""
"""Answers, in ms since the visit, once a GPU is shown, "New job" can be clicked and the page is idle."""


@dataclass
class Wire:
    """What came over the network, as the browser counted it: compressed, headers included."""

    finished: dict[str, float] = field(default_factory=dict)
    received: dict[str, float] = field(default_factory=dict)

    def listen(self, session: Any) -> None:
        session.on("Network.loadingFinished", self._finish)
        session.on("Network.dataReceived", self._receive)
        session.send("Network.enable")

    def _finish(self, event: dict[str, Any]) -> None:
        self.finished[event["requestId"]] = event["encodedDataLength"]

    def _receive(self, event: dict[str, Any]) -> None:
        before = self.received.get(event["requestId"], 0.0)
        self.received[event["requestId"]] = before + event["encodedDataLength"]

    def total(self) -> float:
        """Streams never finish: of those, what they have brought so far."""
        open_ones = sum(size for key, size in self.received.items() if key not in self.finished)
        return sum(self.finished.values()) + open_ones


def cookies_of(server: Installation) -> list[dict[str, Any]]:
    """The session that a one-time link opens, so that a visit begins with the page itself."""
    with server.client() as client:
        code = client.api.json_call("POST", "/me/link")["url"].partition("#login=")[2]
    jar = CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    request = urllib.request.Request(
        f"{server.url}/api/v1/auth/link",
        data=f'{{"code": "{code}"}}'.encode(),
        headers={"Content-Type": "application/json"},
    )
    opener.open(request).close()
    return [{"name": each.name, "value": each.value, "url": server.url} for each in jar]


def visit(browser: Any, server: Installation, cookies: list[dict[str, Any]]) -> tuple[float, float, int]:
    """KB, seconds, and in how many requests: of a user who has never been here."""
    context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
    try:
        context.add_cookies(cookies)
        page = context.new_page()
        wire = Wire()
        wire.listen(context.new_cdp_session(page))
        page.goto(server.url, wait_until="commit")
        usable_ms = page.evaluate(USABLE)
        return wire.total() / 1000, usable_ms / 1000, len(wire.finished)
    finally:
        context.close()


def measure(options: Options) -> Report:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise CannotRun("there is no playwright here") from None
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        raise CannotRun("there is no Chromium on this machine")
    with installation("--simulate", "4x8") as server, sync_playwright() as playwright:
        cookies = cookies_of(server)
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS])
        try:
            visit(browser, server, cookies)  # The browser itself wakes up with its first page.
            visits = [visit(browser, server, cookies) for _ in range(1 if options.quick else VISITS)]
        finally:
            browser.close()
    kb = max(each[0] for each in visits)
    seconds = median([each[1] for each in visits])
    table([("visit", "KB", "s", "requests"), *((str(n), *each) for n, each in enumerate(visits, 1))])
    report = Report("first page of the web app")
    report.figures = {"kb": kb, "interactive_s": [each[1] for each in visits], "cores": os.cpu_count()}
    report.said = f"{kb:.0f} KB, usable after {seconds:.2f} s"
    report.verdicts = [at_most(kb, TARGET_KB, "KB"), at_most(seconds, TARGET_S, "s")]
    return report


if __name__ == "__main__":
    run("web_first_page", measure)
