"""Prices that are added here: the cost follows, nothing is lost, and a load leaves them alone."""

from __future__ import annotations

import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from apps.plans.models import Price
from apps.plans.prices.files import COLUMNS
from apps.plans.prices.rates import RATES_FILE
from apps.rankings.models import Standing
from apps.rankings.services import refresh_all
from tests.rankings import build

pytestmark = pytest.mark.django_db

ROW = "Acme,X1,,EUR,{amount},month,,2026-11-01,,,,net,their page\n"


def file_of(folder: Path, *amounts: str) -> Path:
    path = folder / "prices.csv"
    rows = "".join(ROW.format(amount=amount) for amount in amounts)
    path.write_text(",".join(COLUMNS) + "\n" + rows, encoding="utf-8")
    return path


def said(*words: object, **options: Any) -> str:
    out = io.StringIO()
    call_command(*map(str, words), stdout=out, **options)
    return out.getvalue().strip()


def test_an_imported_price_is_what_commits_cost_from_now_on(tmp_path: Path) -> None:
    plan = build.plan()
    build.price(plan, Decimal(100))
    build.run(1_000, plan=plan, provider=plan.provider)
    refresh_all()
    before = Standing.objects.get(plan=plan).cost_per_billion
    assert said("import_prices", file_of(tmp_path, "50")) == "1 prices added, 0 were known."
    after = Standing.objects.get(plan=plan).cost_per_billion
    assert before is not None
    assert after == pytest.approx(before / 2, abs=Decimal("0.001"))
    assert Price.objects.filter(plan=plan).count() == 2
    assert said("import_prices", file_of(tmp_path, "50")) == "0 prices added, 1 were known."


def test_a_dry_run_stores_nothing_and_a_wrong_file_neither(tmp_path: Path) -> None:
    build.plan()
    path = file_of(tmp_path, "50")
    assert said("import_prices", path, dry_run=True).startswith("1 prices can be read")
    with pytest.raises(CommandError, match="line 3: amount"):
        said("import_prices", file_of(tmp_path, "50", "free"))
    path.write_bytes(b"\xff")
    with pytest.raises(CommandError, match="cannot be read as UTF-8"):
        said("import_prices", path)
    assert not Price.objects.exists()


def test_rates_are_loaded_from_the_bank_s_file(tmp_path: Path) -> None:
    assert "exchange rates are stored, up to 2026-" in said("load_rates", RATES_FILE)
    with pytest.raises(CommandError, match="not the bank's file"):
        said("load_rates", file_of(tmp_path, "1"))
    with pytest.raises(CommandError, match="was not taken"):
        said("load_rates", tmp_path / "missing.zip")


def test_a_load_of_the_catalogue_leaves_added_prices_alone() -> None:
    said("load_catalogue")
    shipped = Price.objects.filter(plan="hetzner-ax41-nvme").latest("valid_from")
    shipped.pk, shipped.amount, shipped.is_shipped = None, Decimal(1), False
    shipped.save()
    strange = Price.objects.create(
        plan=shipped.plan, currency="EUR", amount=Decimal(2), period="month", source="x",
        valid_from=shipped.valid_from,
    )  # fmt: skip
    said("load_catalogue", force=True)
    assert Price.objects.filter(pk=shipped.pk).exists()
    assert not Price.objects.filter(pk=strange.pk).exists()


FORM = {
    "plan": "acme-x1", "region": "", "currency": "EUR", "amount": "50", "period": "month",
    "setup_fee": "", "valid_from": "2026-11-01", "includes": "net", "source": "their page",
}  # fmt: skip


def test_staff_add_a_price_with_its_source(admin_client: Client) -> None:
    plan = build.plan()
    build.run(1_000, plan=plan, provider=plan.provider)
    refresh_all()
    answer = admin_client.post("/staff/plans/price/add/", FORM)
    assert answer.status_code == 302
    (price,) = Price.objects.all()
    assert (price.amount, price.is_shipped, price.source) == (Decimal(50), False, "their page")
    assert Standing.objects.get(plan=plan).price == price
    assert admin_client.get(f"/staff/plans/price/{price.pk}/change/").status_code == 200
    assert admin_client.post(f"/staff/plans/price/{price.pk}/delete/").status_code == 403
    assert admin_client.get("/staff/plans/exchangerate/").status_code == 200


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"source": ""}, "This field is required."),
        ({"currency": "euro"}, "Like EUR or USD."),
        ({"valid_from": "2999-01-01"}, "Add the price when it holds."),
        ({"plan": "acme-x9"}, "That choice is not one of the available choices."),
    ],
)
def test_staff_are_told_what_is_wrong_with_a_price(
    admin_client: Client, change: dict[str, str], says: str
) -> None:
    build.plan()
    answer = admin_client.post("/staff/plans/price/add/", FORM | change)
    assert says in answer.content.decode().replace("&#x27;", "'")
    assert not Price.objects.exists()


def test_a_price_that_is_known_is_not_added_again(admin_client: Client) -> None:
    build.plan()
    assert admin_client.post("/staff/plans/price/add/", FORM).status_code == 302
    assert "known already" in admin_client.post("/staff/plans/price/add/", FORM).content.decode()
    assert Price.objects.count() == 1
