"""What `danlu up` makes of its addresses."""

from __future__ import annotations

import socket
import time
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from danlu.launch.addresses import own_addresses, usual_address
from danlu.launch.door.certificate import OwnCertificate, SiteCertificate
from danlu.launch.door.listening import listen
from danlu.launch.door.reachability import (
    BadAddress,
    Reachability,
    ReachOptions,
    check,
    may_be_strict,
    prepare_reach,
)
from danlu.launch.up import warn_if_alone
from tests.support.authority import Authority


def reach(folder: Path, **options: object) -> Reachability:
    said = ReachOptions(**options)  # type: ignore[arg-type]
    with listen(said.host, 0) as listener:
        return prepare_reach(said, check(said), listener, folder / "tls", time.time())


def test_within_the_machine_nothing_is_encrypted_and_only_its_names_are_answered_to(tmp_path):
    found = reach(tmp_path)
    assert found.local_url == found.shared_url
    assert found.local_url.startswith("http://127.0.0.1:")
    assert (found.encryption, found.exposed) == (None, False)
    answered = ["127.0.0.1:8642", "localhost", "[::1]:8642", "danlu.localhost"]
    assert all(found.front.answers_to(host) for host in answered)
    assert not any(
        found.front.answers_to(host) for host in ("evil.example", "10.0.0.7", "127.0.0.1.evil.example")
    )


def test_beyond_the_machine_everything_is_encrypted(tmp_path):
    found = reach(tmp_path, host="0.0.0.0")
    assert found.encryption is not None
    assert found.encryption.certificate.self_signed
    assert found.local_url.startswith("https://127.0.0.1:")
    assert not found.exposed


def test_one_of_several_servers_that_no_other_can_reach_says_so_at_its_start(tmp_path, capsys):
    warn_if_alone(reach(tmp_path, host="0.0.0.0"), "en")
    assert capsys.readouterr().err == ""
    warn_if_alone(reach(tmp_path), "en")
    said = capsys.readouterr().err
    assert "WARNING" in said
    assert "--host" in said


@pytest.mark.skipif(usual_address() is None, reason="this machine has no address but loopback")
def test_what_others_are_told_is_an_address_that_others_can_reach(tmp_path):
    for host in ("0.0.0.0", "::"):
        url = reach(tmp_path, host=host).shared_url
        shown = ip_address(url.removeprefix("https://").rpartition(":")[0].strip("[]"))
        assert shown in own_addresses()
        assert not shown.is_loopback


def test_any_literal_address_and_the_own_names_are_answered_to_beyond_the_machine(tmp_path):
    front = reach(tmp_path, host="0.0.0.0", allowed_hosts=["Furnace.lab"]).front
    answered = ["10.0.0.7:8642", "[fd00::7]", "localhost", socket.gethostname(), "furnace.lab.:8642"]
    assert [host for host in answered if not front.answers_to(host)] == []
    assert not front.answers_to("evil.example")


def test_links_for_other_devices_name_addresses_that_they_can_reach(tmp_path):
    assert reach(tmp_path).front.outside_urls() == ()
    everywhere = reach(tmp_path, host="0.0.0.0", plain_http=True)
    found = everywhere.front.outside_urls()
    assert found[0] == everywhere.shared_url
    assert len(set(found)) == len(found)
    hosts = [urlsplit(url).hostname for url in found]
    assert set(hosts) >= {str(each) for each in own_addresses() if each.version == 4}
    assert not any(":" in str(host) for host in hosts), "it does not listen there"


def test_in_the_clear_only_when_somebody_says_so(tmp_path):
    found = reach(tmp_path, host="0.0.0.0", plain_http=True)
    assert (found.encryption, found.exposed) == (None, True)
    assert found.shared_url.startswith("http://")


def test_a_certificate_of_the_site_is_used_within_the_machine_too(tmp_path):
    certificate, key = Authority(tmp_path).issue("localhost")
    found = reach(tmp_path, tls_cert=certificate, tls_key=key)
    assert found.encryption is not None
    assert found.local_url.startswith("https://127.0.0.1:")
    # Another port's plain HTTP service on the same host would be lost to browsers.
    assert not found.front.strict_transport


def test_a_public_address_is_what_links_carry_and_is_answered_to(tmp_path):
    found = reach(tmp_path, url="https://GPU.lab/danlu/")
    assert found.shared_url == "https://GPU.lab/danlu"
    assert found.front.root_path == "/danlu"
    assert found.front.answers_to("gpu.lab")
    assert found.front.link_base("http://127.0.0.1:8642/") == "https://GPU.lab/danlu"


def test_all_addresses_of_ipv6_are_those_of_ipv4_too():
    with listen("::", 0) as listener:
        port = listener.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), 5).close()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"tls_cert": Path("a")}, "half_tls"),
        ({"tls_key": Path("a")}, "half_tls"),
        ({"tls_cert": Path("a"), "tls_key": Path("a"), "plain_http": True}, "plain_and_tls"),
        ({"url": "gpu.lab"}, "url"),
        ({"url": "https://me:secret@gpu.lab"}, "url"),
        ({"url": "https://gpu.lab/a b"}, "url"),
        ({"url": "https://gpu.lab/?a=1"}, "url"),
        ({"url": "https://gpu.lab:x"}, "url"),
        ({"root_path": "danlu"}, "root_path"),
        ({"root_path": "//evil.example"}, "root_path"),
        ({"trusted_proxies": ["gpu.lab"]}, "trusted_proxy"),
        ({"trusted_proxies": ["10.0.0.0/99"]}, "trusted_proxy"),
    ],
)
def test_what_makes_no_sense_is_refused(options, reason):
    with pytest.raises(BadAddress) as told:
        check(ReachOptions(**options))
    assert told.value.reason == reason


def test_browsers_are_bound_to_https_only_at_the_usual_port_of_a_vouched_for_server(tmp_path):
    vouched = SiteCertificate(*Authority(tmp_path).issue("gpu.lab")).read(time.time())
    own = OwnCertificate(tmp_path / "tls", ["gpu.lab"], []).read(time.time())
    assert may_be_strict(vouched, 443)
    assert not may_be_strict(vouched, 8642)
    assert not may_be_strict(own, 443)
