"""A keeper with one fault: a named step fails with an OSError, for as long as a file says so.

failing_keeper.py STEP SOURCE FOLDER LABEL MODE; the step fails while FOLDER/fault exists.
"""

import errno
import os
import socket
import sys

step, source, folder = sys.argv[1:4]
sys.argv[:] = ["keeper", *sys.argv[3:]]
sys.path.append(source)

from danlu.agent.keeper import (  # noqa: E402
    main,
    task_book,
    task_record,
)

STEPS = {
    "pidfd": (os, "pidfd_open", errno.EMFILE),
    "line": (socket, "socketpair", errno.EMFILE),
    "claim": (task_record.TaskRecord, "make_claim", errno.ENOSPC),
    "start": (task_book.TaskBook, "hear_start", errno.EIO),
}

owner, name, number = STEPS[step]
original = getattr(owner, name)


def faulty(*arguments):
    if os.path.exists(f"{folder}/fault"):
        raise OSError(number, os.strerror(number))
    return original(*arguments)


setattr(owner, name, faulty)
main.main()
