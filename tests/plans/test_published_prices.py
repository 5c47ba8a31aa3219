"""Price lists as providers publish them: what is proposed of them, and that nothing is stored."""

from __future__ import annotations

import io
import json
import re
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.management import CommandError, call_command

from apps.plans.models import Plan, Price
from apps.plans.prices import published
from apps.plans.prices.published import PublishedFileError, PublishedPrice, read_published
from apps.plans.selectors import plans_with_old_prices
from tests import make

HETZNER: Final = {
    "pricing": {
        "currency": "EUR", "vat_rate": "19.00",
        "server_types": [
            {"id": 1, "name": "cx23", "prices": [
                {"location": "fsn1", "price_hourly": {"net": "0.0091", "gross": "0.0108"},
                 "price_monthly": {"net": "5.6900", "gross": "6.7711"}},
                {"location": "ash", "price_hourly": {"net": "0.0120", "gross": "0.0143"},
                 "price_monthly": {"net": "7.4900", "gross": "8.9131"}},
            ]},
        ],
    }
}  # fmt: skip
LINODE: Final = {
    "data": [
        {"id": "g6-nanode-1", "label": "Nanode 1GB", "price": {"hourly": 0.0075, "monthly": 5.0},
         "region_prices": [{"id": "id-cgk", "hourly": 0.009, "monthly": 6.0}]},
    ],
    "page": 1,
}  # fmt: skip
VULTR: Final = {"plans": [{"id": "vc2-2c-4gb", "monthly_cost": 20, "hourly_cost": 0.027}]}
DIGITALOCEAN: Final = {
    "sizes": [{"slug": "s-2vcpu-4gb", "price_hourly": 0.03571, "price_monthly": 24.0}]
}
AZURE_ITEM: Final = {
    "type": "Consumption", "unitOfMeasure": "1 Hour", "productName": "Lsv3 Series",
    "skuName": "Standard_L8s_v3", "armSkuName": "Standard_L8s_v3", "armRegionName": "eastus",
    "currencyCode": "USD", "retailPrice": 0.696,
}  # fmt: skip
FORMS: Final = [
    (HETZNER, 4, PublishedPrice("hetzner", "cx23", "fsn1", "EUR", Decimal("0.0091"), "hour")),
    (LINODE, 4,
     PublishedPrice("akamai-linode", "g6-nanode-1", "", "USD", Decimal("0.0075"), "hour")),
    (VULTR, 2, PublishedPrice("vultr", "vc2-2c-4gb", "", "USD", Decimal("0.027"), "hour")),
    (DIGITALOCEAN, 2,
     PublishedPrice("digitalocean", "s-2vcpu-4gb", "", "USD", Decimal("0.03571"), "hour")),
    ({"Items": [AZURE_ITEM]}, 1, PublishedPrice(
        "microsoft-azure", "Standard_L8s_v3", "eastus", "USD", Decimal("0.696"), "hour")),
]  # fmt: skip


@pytest.mark.parametrize(("document", "count", "first"), FORMS)
def test_each_form_is_read_to_the_last_digit(
    document: object, count: int, first: PublishedPrice
) -> None:
    prices = read_published([json.dumps(document).encode()])
    assert len(prices) == count
    assert prices[0] == first
    assert str(prices[0].amount) == str(first.amount)


@pytest.mark.parametrize(
    "change",
    [
        {"type": "Reservation"}, {"unitOfMeasure": "1/Day"},
        {"productName": "Lsv3 Series Windows"}, {"skuName": "L8s v3 Spot"},
        {"skuName": "L8s v3 Low Priority"}, {"isPrimaryMeterRegion": False},
    ],
)  # fmt: skip
def test_of_azure_only_what_anybody_rents_with_linux_counts(change: dict[str, str]) -> None:
    assert read_published([json.dumps({"Items": [{**AZURE_ITEM, **change}]}).encode()]) == []


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\xff", b"[]", b"{}", b"[" * 100_000, b'{"sizes": 1}', b'{"plans": [{"id": "x"}]}',
        b'{"plans": [{"id": "x", "monthly_cost": -1}]}',
        b'{"plans": [{"id": "x", "monthly_cost": NaN}]}',
        json.dumps(HETZNER).replace("EUR", "euro").encode(),
    ],
)  # fmt: skip
def test_a_file_of_another_form_is_refused(content: bytes) -> None:
    with pytest.raises(PublishedFileError):
        read_published([content])


def pages_of_vultr() -> list[dict[str, Any]]:
    rows = [{"id": f"vc2-{n}", "monthly_cost": 20} for n in range(3)]
    ends = ({"next": "bmV4dA==", "prev": ""}, {"next": "", "prev": "cHJldg=="})
    return [
        {"plans": part, "meta": {"total": 3, "links": links}}
        for part, links in zip((rows[:2], rows[2:]), ends, strict=True)
    ]


LIST: Final = "https://api.digitalocean.com/v2/sizes?page=2"
AZURE_NEXT: Final = "https://prices.azure.com/api/retail/prices?$skip=1000"
PAGES: Final = [
    (pages_of_vultr(), "bmV4dA=="),
    ([{**DIGITALOCEAN, "links": {"pages": {"next": LIST}}, "meta": {"total": 2}},
      {**DIGITALOCEAN, "links": {"pages": {"prev": LIST}}, "meta": {"total": 2}}], LIST),
    ([{**LINODE, "pages": 2, "results": 2}, {**LINODE, "page": 2, "pages": 2, "results": 2}],
     "page=2"),
    ([{"Items": [AZURE_ITEM], "NextPageLink": AZURE_NEXT},
      {"Items": [AZURE_ITEM], "NextPageLink": None}], AZURE_NEXT),
]  # fmt: skip


@pytest.mark.parametrize(("pages", "after"), PAGES)
def test_a_list_of_several_pages_is_read_whole_or_not(
    pages: list[dict[str, Any]], after: str
) -> None:
    first, last = (json.dumps(page).encode() for page in pages)
    alone = [price for page in (first, last) for price in read_rows(page)]
    assert read_published([first, last]) == alone
    with pytest.raises(PublishedFileError, match=re.escape(f"The page after them: {after}.")):
        read_published([first])
    with pytest.raises(PublishedFileError, match="missing or given twice"):
        read_published([first, first])
    with pytest.raises(PublishedFileError, match="not all of one known price list"):
        read_published([first, last, json.dumps(HETZNER).encode()])


def read_rows(page: bytes) -> list[PublishedPrice]:
    """The prices of a page, of which it is not asked whether it is whole."""
    rows = json.loads(page)
    for name in ("links", "meta", "pages", "results", "NextPageLink"):
        rows.pop(name, None)
    return read_published([json.dumps(rows).encode()])


def test_where_the_rows_are_counted_a_missing_last_page_is_noticed() -> None:
    _first, last = pages_of_vultr()
    with pytest.raises(PublishedFileError, match=r"1 rows\. Fetch them all, .*per_page=500"):
        read_published([json.dumps(last).encode()])


def test_a_file_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published, "FILE_BYTES_MAX", 10)
    with pytest.raises(PublishedFileError, match="larger"):
        read_published([b"{" + b" " * 10])


def cx23() -> Plan:
    owner = make.provider(slug="hetzner", name="Hetzner")
    plan = make.plan(provider=owner, slug="hetzner-cx23", name="CX23", kind="cloud")
    fields: dict[str, Any] = {"plan": plan, "region": "fsn1", "valid_from": date(2026, 6, 15)}
    make.price(**fields, amount="0.0088", period="hour", includes="excl. tax")
    make.price(**fields, amount="5.69", period="month", includes="excl. tax")
    return plan


def said(*words: object) -> str:
    out = io.StringIO()
    call_command("import_prices", *map(str, words), stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_a_proposal_is_read_before_anything_of_it_is_stored(tmp_path: Path) -> None:
    plan = cx23()
    file, proposal = tmp_path / "pricing.json", tmp_path / "proposal.csv"
    file.write_text(json.dumps(HETZNER), encoding="utf-8")

    out = said(file, "--proposal", proposal)
    assert "hetzner CX23 fsn1: 0.0088 -> 0.0091 EUR an hour (+3.4 %)" in out
    assert "2 of 4 prices are of plans here; nothing was stored." in out
    assert plan.prices.count() == 2

    # what has not changed is proposed too: then it is known to hold today
    assert said(proposal) == "2 prices added, 0 were known.\n"
    newest = plan.prices.latest("valid_from", "pk")
    assert newest.includes == "excl. tax"
    assert sorted(plan.prices.values_list("period", "amount")) == [
        ("hour", Decimal("0.008800")), ("hour", Decimal("0.009100")),
        ("month", Decimal("5.690000")), ("month", Decimal("5.690000")),
    ]  # fmt: skip
    assert "0 of 4 prices" in said(file)  # they are of today


@pytest.mark.django_db
def test_a_plan_is_found_by_the_name_in_its_brackets(tmp_path: Path) -> None:
    owner = make.provider(slug="akamai-linode", name="Akamai (Linode)")
    plan = make.plan(provider=owner, slug="nanode", name="Nanode 1GB (g6-nanode-1)")
    make.price(plan=plan, amount="0.0075", period="hour", currency="USD", valid_from="2024-07-11")
    file = tmp_path / "types.json"
    file.write_text(json.dumps(LINODE), encoding="utf-8")
    assert said(file) == "1 of 4 prices are of plans here; nothing was stored.\n"
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(CommandError, match=r"api\.hetzner\.cloud"):
        said(file)


def lsv3(tmp_path: Path, *items: dict[str, Any]) -> Path:
    """Azure's list with its machine, and with others; the plan is priced at 0.7 until now."""
    owner = make.provider(slug="microsoft-azure", name="Microsoft Azure")
    plan = make.plan(provider=owner, slug="lsv3", name="Standard_L8s_v3", kind="cloud")
    fields: dict[str, Any] = {"region": "eastus", "currency": "USD", "period": "hour"}
    make.price(plan=plan, amount="0.7", valid_from="2024-07-11", **fields)
    file = tmp_path / "azure.json"
    file.write_text(json.dumps({"Items": [AZURE_ITEM, *items]}), encoding="utf-8")
    return file


@pytest.mark.django_db
def test_of_two_amounts_for_one_place_none_is_proposed(tmp_path: Path) -> None:
    file = lsv3(tmp_path, {**AZURE_ITEM, "retailPrice": 0.9}, AZURE_ITEM)
    proposal = tmp_path / "proposal.csv"
    out = said(file, "--proposal", proposal)
    assert "eastus: 0.696, 0.9 USD in one file, and none is proposed" in out
    assert len(proposal.read_text(encoding="utf-8").splitlines()) == 1


@pytest.mark.django_db
def test_a_price_that_does_not_hold_yet_is_not_proposed(tmp_path: Path) -> None:
    later = {**AZURE_ITEM, "retailPrice": 0.9, "effectiveStartDate": "2999-01-01T00:00:00Z"}
    out = said(lsv3(tmp_path, later, {**AZURE_ITEM, "effectiveStartDate": "2020-01-01T00:00:00Z"}))
    assert "eastus: 0.7 -> 0.696 USD an hour (-0.6 %)" in out


@pytest.mark.django_db
def test_a_proposal_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    file = lsv3(tmp_path)
    with pytest.raises(CommandError, match=r"no/such\.csv cannot be written: No such file"):
        said(file, "--proposal", tmp_path / "no" / "such.csv")
    table = tmp_path / "prices.csv"
    said(file, "--proposal", table)
    for words in ([table, "--proposal", tmp_path / "other.csv"], [table, file]):
        with pytest.raises(CommandError, match="Nothing was stored"):
            said(*words)
    assert Price.objects.count() == 1


@pytest.mark.django_db
def test_plans_whose_newest_price_may_have_changed_are_listed() -> None:
    today = date(2026, 11, 21)
    plan = cx23()
    fresh = make.price(valid_from=date(2026, 9, 1)).plan
    make.price(plan=fresh, valid_from=date(2024, 1, 1))
    make.price(plan=make.plan(is_retired=True), valid_from=date(2024, 1, 1))
    oldest = make.price(valid_from=date(2024, 1, 1)).plan
    assert list(plans_with_old_prices(today)) == [oldest, plan]
    Price.objects.filter(plan=oldest).update(valid_from=date(2026, 8, 23))  # 90 days
    assert list(plans_with_old_prices(today)) == [plan]
