"""When a figure was measured, in words: the same of it wherever it is shown."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest
from django.utils import timezone

from apps.pages.show import dates
from tests.pages.site import main, text
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from django.test import Client

OF_SMALL_DATUM = "smalldatum-ser7-16k-fdatasync-r2"
SAID = "published 2026-01"


def test_a_day_says_when_it_is_over_a_year_old() -> None:
    today = timezone.now().date()
    assert dates.figure_day(today - dt.timedelta(days=365), "") == str(
        today - dt.timedelta(days=365)
    )
    old = today - dt.timedelta(days=366)
    assert dates.figure_day(old, "") == f"{old}, over a year old"
    assert dates.plain(old, "") == str(old)


def test_without_a_day_the_month_of_the_article_is_said() -> None:
    assert dates.figure_day(None, OF_SMALL_DATUM) == SAID
    assert dates.plain(None, OF_SMALL_DATUM) == SAID
    assert dates.figure_day(None, "ccx33-668ns-home-nvme-read-floor") == "date not stated"
    assert dates.figure_day(None, "a-run-of-ours") == "date not stated"


@pytest.mark.django_db
def test_every_page_says_the_same_of_a_published_figure(client: Client) -> None:
    store_catalogue()
    for address in (
        "/drives/samsung-990-pro/",
        "/plans/hetzner-ax162-s/",
        f"/runs/{OF_SMALL_DATUM}/",
        "/search/?q=990+pro",
        "/guides/oltp/?q=990+PRO",
        "/plans/?workload=direct-16k-fdatasync&cols=rate,measured",
        "/advisor/?rate=5000&p99=2",
        "/compare/?on=plan:hetzner-ax162-s&on=drive:samsung-990-pro",
    ):
        page = main(client, address)
        assert any(day in page for day in ("2026-01", "2025-12-31", "2025-05")), address
        assert "date not stated" not in page.partition('id="figures"')[0], address
    badge = text(client, "/badge/drive/samsung-990-pro.svg")
    assert "published 2025-05, day not stated" in badge
    assert "December 2025" in text(client, f"/badge/run/{OF_SMALL_DATUM}.svg")
    ax102 = main(client, "/plans/hetzner-ax102-15-36-tb-nvme-dc-drive/")
    assert "2025-11-11, over a year old" in ax102
