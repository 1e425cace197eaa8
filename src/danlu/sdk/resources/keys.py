"""A small key-value store, shared by all jobs and programs of one user."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from danlu.codec import decode, encode_said
from danlu.sdk.errors import ApiError, KeyChanged
from danlu.wire.locks import KeyDeleted, KeyRow, KeyValue, NewValue

if TYPE_CHECKING:
    from danlu.sdk.api import Api


class Keys:
    def __init__(self, api: Api) -> None:
        self._api = api

    def get(self, key: str) -> KeyValue | None:
        """The value and its revision; None when there is no such key.

        >>> client.kv.get("best").value
        '0.93'
        """
        try:
            return self._api.get(KeyValue, "/kv/value", {"key": key})
        except ApiError as refused:
            if refused.problem.code == "no_such_key":
                return None
            raise

    def put(self, key: str, value: str, *, if_revision: int | None = None) -> KeyValue:
        """Set a value of up to 64 KiB. With `if_revision` only if that is still its revision (0: only if
        there is none): raises KeyChanged otherwise, and two programs never undo each other's change.

        >>> best = client.kv.get("best")
        >>> client.kv.put("best", "0.95", if_revision=best.revision).revision
        8
        """
        body = encode_said(NewValue(value=value, if_revision=if_revision))
        return decode(KeyValue, self._call("PUT", key, if_revision, body=body), trusted=True)

    def delete(self, key: str, *, if_revision: int | None = None) -> bool:
        """Whether there was one. With `if_revision` as for `put`."""
        return decode(KeyDeleted, self._call("DELETE", key, if_revision), trusted=True).deleted

    def list(self, prefix: str = "") -> Sequence[KeyRow]:
        return self._api.get(list[KeyRow], "/kv", {"prefix": prefix or None})

    def _call(self, method: str, key: str, if_revision: int | None, body: object = None) -> object:
        query = {"key": key, "if_revision": if_revision if method == "DELETE" else None}
        try:
            return self._api.json_call(
                method, "/kv/value", query=query, body=body, repeatable=if_revision is None
            )
        except ApiError as refused:
            if refused.problem.code == "revision_differs":
                raise KeyChanged(refused.problem, refused.status) from refused
            raise
