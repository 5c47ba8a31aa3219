"""Every guide, in the order in which they are listed."""

from typing import Final

from apps.pages.guides.commits import ETCD, OLTP, SEATS
from apps.pages.guides.devices import CEPH_WAL, INDEX_LOOKUPS, STREAMING, TICKS, ZFS_SLOG
from apps.pages.guides.guide import Guide

GUIDES: Final = (OLTP, SEATS, ETCD, TICKS, INDEX_LOOKUPS, STREAMING, ZFS_SLOG, CEPH_WAL)
BY_SLUG: Final = {guide.slug: guide for guide in GUIDES}


def find_guide(slug: str) -> Guide | None:
    """One guide by its address."""
    return BY_SLUG.get(slug)
