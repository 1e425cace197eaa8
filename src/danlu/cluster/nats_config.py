"""The settings of the messages' server: who may connect, and which subjects are theirs. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from danlu.core.nodes.member import Member

STRANGERS = "STRANGERS"
"""The account of `JOIN_USER`."""
JOIN_USER = "join"
"""Any machine may connect as this one; all it can do is ask to be let in."""
SERVER_INBOX = "_INBOX.server"
"""Below it, and its own id, a member answers what the control side asks."""
LONGEST_MESSAGE = 24 << 20
"""An order may be as long as a request to the keeper."""
LONGEST_FROM_STRANGERS = 64 << 10
MOST_STRANGERS = 500
"""So many may be connected at the same moment."""
MOST_SUBSCRIPTIONS_OF_STRANGERS = 4 * MOST_STRANGERS
"""Of all of them together: each needs one, for its answers."""
MOST_UNKNOWN = 4096
"""Connections beside those of members and strangers: machines that have not said yet who they are."""
PER_MEMBER = 4
"""An agent that starts anew may be there twice for a while, and so may the one that it replaces."""
_QUESTIONS = f"{JOIN_USER}.>"
_ANSWERS = f"_INBOX.{JOIN_USER}.>"


def render(
    *,
    listen: str,
    certificate_file: Path | str,
    key_file: Path | str,
    server_key: str,
    watch_key: str,
    members: Sequence[Member],
    log_file: Path | str,
    routes: Sequence[str] = (),
    cluster_name: str | None = None,
    cluster_listen: str | None = None,
    certificate_pin: str | None = None,
) -> str:
    """nats.conf. Several servers find each other by `routes` (`HOST:PORT`), listen for each other at
    `cluster_listen`, and let in a server that holds the key of the one certificate, which is
    `certificate_pin` (see `connection.pin_of`). `watch_key` is of the process that closes strangers'
    connections."""
    lines = [
        f"listen: {_text(listen)}",
        f"log_file: {_text(str(log_file))}",
        "logfile_size_limit: 10MB",
        "logfile_max_num: 3",
        f"max_payload: {LONGEST_MESSAGE}",
        f"max_connections: {MOST_UNKNOWN + MOST_STRANGERS + PER_MEMBER * (len(members) + 1)}",
        # A machine that is cut off must not hold its old connection for minutes.
        'ping_interval: "5s"',
        "ping_max: 2",
        'write_deadline: "10s"',
        "tls {",
        f"  cert_file: {_text(str(certificate_file))}",
        f"  key_file: {_text(str(key_file))}",
        "  handshake_first: true",
        "  timeout: 5",
        "}",
        "authorization { timeout: 5 }",
        *_accounts(server_key, watch_key, members),
    ]
    if cluster_listen is not None:
        lines += _cluster(
            cluster_name or "danlu", cluster_listen, routes, certificate_file, key_file, certificate_pin
        )
    return "\n".join(lines) + "\n"


def _accounts(server_key: str, watch_key: str, members: Sequence[Member]) -> list[str]:
    """Members and strangers, apart from each other but for questions and their answers: strangers have narrow
    limits."""
    return [
        "accounts {",
        f"  $SYS: {{ users: [{{ nkey: {_text(watch_key)} }}] }}",
        "  NODES: {",
        "    users: [",
        f"      {{ nkey: {_text(server_key)} }}",
        *(
            f"      {{ nkey: {_text(each.public_key)}, permissions: {_rights_of(each.id)} }}"
            for each in sorted(members, key=lambda member: member.id)
        ),
        "    ]",
        f"    exports: [{{ stream: {_text(_ANSWERS)} }}]",
        f"    imports: [{{ stream: {{ account: {STRANGERS}, subject: {_text(_QUESTIONS)} }} }}]",
        "  }",
        f"  {STRANGERS}: {{",
        "    users: [",
        f"      {{ user: {_text(JOIN_USER)}, password: {_text(JOIN_USER)}, permissions: "
        f"{{ subscribe: [{_text(_ANSWERS)}], publish: [{_text(_QUESTIONS)}] }} }}",
        "    ]",
        f"    limits: {{ max_payload: {LONGEST_FROM_STRANGERS}, max_connections: {MOST_STRANGERS}, "
        f"max_subscriptions: {MOST_SUBSCRIPTIONS_OF_STRANGERS} }}",
        f"    exports: [{{ stream: {_text(_QUESTIONS)} }}]",
        f"    imports: [{{ stream: {{ account: NODES, subject: {_text(_ANSWERS)} }} }}]",
        "  }",
        "}",
    ]


def _cluster(
    name: str,
    listen: str,
    routes: Sequence[str],
    certificate_file: Path | str,
    key_file: Path | str,
    pin: str | None,
) -> list[str]:
    return [
        "cluster {",
        f"  name: {_text(name)}",
        f"  listen: {_text(listen)}",
        f"  routes: [{', '.join(_text(f'nats-route://{route}') for route in routes)}]",
        # Nodes are told of servers with their beats, by addresses that they can reach.
        "  no_advertise: true",
        "  tls {",
        f"    cert_file: {_text(str(certificate_file))}",
        f"    key_file: {_text(str(key_file))}",
        f"    ca_file: {_text(str(certificate_file))}",
        # Both sides must hold the key. Names are not compared: it is one certificate for all servers, and
        # only that one is taken.
        "    verify: true",
        "    insecure: true",
        *([f"    pinned_certs: [{_text(pin)}]"] if pin is not None else []),
        "    timeout: 5",
        "  }",
        "}",
    ]


def _rights_of(member_id: str) -> str:
    """Answers have a place of each member's own: rights that come and go with a question would be lost
    whenever these settings are read again."""
    hears = [f"node.{member_id}.>", f"_INBOX.{member_id}.>"]
    says = [f"from.{member_id}.>", f"{SERVER_INBOX}.{member_id}.>"]
    return f"{{ subscribe: {_list(hears)}, publish: {_list(says)} }}"


def _list(values: Sequence[str]) -> str:
    return f"[{', '.join(_text(value) for value in values)}]"


def _text(value: str) -> str:
    """In quotes, as the configuration's own language has them."""
    return json.dumps(value, ensure_ascii=False)
