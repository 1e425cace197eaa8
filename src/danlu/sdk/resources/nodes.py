"""The nodes of a server, and their GPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from danlu.wire.nodes.doctor import Examination
from danlu.wire.nodes.members import JoinTokenRequest, JoinTokenRow, NewJoinToken, NodeEdit, NodeRole
from danlu.wire.nodes.node import GpuEdit, NodeHistory, NodeRow

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

    def examine(self, name: str) -> Examination:
        """Have the doctor look a node over now."""
        return self._api.ask(Examination, "POST", f"{node_path(name)}/examine")

    def drain(self, name: str, gpu: int | None = None) -> NodeRow:
        """No new jobs there; what runs may finish."""
        return self._api.ask(NodeRow, "POST", f"{_place(name, gpu)}/drain")

    def undrain(self, name: str, gpu: int | None = None) -> NodeRow:
        return self._api.ask(NodeRow, "POST", f"{_place(name, gpu)}/undrain")

    def set_role(self, name: str, role: str) -> NodeRow:
        """What a node is there for: compute, login, debug or transfer."""
        return self._api.ask(NodeRow, "PATCH", node_path(name), body=NodeEdit(role=NodeRole(role)))

    def remove(self, name: str) -> None:
        """Take a node out of the cluster. Refused while jobs of it are under way."""
        self._api.call("DELETE", node_path(name))

    def declare_dead(self, name: str) -> NodeRow:
        """Say that nothing runs on a lost node any more, and never will: jobs that were there are over."""
        return self._api.ask(NodeRow, "POST", f"{node_path(name)}/declare-dead")

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


class JoinTokens:
    """What lets machines into the cluster."""

    def __init__(self, api: Api) -> None:
        self._api = api

    def make(self, *, lifetime_s: float = 86_400.0, role: str = "compute") -> NewJoinToken:
        """A new one. Its text is shown this once."""
        wanted = JoinTokenRequest(lifetime_s=lifetime_s, role=NodeRole(role))
        return self._api.ask(NewJoinToken, "POST", "/join-tokens", body=wanted)

    def list(self) -> list[JoinTokenRow]:
        return self._api.get(list[JoinTokenRow], "/join-tokens")

    def revoke(self, token_id: int) -> None:
        """No machine joins with it any more; those that have joined stay."""
        self._api.call("DELETE", f"/join-tokens/{token_id}")


def node_path(name: str) -> str:
    return f"/nodes/{quote(name, safe='')}"


def _place(name: str, gpu: int | None) -> str:
    return node_path(name) if gpu is None else f"{node_path(name)}/gpus/{gpu}"
