"""The provider in whose network an address is, by the blocks that ship with the product.

That provider need not rent out the machine, and the machine may be elsewhere: people upload through
VPNs, and later from other machines.
"""

from __future__ import annotations

import csv
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, collapse_addresses, ip_address
from ipaddress import ip_network as network_of
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from apps.plans.catalogue import DATA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

Network = IPv4Network | IPv6Network

NETWORKS_FILE: Final = DATA / "networks.csv"
COLUMNS: Final = ("provider", "network")
# Smaller blocks often belong to a customer and move with it, and addresses of servers are mostly in
# a larger block too. Without them the table is half as long.
PREFIX_MAX: Final = {4: 22, 6: 40}


class NetworksError(ValueError):
    """A table that cannot be used; the text says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Ranges:
    """Blocks of one version of IP that do not overlap, by their first address."""

    firsts: tuple[int, ...]
    lasts: tuple[int, ...]
    providers: tuple[str, ...]  # slugs

    def provider_at(self, address: int) -> str:
        """Return the slug of the provider whose block holds an address, or ""."""
        place = bisect_right(self.firsts, address) - 1
        if place < 0 or address > self.lasts[place]:
            return ""
        return self.providers[place]


@dataclass(frozen=True, slots=True)
class ProviderNetworks:
    """The blocks of all providers."""

    by_version: Mapping[int, Ranges]  # 4 and 6
    providers: frozenset[str]  # the slugs of those of which there is a block

    def provider_of(self, address: str) -> str:
        """Return the slug of the provider in whose network an address lies.

        "" where it lies in none, and where it is no address. An IPv4 address that is written as
        IPv6 is the IPv4 address.
        """
        try:
            parsed = ip_address(address)
        except ValueError:
            return ""
        if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
            parsed = parsed.ipv4_mapped
        return self.by_version[parsed.version].provider_at(int(parsed))


@cache
def current_networks() -> ProviderNetworks:
    """Return the networks that ship with the product; read once a process."""
    return read_networks(NETWORKS_FILE)


def read_networks(path: Path) -> ProviderNetworks:
    """Return the networks of a file such as networks.csv. Raises NetworksError."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    return networks_from((row["provider"], network_of(row["network"])) for row in rows)


def networks_from(blocks: Iterable[tuple[str, Network]]) -> ProviderNetworks:
    """Return the blocks with their providers, sorted for lookups. Raises NetworksError."""
    listed = list(blocks)
    return ProviderNetworks(
        {version: _ranges(listed, version=version) for version in PREFIX_MAX},
        frozenset(slug for slug, _ in listed),
    )


def distinct(blocks: Mapping[str, Iterable[Network]]) -> list[tuple[str, Network]]:
    """Return the blocks of each provider, merged and sorted, without blocks of two providers.

    Blocks smaller than PREFIX_MAX and blocks that are not global are left out too. Some lists of
    providers contain, for example, addresses for documentation.
    """
    merged = sorted(
        (*_place(block), provider, block)
        for provider, stated in blocks.items()
        for block in _collapsed(stated)
        if block.prefixlen <= PREFIX_MAX[block.version] and block.is_global
    )
    shared = _shared([(version, first, last) for version, first, last, *_ in merged])
    unshared = [
        (provider, block)
        for place, (*_, provider, block) in enumerate(merged)
        if place not in shared
    ]
    return sorted(unshared, key=lambda each: (each[0], _place(each[1])))


def _collapsed(blocks: Iterable[Network]) -> Iterator[Network]:
    listed = list(blocks)
    yield from collapse_addresses(block for block in listed if isinstance(block, IPv4Network))
    yield from collapse_addresses(block for block in listed if isinstance(block, IPv6Network))


def _place(block: Network) -> tuple[int, int, int]:
    return block.version, int(block.network_address), int(block.broadcast_address)


def _shared(sorted_places: list[tuple[int, int, int]]) -> set[int]:
    """Return the indices of blocks that overlap another; blocks of one provider never do."""
    overlapping: set[int] = set()
    widest = 0  # of those so far, the one that ends last
    for here, (version, first, last) in enumerate(sorted_places):
        if here and sorted_places[widest][0] == version and sorted_places[widest][2] >= first:
            overlapping |= {widest, here}
        if sorted_places[widest][0] != version or last > sorted_places[widest][2]:
            widest = here
    return overlapping


def _ranges(blocks: list[tuple[str, Network]], *, version: int) -> Ranges:
    places = sorted(
        (int(block.network_address), int(block.broadcast_address), provider)
        for provider, block in blocks
        if block.version == version
    )
    for (_, last, one), (first, _, other) in pairwise(places):
        if first <= last:
            raise NetworksError(
                f"Two blocks of {one} and {other} overlap. Make the table with "
                "manage.py make_networks, which leaves such blocks out."
            )
    return Ranges(
        firsts=tuple(first for first, _, _ in places),
        lasts=tuple(last for _, last, _ in places),
        providers=tuple(provider for _, _, provider in places),
    )
