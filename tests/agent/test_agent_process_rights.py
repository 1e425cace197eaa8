"""A process that becomes an account has that account's rights, and no way back."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import danlu
from danlu.agent.keeper.isolation.process_rights import become

OWN_THE_CALLS = {"agent/keeper/isolation/process_rights.py", "agent/files/file_rights.py"}


def test_rights_are_dropped_in_one_module_for_processes_and_one_for_threads() -> None:
    root = Path(danlu.__file__).parent
    calls = re.compile(r"\b(set(re|res|e|fs)?[ug]id|setgroups|initgroups)\(")
    found = {str(file.relative_to(root)) for file in root.rglob("*.py") if calls.search(file.read_text())}
    assert found <= OWN_THE_CALLS


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another account")
def test_nothing_of_root_is_left() -> None:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            become(54321, 54322, (54323,))
            os.write(writing, repr((os.getresuid(), os.getresgid(), os.getgroups())).encode())
            os.setresuid(0, 0, 0)
            os.write(writing, b" and root again")
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as told:
        assert told.read() == repr(((54321,) * 3, (54322,) * 3, [54323]))
