"""A keeper with one fault: at a named point, before or after a named step, a process is killed with -9. Once.

crashing_keeper.py POINT SOURCE FOLDER LABEL MODE, where POINT is "victim:when:step".
"""

import os
import signal
import sys

point, source, folder = sys.argv[1:4]
sys.argv[:] = ["keeper", *sys.argv[3:]]
sys.path.append(source)

from danlu.agent.keeper import (  # noqa: E402
    main,
    task_book,
    task_record,
)
from danlu.agent.keeper.wrapper import (  # noqa: E402
    supervision,
    wrapper,
    wrapper_pool,
)

STEPS = {
    "spec": (task_record.TaskRecord, "write_first_spec"),
    "fork": (wrapper_pool, "fork_wrapper"),
    "claim": (task_record.TaskRecord, "make_claim"),
    "spawn": (supervision.Supervision, "spawn"),
    "start": (supervision.Supervision, "record_start"),
    "end": (wrapper, "record_end"),
    "conclusion": (task_book.TaskBook, "_conclude"),
}

victim, when, step = point.split(":")
owner, name = STEPS[step]
original = getattr(owner, name)


def strike() -> None:
    try:
        os.close(os.open(f"{folder}/struck", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    if victim == "both":
        os.kill(os.getppid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


def faulty(*arguments):
    if when == "before":
        strike()
    result = original(*arguments)
    if when == "after":
        strike()
    return result


setattr(owner, name, faulty)
main.main()
