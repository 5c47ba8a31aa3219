"""Fills the new fields from the words in which rows said the same until now."""

import re
from typing import Any

from django.db import migrations

UNIT = re.compile(r"unit price: per (?:provisioned )?(?P<unit>GiB|GB|IOPS|MiB/s|vCPU)\b")
TERM = re.compile(r"\b(?P<months>\d{1,3})-month term\b")
KINDS = (
    ("superseded", re.compile(r"\bsuperseded\b|\bprice before the \d{4} adjustments\b")),
    ("from", re.compile(r'"from" price')),
    ("derived", re.compile(r"\b(?:derived|assembled from|computed by the source)\b")),
    ("quoted", re.compile(r"\bquoted in the article\b")),
)
UNIT_NOT_NAMED = "unit"
PLAN_WORDS = (
    ("is_component", "startswith", "price component"),
    ("is_retired", "startswith", "service retired"),
    ("is_ephemeral", "contains", "data lost on"),
)


def fill(apps: Any, _schema_editor: Any) -> None:
    plans = apps.get_model("plans", "Plan").objects
    for field, lookup, words in PLAN_WORDS:
        plans.filter(**{f"storage_description__{lookup}": words}).update(**{field: True})
    prices = apps.get_model("plans", "Price").objects
    for price in prices.all():
        unit, term = UNIT.match(price.includes), TERM.search(price.includes)
        if price.is_unit_price:
            price.unit = unit["unit"] if unit else UNIT_NOT_NAMED
        price.term_months = int(term["months"]) if term else None
        price.kind = next((kind for kind, words in KINDS if words.search(price.includes)), "")
        price.save(update_fields=("unit", "term_months", "kind"))


class Migration(migrations.Migration):
    dependencies = (("plans", "0005_facts_of_prices_and_plans"),)

    operations = (migrations.RunPython(fill, migrations.RunPython.noop),)
