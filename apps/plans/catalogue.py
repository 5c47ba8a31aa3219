"""Reads the catalogue of providers, plans and dated list prices that ships with the product."""

from __future__ import annotations

import csv
import re
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from apps.plans.models import (
    HOME_PROVIDER,
    NOTE_CHARACTERS_MAX,
    UNLISTED_PROVIDER,
    Plan,
    Price,
    Provider,
)
from apps.plans.naming import slug_of
from apps.plans.placement import LISTS

DATA: Final = Path(__file__).parent / "data"
PLANS_FILE: Final = DATA / "plans.csv"
PRICES_FILE: Final = DATA / "prices.csv"
NOTES_FILE: Final = DATA / "provider_notes.csv"  # may be missing: then no provider has answered
YES: Final = "yes"  # in a column of plans.csv that is blank for no
MONTH_ONLY: Final = re.compile(r"\d{4}-\d{2}")


def read_providers() -> list[Provider]:
    """Return the providers of plans.csv and the two stand-ins. The rows are not saved."""
    urls = {row["provider"]: row["provider_url"] for row in _rows(PLANS_FILE)}
    notes = read_notes()
    providers = [
        Provider(slug=slug_of(name), name=name, url=url, **notes.get(slug_of(name), {}))
        for name, url in urls.items()
    ]
    listed_slugs = {provider.slug for provider in providers}
    stand_ins = {HOME_PROVIDER: "Home", UNLISTED_PROVIDER: "Unlisted"}
    return providers + [
        Provider(slug=slug, name=name)
        for slug, name in stand_ins.items()
        if slug not in listed_slugs
    ]


def read_notes(path: Path = NOTES_FILE) -> dict[str, dict[str, Any]]:
    """Return the newest note of each provider as fields of its row, by slug.

    Raises ValueError where a note lacks its text, its day or who signed it, or is too long.
    """
    notes: dict[str, dict[str, Any]] = {}
    rows = _rows(path) if path.exists() else []
    for row in sorted(rows, key=lambda each: each["note_on"]):
        if not (row["note"] and row["note_by"]) or len(row["note"]) > NOTE_CHARACTERS_MAX:
            raise ValueError(
                f"{path.name}: the note of {row['provider']} needs its text, of "
                f"{NOTE_CHARACTERS_MAX} characters at most, and who signed it"
            )
        notes[slug_of(row["provider"])] = {
            "note": row["note"],
            "note_by": row["note_by"],
            "note_on": date.fromisoformat(row["note_on"]),
        }
    return notes


def read_plans() -> list[Plan]:
    """Return the plans of plans.csv, the first of any that share an address. Not saved."""
    plans: dict[str, Plan] = {}
    for row in _rows(PLANS_FILE):
        plan = _plan(row)
        plans.setdefault(plan.slug, plan)
    return list(plans.values())


def read_prices() -> list[Price]:
    """Return the prices of prices.csv, each once. The rows are not saved."""
    prices: dict[tuple[object, ...], Price] = {}
    for row in _rows(PRICES_FILE):
        price = _price(row)
        prices.setdefault(price_key(price), price)
    return list(prices.values())


def price_key(price: Price) -> tuple[object, ...]:
    """Return what makes a price one price: the fields of its unique constraint."""
    return (
        price.plan_id,
        price.region,
        price.currency,
        price.amount,
        price.period,
        price.valid_from,
        price.includes,
    )


def plan_slug(*, provider: str, plan: str) -> str:
    """Return the address of a plan: the provider's, a dash, the plan's."""
    return f"{slug_of(provider)}-{slug_of(plan)}"


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))


def _plan(row: dict[str, str]) -> Plan:
    return Plan(
        slug=plan_slug(provider=row["provider"], plan=row["plan"]),
        provider_id=slug_of(row["provider"]),
        name=row["plan"],
        kind=row["kind"],
        cpu=row["cpu"],
        vcpus=int(row["vcpus"]) if row["vcpus"] else None,
        ram_gb=_hundredths(row["ram_gb"]),
        storage_description=row["storage_desc"],
        storage_kind=row["storage_kind"],
        is_ephemeral=row["is_ephemeral"] == YES,
        is_component=row["is_component"] == YES,
        is_retired=row["is_retired"] == YES,
        drive_count=int(row["drive_count"]) if row["drive_count"] else None,
        drive_gb=_hundredths(row["drive_gb"]),
        drive_family_hint=row["drive_family_hint"],
        complete_lists=_complete_lists(row),
        arch=row["arch"],
        regions=row["regions"],
        source=row["source"],
    )


def _complete_lists(row: dict[str, str]) -> list[str]:
    """Return the lists of a plan that are complete. Raises ValueError for one that nobody knows."""
    names = [each for each in row["complete_lists"].split("; ") if each]
    if not LISTS.issuperset(names):
        raise ValueError(
            f"{PLANS_FILE.name}: complete_lists of {row['plan']} is {row['complete_lists']!r}; "
            f"it may have {', '.join(sorted(LISTS))}"
        )
    return names


def _price(row: dict[str, str]) -> Price:
    includes = row["includes"]
    valid_from = row["valid_from"]
    if MONTH_ONLY.fullmatch(valid_from):
        valid_from, includes = f"{valid_from}-01", f"{includes}; the source states no day"
    return Price(
        plan_id=plan_slug(provider=row["provider"], plan=row["plan"]),
        region=row["region"],
        currency=row["currency"],
        amount=Decimal(row["amount"]).quantize(Decimal("0.000001")),
        period=row["period"],
        setup_fee=_hundredths(row["setup_fee"]),
        valid_from=date.fromisoformat(valid_from),
        unit=row["unit"],
        term_months=int(row["term_months"]) if row["term_months"] else None,
        kind=row["kind"],
        includes=includes,
        source=row["source"],
    )


def _hundredths(text: str) -> Decimal | None:
    return Decimal(text).quantize(Decimal("0.01")) if text else None
