"""Every page of the site, for tests that hold of all of them; the live site must hold its data."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

PAIR = "/compare/?on=plan:hetzner-ax102-15-36-tb-nvme-dc-drive&on=plan:hetzner-ax41-nvme"
PUBLISHED_RUN = "/runs/webp-ax102-fio-fsync-8k/"


@dataclass(frozen=True, slots=True)
class Page:
    """One address of the catalogue's site. A page that is not for search engines says so itself."""

    path: str
    has_chart: bool = False  # may weigh more
    is_indexed: bool = True

    @property
    def name(self) -> str:
        return urlsplit(self.path).path


PAGES = (
    Page("/"),
    Page("/plans/"),
    Page("/plans/hetzner-cax41/"),
    Page("/plans/aws-c6id-large/"),
    Page("/drives/"),
    Page("/drives/micron-7500-pro/"),
    Page("/drives/crucial-mx500/"),
    Page("/drives/unknown/", is_indexed=False),
    Page("/providers/"),
    Page("/providers/hetzner/"),
    Page("/runs/"),
    Page(PUBLISHED_RUN, has_chart=True),
    Page("/measure/"),
    Page("/method/"),
    Page("/rules/"),
    Page("/rules/faster-than-medium/"),
    Page("/rules/reads-from-cache/"),
    Page("/import/"),
    Page("/problems/too-large", is_indexed=False),
    Page("/styleguide/", is_indexed=False),
    Page("/compare/"),
    Page(PAIR, has_chart=True),
    Page("/advisor/"),
    Page("/search/?q=ccx", is_indexed=False),
    Page("/coverage/"),
    Page("/guides/"),
    Page("/guides/oltp/"),
    Page("/guides/etcd/"),
    Page("/lies/"),
    Page("/about/"),
    Page("/terms/"),
    Page("/privacy/"),
    Page("/imprint/"),
    Page("/status/", is_indexed=False),
    Page("/embed/"),
    Page("/api/v1/"),
    Page("/published/propose/"),
    Page("/uploads/"),
)
CHINESE = "/zh-hans"


def in_both_languages() -> list[str]:
    """Every path in English and in Chinese."""
    return [prefix + page.path for page in PAGES for prefix in ("", CHINESE)]
