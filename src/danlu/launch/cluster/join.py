"""`danlu join`: make this machine a node of a cluster, and be its agent."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from danlu import __version__
from danlu.core.bounds import is_host
from danlu.launch.interpreter import become_danlu
from danlu.launch.locations import AlreadyRunning
from danlu.wording.catalogue import Language, knows, say

DEFAULT_PORT = 7323
TOKEN_VARIABLE = "DANLU_JOIN_TOKEN"  # noqa: S105 - its name
REFUSED = 1
REMOVED = 3
"""The exit code of an agent whose machine is no longer a member: starting it again is of no use."""


@dataclass(frozen=True, slots=True)
class JoinOptions:
    data: Path
    server: str | None
    token: str | None
    name: str | None
    role: str | None
    address: str | None
    simulate: int | None
    daemon: bool
    language: Language


class JoinRefused(Exception):
    """Why this machine cannot join; its text is for the admin who tries."""


class NotMember(JoinRefused):
    """It is told to be the agent of a machine that is none of any cluster."""


def run_join(options: JoinOptions, environment: Mapping[str, str]) -> int:
    """Join where a server is named, then run the agent; the exit code."""
    os.umask(0o077)
    language = options.language
    try:
        _check_packages(language)
        if options.address is not None and not is_host(options.address):
            raise JoinRefused(
                say(language, "launch.bad_address", option="--address", address=options.address)
            )
        data = options.data.expanduser().absolute()
        _prepare_data(data, language)
        if options.server is not None:
            token = options.token or environment.get(TOKEN_VARIABLE)
            if options.token is not None:
                _hide_token(options, data, environment)
            node = _join(data, options, token)
            sys.stdout.write(say(language, "launch.join.joined", node=node, server=options.server) + "\n")
            sys.stdout.flush()
        elif options.token is not None:
            raise JoinRefused(say(language, "launch.join.no_server"))
        if options.daemon:
            return _run_detached(data, language)
        if options.server is not None:
            # Anew, without the token among its words and settings.
            _become_agent(data, environment)
        return _run_agent(data, language)
    except JoinRefused as refusal:
        sys.stderr.write(f"{refusal}\n")
        return REMOVED if isinstance(refusal, NotMember) else REFUSED


def _hide_token(options: JoinOptions, data: Path, environment: Mapping[str, str]) -> None:
    """Every user of the machine can read the words of a command, and this one may stay for long: say the same
    again without the token, which then only its own account can find."""
    words = ["join", str(options.server), "--data", str(data)]
    for name in ("name", "role", "address", "simulate"):
        if (value := getattr(options, name)) is not None:
            words += [f"--{name}", str(value)]
    words += ["--daemon"] if options.daemon else []
    become_danlu(*words, environment={**environment, TOKEN_VARIABLE: str(options.token)})


def _become_agent(data: Path, environment: Mapping[str, str]) -> None:
    kept = {name: value for name, value in environment.items() if name != TOKEN_VARIABLE}
    become_danlu("join", "--data", str(data), environment=kept)


def _check_packages(language: Language) -> None:
    try:
        import nats  # noqa: F401
        import nkeys  # noqa: F401
    except ImportError:
        raise JoinRefused(say(language, "launch.cluster.no_packages")) from None


def _prepare_data(data: Path, language: Language) -> None:
    try:
        data.mkdir(parents=True, exist_ok=True)
        probe = data / f".probe-{os.getpid()}"
        probe.touch(0o600)
        probe.unlink()
    except OSError as problem:
        raise JoinRefused(say(language, "launch.no_folder", data=data, reason=problem.strerror)) from problem


def _join(data: Path, options: JoinOptions, token: str | None) -> str:
    """Ask to be let in, and keep what came of it; the node's name. Raises JoinRefused."""
    from danlu.cluster.keys import make_seed, public_key_of
    from danlu.cluster.node.node_identity import NodeIdentity
    from danlu.launch.cluster.agent_process import TWIN_FILE, AgentOptions, stop_agent
    from danlu.launch.detached import AGENT_LOCK, find_holder

    language = options.language
    # Of two machines with the same credentials, this is the one that gets others.
    is_copy = (data / TWIN_FILE).exists()
    if is_copy:
        stop_agent(data)
    if find_holder(data / AGENT_LOCK) is not None:
        raise JoinRefused(say(language, "launch.join.agent_running", data=data))
    if (data / "danlu.db").exists():
        raise JoinRefused(say(language, "launch.join.has_server", data=data))
    secret, fingerprint = _split_token(token, language)
    known = None if is_copy else _known_identity(data)
    seed = known.seed if known is not None else make_seed()
    node = options.name or (known.node if known is not None else socket.gethostname()) or "node"
    question: dict[str, Any] = {
        "secret": secret,
        "node": node,
        "public_key": public_key_of(seed),
        "version": __version__,
        "role": options.role,
        "language": language,
    }
    answer, certificate = _ask(str(options.server), fingerprint, question, language)
    joined = NodeIdentity(answer["id"], answer["node"], tuple(answer["servers"]), certificate, seed)
    joined.save(data)
    (data / TWIN_FILE).unlink(missing_ok=True)
    AgentOptions(simulate=options.simulate, address=options.address).save(data)
    return joined.node


def _known_identity(data: Path) -> Any:
    from danlu.cluster.node.node_identity import NodeIdentity

    try:
        return NodeIdentity.load(data)
    except (OSError, ValueError):
        return None


def _split_token(token: str | None, language: Language) -> tuple[str, str]:
    if not token:
        raise JoinRefused(say(language, "launch.join.no_token"))
    secret, dot, fingerprint = token.strip().partition(".")
    if not (secret and dot and len(fingerprint) == 43):
        raise JoinRefused(say(language, "launch.join.bad_token"))
    return secret, fingerprint


def _ask(
    server: str, fingerprint: str, question: dict[str, Any], language: Language
) -> tuple[dict[str, Any], str]:
    """Raises JoinRefused."""
    from danlu.cluster.joining import CannotReach, WrongCertificate, ask_to_join

    # What they think of connections that are broken off, or never come about, is nothing to people.
    for name in ("asyncio", "danlu.cluster.connection"):
        logging.getLogger(name).setLevel(logging.ERROR)
    url = f"tls://{with_port(server)}"
    try:
        answer, certificate = asyncio.run(ask_to_join(url, fingerprint, question))
    except CannotReach as problem:
        reason = say(language, f"launch.join.trouble.{problem.trouble}", detail=problem)
        text = say(language, "launch.join.unreachable", server=with_port(server), reason=reason)
        raise JoinRefused(text) from problem
    except WrongCertificate as problem:
        text = say(language, "launch.join.wrong_certificate", server=with_port(server))
        raise JoinRefused(text) from problem
    error = answer.get("error")
    if error:
        raise JoinRefused(f"{error['message']}\n{error['hint']}")
    return answer, certificate


def with_port(server: str) -> str:
    """`HOST:PORT` of what people type: a host alone has the usual port."""
    host, colon, port = server.rpartition(":")
    if colon and port.isdigit() and (":" not in host or host.startswith("[")):
        return server
    return f"[{server}]:{DEFAULT_PORT}" if ":" in server and "[" not in server else f"{server}:{DEFAULT_PORT}"


def _run_agent(data: Path, language: Language) -> int:
    from danlu.agent.keeper_process import KeeperUnavailable
    from danlu.cluster.node.node_identity import NodeIdentity
    from danlu.launch.cluster.agent_process import LOG_FILE, AgentRunning, run_agent

    def greet(identity: NodeIdentity) -> None:
        text = say(language, "launch.join.running", node=identity.node, log=data / LOG_FILE)
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def complain(code: str) -> None:
        key = f"launch.join.refused.{code}"
        # A newer server may have reasons that are not known here.
        sys.stderr.write((say(language, key) if knows(key) else code) + "\n")
        sys.stderr.flush()

    try:
        is_removed = run_agent(data, greet, complain)
    except FileNotFoundError:
        raise NotMember(say(language, "launch.join.not_member", data=data)) from None
    except (AgentRunning, AlreadyRunning):
        raise JoinRefused(say(language, "launch.join.agent_running", data=data)) from None
    except ValueError as problem:
        raise JoinRefused(say(language, "launch.join.damaged", reason=problem)) from problem
    except (OSError, KeeperUnavailable) as problem:
        raise JoinRefused(
            say(language, "launch.cannot_start", reason=problem, log=data / LOG_FILE)
        ) from problem
    if not is_removed:
        return 0
    sys.stderr.write(say(language, "launch.join.removed") + "\n")
    return REMOVED


def _run_detached(data: Path, language: Language) -> int:
    import time

    from danlu.launch.cluster.agent_process import LOG_FILE, OUTPUT_FILE, START_S, start_agent
    from danlu.launch.detached import AGENT_LOCK, find_holder, is_signed

    child = start_agent(data)
    deadline = time.monotonic() + START_S
    while not is_signed(find_holder(data / AGENT_LOCK)):
        if child.poll() is not None or time.monotonic() > deadline:
            text = say(language, "launch.cannot_start", reason=child.poll(), log=data / OUTPUT_FILE)
            raise JoinRefused(text)
        time.sleep(0.05)
    sys.stdout.write(say(language, "launch.join.detached", pid=child.pid, log=data / LOG_FILE) + "\n")
    # It is its own from now on.
    child.returncode = 0
    return 0
