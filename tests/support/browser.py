"""A real browser, and the people who sit in front of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.support.installation import LiveServer

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
LOCALES = {"en": "en-GB", "zh": "zh-CN"}
# How much of the page moved by how much, and what, where nobody had just clicked or typed.
WATCH_SHIFTS = """window.shifts = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
            if (!entry.hadRecentInput) window.shifts.push([entry.startTime, entry.value, entry.sources.map(
                ({ node }) => (node?.outerHTML ?? String(node?.textContent)).slice(0, 120))]);
    }).observe({ type: 'layout-shift', buffered: true });"""
# Without a screen all tabs are in front: a test says which are not.
HIDE = """
let hidden = false;
Object.defineProperty(document, "visibilityState", { get: () => (hidden ? "hidden" : "visible") });
window.hide = (now) => {
  hidden = now;
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


@contextmanager
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        reason = "there is no Chromium on this machine"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS])
        yield browser
        browser.close()


class Person:
    """Somebody with a browser window of their own, signed in by a one-time link.

    Whatever goes wrong inside the page (an exception, something the content policy refused) is kept in
    `troubles` and fails the test at its end.
    """

    def __init__(
        self,
        browser: Browser,
        server: LiveServer,
        *,
        client: httpx.Client | None = None,
        language: str = "en",
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
    ) -> None:
        self.server = server
        self.client = client or server.http
        self.context: BrowserContext = browser.new_context(
            locale=LOCALES[language],
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            ignore_https_errors=True,
        )
        self.context.set_default_timeout(20_000)
        self.page: Page = self.context.new_page()
        self.troubles: list[str] = []
        self.page.on("pageerror", self._note)
        self.page.on("console", self._hear)

    def _note(self, error) -> None:
        # What was being loaded when the page was left breaks off. Where it is missed, the page shows that.
        if "Unable to preload CSS" not in str(error) and "dynamically imported module" not in str(error):
            self.troubles.append(str(error))

    def _hear(self, message) -> None:
        # A refused request is an answer like another; the page says so in words.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.troubles.append(message.text)

    def sign_in(self, path: str = "/") -> Page:
        """By a one-time link. It lets in at any address, so that the app is loaded once."""
        link, _, code = self.client.post("/me/link").json()["url"].rpartition("/#")
        self.page.goto(f"{link}{path}#{code}")
        self.page.locator("#content, .wall").first.wait_for()
        return self.page

    def go(self, path: str) -> Page:
        self.page.goto(f"{self.server.url}{path}")
        self.page.locator("#content, .wall").first.wait_for()
        return self.page

    def watch_shifts(self) -> None:
        """From the next page on, what moves by itself is counted: see `read_shifts`."""
        self.context.add_init_script(WATCH_SHIFTS)

    def leave(self) -> None:
        self.context.close()
        assert not self.troubles, self.troubles


def worst_shift(page: Page) -> tuple[float, list[str]]:
    """The share of the page that moved by itself at one time (its cumulative layout shift), and what did.

    What moves within a second of what moved before belongs to the same time.
    """
    worst, share, moved, before_ms = (0.0, list[str]()), 0.0, list[str](), -1000.0
    for at_ms, value, what in page.evaluate("window.shifts"):
        if at_ms - before_ms > 1000:
            share, moved = 0.0, []
        share, moved, before_ms = share + value, [*moved, *what], at_ms
        worst = max(worst, (share, moved))
    return worst


def check_accessibility(page: Page) -> None:
    """axe finds nothing to object to."""
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")["violations"]
    told = [
        f"{each['id']} ({each['impact']}): {each['help']}\n    "
        + "\n    ".join(
            f"{node['html'][:160]} | {node['failureSummary'][:300]}" for node in each["nodes"][:4]
        )
        for each in found
    ]
    assert not told, "\n".join(told)
