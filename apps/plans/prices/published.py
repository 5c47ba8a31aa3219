"""Reads list prices from files that providers publish, and proposes what to add of them.

Each provider has its own form, recognised by what stands in the file. Nothing is stored: staff read
the proposal, strike out what is wrong, and add the rest as any other file of prices.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any, Final

from apps.plans.models import Price
from apps.plans.prices.currencies import is_code
from apps.plans.prices.files import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import date

    from apps.plans.models import Plan

FILE_BYTES_MAX: Final = 64 << 20  # Azure's machines of all regions are 40 MB
DAY_CHARACTERS: Final = 10  # of a moment: 2026-11-01
_IN_BRACKETS: Final = re.compile(r"\(([^()]+)\)$")  # "Nanode 1GB (g6-nanode-1)"
_Item = dict[str, Any]
_Place = tuple[str, str, str, str]  # provider, type, region, currency


class PublishedFileError(ValueError):
    """The file is none that can be read; the text says which can."""


@dataclass(frozen=True, slots=True)
class PublishedPrice:
    """One price of a file, in the provider's own names."""

    provider: str  # slug
    type: str
    region: str  # empty: where the file names none
    currency: str
    amount: Decimal
    period: str
    begins: str = ""  # the day from which it holds, as 2026-11-01; empty: the file names none

    @property
    def place(self) -> tuple[str, str, str, str, str]:
        """What a plan has one price for."""
        return self.provider, self.type.lower(), self.region, self.currency, self.period


@dataclass(frozen=True, slots=True)
class ProposedPrice:
    """A price to add, and the newest of the same kind that is stored."""

    price: Price
    before: Price
    amounts: tuple[Decimal, ...]  # that the file names; more than one: somebody has to choose

    @property
    def change_percent(self) -> Decimal | None:
        """By how much it changed; None where it was free before."""
        if not self.before.amount:
            return None
        ratio = self.price.amount / self.before.amount
        return ((ratio - 1) * 100).quantize(Decimal("0.1"))


def read_published(contents: Iterable[bytes]) -> list[PublishedPrice]:
    """Return every price of a list, which is one file or all of its pages.

    Numbers stay decimal: a price is what stands there. Raises PublishedFileError where a file is
    not one of those known, and where a page is missing.
    """
    documents = [_document(content) for content in contents]
    forms = [next((form for form in FORMS if form.key in each), None) for each in documents]
    form = forms[0]
    if form is None or any(other is not form for other in forms):
        raise PublishedFileError(f"These are not all of one known price list. {_known()}")
    try:
        _check_whole(form, documents)
        return [price for document in documents for price in form.read(document)]
    except PublishedFileError:
        raise
    except (AttributeError, KeyError, TypeError, InvalidOperation, ValueError) as error:
        raise PublishedFileError(f"A price of the file cannot be read: {error!r}") from None


def _document(content: bytes) -> _Item:
    if len(content) > FILE_BYTES_MAX:
        raise PublishedFileError(f"The file is larger than {FILE_BYTES_MAX >> 20} MiB.")
    try:
        document = json.loads(content, parse_float=Decimal, parse_int=Decimal)
    except (ValueError, RecursionError):
        raise PublishedFileError(f"This is no JSON. {_known()}") from None
    return document if isinstance(document, dict) else {}


def _check_whole(form: PublishedForm, documents: Sequence[_Item]) -> None:
    """Raise PublishedFileError unless these are all pages of a list, each once."""
    lasts = [document for document in documents if not _next_page(document)]
    rows = sum(len(document[form.key]) for document in documents)
    first = documents[0]
    stated = first.get("results", first.get("meta", {}).get("total", rows))
    if len(lasts) == 1 and rows == stated:
        return
    after = [str(link) for document in documents if (link := _next_page(document))]
    more = f" The page after them: {after[-1]}." if after and not lasts else ""
    raise PublishedFileError(
        f"A page is missing or given twice: {rows} rows.{more} Fetch them all, {form.address}, and"
        " name all files."
    )


def _next_page(document: _Item) -> object:
    """What a page names as the one after it, where it is not the last."""
    links = document.get("links", document.get("meta", {}).get("links", {}))
    is_numbered = document.get("pages", 1) > document.get("page", 1)
    return (
        document.get("NextPageLink")
        or links.get("pages", links).get("next")
        or (f"page={document['page'] + 1}" if is_numbered else None)
    )


def propose(
    published: Iterable[PublishedPrice], *, plans: Iterable[Plan], today: date, source: str
) -> list[ProposedPrice]:
    """Return what to add: prices of plans that are listed, where one of the same kind is stored.

    `plans` have their prices in `list_prices`, the newest first. What a price includes is taken
    from the stored one. One that has not changed is proposed too: then it is known to hold today.
    """
    by_type = {(plan.provider_id, name): plan for plan in plans for name in _names_of(plan) if name}
    proposed = []
    for group in _held(published, today).values():
        each = group[0]
        plan = by_type.get(each.place[:2])
        before = _stored(plan, each) if plan else None
        if before is None or before.valid_from >= today:
            continue
        amounts = tuple(sorted({other.amount for other in group}))
        proposed.append(ProposedPrice(_price(each, before, today, source), before, amounts))
    return proposed


def _held(
    published: Iterable[PublishedPrice], today: date
) -> dict[tuple[str, ...], list[PublishedPrice]]:
    """What holds today, by what a plan has one price for."""
    groups: dict[tuple[str, ...], list[PublishedPrice]] = defaultdict(list)
    for each in published:
        if each.begins <= today.isoformat():
            groups[each.place].append(each)
    return groups


def proposal_file(proposed: Sequence[ProposedPrice]) -> str:
    """Return a proposal in the columns that `import_prices` takes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in proposed:
        price = each.price
        if len(each.amounts) > 1:
            continue
        writer.writerow([
            each.before.plan.provider.name, each.before.plan.name, price.region, price.currency,
            f"{price.amount:f}", price.period, "", price.valid_from.isoformat(), "", "", "",
            price.includes, price.source,
        ])  # fmt: skip
    return out.getvalue()


def _names_of(plan: Plan) -> tuple[str, str]:
    found = _IN_BRACKETS.search(plan.name)
    return plan.name.lower(), found[1].lower() if found else ""


def _stored(plan: Plan, published: PublishedPrice) -> Price | None:
    same = (published.region, published.currency, published.period)
    prices: Sequence[Price] = getattr(plan, "list_prices", ())
    return next(
        (
            price
            for price in prices
            if (price.region, price.currency, price.period) == same
            and not (price.is_unit_price or price.has_term)
        ),
        None,
    )


def _price(published: PublishedPrice, before: Price, today: date, source: str) -> Price:
    return Price(
        plan=before.plan,
        region=published.region,
        currency=published.currency,
        amount=published.amount,
        period=published.period,
        valid_from=today,
        includes=before.includes,
        source=source,
        is_shipped=False,
    )


def _amount(value: Any) -> Decimal:
    amount = Decimal(value)
    if not amount.is_finite() or amount < 0:
        raise PublishedFileError(f"{value!r} is no price.")
    return amount


def _by_period(of: _Place, *, hour: Any, month: Any) -> Iterator[PublishedPrice]:
    provider, name, region, currency = of
    if not is_code(currency):
        raise PublishedFileError(f"{currency!r} is no currency.")
    for value, period in ((hour, Price.Period.HOUR), (month, Price.Period.MONTH)):
        if value is not None:
            yield PublishedPrice(provider, name, region, currency, _amount(value), period)


def _hetzner(document: _Item) -> Iterator[PublishedPrice]:
    pricing = document["pricing"]
    for each in pricing["server_types"]:
        for price in each["prices"]:
            of = "hetzner", each["name"], price["location"], pricing["currency"]
            hour, month = price["price_hourly"]["net"], price["price_monthly"]["net"]
            yield from _by_period(of, hour=hour, month=month)


def _linode(document: _Item) -> Iterator[PublishedPrice]:
    for each in document["data"]:
        for price in ({"id": "", **each["price"]}, *each.get("region_prices", ())):
            of = "akamai-linode", each["id"], price["id"], "USD"
            yield from _by_period(of, hour=price["hourly"], month=price["monthly"])


def _vultr(document: _Item) -> Iterator[PublishedPrice]:
    for each in document["plans"]:
        of = "vultr", each["id"], "", "USD"
        yield from _by_period(of, hour=each.get("hourly_cost"), month=each["monthly_cost"])


def _digitalocean(document: _Item) -> Iterator[PublishedPrice]:
    for each in document["sizes"]:
        of = "digitalocean", each["slug"], "", "USD"
        yield from _by_period(of, hour=each["price_hourly"], month=each["price_monthly"])


def _azure(document: _Item) -> Iterator[PublishedPrice]:
    """Linux on demand alone: Windows has its own product, and Spot may be taken away.

    A meter that is not the primary one of its region is that of another region, counted here.
    """
    for each in document["Items"]:
        if each.get("isPrimaryMeterRegion") is False:
            continue
        is_hourly = each["type"] == "Consumption" and each["unitOfMeasure"] == "1 Hour"
        is_spot = each["skuName"].endswith(("Spot", "Low Priority"))
        if is_hourly and not is_spot and "Windows" not in each["productName"]:
            of = "microsoft-azure", each["armSkuName"], each["armRegionName"], each["currencyCode"]
            begins = str(each.get("effectiveStartDate", ""))[:DAY_CHARACTERS]
            for price in _by_period(of, hour=each["retailPrice"], month=None):
                yield replace(price, begins=begins)


@dataclass(frozen=True, slots=True)
class PublishedForm:
    """A form of a provider's file: the member by which it is known, and where it is fetched."""

    key: str
    address: str
    read: Callable[[_Item], Iterator[PublishedPrice]]


FORMS: Final = (
    PublishedForm("pricing", "https://api.hetzner.cloud/v1/pricing", _hetzner),
    PublishedForm("data", "https://api.linode.com/v4/linode/types?page_size=500", _linode),
    PublishedForm("plans", "https://api.vultr.com/v2/plans?per_page=500", _vultr),
    PublishedForm("sizes", "https://api.digitalocean.com/v2/sizes?per_page=200", _digitalocean),
    PublishedForm("Items", "https://prices.azure.com/api/retail/prices", _azure),
)


def _known() -> str:
    return "What can be read: " + ", ".join(form.address for form in FORMS)
