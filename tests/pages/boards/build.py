"""What several tests of the boards put on them, and how they read them."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING

from apps.plans.models import Plan, Price
from apps.rankings.models import Standing
from tests import make
from tests.pages.site import plan_at, text

if TYPE_CHECKING:
    from django.test import Client


def names_on(page: str) -> set[str]:
    """The names of the rows of the board, without what waits below it."""
    board = page.split('id="needs"', maxsplit=1)[0]
    return set(re.findall(r'class="called"[^>]*>\s*<a href="[^"]+">([^<]+)</a>', board))


def words_of(client: Client, address: str) -> str:
    """A page with its white space in order."""
    return " ".join(text(client, address).split())


def options(page: str, name: str) -> list[str]:
    """The values of a filter that can be chosen, the open one left out."""
    if f'id="pick-{name}"' not in page:
        return []
    select = page.split(f'id="pick-{name}"')[1].split("</select>", maxsplit=1)[0]
    return [value for value in re.findall(r'<option value="([^"]*)"', select) if value]


def singles_on(page: str) -> dict[str, int]:
    """The workloads that can be shown alone, with their counts."""
    fold = page.split('id="singles"')[1].split("</details>", maxsplit=1)[0]
    pairs = re.findall(r'href="[^"]*workload=([^"&]+)[^"]*".*?class="fig">(\d+)<', fold, re.DOTALL)
    return {name: int(n) for name, n in pairs}


def tokens_on(page: str) -> str:
    """The filters of a board that are on."""
    return page.split('class="tokens taps"')[1].split("</ul>", maxsplit=1)[0]


def facts(standing: Standing, **changes: object) -> None:
    """Give the plan of a standing other facts."""
    Plan.objects.filter(pk=standing.plan_id).update(**changes)


def priced(name: str, amount: str, currency: str, period: str = Price.Period.MONTH) -> None:
    """Put a plan on the board whose price is known and its cost is not."""
    standing = plan_at(1_000, name)
    price = make.price(plan=standing.plan, amount=Decimal(amount), currency=currency, period=period)
    Standing.objects.filter(pk=standing.pk).update(price=price)
