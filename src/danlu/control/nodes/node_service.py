"""Nodes and their GPUs as users see them and administrators change them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from danlu.control.identity.rights import check_admin
from danlu.core.errors import NotFound
from danlu.core.holding import Holding
from danlu.core.nodes.node import Node
from danlu.core.user import User
from danlu.store.engine.database import Database, Transaction
from danlu.store.jobs.board import read_holdings
from danlu.store.nodes.node_rows import change_gpu, get_node, list_nodes, set_drained, set_gpu_drained
from danlu.wire.nodes.node import GpuEdit


@dataclass(frozen=True, slots=True)
class NodeService:
    """`forget_gpu` removes one from the list that is managed no more and that the driver lists no more."""

    database: Database
    forget_gpu: Callable[[str, int, str], Awaitable[None]]

    async def list_all(self) -> tuple[list[Node], list[Holding]]:
        """All nodes, and what jobs hold of them."""
        return await self.database.read(lambda c: (list_nodes(c), read_holdings(c)))

    async def find(self, name: str) -> tuple[Node, list[Holding]]:
        """One node, and what jobs hold of all. Raises NotFound."""
        return await self.database.read(lambda c: (_find_node(c, name), read_holdings(c)))

    async def drain(self, admin: User, name: str, drained: bool, *, gpu: int | None = None) -> None:
        """Drain or undrain a node, or one GPU of it."""
        check_admin(admin)

        def write(tx: Transaction) -> None:
            if gpu is None:
                _find_node(tx.connection, name)
                set_drained(tx, name, drained, admin.name)
            else:
                _check_gpu(tx.connection, name, gpu)
                set_gpu_drained(tx, name, gpu, drained, admin.name)

        await self.database.write(write)

    async def edit_gpu(self, admin: User, name: str, index: int, edit: GpuEdit) -> None:
        """Change what jobs get of a GPU."""
        check_admin(admin)

        def write(tx: Transaction) -> None:
            _check_gpu(tx.connection, name, index)
            if edit.drained is not None:
                set_gpu_drained(tx, name, index, edit.drained, admin.name)
            change_gpu(tx, name, index, admin.name, managed=edit.managed, slots=edit.slots)

        await self.database.write(write)
        if edit.managed is False:
            await self.forget_gpu(name, index, admin.name)


def _check_gpu(connection: Connection, name: str, index: int) -> None:
    node = _find_node(connection, name)
    if index not in {gpu.index for gpu in node.facts.gpus}:
        raise NotFound("no_such_gpu", node=name, gpu=index)


def _find_node(connection: Connection, name: str) -> Node:
    """Raises NotFound, naming those there are."""
    node = get_node(connection, name)
    if node is None:
        names = ", ".join(each.name for each in list_nodes(connection))
        raise NotFound("no_such_node", node=name, nodes=names)
    return node
