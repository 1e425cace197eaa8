"""Whose word counts about where a request came from."""

from __future__ import annotations

from ipaddress import ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from danlu.api.proxy import Front, arrive

FRONT = Front(trusted=(ip_network("10.0.0.0/24"), ip_network("fd00::/64")), names=frozenset({"gpu.lab"}))
FORWARDED = (
    b"x-forwarded-for",
    b"x-forwarded-proto",
    b"x-forwarded-host",
    b"x-forwarded-prefix",
    b"forwarded",
)

strangers = st.ip_addresses().filter(lambda address: not FRONT.trusts(str(address))).map(str)
proxies = st.ip_addresses(network="10.0.0.0/24").map(str)
anything = st.one_of(
    st.binary(max_size=40),
    st.ip_addresses().map(lambda a: str(a).encode()),
    st.sampled_from([b"https", b"/x"]),
)


@given(strangers, st.dictionaries(st.sampled_from(FORWARDED), anything))
def test_who_connects_directly_is_believed_nothing(peer, headers):
    plain = arrive(FRONT, peer, "http", {b"host": b"gpu.lab"}, "/api")
    assert arrive(FRONT, peer, "http", {b"host": b"gpu.lab", **headers}, "/api") == plain
    assert (plain.client, plain.scheme, plain.host, plain.root_path) == (_mapped(peer), "http", "gpu.lab", "")


@given(proxies, strangers, anything, st.lists(proxies, max_size=3))
def test_behind_trusted_proxies_the_last_stranger_counts_whatever_they_wrote(proxy, sender, forged, hops):
    chain = b", ".join([forged, sender.encode(), *(hop.encode() for hop in hops)])
    assert arrive(FRONT, proxy, "http", {b"x-forwarded-for": chain}, "/").client == _mapped(sender)


def test_an_address_that_is_none_ends_the_search():
    headers = {b"x-forwarded-for": b"1.2.3.4, unknown, 10.0.0.2"}
    assert arrive(FRONT, "10.0.0.1", "http", headers, "/").client == "10.0.0.2"


def test_an_ipv4_proxy_is_known_on_an_ipv6_socket():
    arrival = arrive(FRONT, "::ffff:10.0.0.1", "http", {b"x-forwarded-for": b"1.2.3.4:5678"}, "/")
    assert arrival.client == "1.2.3.4"


def test_a_trusted_proxy_says_scheme_and_host():
    headers = {b"host": b"127.0.0.1:8642", b"x-forwarded-proto": b"https", b"x-forwarded-host": b"gpu.lab"}
    arrival = arrive(FRONT, "10.0.0.1", "http", headers, "/")
    assert (arrival.scheme, arrival.host) == ("https", "gpu.lab")
    odd = arrive(FRONT, "10.0.0.1", "http", {**headers, b"x-forwarded-proto": b"gopher"}, "/")
    assert odd.scheme == "http"


@pytest.mark.parametrize(
    ("root_path", "peer", "prefix", "path", "expected"),
    [
        # A proxy may keep the sub-path or take it away.
        ("/danlu", "10.0.0.1", b"", "/danlu/api", ("/danlu", "/danlu/api")),
        ("/danlu", "10.0.0.1", b"", "/api", ("/danlu", "/danlu/api")),
        # Beside the proxy the server is at the root.
        ("/danlu", "127.0.0.1", b"", "/api", ("", "/api")),
        ("/danlu", "127.0.0.1", b"", "/danlu/api", ("/danlu", "/danlu/api")),
        ("/danlu", "127.0.0.1", b"", "/danlux", ("", "/danlux")),
        ("", "10.0.0.1", b"/danlu/", "/api", ("/danlu", "/danlu/api")),
        ("", "127.0.0.1", b"/danlu", "/api", ("", "/api")),
        # A prefix is a path and nothing else; what is set here counts more.
        ("", "10.0.0.1", b"//evil.example", "/api", ("", "/api")),
        ("", "10.0.0.1", b"/a;b", "/api", ("", "/api")),
        ("/danlu", "10.0.0.1", b"/other", "/api", ("/danlu", "/danlu/api")),
    ],
)
def test_the_sub_path(root_path, peer, prefix, path, expected):
    front = Front(root_path=root_path, trusted=FRONT.trusted)
    arrival = arrive(front, peer, "http", {b"x-forwarded-prefix": prefix} if prefix else {}, path)
    assert (arrival.root_path, arrival.path) == expected


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        ("https://gpu.lab", True),
        ("https://GPU.lab:443", True),
        ("https://public.lab", True),
        ("http://gpu.lab", False),
        ("https://gpu.lab.evil.example", False),
        ("https://gpu.lab:444", False),
        ("null", False),
        ("", False),
        ("https://", False),
    ],
)
def test_which_page_is_our_own(origin, own):
    front = Front(public_url="https://public.lab/danlu")
    assert front.is_own_origin(origin, "https", "gpu.lab") is own


@given(st.text(max_size=30))
def test_only_known_names_are_answered_to_whatever_is_sent(host):
    known = host.lower().removesuffix(".") in ("gpu.lab", "localhost") or host.lower().startswith("gpu.lab:")
    if not known and "localhost" not in host.lower() and "127." not in host and "::" not in host:
        assert not FRONT.answers_to(host)


def test_a_link_leads_where_others_can_follow():
    front = Front(shared_url="https://10.0.0.7:8642", names=frozenset())
    assert front.link_base("https://127.0.0.1:8642/") == "https://10.0.0.7:8642"
    assert front.link_base("https://localhost:8642/") == "https://10.0.0.7:8642"
    assert front.link_base("https://gpu.lab:8642/") == "https://gpu.lab:8642"
    assert front.link_base("https://[::1]:8642/") == "https://10.0.0.7:8642"


def outside() -> tuple[str, ...]:
    return ("https://10.0.0.7:8642", "https://172.17.0.1:8642")


@pytest.mark.parametrize(
    ("front", "opened_at", "links"),
    [
        (Front(outside_urls=outside), "https://127.0.0.1:8642/", outside()),
        (Front(outside_urls=outside), "https://localhost:8642/", outside()),
        (Front(outside_urls=outside), "https://danlu.localhost:8642/", outside()),
        (Front(outside_urls=outside), "https://[::1]:8642/", outside()),
        (Front(outside_urls=outside), "https://gpu.lab:8642/", ("https://gpu.lab:8642",)),
        (Front(outside_urls=outside), "https://10.0.0.9:8642/", ("https://10.0.0.9:8642",)),
        # It listens on loopback alone: only the address that the user came by leads here.
        (Front(), "http://127.0.0.1:8642/", ()),
        (Front(), "https://proxied.lab/danlu/", ("https://proxied.lab/danlu",)),
        (Front(public_url="https://gpu.lab/danlu"), "http://127.0.0.1:8642/", ("https://gpu.lab/danlu",)),
        (
            Front(public_url="https://gpu.lab", outside_urls=outside),
            "http://10.0.0.7/",
            ("https://gpu.lab",),
        ),
    ],
)
def test_what_leads_here_from_another_device(front, opened_at, links):
    assert front.links_elsewhere(opened_at) == links


def _mapped(address: str) -> str:
    from danlu.api.proxy import read_address

    return str(read_address(address))
