"""The wrapper around a task: claims it, starts it, enforces its limits, records its end.

A fork of the keeper that outlives it. It keeps its rights; only the user's command drops them. While its
keeper lives it may take one task after the other: the end of each is on disk before it takes the next.
"""

from __future__ import annotations

import _thread
import os
import resource
import signal
import socket
import time
from typing import NamedTuple, NoReturn

from danlu.agent.keeper import libc
from danlu.agent.keeper.complaint import complain
from danlu.agent.keeper.forks import leave_keeper
from danlu.agent.keeper.isolation.accounts import settle_account
from danlu.agent.keeper.isolation.task_group import group_of
from danlu.agent.keeper.lease import NodeLease
from danlu.agent.keeper.problem import SetupProblem
from danlu.agent.keeper.processes import myself
from danlu.agent.keeper.spec import End, Order, Spec
from danlu.agent.keeper.task_files import remove_files, write_files
from danlu.agent.keeper.task_record import TaskClaim, TaskRecord, end_of
from danlu.agent.keeper.wrapper.command import KeeperFacts
from danlu.agent.keeper.wrapper.direct_start import PlainStart, is_plain, prepare_plainly
from danlu.agent.keeper.wrapper.supervision import Supervision
from danlu.agent.keeper.wrapper.wrapper_events import STOP_SIGNAL, WrapperEvents

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.1, 2.0
_IDLE = "danlu idle"


def fork_wrapper(root: str, around: KeeperFacts) -> tuple[int, socket.socket]:
    """Start a wrapper for tasks whose records are below `root`: its pid, and the connection to it.

    It takes tasks from that connection, one at a time, until the connection is closed or it had better not
    take another.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # A signal that reaches it early waits until it can be handled.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {STOP_SIGNAL, signal.SIGCHLD})
    try:
        pid = os.fork()
        if pid == 0:
            _run(theirs, root, around)
        return pid, ours
    except BaseException:
        ours.close()
        raise
    finally:
        theirs.close()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run(connection: socket.socket, root: str, around: KeeperFacts) -> NoReturn:
    # Nothing may unwind from here into the keeper's frames, which this fork still carries.
    try:
        ears = WrapperEvents(_become_wrapper(connection, around), around.notes)
        claim = TaskClaim(around.boot_id, myself())
        last = None
        while (key := ears.next_key()) is not None:
            libc.set_process_name(f"danlu {key}")
            record = TaskRecord(f"{root}/{key}")
            taken = _take(record, claim, last, ears, around)
            if taken is not None and taken.leased:
                ears.tell_end(taken.end)
            if taken is None or not _is_unmarked_by(taken) or not ears.tell_idle(taken.end):
                break
            last = record
            libc.set_process_name(_IDLE)
    except BaseException:
        complain()
    finally:
        os._exit(0)


def _become_wrapper(connection: socket.socket, around: KeeperFacts) -> socket.socket:
    """A process of its own, with nothing of the keeper's but the connection to it."""
    connection = leave_keeper(connection)
    os.umask(0o022)
    # What tasks get; the keeper has raised its own.
    resource.setrlimit(resource.RLIMIT_NOFILE, around.open_files)
    libc.adopt_orphans()
    libc.set_process_name(_IDLE)
    return connection


class _Taken(NamedTuple):
    """How a task has ended, and whether a thread watched its lease meanwhile."""

    end: End
    leased: bool


def _is_unmarked_by(taken: _Taken) -> bool:
    """Whether the task has left nothing of itself in this process: no child above all, and no thread, with
    which one had better not fork. A thread counts from when it runs, so one may be there uncounted."""
    if taken.end["ending"] != "exited" or taken.leased or _thread._count() > 0:
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def _take(
    record: TaskRecord, claim: TaskClaim, last: TaskRecord | None, ears: WrapperEvents, around: KeeperFacts
) -> _Taken | None:
    """Claim the task and carry it out; its end is on disk by then. None when it is not ours to run.

    `last` is the record of the task before, if there was one.
    """
    spec = record.read_spec()
    if spec is None or spec["order"] is None:
        return None
    order, start = _prepare(spec, spec["order"], around)
    lease = NodeLease(spec["lease_path"], around.boot_id) if order.get("leased") else None
    if not record.make_claim(claim, last):
        return None
    if not record.exists():
        # It was stopped and forgotten, or run by another wrapper, while its folder kept us waiting.
        record.remove()
        return None
    end = _carry_out(record, spec, order, start, lease, ears, around)
    record_end(record, end, ears)
    return _Taken(end, lease is not None)


def _prepare(spec: Spec, order: Order, around: KeeperFacts) -> tuple[Order, PlainStart | SetupProblem | None]:
    """The order with the account as this machine has it, and what a plain start needs; None when it takes a
    fork.

    Before the claim, since a hung disk or directory service holds the wrapper here: until the claim is made,
    the keeper can stop the task.
    """
    try:
        order = {**order, "account": settle_account(order["account"], around.uid)}
        return order, prepare_plainly(spec, order, around) if is_plain(spec, order, around) else None
    except SetupProblem as problem:
        return order, problem


def _carry_out(
    record: TaskRecord,
    spec: Spec,
    order: Order,
    start: PlainStart | SetupProblem | None,
    lease: NodeLease | None,
    ears: WrapperEvents,
    around: KeeperFacts,
) -> End:
    """Run the task to its end. Whatever goes wrong is an end too."""
    group = group_of(spec)
    supervision = Supervision(record, spec, order, group, ears, lease)
    try:
        if isinstance(start, SetupProblem):
            raise start
        ears.wait(0)
        if ears.take_stop():
            return end_of("never_started")
        write_files(spec, order)
        group.create()
        if not supervision.spawn(around, start):
            return end_of("never_started", detail="the lease of its node has run out")
        # A process whose working folder is on a disk keeps that disk busy.
        os.chdir("/")
        return supervision.watch()
    except SetupProblem as problem:
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
        remove_files(spec, order)


def record_end(record: TaskRecord, end: End, ears: WrapperEvents) -> None:
    """Write the end, however long the disk stays full: a lost end would be a lost job. The keeper hears of it
    meanwhile: once the server has written it down, the record is removed, and the wrapper stops trying."""
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            record.write_end(end)
        except FileNotFoundError:
            # The record is gone: the end was written down elsewhere.
            return
        except OSError:
            if pause_s == _FIRST_PAUSE_S:
                complain()
                ears.tell_unwritten_end(end)
            time.sleep(pause_s)
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)
        else:
            return
