"""How Danlu starts itself: nothing that lies about in some folder may be taken for a part of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

NEUTRAL = "/"
"""Only root puts files there. An empty entry of PYTHONPATH means the current folder, too."""


def danlu_argv(*words: str, python: str | Path | None = None, module: str = "danlu.main") -> list[str]:
    """`danlu WORDS` by this Python, or by another that has Danlu.

    `-P`: with `-m` alone Python looks for each module in the current folder first, for `json` as for `danlu`.
    Not `-I`, which would not find a Danlu that is installed for one person, or named by PYTHONPATH.
    """
    return [str(python or sys.executable), "-P", "-m", module, *words]


def become_danlu(
    *words: str, environment: Mapping[str, str] | None = None, python: str | Path | None = None
) -> NoReturn:
    """Be `danlu WORDS` from now on, under the same number. Paths among the words are absolute."""
    argv = danlu_argv(*words, python=python)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os.chdir(NEUTRAL)
    os.execve(argv[0], argv, dict(os.environ if environment is None else environment))  # noqa: S606
