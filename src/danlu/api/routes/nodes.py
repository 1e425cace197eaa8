"""Nodes and GPUs."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le, MaxLen
from fastapi import Path, Request, Response
from sqlalchemy import Connection

from danlu.api.answers import TheAnswers
from danlu.api.auth import TheControl, TheUser
from danlu.api.errors import TheLanguage, language_of
from danlu.api.router import make_router
from danlu.api.views.views import show_node
from danlu.control.control import Control
from danlu.control.jobs.job_service import check_admin
from danlu.control.telemetry.readings_history import LONGEST_S
from danlu.core.errors import NotFound
from danlu.core.nodes.node import Node
from danlu.core.user import User
from danlu.store.engine.database import Transaction
from danlu.store.jobs.board import read_holdings
from danlu.store.nodes.node_rows import change_gpu, get_node, list_nodes, set_drained, set_gpu_drained
from danlu.wire.nodes import GpuEdit, NodeHistory, NodeRow
from danlu.wording.catalogue import Language

router = make_router("nodes", "/nodes")

NodeName = Annotated[str, MaxLen(200)]
Seconds = Annotated[float, Ge(1), Le(LONGEST_S)]
GpuPath = Annotated[int, Path(ge=0, le=1023)]


@router.get("", response_model=list[NodeRow])
async def list_all_nodes(
    request: Request, user: TheUser, control: TheControl, answers: TheAnswers
) -> Response:
    readings, machines = control.monitor.readings, control.monitor.machines
    language = language_of(request)

    def read(connection: Connection) -> list[NodeRow]:
        holdings = read_holdings(connection)
        return [
            show_node(language, node, holdings, readings.get(node.name, {}), machines.get(node.name))
            for node in list_nodes(connection)
        ]

    return await answers.give(request, user, list[NodeRow], lambda: control.database.read(read))


@router.get("/{name}")
async def get_one_node(name: NodeName, _user: TheUser, control: TheControl, language: TheLanguage) -> NodeRow:
    return await show_one_node(control, name, language)


@router.get("/{name}/history", response_model=NodeHistory)
async def get_node_history(
    request: Request,
    name: NodeName,
    user: TheUser,
    control: TheControl,
    answers: TheAnswers,
    seconds: Seconds = LONGEST_S,
) -> Response:
    """What the node and its GPUs were doing in the last hour, or part of it. Null: nobody was looking."""

    async def make() -> NodeHistory:
        await control.database.read(lambda connection: _find_node(connection, name))
        return control.monitor.history.of_node(name, control.clock() - seconds)

    return await answers.give(request, user, NodeHistory, make)


@router.post("/{name}/drain")
async def drain_node(name: NodeName, user: TheUser, control: TheControl, language: TheLanguage) -> NodeRow:
    """Running jobs finish; no new ones start there."""
    return await _drain(control, language, user, name, True)


@router.post("/{name}/undrain")
async def undrain_node(name: NodeName, user: TheUser, control: TheControl, language: TheLanguage) -> NodeRow:
    return await _drain(control, language, user, name, False)


@router.post("/{name}/gpus/{index}/drain")
async def drain_gpu(
    name: NodeName, index: GpuPath, user: TheUser, control: TheControl, language: TheLanguage
) -> NodeRow:
    """The job on it finishes; no new one gets this GPU."""
    return await _drain(control, language, user, name, True, gpu=index)


@router.post("/{name}/gpus/{index}/undrain")
async def undrain_gpu(
    name: NodeName, index: GpuPath, user: TheUser, control: TheControl, language: TheLanguage
) -> NodeRow:
    return await _drain(control, language, user, name, False, gpu=index)


@router.patch("/{name}/gpus/{index}")
async def edit_gpu(
    name: NodeName,
    index: GpuPath,
    edit: GpuEdit,
    user: TheUser,
    control: TheControl,
    language: TheLanguage,
) -> NodeRow:
    """Change what jobs get of a GPU. One that is no longer managed finishes its job and gets no other; if the
    driver does not list it any more, it is gone from the list as well."""
    check_admin(user)

    def write(tx: Transaction) -> None:
        _check_gpu(tx.connection, name, index)
        if edit.drained is not None:
            set_gpu_drained(tx, name, index, edit.drained, user.name)
        change_gpu(tx, name, index, user.name, managed=edit.managed, slots=edit.slots)

    await control.database.write(write)
    if edit.managed is False:
        await control.monitor.forget_gpu(name, index, user.name)
    return await show_one_node(control, name, language)


async def _drain(
    control: Control, language: Language, user: User, name: str, drained: bool, *, gpu: int | None = None
) -> NodeRow:
    """Drain or undrain a node, or one GPU of it."""
    check_admin(user)

    def write(tx: Transaction) -> None:
        if gpu is None:
            _find_node(tx.connection, name)
            set_drained(tx, name, drained, user.name)
        else:
            _check_gpu(tx.connection, name, gpu)
            set_gpu_drained(tx, name, gpu, drained, user.name)

    await control.database.write(write)
    return await show_one_node(control, name, language)


async def show_one_node(control: Control, name: str, language: Language) -> NodeRow:
    readings, machine = control.monitor.readings.get(name, {}), control.monitor.machines.get(name)
    return await control.database.read(
        lambda connection: show_node(
            language, _find_node(connection, name), read_holdings(connection), readings, machine
        )
    )


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
