"""Handing in a job: accepted exactly once, however often the connection breaks.

Apart from `jobs.py` so that `danlu submit` loads nothing that it does not need.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from danlu.sdk.api import Api
    from danlu.wire.jobs import JobFields


def submit(api: Api, fields: JobFields | Mapping[str, Any], key: str | None = None) -> int:
    """The id of the new job. `key` names the submission: the same key never makes a second job."""
    if isinstance(fields, Mapping):
        body = dict(fields)
    else:
        from danlu.wire.decode import encode

        body = encode(fields)
    headers = {"Idempotency-Key": key or str(uuid.uuid4())}
    return int(api.json_call("POST", "/jobs", body=body, headers=headers, repeatable=True)["id"])
