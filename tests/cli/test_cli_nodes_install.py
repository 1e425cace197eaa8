"""How a machine is named that shall become a node."""

from __future__ import annotations

import pytest

from danlu.cli.commands.nodes_install import parse_place


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("gpu3", (None, "gpu3", None)),
        ("li@192.168.1.12", ("li", "192.168.1.12", None)),
        ("root@gpu3:2222", ("root", "gpu3", 2222)),
        ("fe80::1", (None, "fe80::1", None)),
        ("li@[fe80::1]:22", ("li", "fe80::1", 22)),
        ("li@[fe80::1]", ("li", "fe80::1", None)),
        ("li@lab.cn@gpu3", ("li@lab.cn", "gpu3", None)),
    ],
)
def test_a_machine(text, place):
    assert parse_place(text) == place


@pytest.mark.parametrize(
    "text", ["", "@gpu3", "li@", "gpu3:", "gpu3:x", "gpu3:0", "gpu3:70000", "[fe80::1", "[::1]22"]
)
def test_no_machine(text):
    with pytest.raises(ValueError):
        parse_place(text)
