"""A real browser, its windows, and the users who sit in front of them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    sync_playwright,
)

from tests.support.installation import LiveServer

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # All tabs of a window share a process, which stays with the window: it has compiled the app already.
    "--process-per-site",
)
LOCALES = {"en": "en-GB", "zh": "zh-CN"}
# How much of the page moved by how much, and what, where the user had not just clicked or typed.
WATCH_SHIFTS = """window.shifts = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
            if (!entry.hadRecentInput) window.shifts.push([entry.startTime, entry.value, entry.sources.map(
                ({ node }) => (node?.outerHTML ?? String(node?.textContent)).slice(0, 120))]);
    }).observe({ type: 'layout-shift', buffered: true });"""
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# Without a screen all tabs are in front: a test says which are not.
HIDE = """
let hidden = false;
Object.defineProperty(document, "visibilityState", { get: () => (hidden ? "hidden" : "visible") });
window.hide = (now) => {
  hidden = now;
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
Answer = TypeVar("Answer")
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


class Windows:
    """The windows of one browser. They are kept from test to test, because what costs most of a test is to
    compile the app anew; a window that is handed out again knows nothing of the user before."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Window]] = {}

    def take(self, language: str) -> Window:
        free = self._free.setdefault(language, [])
        return free.pop() if free else Window(self._browser, language)

    def give_back(self, window: Window) -> None:
        if window.is_altered:
            window.context.close()
        else:
            window.clear()
            self._free[window.language].append(window)


class Window:
    """A browser window with cookies, storage and cache of its own."""

    def __init__(self, browser: Browser, language: str) -> None:
        self.language = language
        self.is_altered = False
        self.context: BrowserContext = browser.new_context(
            locale=LOCALES[language],
            viewport={"width": 1280, "height": 800},
            reduced_motion="reduce",
            ignore_https_errors=True,
        )
        self.context.set_default_timeout(20_000)
        self._parked: Page | None = None
        self._origins: set[str] = set()

    def park(self, url: str) -> None:
        """Keep a page open that is not the app, so that the window's process outlives the tabs of a test."""
        self._origins.add(url)
        if self._parked is None:
            self._parked = self.context.new_page()
            self._parked.goto(f"{url}/danlu.svg")

    @property
    def tabs(self) -> list[Page]:
        return [page for page in self.context.pages if page is not self._parked]

    def clear(self) -> None:
        """Close its tabs, and forget all that a server or a page has left in it; only the cache stays."""
        for page in self.tabs:
            page.close()
        self.context.unroute_all()
        self.context.set_offline(False)
        self.context.clear_permissions()
        self.context.clear_cookies()
        assert self._parked is not None
        storage = self.context.new_cdp_session(self._parked)
        for origin in self._origins:
            kinds = "local_storage,indexeddb,service_workers,cache_storage"
            storage.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": kinds})
        storage.detach()
        self._origins.clear()


class Person:
    """A user with a browser window of their own, signed in by a one-time link.

    What goes wrong inside a tab (an exception, something the content policy refused) is kept in `troubles`
    and fails the test at its end.
    """

    def __init__(
        self,
        windows: Windows,
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
        self.troubles: list[str] = []
        self._windows = windows
        self._window = windows.take(language)
        self._window.park(server.url)
        self._size: ViewportSize = {"width": width, "height": height}
        self._dark = dark
        self._scripts: list[str] = []
        self.page: Page = self.open_tab()

    @property
    def context(self) -> BrowserContext:
        return self._window.context

    @property
    def tabs(self) -> list[Page]:
        return self._window.tabs

    def alter(self) -> BrowserContext:
        """The window, for a change that cannot be taken back (a function, the clock): it is closed after the
        test."""
        self._window.is_altered = True
        return self.context

    def open_tab(self) -> Page:
        """One more tab, which like the first one must be without troubles."""
        page = self.context.new_page()
        page.set_viewport_size(self._size)
        page.emulate_media(color_scheme="dark" if self._dark else "light")
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._hear)
        for script in self._scripts:
            page.add_init_script(script)
        return page

    def prepare(self, script: str) -> None:
        """Run this before the app in every tab, from the next page on."""
        self._scripts.append(script)
        for page in self.tabs:
            page.add_init_script(script)

    def _hear(self, message: ConsoleMessage) -> None:
        # A refused request is an answer like another; the page says so in words.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.troubles.append(message.text)

    def sign_in(self, path: str = "/") -> Page:
        """By a one-time link. It lets in at any address, so that the app is loaded once."""
        link, _, code = self.client.post("/me/link").json()["url"].rpartition("/#")
        return self._load(f"{link}{path}#{code}")

    def go(self, path: str) -> Page:
        return self._load(f"{self.server.url}{path}")

    def _load(self, address: str) -> Page:
        """Until the page is drawn and has had a moment to listen for keys."""
        self.page.goto(address)
        self.page.locator("#content, .wall").first.wait_for()
        self.page.evaluate(TWO_FRAMES)
        return self.page

    def watch_shifts(self) -> None:
        """From the next page on, what moves by itself is counted: see `read_shifts`."""
        self.prepare(WATCH_SHIFTS)

    def forgive(self, text: str) -> None:
        """A trouble that the test brought about on purpose is none."""
        self.troubles = [each for each in self.troubles if text not in each]

    def leave(self) -> None:
        self._windows.give_back(self._window)
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


def at_rest(page: Page, ask: Callable[[], Answer]) -> Answer:
    """The answer once it stays the same from frame to frame: what was scrolled or laid out stands still."""
    before = ask()
    while True:
        page.evaluate(TWO_FRAMES)
        now = ask()
        if now == before:
            return now
        before = now


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
