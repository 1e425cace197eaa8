"""Stands in for the module `ray`: knows the nodes that `ray start` has noted down."""

import os
from pathlib import Path


def init(address, **_settings):
    assert address == os.environ["RAY_ADDRESS"]


def nodes():
    return [{"Alive": True} for _ in Path(os.environ["COUNTING"]).glob("nodes-*")]
