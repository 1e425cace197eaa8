"""`danlu leave`: this machine is no longer a node of its cluster."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from danlu.wording.catalogue import Language, say

ANSWER_S = 15.0
RETRY_S = 0.3
GRACE_S = 10.0
FAILED = 1


@dataclass(frozen=True, slots=True)
class LeaveOptions:
    data: Path
    force: bool
    language: Language


def run_leave(options: LeaveOptions) -> int:
    """Leave the cluster: the exit code. With `force` jobs are ended, and a server that does not answer is
    left without a word."""
    from danlu.agent.keeper_process import KeeperUnavailable
    from danlu.cluster.node.node_identity import NodeIdentity, forget_identity
    from danlu.launch.cluster.agent_process import TWIN_FILE, stop_agent
    from danlu.launch.detached import AGENT_LOCK, find_holder
    from danlu.launch.install.agent_unit import find_unit

    os.umask(0o077)
    # What is to be said is said in words.
    logging.basicConfig(handlers=[logging.NullHandler()])
    language, data = options.language, options.data.expanduser().absolute()
    try:
        identity = NodeIdentity.load(data)
    except FileNotFoundError:
        return _fail(say(language, "launch.join.not_member", data=data))
    except (OSError, ValueError) as problem:
        return _fail(say(language, "launch.join.damaged", reason=problem))
    if (data / "danlu.db").exists() or (data / "cluster.json").exists():
        return _fail(say(language, "launch.leave.own_node"))
    agent = find_holder(data / AGENT_LOCK)
    unit = find_unit(data, agent.pid if agent is not None else None)
    if options.force:
        # First: while it lives, or is started again, it could start what the control side has just given it.
        if unit is not None and (trouble := unit.stop()) is not None:
            return _fail(say(language, "launch.leave.unit_stays", command=unit.stop_command, reason=trouble))
        stop_agent(data)
        asyncio.run(_stop_tasks(data, identity.node))
    # Another machine with the same credentials would be removed with this one.
    is_copy = (data / TWIN_FILE).exists()
    refusal = None if is_copy else asyncio.run(_say_goodbye(identity, options))
    if refusal is not None and not options.force:
        return _fail(refusal)
    if refusal is not None:
        sys.stderr.write(say(language, "launch.leave.unheard", reason=refusal) + "\n")
    if not options.force and unit is not None and (trouble := unit.stop()) is not None:
        # It gives up by itself: what it starts finds that it belongs to no cluster.
        text = say(language, "launch.leave.unit_stays", command=unit.stop_command, reason=trouble)
        sys.stderr.write(text + "\n")
    stop_agent(data)
    # Again: until the control side knew of it, an admin may have started the agent, and that a task.
    with suppress(KeeperUnavailable):
        asyncio.run(_stop_tasks(data, identity.node))
    forget_identity(data)
    (data / TWIN_FILE).unlink(missing_ok=True)
    sys.stdout.write(say(language, "launch.leave.left", node=identity.node) + "\n")
    return 0


async def _stop_tasks(data: Path, node: str) -> None:
    """End everything that lives here, and wait for it."""
    from danlu.agent.keeper_link import KeeperLink

    if not (data / "node").exists():
        return
    link = KeeperLink(data / "node")
    ended = asyncio.Event()
    link.subscribe(lambda fact: ended.set() if fact.end is not None else None)
    await link.start()
    try:
        while living := [fact.key for fact in await link.list() if fact.end is None]:
            ended.clear()
            for key in living:
                await link.stop(key, node, GRACE_S)
            await ended.wait()
    finally:
        await link.close()


async def _say_goodbye(identity: Any, options: LeaveOptions) -> str | None:
    """None when the control side agreed, else why not."""
    from danlu.cluster.connection import Connection, NoConnection
    from danlu.cluster.messages import pack, unpack

    language = options.language
    refused = asyncio.Event()

    async def note_refusal() -> None:
        refused.set()

    connection = Connection(
        identity.servers,
        identity.certificate,
        name=identity.node,
        inbox=identity.id,
        seed=identity.seed,
        on_refused=note_refusal,
    )
    connection.start()
    question = pack({"force": options.force, "language": language})
    answer: dict[str, Any] | None = None
    reason: object = ""
    try:
        async with asyncio.timeout(ANSWER_S):
            while answer is None:
                await _either(connection.wait_up(), refused.wait())
                if refused.is_set():
                    # It is a member no longer: it was removed before, or the answer to this came too late.
                    return None
                try:
                    said = await connection.request(f"from.{identity.id}.leave", question, ANSWER_S)
                    answer, _ = unpack(said)
                except NoConnection as problem:
                    reason = problem
                    await asyncio.sleep(RETRY_S)
    except TimeoutError:
        servers = ", ".join(identity.servers)
        reason = reason or f"no answer within {ANSWER_S:g} s"
        return say(language, "launch.leave.unreachable", servers=servers, reason=reason)
    finally:
        await connection.close()
    error = answer.get("error")
    return f"{error['message']}\n{error['hint']}" if error else None


async def _either(*waits: Coroutine[Any, Any, object]) -> None:
    """Return when one of them does."""
    tasks = [asyncio.create_task(wait) for wait in waits]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()


def _fail(text: str) -> int:
    sys.stderr.write(text + "\n")
    return FAILED
