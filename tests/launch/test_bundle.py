"""What this machine runs with, packed, unpacked elsewhere and working there; an agent that changes over."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

import danlu
from danlu.launch.install import upgrade
from danlu.launch.install.bundle import make_bundle
from danlu.launch.install.runtime import (
    CannotUnpack,
    clear_old,
    current_name,
    has_runtime,
    look,
    switch,
    unpack,
)
from tests.support.installation import wait_until


@pytest.fixture(scope="module")
def bundles(tmp_path_factory):
    return tmp_path_factory.mktemp("bundles")


@pytest.fixture(scope="module")
def bundle(bundles):
    return make_bundle(bundles)


@pytest.fixture(scope="module")
def machine(bundle, tmp_path_factory):
    """The data folder of a machine that has unpacked it."""
    data = tmp_path_factory.mktemp("machine") / "data"
    with bundle.file.open("rb") as file:
        unpack(data, bundle.name, file)
    switch(data, bundle.name)
    return data


def alone(*words: str) -> subprocess.CompletedProcess[str]:
    """With no network, where one can be taken away, and nothing of this process's surroundings."""
    cut = ["unshare", "-n"] if os.geteuid() == 0 and shutil.which("unshare") else []
    return subprocess.run(
        [*cut, *words], check=False, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, timeout=60
    )


def test_it_works_where_there_is_nothing_but_python(machine):
    done = alone(str(machine / "runtime" / "current" / "bin" / "danlu"), "--data", str(machine), "version")
    assert f"danlu {danlu.__version__}" in done.stdout, done.stderr


def test_it_uses_nothing_from_outside(machine, bundle):
    """Every module of Danlu and of what it needs is the one that was sent."""
    python = str(machine / "runtime" / "current" / "bin" / "python")
    names = "danlu", "click", "nats", "cryptography", "danlu.cluster.node.agent_service"
    code = f"import {', '.join(names)}, sys; print(*(sys.modules[n].__file__ for n in {names}))"
    done = alone(python, "-c", code)
    files = done.stdout.split()
    own = machine / "runtime"
    assert len(files) == 5, done.stderr
    assert all(Path(file).is_relative_to(own) for file in files)
    assert json.loads((own / bundle.name / "bundle.json").read_text())["version"] == danlu.__version__


def test_others_may_use_it(machine):
    """A job of another account passes through the data folder, and can look at nothing else there."""
    for path in (machine / "runtime").rglob("*"):
        if not path.is_symlink():
            assert path.stat().st_mode & 0o004, path


def test_the_same_is_not_made_twice(bundle, bundles):
    before = bundle.file.stat().st_mtime_ns
    again = make_bundle(bundles)
    # Others may be at work on the sources; what is the same has the same name and is left alone.
    assert again.name != bundle.name or again.file.stat().st_mtime_ns == before


def test_an_agent_gets_neither_the_pages_nor_the_messages_server(bundle):
    with tarfile.open(bundle.file) as archive:
        names = archive.getnames()
    assert not [name for name in names if "danlu/static/" in name or name.endswith(("nats-server", ".pyc"))]


def a_bundle(**files: bytes) -> io.BytesIO:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    packed.seek(0)
    return packed


@pytest.mark.parametrize(
    "sent",
    [
        a_bundle(**{"../../evil.py": b""}),
        a_bundle(**{"/etc/evil": b""}),
        a_bundle(**{"site-packages/danlu/__init__.py": b"raise RuntimeError('no')", "bundle.json": b"{}"}),
        io.BytesIO(gzip.compress(b"no archive")),
        io.BytesIO(b"not even packed"),
        io.BytesIO(b""),
    ],
    ids=["climbs out", "absolute", "does not work", "no archive", "not packed", "empty"],
)
def test_what_is_damaged_leaves_nothing_behind(tmp_path, sent):
    sent.seek(0)
    with pytest.raises(CannotUnpack):
        unpack(tmp_path, "1.0-x", sent)
    assert not has_runtime(tmp_path, "1.0-x")
    assert list((tmp_path / "runtime").iterdir()) == []


def test_half_a_bundle_is_refused(tmp_path, bundle):
    with bundle.file.open("rb") as file:
        half = io.BytesIO(file.read(bundle.size // 2))
    with pytest.raises(CannotUnpack):
        unpack(tmp_path, bundle.name, half)
    assert list((tmp_path / "runtime").iterdir()) == []


def test_what_runs_is_not_cleared_away(tmp_path):
    for name in ("1-old", "2-running", "3-current"):
        (tmp_path / "runtime" / name).mkdir(parents=True)
    used = tmp_path / "runtime" / "2-running" / "x"
    used.touch()
    running = subprocess.Popen(["tail", "-f", str(used)])
    try:
        # The kernel lets go of who started it a moment before it knows the words.
        words = Path(f"/proc/{running.pid}/cmdline")
        wait_until(lambda: str(used) in words.read_text(), what="its words being known")
        switch(tmp_path, "3-current")
        clear_old(tmp_path, {"3-current"})
    finally:
        running.kill()
        running.wait()
    assert sorted(path.name for path in (tmp_path / "runtime").iterdir()) == [
        "2-running",
        "3-current",
        "current",
    ]


def test_what_is_seen_of_a_machine(tmp_path, bundle):
    facts = look(tmp_path / "not" / "yet", "127.0.0.1", 1, bundle.name)
    assert facts["writable"]
    assert facts["free_bytes"] > 0
    assert "refused" in facts["reach"]
    assert (facts["has_runtime"], facts["node"], facts["agent"]) == (False, None, False)


@pytest.fixture
def changed_over(tmp_path, monkeypatch):
    """A machine whose agent has just become `new`, from `old`; what runs the agent only leaves a mark."""
    monkeypatch.setattr(upgrade, "GONE_S", 0.2)
    monkeypatch.setattr(upgrade, "LOOK_S", 0.02)
    for name in ("old", "new"):
        (tmp_path / "runtime" / name).mkdir(parents=True)
    (tmp_path / "node").mkdir()
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/started\n')
    python.chmod(0o755)
    switch(tmp_path, "new")
    return tmp_path


def test_an_agent_that_gets_its_lease_stays(changed_over):
    (changed_over / "node" / "lease").touch()
    assert upgrade.guard(changed_over, "old", str(changed_over / "python"), 0)
    assert current_name(changed_over) == "new"


@pytest.mark.parametrize(("before", "after"), [("old", "old"), ("", None)])
def test_an_agent_that_does_not_come_up_is_put_back(changed_over, before, after):
    """Its lease is that of the one before."""
    lease = changed_over / "node" / "lease"
    lease.touch()
    assert not upgrade.guard(changed_over, before, str(changed_over / "python"), lease.stat().st_mtime_ns)
    assert current_name(changed_over) == after
    said = wait_until((changed_over / "started").exists, 5, "the old agent") and (changed_over / "started")
    wait_until(lambda: "join --data" in said.read_text(), 5, "what it was told")
