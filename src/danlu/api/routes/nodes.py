"""Nodes and GPUs."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le, MaxLen
from fastapi import Path, Request, Response

from danlu.api.answers import TheAnswers
from danlu.api.auth import TheControl, TheUser
from danlu.api.errors import TheLanguage, language_of
from danlu.api.router import make_router
from danlu.api.views.node_views import show_node
from danlu.control.control import Control
from danlu.control.telemetry.readings_history import LONGEST_S
from danlu.core.user import User
from danlu.wire.nodes.node import GpuEdit, NodeHistory, NodeRow
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

    async def make() -> list[NodeRow]:
        nodes, holdings = await control.nodes.list_all()
        return [
            show_node(language, node, holdings, readings.get(node.name, {}), machines.get(node.name))
            for node in nodes
        ]

    return await answers.give(request, user, list[NodeRow], make)


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
    """What the node and its GPUs were doing in the last hour, or part of it. Null: nothing was measured."""

    async def make() -> NodeHistory:
        await control.nodes.find(name)
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
    await control.nodes.edit_gpu(user, name, index, edit)
    return await show_one_node(control, name, language)


async def _drain(
    control: Control, language: Language, user: User, name: str, drained: bool, *, gpu: int | None = None
) -> NodeRow:
    """Drain or undrain a node, or one GPU of it."""
    await control.nodes.drain(user, name, drained, gpu=gpu)
    return await show_one_node(control, name, language)


async def show_one_node(control: Control, name: str, language: Language) -> NodeRow:
    node, holdings = await control.nodes.find(name)
    readings, machine = control.monitor.readings.get(name, {}), control.monitor.machines.get(name)
    return show_node(language, node, holdings, readings, machine)
