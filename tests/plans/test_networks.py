"""Whose network an address lies in, at the edges of blocks, and the table that ships."""

from __future__ import annotations

import csv
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from apps.plans.catalogue import read_providers
from apps.plans.networks import (
    NETWORKS_FILE,
    PREFIX_MAX,
    NetworksError,
    current_networks,
    networks_from,
    read_networks,
)

if TYPE_CHECKING:
    from pathlib import Path

SMALL = networks_from(
    (provider, ip_network(block))
    for provider, block in (
        ("hetzner", "198.51.100.0/22"),
        ("aws", "198.51.104.0/22"),
        ("hetzner", "2001:db8:4::/47"),
        ("ovhcloud", "2001:db8::/46"),
    )
)


@pytest.mark.parametrize(
    ("address", "provider"),
    [
        ("198.51.99.255", ""),
        ("198.51.100.0", "hetzner"),
        ("198.51.103.255", "hetzner"),
        ("198.51.104.0", "aws"),
        ("198.51.107.255", "aws"),
        ("198.51.108.0", ""),
        ("::ffff:198.51.103.255", "hetzner"),
        ("::ffff:198.51.108.0", ""),
        ("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", ""),
        ("2001:db8::", "ovhcloud"),
        ("2001:db8:3:ffff:ffff:ffff:ffff:ffff", "ovhcloud"),
        ("2001:db8:4::", "hetzner"),
        ("2001:db8:5:ffff:ffff:ffff:ffff:ffff", "hetzner"),
        ("2001:db8:6::", ""),
        ("::198.51.100.7", ""),  # compatible, not mapped: nobody routes it
        ("fe80::1%eth0", ""),
        ("unix:", ""),
        ("", ""),
        ("198.51.100.7, 10.0.0.1", ""),
    ],
)
def test_an_address_is_of_the_block_that_holds_it(address: str, provider: str) -> None:
    assert SMALL.provider_of(address) == provider


def test_without_blocks_nobody_has_an_address() -> None:
    assert networks_from([]).provider_of("198.51.100.7") == ""
    assert networks_from([]).providers == frozenset()


def test_blocks_that_overlap_are_refused_with_both_their_providers() -> None:
    blocks = [("aws", ip_network("10.0.0.0/8")), ("hetzner", ip_network("10.9.0.0/16"))]
    with pytest.raises(NetworksError, match=r"aws and hetzner overlap.*make_networks"):
        networks_from(blocks)


def test_the_shipped_blocks_are_of_providers_of_the_catalogue_and_large_enough() -> None:
    networks = current_networks()
    assert len(networks.providers) == 17
    assert networks.providers <= {provider.slug for provider in read_providers()}
    with NETWORKS_FILE.open(newline="", encoding="utf-8") as file:
        blocks = [ip_network(row["network"]) for row in csv.DictReader(file)]
    assert len(blocks) == 4_600
    assert all(block.prefixlen <= PREFIX_MAX[block.version] for block in blocks)


@pytest.mark.parametrize(
    ("address", "provider"),
    [
        ("65.108.3.4", "hetzner"),
        ("5.161.10.10", "hetzner"),
        ("2a01:4f9:c010::1", "hetzner"),
        ("51.15.1.1", "scaleway"),
        ("54.37.1.1", "ovhcloud"),
        ("3.120.0.1", "aws"),
        ("2600:1f18:1::1", "aws"),
        ("192.168.0.1", ""),
        ("127.0.0.1", ""),
        ("::1", ""),
        ("198.51.100.7", ""),
        ("2001:db8::1", ""),
    ],
)
def test_well_known_addresses(address: str, provider: str) -> None:
    assert current_networks().provider_of(address) == provider


def test_no_address_of_a_private_or_documentation_network_is_a_providers() -> None:
    special = ("10.0.0.0/8", "172.16.0.0/12", "100.64.0.0/10", "169.254.0.0/16", "fc00::/7")
    for block in map(ip_network, special):
        for address in (block[0], block[-1], block[block.num_addresses // 2]):
            assert current_networks().provider_of(str(address)) == ""


def made(folder: Path, **lists: str) -> list[str]:
    """Return the lines of the table that the command makes of some lists."""
    for name, text in lists.items():
        (folder / f"{name.replace('_', '.')}.txt").write_text(text, encoding="utf-8")
    output = folder / "networks.csv"
    call_command("make_networks", folder, output=output, verbosity=0)
    return output.read_text(encoding="utf-8").splitlines()


def test_a_table_has_the_fewest_blocks_and_those_of_one_provider_alone(tmp_path: Path) -> None:
    lines = made(
        tmp_path,
        aws_ipv4="# AS1\n\n20.0.0.0/16\n20.1.0.0/16\n30.0.0.0/16\n",
        aws_ipv6="2600::/32\n2600:1::/40\n2600:2::/48\n",
        hetzner_1="30.0.4.0/22\n40.0.0.0/22\n40.0.8.0/24\n30.1.0.0/16\n",
        vultr_x="30.0.8.0/22\n50.0.0.0/15\n2001:db8::/32\n10.1.0.0/16\n",
    )
    assert lines == [
        "provider,network",
        "aws,20.0.0.0/15",
        "aws,2600::/32",
        "aws,2600:1::/40",
        "hetzner,30.1.0.0/16",
        "hetzner,40.0.0.0/22",
        "vultr,50.0.0.0/15",
    ]
    networks = read_networks(tmp_path / "networks.csv")
    assert networks.provider_of(str(ip_address("20.1.255.255"))) == "aws"


@pytest.mark.parametrize(
    ("name", "text", "trouble"),
    [
        ("nobody_1", "20.0.0.0/16", r"nobody is no provider of plans\.csv"),
        ("aws_1", "20.0.0.0/16\n20.0.0.1/16\n", r"aws\.1\.txt, line 2: .*host bits set"),
        ("aws_1", "# nothing\n", "no list with a block in it; nothing was written"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused_and_nothing_written(
    tmp_path: Path, name: str, text: str, trouble: str
) -> None:
    with pytest.raises(CommandError, match=trouble):
        made(tmp_path, **{name: text})
    assert not (tmp_path / "networks.csv").exists()
