"""The lists of jobs in the words of their user."""

from __future__ import annotations

import re

import httpx
from playwright.sync_api import Locator, Page

BAR = "Actions for the selected jobs"


def submit(client: httpx.Client, name: str, *, command: str = "true", gpus: int = 4, **fields: object) -> int:
    """By default half of the cluster: it waits while that is full."""
    asked = {"command": command, "directory": "/tmp", "name": name, "gpus": gpus, **fields}
    reply = client.post("/jobs", json=asked)
    assert reply.status_code == 201, reply.text
    return int(reply.json()["id"])


def rows(page: Page) -> Locator:
    return page.locator('[role="row"][data-ref]')


def row(page: Page, name: str) -> Locator:
    return rows(page).filter(has=page.get_by_role("link", name=name, exact=True))


def names(page: Page) -> Locator:
    """The names of all rows, from top to bottom."""
    return rows(page).locator(".jobs-name")


def tab(page: Page, area: str) -> Locator:
    return page.get_by_role("navigation", name=re.compile("Areas|任务区域")).get_by_role(
        "link", name=re.compile(area)
    )


def choose(page: Page, job: str, item: str | re.Pattern[str]) -> None:
    """From the menu of a row."""
    row(page, job).first.get_by_role("button", name=re.compile("Actions for job|的操作")).click()
    page.get_by_role("menuitem", name=item, exact=True).click()
