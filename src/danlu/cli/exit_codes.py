"""How the command line ends. What each number means to a person stands in `wording/cli` (`cli.exit.N`)."""

from __future__ import annotations

DONE = 0
FAILED = 1
WRONG_USAGE = 2
NOT_THE_JOBS = 125
"""`danlu run` ends as its job ends; where the job gave it no exit code, it uses this one, as `docker run`
does, so that a script can tell the two apart."""
INTERRUPTED = 130
BROKEN_PIPE = 141

ALL = (DONE, FAILED, WRONG_USAGE, NOT_THE_JOBS, INTERRUPTED, BROKEN_PIPE)
