"""The wrapper around one task: claims it, starts it, enforces its limits, records its end.

A fork of the keeper that outlives it. It keeps its rights; only the user's command drops them.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import NoReturn

from danlu.agent.keeper import libc
from danlu.agent.keeper.cgroups import group_at
from danlu.agent.keeper.command import Surroundings
from danlu.agent.keeper.complaint import complain
from danlu.agent.keeper.problem import Problem
from danlu.agent.keeper.processes import myself
from danlu.agent.keeper.setup import script_of
from danlu.agent.keeper.spec import AccountSpec, End, Order, Spec
from danlu.agent.keeper.supervision import STOP_SIGNAL, Supervision
from danlu.agent.keeper.taskrecord import Claim, TaskRecord, end_of

_LONGEST_PAUSE_S = 5.0


def fork_wrapper(record: TaskRecord, spec: Spec, order: Order, around: Surroundings) -> int:
    """Start a wrapper; the pid of it. A stop that reaches it early waits until it can be handled."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {STOP_SIGNAL, signal.SIGCHLD})
    try:
        pid = os.fork()
        if pid == 0:
            _run(record, spec, order, around)
        return pid
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run(record: TaskRecord, spec: Spec, order: Order, around: Surroundings) -> NoReturn:
    # Nothing may unwind from here into the keeper's frames, which this fork still carries.
    try:
        _leave_keeper(spec["key"])
        if record.make_claim(Claim(around.boot_id, myself())):
            end = _carry_out(record, spec, order, around)
            record_end(record, end)
    except BaseException:
        complain()
    finally:
        os._exit(0)


def _leave_keeper(key: str) -> None:
    # The keeper's lock is among these: held open here, it would keep the next keeper out.
    os.closerange(3, os.sysconf("SC_OPEN_MAX"))
    os.setsid()
    os.umask(0o022)
    libc.adopt_orphans()
    libc.set_process_name(f"danlu {key}")


def _carry_out(record: TaskRecord, spec: Spec, order: Order, around: Surroundings) -> End:
    """Run the task to its end. Whatever goes wrong is an end too."""
    group = group_at(spec["group_mode"], spec["group_path"])
    supervision = Supervision(record, spec, order, group)
    try:
        script = script_of(order["command"])
        if script is not None:
            write_script(spec["script_path"], script, order["account"])
        group.create()
        supervision.spawn(around)
        return supervision.watch(around.notes)
    except Problem as problem:
        return end_of("setup_failed", problem=problem.reason, detail=problem.detail)
    except BaseException as error:
        complain()
        detail = f"{type(error).__name__}: {error}"
        if supervision.pid is None:
            return end_of("setup_failed", problem="launch_failed", detail=detail)
        supervision.kill_everything()
        return end_of("vanished", detail=detail, started_at=supervision.started_at)
    finally:
        group.remove()
        with contextlib.suppress(OSError):
            os.unlink(spec["script_path"])


def write_script(path: str, text: str, account: AccountSpec | None) -> None:
    """Write the job's script so that its account, and nobody else, can read it."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    os.makedirs(os.path.dirname(path), 0o711, exist_ok=True)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o500)
    with open(fd, "wb") as file:
        file.write(text.encode())
        if account is not None and os.geteuid() == 0:
            os.fchown(fd, account["uid"], account["gid"])


def record_end(record: TaskRecord, end: End) -> None:
    """Write the end, however long the disk stays full: a lost end would be a lost job."""
    pause_s = 0.1
    while True:
        try:
            record.write_end(end)
        except FileNotFoundError:
            # The record is gone, and with it whoever could ask.
            return
        except OSError:
            complain()
            time.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)
        else:
            return
