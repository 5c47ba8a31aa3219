"""Networks of requests: reduced, hashed, and not to be forged by a header."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.test import RequestFactory

from apps.accounts.networks import client_address
from apps.intake.networks import NetworkHashes, networks_of

if TYPE_CHECKING:
    from pytest_django import Settings


def networks(address: str) -> NetworkHashes:
    return networks_of(RequestFactory().get("/", REMOTE_ADDR=address))


def test_neighbours_of_a_24_are_one_network() -> None:
    assert networks("198.51.100.7") == networks("198.51.100.250")
    assert networks("198.51.100.7") != networks("198.51.101.7")


def test_a_48_is_one_uploader_and_a_64_has_one_quota() -> None:
    one, link, other = "2001:db8:1:2::5", "2001:db8:1:2::6", "2001:db8:1:3::5"
    assert networks(one) == networks(link)
    assert networks(one).uploader == networks(other).uploader
    assert networks(one).quota != networks(other).quota
    assert networks(one).uploader != networks("2001:db8:2:2::5").uploader


def test_an_ipv4_address_in_ipv6_is_the_ipv4_address() -> None:
    assert networks("::ffff:198.51.100.7") == networks("198.51.100.9")


def test_only_a_hash_is_kept(settings: Settings) -> None:
    found = networks("198.51.100.7")
    assert re.fullmatch(r"[0-9a-f]{32}", found.uploader)
    assert re.fullmatch(r"[0-9a-f]{32}", found.quota)
    settings.SECRET_KEY = "another"
    assert networks("198.51.100.7") != found


@pytest.mark.parametrize(
    ("address", "provider"),
    [
        ("65.108.3.4", "hetzner"),
        ("::ffff:65.108.3.4", "hetzner"),
        ("2a01:4f9:c010::1", "hetzner"),
        ("3.120.0.1", "aws"),
        ("192.168.7.1", ""),
        ("198.51.100.7", ""),
        ("", ""),
    ],
)
def test_the_provider_of_a_network_is_told_by_the_address(address: str, provider: str) -> None:
    assert networks(address).provider == provider


def test_the_provider_of_a_network_is_told_behind_a_proxy(settings: Settings) -> None:
    settings.TRUSTED_PROXY_HOPS = 1
    forwarded = "3.120.0.1, 65.108.3.4"
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=forwarded)
    assert networks_of(request).provider == "hetzner"


def test_a_socket_without_an_address_has_a_network_too() -> None:
    assert networks("") == networks("unix:")


@pytest.mark.parametrize(
    ("hops", "forwarded", "expected"),
    [
        (0, "203.0.113.9", "10.0.0.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "6.6.6.6, 203.0.113.9", "203.0.113.9"),
        (2, "6.6.6.6, 203.0.113.9, 10.0.0.7", "203.0.113.9"),
        (3, "203.0.113.9", "10.0.0.1"),
        (1, "", "10.0.0.1"),
    ],
)
def test_only_our_own_proxies_are_believed(
    settings: Settings, hops: int, forwarded: str, expected: str
) -> None:
    settings.TRUSTED_PROXY_HOPS = hops
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=forwarded)
    assert client_address(request) == expected
