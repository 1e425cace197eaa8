"""Handing in a job: accepted exactly once, however often the connection breaks.

Apart from `jobs.py` so that `danlu submit` loads nothing that it does not need.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from danlu.sdk.api import Api
    from danlu.wire.jobs import JobFields


def submit(api: Api, fields: JobFields | Mapping[str, Any], key: str | None = None) -> int:
    """The id of the new job. `key` names the submission: the same key never makes a second job."""
    return int(hand_in(api, fields, key)["id"])


def hand_in(api: Api, fields: JobFields | Mapping[str, Any], key: str | None = None) -> dict[str, Any]:
    """As `submit`: the answer as it came, with the number of GPUs that the job asks for. A server of an older
    Danlu does not tell that."""
    answer: dict[str, Any] = _post(api, "/jobs", _body(fields), key)
    return answer


def submit_many(
    api: Api, many: Iterable[JobFields | Mapping[str, Any]], key: str | None = None
) -> Sequence[int]:
    """The ids of the new jobs, in the same order; the key is for all of them together."""
    ids: list[int] = _post(api, "/jobs/batch", {"jobs": [_body(fields) for fields in many]}, key)["ids"]
    return ids


def _post(api: Api, path: str, body: dict[str, Any], key: str | None) -> Any:
    headers = {"Idempotency-Key": key or str(uuid.uuid4())}
    return api.json_call("POST", path, body=body, headers=headers, repeatable=True)


def _body(fields: JobFields | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(fields, Mapping):
        return dict(fields)
    from danlu.codec import encode_said

    body: dict[str, Any] = encode_said(fields)
    return body
