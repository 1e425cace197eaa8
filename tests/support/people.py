"""Other users than the one who started the server."""

from __future__ import annotations

import os

import httpx

from tests.support.installation import LiveServer

# An account that every Linux has and that owns nothing.
UNIX_ACCOUNT = "nobody"


def make_member(server: LiveServer, name: str, role: str = "member", *, account: bool = True) -> httpx.Client:
    """A user who has been through the first login, as an API client."""
    new = {"name": name, "password": "first secret", "role": role}
    if account and os.geteuid() == 0:
        # A server that is not root could not become it.
        new["unix_account"] = UNIX_ACCOUNT
    made = server.http.post("/users", json=new)
    assert made.status_code == 201, made.text
    login = server.client().post("/auth/token", json={"name": name, "password": "first secret"}).json()
    assert login["must_change_password"]
    client = server.client(login["secret"])
    refused = client.get("/jobs")
    assert (refused.status_code, refused.json()["code"]) == (403, "must_change_password")
    changed = client.post("/me/password", json={"old": "first secret", "new": "second secret"})
    assert changed.status_code == 204, changed.text
    return client
