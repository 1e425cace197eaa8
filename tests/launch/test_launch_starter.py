"""Who started Danlu: the account of the process, whatever its environment says of another user."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys

import pytest

from danlu.launch.door.reachability import ReachOptions
from danlu.launch.starter import starter_name
from danlu.launch.up import UpOptions, _make_settings

NAMES = ("LOGNAME", "USER", "LNAME", "USERNAME")
UNNAMED = 54_321


def test_after_su_the_starter_is_root_and_not_who_typed_it(tmp_path, monkeypatch):
    """A member whose name the server took for its starter's would have jobs that run as root."""
    for name in NAMES:
        monkeypatch.setenv(name, "bo")
    reach = ReachOptions(host="127.0.0.1")
    options = UpOptions(tmp_path, reach, None, None, None, False, "auto", "en", "info")
    assert _make_settings(options).starter == pwd.getpwuid(os.geteuid()).pw_name


def test_no_environment_at_all(monkeypatch):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    assert starter_name() == pwd.getpwuid(os.geteuid()).pw_name


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another account")
def test_an_account_without_a_name_goes_by_its_number():
    # Loaded before it becomes the account, which may not be able to read our files.
    code = f"import os, danlu.launch.starter as it; os.setuid({UNNAMED}); print(it.starter_name())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "LOGNAME": "root", "USER": "root"},
    )
    assert done.stdout == f"uid{UNNAMED}\n"
