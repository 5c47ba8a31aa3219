"""The network that a request came from, as a keyed hash and as the provider that runs it.

Addresses are personal data. They are reduced to a network and hashed before anything is stored. The
name of a provider identifies nobody, since a provider has a great many addresses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.accounts.networks import (
    QUOTA_IPV6_PREFIX,
    SITE_IPV6_PREFIX,
    client_address,
    hashed_network,
)
from apps.plans.networks import current_networks

if TYPE_CHECKING:
    from django.http import HttpRequest

UPLOADER_IPV6_PREFIX = SITE_IPV6_PREFIX  # all of a site is one uploader


@dataclass(frozen=True, slots=True)
class NetworkHashes:
    """Keyed hashes of the networks of a request: whose run it is, and whose quota it uses."""

    uploader: str
    quota: str
    provider: str  # slug of the provider in whose network it lies, "" where none is known


def networks_of(request: HttpRequest) -> NetworkHashes:
    """Return the networks of the client, which is behind TRUSTED_PROXY_HOPS proxies."""
    address = client_address(request)
    return NetworkHashes(
        uploader=hashed_network(address, ipv6_prefix=UPLOADER_IPV6_PREFIX),
        quota=hashed_network(address, ipv6_prefix=QUOTA_IPV6_PREFIX),
        provider=current_networks().provider_of(address),
    )
