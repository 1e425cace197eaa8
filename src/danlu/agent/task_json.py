"""Orders and facts between our own types and what the keeper reads and writes (`keeper/spec.py`)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import cast

from danlu.agent.keeper.spec import AccountSpec, Fact, Order, StagingSpec
from danlu.codec import decode, encode
from danlu.core.known_end import with_known_words
from danlu.core.task import LaunchOrder, Staging, TaskFact, TaskKey, UnixAccount


def order_to_json(order: LaunchOrder, environment_roots: Sequence[str]) -> Order:
    """The names are the same on both sides; a key is one word there, and copies have the names of their
    places."""
    plain = encode(order) | {
        "key": str(order.key),
        "environment_roots": list(environment_roots),
        "staging": None if order.staging is None else _staging_to_json(order, order.staging),
    }
    return cast("Order", plain)


def fact_from_json(fact: Fact) -> TaskFact:
    """Raises ValueError. The keeper may be newer than this version: what only it knows is left out."""
    end, outputs = fact["end"], fact.get("outputs") or {}
    plain = {
        **fact,
        "key": list(TaskKey.parse(fact["key"])),
        "end": None if end is None else with_known_words({**end}),
        "stdout_at": outputs.get("stdout"),
        "stderr_at": outputs.get("stderr"),
    }
    return decode(TaskFact, plain, trusted=True)


def account_to_json(account: UnixAccount) -> AccountSpec:
    return cast("AccountSpec", encode(account))


def _staging_to_json(order: LaunchOrder, staging: Staging) -> StagingSpec:
    return {
        "paths": [{"path": path, "entry": _digest(path)} for path in staging.paths],
        "folder": staging.folder,
        "disk_percent": staging.disk_percent,
        # Not the secret itself: it is said aloud, between the nodes of a gang.
        "proof": _digest(f"staged {order.key.job}-{order.key.attempt} {order.job_secret}"),
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:40]
