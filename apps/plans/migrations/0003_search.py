"""Indexes of three-letter pieces for the search."""

from django.contrib.postgres.indexes import GinIndex
from django.db import migrations


class Migration(migrations.Migration):
    # the migration of drives makes the extension, and must be undone after this one
    dependencies = (("plans", "0002_exchange_rates_and_added_prices"), ("drives", "0003_search"))

    operations = (
        migrations.AddIndex(
            model_name="plan",
            index=GinIndex(name="plan_slug_pieces", fields=("slug",), opclasses=("gin_trgm_ops",)),
        ),
        migrations.AddIndex(
            model_name="plan",
            index=GinIndex(name="plan_name_pieces", fields=("name",), opclasses=("gin_trgm_ops",)),
        ),
    )
