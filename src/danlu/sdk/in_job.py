"""What a job is told of the server that runs it: where it is, and a secret for locks and keys."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from danlu.sdk.connecting.connection import read_servers

if TYPE_CHECKING:
    from danlu.sdk.connecting.connection import Locate, Server


def locate_from_job(environment: Mapping[str, str]) -> Locate | None:
    """The server of the job that this program runs in; None outside of one."""
    # Nodes of an earlier version name one server, or several in the same variable.
    addresses = environment.get("DANLU_SERVERS") or environment.get("DANLU_SERVER")
    file = environment.get("DANLU_JOB_SECRET_FILE")
    if not addresses or not file:
        return None

    def find() -> Server:
        # Read each time: it is never kept anywhere else.
        secret = Path(file).read_text("utf-8").strip()
        return read_servers(addresses, secret)

    return find
