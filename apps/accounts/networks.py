"""The address and the network that a request came from. Neither is stored by itself."""

from __future__ import annotations

from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils.crypto import salted_hmac

if TYPE_CHECKING:
    from django.http import HttpRequest

IPV4_PREFIX: Final = 24  # the smallest block that is routed: neighbours of one customer or office
SITE_IPV6_PREFIX: Final = 48  # what one site is given
HASH_CHARACTERS: Final = 32  # 128 bits of an HMAC
QUOTA_IPV6_PREFIX: Final = 64  # one link: a quota must not shut out a whole company


def client_address(request: HttpRequest) -> str:
    """Return the address that the outermost of our own proxies saw."""
    peer = str(request.META.get("REMOTE_ADDR", ""))
    return address_behind_proxies(request.headers.get("X-Forwarded-For", ""), peer)


def address_behind_proxies(forwarded_for: str, peer: str) -> str:
    """Return the address that the outermost of our own proxies saw; without one, the peer's.

    Each proxy appends to X-Forwarded-For, and anybody can write the entries before those of our
    proxies.
    """
    hops = settings.TRUSTED_PROXY_HOPS
    forwarded = forwarded_for.split(",")
    if hops and len(forwarded) >= hops and (address := forwarded[-hops].strip()):
        return address
    return peer


def network_of(address: str, *, ipv6_prefix: int = SITE_IPV6_PREFIX) -> str:
    """Return the network of an address: its /24, or so many bits of an IPv6 address."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return "no address"  # a Unix socket, or a proxy that is set up wrongly
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    prefix = ipv6_prefix if isinstance(parsed, IPv6Address) else IPV4_PREFIX
    return str(ip_network((parsed, prefix), strict=False))


def hashed_network(address: str, *, ipv6_prefix: int) -> str:
    """Return what is stored of an address: a keyed hash of its network."""
    network = network_of(address, ipv6_prefix=ipv6_prefix)
    digest = salted_hmac("fsyncmark.network", network, algorithm="sha256").hexdigest()
    return digest[:HASH_CHARACTERS]


def quota_network_of(request: HttpRequest) -> str:
    """Return the keyed hash of the network whose quota a request uses: its /24 or /64."""
    return hashed_network(client_address(request), ipv6_prefix=QUOTA_IPV6_PREFIX)
