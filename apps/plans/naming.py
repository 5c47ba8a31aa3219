"""How names of providers and plans become addresses, and what else people call providers."""

from __future__ import annotations

import hashlib
import re
from typing import Final

SLUG_CHARACTERS_MAX: Final = 160  # the longest slug of any model: that of a plan
# What an address may name; a slug begins with a letter or a digit.
SLUG: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9_-]{{0,{SLUG_CHARACTERS_MAX - 1}}}")
_NOT_SLUG: Final = re.compile(r"[^a-z0-9]+")
# Between the name of what is rented and what is added to it: "AX102 + 15.36 TB NVMe DC drive".
ADDED: Final = " + "

# Slugs of providers by other names that people, clouds and agents use.
PROVIDER_ALIASES: Final = {
    "akamai": "akamai-linode",
    "amazon": "aws",
    "amazon-web-services": "aws",
    "azure": "microsoft-azure",
    "dedibox": "scaleway",
    "digital-ocean": "digitalocean",
    "fly": "fly-io",
    "gce": "google-cloud",
    "gcp": "google-cloud",
    "google": "google-cloud",
    "google-cloud-platform": "google-cloud",
    "hetzner-cloud": "hetzner",
    "hetzner-online": "hetzner",
    "linode": "akamai-linode",
    "microsoft": "microsoft-azure",
    "oci": "oracle-cloud",
    "oracle": "oracle-cloud",
    "ovh": "ovhcloud",
    "packet": "equinix-metal",
}


def slug_of(name: str) -> str:
    """Return the address form of a name: lower case, runs of anything else become one dash."""
    return _NOT_SLUG.sub("-", name.lower()).strip("-")


def distinct_slug_of(name: str) -> str:
    """Return a slug that differs for names with letters that `slug_of` drops.

    It ends in eight digits of the SHA-256 of such a name, since several would have one slug else.
    """
    slug = slug_of(name)
    if all(letter.isascii() for letter in name if letter.isalnum()):
        return slug
    digest = hashlib.sha256(name.casefold().encode()).hexdigest()[:8]
    return f"{slug}-{digest}".strip("-")


def provider_slug_of(name: str) -> str:
    """Return the address form of a provider's name, other names of it resolved."""
    slug = slug_of(name)
    return PROVIDER_ALIASES.get(slug, slug)


def base_name(name: str) -> str:
    """Return the name of the plan that a variant is made of; "" where the name adds nothing."""
    base, added, _extra = name.partition(ADDED)
    return base if added else ""
