"""The network that a request came from, as a keyed hash and as the provider that runs it.

Addresses are personal data. They are reduced to a network and hashed before anything is stored. The
name of a provider identifies nobody, since a provider has a great many addresses.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.crypto import salted_hmac

from apps.plans.networks import current_networks

if TYPE_CHECKING:
    from django.http import HttpRequest

HASH_CHARACTERS = 32  # 128 bits of an HMAC
IPV4_PREFIX = 24  # the smallest block that is routed: neighbours of one customer or office
UPLOADER_IPV6_PREFIX = 48  # what one site is given; all of it is one uploader
QUOTA_IPV6_PREFIX = 64  # one link: a quota must not shut out a whole company


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
        uploader=_hashed(_network(address, ipv6_prefix=UPLOADER_IPV6_PREFIX)),
        quota=_hashed(_network(address, ipv6_prefix=QUOTA_IPV6_PREFIX)),
        provider=current_networks().provider_of(address),
    )


def client_address(request: HttpRequest) -> str:
    """Return the address that the outermost of our own proxies saw.

    Each proxy appends to X-Forwarded-For, and anybody can write the entries before those of our
    proxies. WSGI reads X_Forwarded_For as the same header, so the outermost proxy must drop it.
    """
    hops = settings.TRUSTED_PROXY_HOPS
    forwarded = request.headers.get("X-Forwarded-For", "").split(",")
    if hops and len(forwarded) >= hops and (address := forwarded[-hops].strip()):
        return address
    return str(request.META.get("REMOTE_ADDR", ""))


def _network(address: str, *, ipv6_prefix: int) -> str:
    try:
        parsed = ip_address(address)
    except ValueError:
        return "no address"  # a Unix socket, or a proxy that is set up wrongly
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    prefix = ipv6_prefix if isinstance(parsed, IPv6Address) else IPV4_PREFIX
    return str(ip_network((parsed, prefix), strict=False))


def _hashed(network: str) -> str:
    return salted_hmac("fsyncmark.network", network, algorithm="sha256").hexdigest()[
        :HASH_CHARACTERS
    ]
