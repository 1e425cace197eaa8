"""`danlu down`: stop the server of a data folder, with or without its jobs."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from danlu.launch.detached import AGENT_LOCK, MESSAGES_LOCK, stop_holder
from danlu.launch.locations import holder_of, jobs_left, wait_until_unlocked
from danlu.wording.catalogue import Language, say


def run_down(data: Path, stop_jobs: bool, language: Language) -> int:
    """Stop the server and wait until it is gone; the exit code."""
    data = data.expanduser().absolute()
    # The lock tells, not the file with the address: a killed server leaves that behind.
    pid = holder_of(data)
    if pid is None:
        if _stop_cluster_parts(data):
            sys.stdout.write(say(language, "launch.stopped") + "\n")
            return 0
        sys.stderr.write(say(language, "launch.not_running", data=data) + "\n")
        return 1
    if stop_jobs:
        sys.stderr.write(say(language, "launch.stopping_jobs") + "\n")
        problem = _ask_to_stop(data)
        if problem is not None:
            sys.stderr.write(say(language, "launch.stop_refused", reason=problem) + "\n")
            return 1
    else:
        # Gone already is as good as stopped.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    wait_until_unlocked(data)
    _stop_cluster_parts(data)
    left = jobs_left(data) if stop_jobs else 0
    if left == 0:
        sys.stdout.write(say(language, "launch.stopped") + "\n")
        return 0
    key = "launch.stopped_unknown" if left is None else "launch.stopped_not_jobs"
    sys.stderr.write(say(language, key, jobs=left, log=data / "server.log") + "\n")
    return 1


def _stop_cluster_parts(data: Path) -> bool:
    """The agent of this machine and the messages' server, where there are any; whether there were."""
    stopped = [stop_holder(data / name) for name in (AGENT_LOCK, MESSAGES_LOCK)]
    return any(stopped)


def _ask_to_stop(data: Path) -> str | None:
    """Ask over the API to stop with all jobs; None when the server agreed."""
    from danlu.sdk.client import Client
    from danlu.sdk.errors import ClientError

    try:
        with Client(data=data) as client:
            client.service.stop(stop_jobs=True)
    except ClientError as problem:
        return str(problem)
    return None
