"""The nodes of a server, and their GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from danlu.wire.nodes import GpuEdit, NodeHistory, NodeRow

if TYPE_CHECKING:
    from danlu.sdk.api import Api


class Nodes:
    def __init__(self, api: Api) -> None:
        self._api = api

    def list(self) -> list[NodeRow]:
        return self._api.get(list[NodeRow], "/nodes")

    def get(self, name: str) -> NodeRow:
        return self._api.get(NodeRow, node_path(name))

    def history(self, name: str, seconds: float = 3600) -> NodeHistory:
        """What a node was doing in the last hour, or part of it."""
        return self._api.get(NodeHistory, f"{node_path(name)}/history", {"seconds": str(seconds)})

    def drain(self, name: str, gpu: int | None = None) -> NodeRow:
        """No new jobs there; what runs may finish."""
        return self._api.ask(NodeRow, "POST", f"{_place(name, gpu)}/drain")

    def undrain(self, name: str, gpu: int | None = None) -> NodeRow:
        return self._api.ask(NodeRow, "POST", f"{_place(name, gpu)}/undrain")

    def edit_gpu(
        self,
        name: str,
        gpu: int,
        *,
        managed: bool | None = None,
        slots: int | None = None,
        drained: bool | None = None,
    ) -> NodeRow:
        """Change what jobs get of a GPU; what is None stays as it is. One that the driver no longer lists and
        that shall not be `managed` is gone for good."""
        edit = GpuEdit(managed=managed, slots=slots, drained=drained)
        return self._api.ask(NodeRow, "PATCH", _place(name, gpu), body=edit)


def node_path(name: str) -> str:
    return f"/nodes/{quote(name, safe='')}"


def _place(name: str, gpu: int | None) -> str:
    return node_path(name) if gpu is None else f"{node_path(name)}/gpus/{gpu}"
