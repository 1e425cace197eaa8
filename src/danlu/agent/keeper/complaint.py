"""What goes wrong goes to the keeper's log; and when that fails too (the disk is full), work goes on."""

from __future__ import annotations

import contextlib
import os
import traceback


def complain() -> None:
    """Write down the exception that is being handled. Never raises one of its own."""
    with contextlib.suppress(OSError):
        os.write(2, traceback.format_exc().encode(errors="replace"))
