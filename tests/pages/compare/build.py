"""What tests of comparisons put on the site, and how they ask for it."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from tests import make
from tests.pages.site import text, tight

if TYPE_CHECKING:
    from django.test import Client

    from apps.rankings.models import Standing


def words_of(client: Client, address: str) -> str:
    return " ".join(text(client, address).split())


def against(*standings: Standing, more: str = "") -> str:
    on = "&".join(
        f"on=plan:{each.plan_id}" if each.plan_id else f"on=drive:{each.drive_family_id}"
        for each in standings
    )
    return f"/compare/?{on}{more}"


def interval(low: float, high: float, **changes: object) -> dict[str, object]:
    return {"rate_per_s_low": low, "rate_per_s_high": high, "coverage": 0.75, **changes}


def priced(standing: Standing, amount: str, currency: str = "EUR") -> Standing:
    """Give a standing of a plan a price of a month, and the cost that follows."""
    standing.price = make.price(plan=standing.plan, amount=Decimal(amount), currency=currency)
    standing.currency = currency
    hourly = Decimal(amount) / 730
    standing.cost_per_billion = hourly * 10**9 / (3600 * Decimal(standing.rate_per_s))
    standing.save()
    return standing


def delta_of(page: str, title: str) -> tuple[str, str]:
    """How the second of two differs in a measure: the outcome, and its words."""
    row = tight(page)[tight(page).index(f'scope="row">{title}<') :]
    found = re.search(r'class="delta (\w+)">(?:<svg.*?</svg>)?([^<]+)<', row)
    assert found
    return found[1], found[2]


def head_of(page: str) -> str:
    """The answer of a comparison: its sentence, its figure, and how sure it is."""
    return tight(page[page.index('<div class="answer">') : page.index('<ul class="names-key">')])
