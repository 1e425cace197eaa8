"""What a file of nodes asks for."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.control.nodes.installations import Target
from danlu.core.errors import Invalid
from danlu.core.nodes.node import Gpu, Node, NodeFacts, NodeState
from danlu.core.nodes.node_list import RETRY_S, Listed, Remembered, compare_gpus, consequences
from danlu.launch.install.node_file import read_list
from danlu.launch.install.ssh import explain

SEED = """[{
  "name": "Slaver1",
  "ip": "192.168.36.130",
  "user_name": "aaaaa",
  "gpu_count": 3,
  "gpu_info": ["RTX3090", "RTX3090", "RTX1080ti"]
 }]"""


def a_node(name: str, *models: str, drained: bool = False) -> Node:
    gpus = tuple(Gpu(index, f"GPU-{index}", model, 24_000) for index, model in enumerate(models))
    return Node(NodeFacts(name, 8, 64_000, gpus, "boot"), NodeState.UP, 0.0, drained)


def test_the_format_of_before_is_read():
    read = read_list(SEED, "f")
    assert read.listed == (
        Listed("Slaver1", "192.168.36.130", "aaaaa", 3, ("RTX3090", "RTX3090", "RTX1080ti")),
    )
    assert read.problems == ()


@pytest.mark.parametrize("text", ["", "{}", "[", "7", '{"name": "n1"}'])
def test_what_is_no_list_changes_nothing(text):
    with pytest.raises(Invalid):
        read_list(text, "f")


@pytest.mark.parametrize(
    "fault",
    [
        {"ip": "-oProxyCommand=evil"},
        {"user_name": "-x"},
        {"user_name": "a b"},
        {"name": "a,b"},
        {"ip": 7},
        {"gpu_count": "two"},
        {"gpu_count": True},
        {"gpu_info": [1]},
        {"port": 70_000},
        {"role": "boss"},
    ],
)
def test_a_line_that_is_wrong_is_told_and_the_others_count(fault):
    good = {"name": "n1", "ip": "10.0.0.1", "user_name": "li"}
    read = read_list(json.dumps([{**good, "name": "n2", **fault}, good]), "f")
    assert [each.name for each in read.listed] == ["n1"]
    assert [each.facts["number"] for each in read.problems] == [1]
    # It stands there all the same: it is not drained because of a typing error.
    assert fault.get("name", "n2") in read.names


def test_a_name_stands_for_one_machine():
    line = {"name": "n1", "ip": "10.0.0.1", "user_name": "li"}
    read = read_list(json.dumps([line, {**line, "ip": "10.0.0.2"}]), "f")
    assert [each.host for each in read.listed] == ["10.0.0.1"]
    assert len(read.problems) == 1


NAMES = st.sampled_from(["n1", "n2", "n3", "n4"])
SETS = st.frozensets(NAMES)


@given(listed=SETS, bad=SETS, before=SETS, drained_before=SETS, known=st.dictionaries(NAMES, st.booleans()))
def test_what_follows_from_a_change(listed, bad, before, drained_before, known):
    """Who is listed and no member is installed; who is gone is drained, once; who is back is undrained, if
    the file had drained it; and no other node is touched."""
    lines = [Listed(name, f"10.0.0.{name[1]}", "li") for name in sorted(listed)]
    nodes = {name: a_node(name, drained=drained) for name, drained in known.items()}
    names = listed | bad
    found = consequences(lines, names, Remembered(before, drained_before), nodes, known, {}, 0.0)
    assert {each.name for each in found.install} == listed - set(known)
    assert set(found.drain) == {name for name in before - names if known.get(name) is False}
    assert set(found.undrain) == {name for name in drained_before & names if known.get(name) is True}
    assert found.remember.listed == names
    # Looking again changes nothing.
    after = {
        name: a_node(name, drained=(known[name] or name in found.drain) and name not in found.undrain)
        for name in known
    }
    again = consequences(lines, names, found.remember, after, known, dict.fromkeys(lines, 0.0), 1.0)
    assert (again.install, again.drain, again.undrain) == ((), (), ())
    assert again.remember == found.remember


def test_a_failure_is_tried_again_after_a_while():
    line = Listed("n1", "10.0.0.1", "li")
    tried = {line: 1000.0}
    for now, count in ((1000.0 + RETRY_S - 1, 0), (1000.0 + RETRY_S, 1)):
        assert len(consequences([line], {"n1"}, Remembered(), {}, set(), tried, now).install) == count


@pytest.mark.parametrize(
    ("count", "said", "there", "codes"),
    [
        (2, ("RTX3090", "RTX3090"), ("NVIDIA GeForce RTX 3090",) * 2, []),
        (None, (), ("NVIDIA H200",), []),
        (3, ("RTX3090",) * 3, ("NVIDIA GeForce RTX 3090",) * 2, ["gpu_count"]),
        (2, ("RTX3090", "A100"), ("NVIDIA GeForce RTX 3090",) * 2, ["gpu_info"]),
        (2, ("RTX3090", "RTX3090"), ("NVIDIA GeForce RTX 3090", "NVIDIA A100-SXM4-80GB"), ["gpu_info"]),
    ],
)
def test_what_the_file_says_of_gpus_is_compared(count, said, there, codes):
    found = compare_gpus(Listed("n1", "10.0.0.1", "li", count, said), a_node("n1", *there).facts)
    assert [each.code for each in found] == codes


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("root@n1: Permission denied (publickey,password).", "install_key_refused"),
        ("ssh: Could not resolve hostname n1: Name or service not known", "install_unknown_host"),
        ("ssh: connect to host n1 port 22: Connection refused", "install_unreachable"),
        ("ssh: connect to host n1 port 22: Connection timed out", "install_unreachable"),
        ("ssh: connect to host n1 port 22: No route to host", "install_unreachable"),
        (
            "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.",
            "install_host_key_changed",
        ),
        ("something else", "install_ssh_failed"),
        ("", "install_ssh_failed"),
    ],
)
def test_what_ssh_says_has_a_remedy(tmp_path, said, code):
    assert explain(Target("n1", "root"), said, "ssh-ed25519 AAAA", tmp_path).code == code
